// EXPECT: clean
// OPTS: --local 64 --groups 4
// WHY: the level 31 - clz(i | 1) is from 0 to 31, and rows of 32 elements belong to one work-item. Told as possible: what this function gives is not computed.
kernel void levels(global int *a) {
  const uint i = get_global_id(0);
  a[i * 32 + 31 - clz(i | 1)] = i;
}
