// EXPECT: race
// CERTAIN: no
// OPTS: --local 64 --groups 4
// WHY: three components have no fourth: as_int4(v).w is any number
kernel void k(global int *a) {
  const int i = get_global_id(0);
  const int3 v = (int3)(i, 0, 0);
  a[as_int4(v).w] = i;
}
