// EXPECT: race
// OPTS: --local 16 --groups 2
// BUILD: -cl-std=CL2.0 -cl-uniform-work-group-size
// WHY: a variable in program scope is one for all
global int total;
kernel void k(global int *a) { total = get_global_id(0); a[get_global_id(0)] = 1; }
