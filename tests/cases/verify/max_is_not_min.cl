// EXPECT: race
// OPTS: --local 64 --groups 4
// WHY: the larger of the id and 7 is 7 for the first eight work-items, all of which write their id there.
kernel void larger(global int *a) { a[max((int)get_global_id(0), 7)] = get_global_id(0); }
