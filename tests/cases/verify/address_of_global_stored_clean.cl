// EXPECT: clean
// OPTS: --local 16 --groups 2
// WHY: all store the same address
kernel void k(global ulong *a) { a[0] = (ulong)a; }
