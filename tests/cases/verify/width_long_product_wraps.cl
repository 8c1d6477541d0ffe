// EXPECT: race
// OPTS: --local 64 --groups 1
// WHY: 2^63 times an even number is 0
kernel void k(global int *a) { a[get_global_id(0) * 0x8000000000000000ul >> 63] = get_local_id(0); }
