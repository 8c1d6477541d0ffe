// EXPECT: clean
// OPTS: --local 16 --groups 1
// WHY: a shift of a long by 32 moves it up
kernel void k(global int *a) { ulong x = get_local_id(0); a[(x << 32) >> 32] = x; }
