// EXPECT: race
// OPTS: --host const_pointer_case_range.c
// WHY: *p is n
kernel void k(global int *a, int n) { a[get_global_id(0) * n] = get_global_id(0); }
