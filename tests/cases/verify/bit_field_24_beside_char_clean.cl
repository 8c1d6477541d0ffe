// EXPECT: clean
// OPTS: --local 64 --groups 1
// WHY: x has bytes 0 to 2, c is byte 3: different memory locations (C11 3.14: c is no bit-field)
#pragma OPENCL EXTENSION __cl_clang_bitfields : enable
struct s { int x : 17; char c; };
kernel void f(global struct s *a) {
  const int l = get_local_id(0);
  if (l % 2 == 0) a[l / 2].x = l; else a[l / 2].c = l;
}
