// EXPECT: race
// OPTS: --host long_double.c
// WHY: where long double has 64 bits: the product is below 1
kernel void k(global int *a, int n) { a[get_global_id(0) * n] = get_global_id(0); }
