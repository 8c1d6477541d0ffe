// EXPECT: clean
// OPTS: --local 64
// WHY: the tile of turn i is read by the neighbour in turn i + 1, after the barrier of turn i, and stored again in turn i + 2, after that of turn i + 1.
kernel void apart(global int *a, uint n) {
  local int t[2][64];
  const int l = get_local_id(0);
  int v = l;
  for (uint i = 0; i < n; i++) {
    t[i & 1][l] = v;
    v += t[(i + 1) & 1][l ^ 1];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  a[get_global_id(0)] = v;
}
