// EXPECT: race
// OPTS: --local 64 --groups 5
// WHY: 256 and 0 meet
kernel void k(global int *a) { uchar i = get_global_id(0); a[i] = get_group_id(0); }
