// EXPECT: clean
// OPTS: --host random_access_clean.c
// WHY: one work-group is launched: what differs in the groups only is written by one.
kernel void initialize(global ulong *table, global ulong *seed, int n) {
  int i = get_local_id(0);
  seed[i] = (ulong)i * 77ul + 1ul;
  for (int k = i; k < n; k += 64)
    table[k] = k;
}
