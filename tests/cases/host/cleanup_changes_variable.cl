// EXPECT: race
// OPTS: --host cleanup_changes_variable.c
// WHY: the function of __attribute__((cleanup)) sets n to 0: all work-items store to a[0].
kernel void k(global int *a, int n) { a[get_global_id(0) * n] = get_global_id(0) + 1000 * get_global_id(1); }
