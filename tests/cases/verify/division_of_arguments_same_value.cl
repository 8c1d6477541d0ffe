// EXPECT: race
// OPTS: --local 16 --groups 1
// RESTS: no division by 0
// WHY: with n = 0 each work-item may get another number
kernel void k(global int *a, int n) { a[0] = 5 / n; }
