// EXPECT: race
// OPTS: --host launch_through_pointer.c
// SAYS: what is called here is not known
// WHY: the second launch, with n = 0, goes through a pointer: all work-items store to a[0].
kernel void k(global int *a, int n) { a[get_global_id(0) * n] = get_global_id(0) + 1000 * get_global_id(1); }
