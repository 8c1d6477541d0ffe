// EXPECT: oob
// OPTS: --host py_array_of_other_shape.py
// RESTS: accesses stay inside of a
// WHY: the array has 16 elements, as shape= says: work-item 16 is past the end (n is 256)
kernel void k(global int *a, int n) { if (get_global_id(0) < (uint)n) a[get_global_id(0)] = 1; }
