// EXPECT: race
// OPTS: --host py_groups_by_place.py
// WHY: the seventh argument: 256 groups of 64, so ids beyond 255
kernel void k(global int *a) { if (get_global_id(0) >= 256) a[0] = get_global_id(0); }
