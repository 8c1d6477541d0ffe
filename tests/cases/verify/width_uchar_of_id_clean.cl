// EXPECT: clean
// OPTS: --local 64 --groups 4 --assume "get_global_offset(0) == 0"
// WHY: fewer than 256
kernel void k(global int *a) { uchar i = get_global_id(0); a[i] = get_group_id(0); }
