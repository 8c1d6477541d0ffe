// EXPECT: clean
// OPTS: --local 16 --groups 1
// WHY: only one has a pointer
kernel void k(global int *a) {
  uint i = get_global_id(0);
  global int *p = i != 2 ? 0 : a;
  if (p) p[0] = i;
}
