// EXPECT: race
// OPTS: --local 16 --groups 1
// WHY: the remainder of a negative number is negative: -1 and 7 differ, but & 7 makes them one
kernel void k(global int *a) { int i = (int)get_local_id(0) - 8; a[(i % 8) & 7] = i; }
