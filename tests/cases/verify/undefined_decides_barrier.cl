// EXPECT: div
// OPTS: --local 16 --groups 1
// CERTAIN: no
// WHY: some decide by what was never set
kernel void k(global int *a) {
  int v;
  if (get_local_id(0) == 0) v = 1;
  if (v) barrier(CLK_LOCAL_MEM_FENCE);
  a[get_global_id(0)] = 1;
}
