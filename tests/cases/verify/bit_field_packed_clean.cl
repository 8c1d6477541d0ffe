// EXPECT: clean
// OPTS: --local 64 --groups 1
// WHY: an element has three bytes, the array ends with the last
#pragma OPENCL EXTENSION __cl_clang_bitfields : enable
struct __attribute__((packed)) s { int x : 20; };
kernel void f(global int *o) {
  local struct s t[64];
  const int l = get_local_id(0);
  t[l].x = l;
  barrier(CLK_LOCAL_MEM_FENCE);
  o[l] = t[63 - l].x;
}
