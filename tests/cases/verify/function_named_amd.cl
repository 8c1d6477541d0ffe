// EXPECT: div
// OPTS: --local 64 --groups 1
// WHY: a function without a body gives any number, another for each call: divergence
int __attribute__((overloadable)) amd_ticket(int x);
kernel void f(global int *a) {
  if (amd_ticket(0)) barrier(CLK_LOCAL_MEM_FENCE);
}
