// EXPECT: clean
// OPTS: --local 64 --groups 4
// WHY: the first three stay what they were
kernel void k(global int *a) {
  const int i = get_global_id(0);
  const int3 v = (int3)(i, 0, 0);
  a[as_int4(v).x] = i;
}
