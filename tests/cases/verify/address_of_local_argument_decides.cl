// EXPECT: race
// OPTS: --local 16 --groups 2
// CERTAIN: no
// WHY: the local memory of each group lies elsewhere: only some groups store
kernel void k(global int *a, local int *t) { t[get_local_id(0)] = 1; if (((ulong)t >> 8 & 1) != 0) a[0] = get_group_id(0); }
