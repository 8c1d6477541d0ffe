// EXPECT: div
// OPTS: --local 16 --groups 1
// RESTS: no division by 0
// WHY: with n = 0 the quotient may be another for each
kernel void k(global int *a, int n, int m) { if (m / n > 3) barrier(CLK_LOCAL_MEM_FENCE); a[get_global_id(0)] = 1; }
