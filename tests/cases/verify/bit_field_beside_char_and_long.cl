// EXPECT: race
// OPTS: --local 2 --groups 1
// WHY: work-item 0 stores all 8 bytes of element 0, work-item 1 only its bit-field
#pragma OPENCL EXTENSION __cl_clang_bitfields : enable
struct s { int x : 17; char c; int d; };
union u { struct s s; ulong all; };
kernel void f(global union u *a) {
  const int l = get_local_id(0);
  if (l == 0) a[0].all = 0x123456789abcdefUL; else a[0].s.x = 5;
}
