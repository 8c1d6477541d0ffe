// EXPECT: race
// OPTS: --local 4,4 --groups 2,2
// WHY: the id of dimension 1 counts for nothing
kernel void k(global int *a) {
  size_t s = 0;
  for (uint i = 0; i < 2; i++) for (uint d = 0; d < 3; d += 2) s += get_global_id(d);
  a[s] = get_global_id(1);
}
