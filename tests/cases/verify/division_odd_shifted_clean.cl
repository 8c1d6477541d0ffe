// EXPECT: clean
// WHY: -1 >> 1 is -1: two odd numbers have halves that differ, as >> rounds down.
kernel void odd(global int *a) {
  const int i = (int)get_global_id(0) - 8;
  if (i & 1) {
    a[8 + (i >> 1)] = get_global_id(0);
  }
}
