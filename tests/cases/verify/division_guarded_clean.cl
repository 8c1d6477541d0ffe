// EXPECT: clean
// OPTS: --local 16 --groups 1
// WHY: n is not 0 there
kernel void k(global int *a, int n) { if (n > 0) a[0] = 5 / n; }
