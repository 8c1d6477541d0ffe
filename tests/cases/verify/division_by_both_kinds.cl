// EXPECT: race
// OPTS: --local 32 --groups 2
// WHY: with shift = -1 the signed quotient is 0 and the unsigned one is not: the guard holds for work-item 0 … and all others with a negative x. All store to bad[0].
kernel void both(global int *bad, int shift, int w) {
  const int x = shift - (int)get_global_id(0);
  if (x / w != (int)((uint)x / (uint)w)) {
    bad[0] = x;
  }
}
