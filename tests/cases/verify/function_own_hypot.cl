// EXPECT: div
// OPTS: --local 64 --groups 1
// WHY: an own `hypot` of integers without a body: any number, another for each
int __attribute__((overloadable)) hypot(int x, int y);
kernel void f(global uint *o) {
  if (hypot(7, 8) == 1) barrier(CLK_GLOBAL_MEM_FENCE);
}
