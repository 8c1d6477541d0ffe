// EXPECT: race
// OPTS: --local 16 --groups 2
// BUILD: -cl-std=CL2.0 -cl-uniform-work-group-size
// WHY: so is a static one of a function
static int next(int i) { static global int n; n = i; return n; }
kernel void k(global int *a) { a[get_global_id(0)] = next(get_global_id(0)); }
