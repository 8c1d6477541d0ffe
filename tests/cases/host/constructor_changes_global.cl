// EXPECT: race
// OPTS: --host constructor_changes_global.c
// WHY: a constructor sets n to 0 before main: all work-items store to a[0].
kernel void k(global int *a, int n) { a[get_global_id(0) * n] = get_global_id(0) + 1000 * get_global_id(1); }
