// EXPECT: race
// OPTS: --host alias_of_variable.c
// SAYS: the attribute alias is not followed
// WHY: m is another name of n: all work-items store to a[0].
kernel void k(global int *a, int n) { a[get_global_id(0) * n] = get_global_id(0) + 1000 * get_global_id(1); }
