// EXPECT: race
// OPTS: --local 16 --groups 1
// WHY: the function of the program is called, not that of OpenCL
static int __attribute__((overloadable)) popcount(int x) { return 0; }
kernel void k(global int *a) { a[popcount((int)get_local_id(0))] = get_local_id(0); }
