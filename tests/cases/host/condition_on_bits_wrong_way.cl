// EXPECT: race
// OPTS: --host condition_on_bits_wrong_way.c
// WHY: the program goes on with even numbers only, and for these all work-items store to data[0].
kernel void spread(global int *data, int stride) {
  if (stride % 2 == 0) {
    data[0] = get_global_id(0);
  } else {
    data[get_global_id(0) * stride] = get_global_id(0);
  }
}
