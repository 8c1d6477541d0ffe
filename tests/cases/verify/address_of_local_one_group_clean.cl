// EXPECT: clean
// OPTS: --local 16 --groups 1
// WHY: in one group it is one address
kernel void k(global ulong *a, local int *t) { t[get_local_id(0)] = 1; a[0] = (ulong)t; }
