// EXPECT: clean
// OPTS: --host loop_of_powers_clean.c
// WHY: strides are 1, 3, 9, 27 and 81: never 2.
kernel void spread(global int *data, int stride) {
  if (stride == 2) {
    data[0] = get_global_id(0);
  } else {
    data[get_global_id(0) * stride] = get_global_id(0);
  }
}
