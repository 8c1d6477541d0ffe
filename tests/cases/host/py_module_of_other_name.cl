// EXPECT: race
// OPTS: --host py_module_of_other_name.py
// WHY: c is pyopencl: the second launch has 0
kernel void k(global int *a, int n) { a[get_global_id(0) * n] = get_global_id(0); }
