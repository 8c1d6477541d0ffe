// EXPECT: clean
// OPTS: --host condition_on_bits_clean.c
// WHY: the program goes on with odd numbers only, and for these each work-item has its own element.
kernel void spread(global int *data, int stride) {
  if (stride % 2 == 0) {
    data[0] = get_global_id(0);
  } else {
    data[get_global_id(0) * stride] = get_global_id(0);
  }
}
