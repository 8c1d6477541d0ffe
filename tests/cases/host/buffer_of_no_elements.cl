// EXPECT: race
// OPTS: --host buffer_of_no_elements.c
// RESTS: succeeds
// WHY: n may be 0: the buffer that nobody uses is not made then
kernel void k(global int *a, int n) { if (n == 0) a[0] = get_global_id(0); }
