// EXPECT: race
// OPTS: --host stride_by_comma_and_pointer.c
// WHY: the pointer leads to the second number of the array, which is 0.
kernel void spread(global int *data, int stride) {
  data[get_global_id(0) * stride] = get_global_id(0);
}
