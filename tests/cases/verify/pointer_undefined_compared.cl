// EXPECT: div
// OPTS: --local 64 --groups 1
// WHY: q is not set: for one work-item it may be a and for another not: divergence
kernel void f(global int *a) {
  global int *q;
  if (q == a) barrier(CLK_LOCAL_MEM_FENCE);
  a[get_global_id(0)] = 0;
}
