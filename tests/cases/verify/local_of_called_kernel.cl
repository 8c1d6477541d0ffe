// EXPECT: race
// OPTS: --local 16 --groups 2
// WHY: the kernel that is called has one local array for both calls
kernel void inner(global int *a) { local int t[16]; t[get_local_id(0)] = 1; a[get_global_id(0)] = t[get_local_id(0) ^ 1]; }
kernel void k(global int *a) { inner(a); }
