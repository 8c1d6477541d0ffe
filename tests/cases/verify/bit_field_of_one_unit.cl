// EXPECT: race
// OPTS: --local 64 --groups 1
// WHY: x and y are neighbouring bit-fields: one memory location
#pragma OPENCL EXTENSION __cl_clang_bitfields : enable
struct s { int x : 17; int y : 7; char c; };
kernel void f(global struct s *a) {
  const int l = get_local_id(0);
  if (l % 2 == 0) a[l / 2].x = l; else a[l / 2].y = l;
}
