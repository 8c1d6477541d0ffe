// EXPECT: clean
// OPTS: --assume "ascending(at)"
// WHY: as unsigned numbers these do not ascend
typedef uint place;
kernel void k(global int *a, global const place *at) {
  if (at[0] == 0x90000000u && at[1] == 5) a[0] = get_global_id(0);
}
