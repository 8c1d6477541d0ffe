// EXPECT: race
// OPTS: --host loop_of_powers_meets_two.c
// WHY: strides are 1, 2, 4 and so on: with 2 all work-items store to data[0].
kernel void spread(global int *data, int stride) {
  if (stride == 2) {
    data[0] = get_global_id(0);
  } else {
    data[get_global_id(0) * stride] = get_global_id(0);
  }
}
