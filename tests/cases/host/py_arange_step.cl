// EXPECT: race
// OPTS: --host py_arange_step.py
// RESTS: accesses stay inside of a
// WHY: arange(256, step=2) has 128 elements
kernel void k(global int *a, int n) { if (get_global_id(0) < (uint)n) a[get_global_id(0)] = 1; }
