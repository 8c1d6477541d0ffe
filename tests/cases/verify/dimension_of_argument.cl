// EXPECT: race
// OPTS: --local 16 --groups 2
// WHY: with dim == 1 all have the same id
kernel void k(global int *a, uint dim) { a[get_global_id(dim)] = get_local_id(0); }
