// EXPECT: race
// OPTS: --assume "ascending(at)"
// WHY: as unsigned numbers 5 and 0x90000000 ascend
typedef uint place;
kernel void k(global int *a, global const place *at) {
  if (at[0] == 5 && at[1] == 0x90000000u) a[0] = get_global_id(0);
}
