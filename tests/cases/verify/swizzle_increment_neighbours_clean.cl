// EXPECT: clean
// OPTS: --local 16 --groups 2
// WHY: work-items 2k and 2k + 1 change other components of the vector.
kernel void count(global char4 *a) {
  const uint i = get_global_id(0);
  if (i & 1) {
    a[i / 2].x++;
  } else {
    a[i / 2].yw -= (char2)(3, 4);
  }
}
