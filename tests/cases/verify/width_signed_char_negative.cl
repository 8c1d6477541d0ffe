// EXPECT: race
// OPTS: --local 256 --groups 1
// WHY: -128 & 127 is 0
kernel void k(global int *a) { char i = get_local_id(0); a[i & 127] = get_local_id(0); }
