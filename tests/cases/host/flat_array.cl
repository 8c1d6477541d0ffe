// EXPECT: race
// OPTS: --host flat_array.c
// WHY: the third of the flat array is m[1][0]
kernel void k(global int *a, int n) { a[get_global_id(0) * n] = get_global_id(0); }
