// EXPECT: clean
// OPTS: --host py_stride_clean.py
// WHY: 4
kernel void k(global int *a, int n) { a[get_global_id(0) * n] = get_global_id(0); }
