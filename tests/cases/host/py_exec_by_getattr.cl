// EXPECT: race
// OPTS: --host py_exec_by_getattr.py
// WHY: n is 0
kernel void k(global int *a, int n) { a[get_global_id(0) * n] = get_global_id(0); }
