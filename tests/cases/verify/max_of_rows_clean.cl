// EXPECT: clean
// OPTS: --local 64 --groups 4
// WHY: the larger of the id and 0 is the id.
kernel void larger(global int *a) { a[max((int)get_global_id(0), 0)] = get_global_id(0); }
