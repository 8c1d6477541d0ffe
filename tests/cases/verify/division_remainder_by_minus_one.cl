// EXPECT: div
// OPTS: --local 64 --groups 1 --assume 'n == -2147483648'
// RESTS: no signed overflow at
// WHY: the least number % -1 is as undefined as / -1: any number for each
kernel void f(global int *out, int n) {
  if (n % -1) barrier(CLK_LOCAL_MEM_FENCE);
}
