// EXPECT: race
// OPTS: --local 16 --groups 1
// WHY: the pointer in front of the array is less than it: all go on
kernel void k(global int *a, global int *b, int n) { global int *p = a - 1; if (p < a) b[0] = get_local_id(0); }
