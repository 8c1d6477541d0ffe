// EXPECT: race
// OPTS: --host bit_field_overflows.c
// WHY: the program launches spread with stride 0, as 16 does not fit into four bits: all work-items store to data[0], different numbers.
kernel void spread(global int *data, int stride) {
  data[get_global_id(0) * stride] = get_global_id(0);
}
