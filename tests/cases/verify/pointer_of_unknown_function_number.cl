// EXPECT: div
// OPTS: --local 64 --groups 1
// WHY: the address that a function without a body gives is another for each: divergence
global int *where(int);
kernel void f(global int *a) {
  if ((ulong)where(get_local_id(0)) & 64) barrier(CLK_LOCAL_MEM_FENCE);
}
