// EXPECT: race
// OPTS: --local 16 --groups 1
// WHY: only the work-items that have a pointer store; two of them meet
kernel void k(global int *a) {
  uint i = get_local_id(0);
  global int *p = i < 2 ? 0 : a;
  if (p) p[0] = i;
}
