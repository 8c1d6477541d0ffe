// EXPECT: race
// OPTS: --local 16 --groups 1
// WHY: |i - 8| is the same for 7 and 9
kernel void k(global int *a) { a[abs((int)get_local_id(0) - 8)] = get_local_id(0); }
