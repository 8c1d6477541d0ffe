// EXPECT: race
// OPTS: --host py_offset_by_place.py
// RESTS: ids begin at 0
// WHY: the fifth argument is the offset, 5
kernel void k(global int *a) { if (get_global_offset(0) != 0) a[0] = get_global_id(0); }
