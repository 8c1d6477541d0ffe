// EXPECT: race
// WHY: -1 / 2 and 1 / 2 are both 0: the odd ones of 7 and 9 (7 - 8 = -1, 9 - 8 = 1) store a[8].
kernel void odd(global int *a) {
  const int i = (int)get_global_id(0) - 8;
  if (i & 1) {
    a[8 + i / 2] = get_global_id(0);
  }
}
