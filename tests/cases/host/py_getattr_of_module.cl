// EXPECT: race
// OPTS: --host py_getattr_of_module.py
// WHY: the program is made by a name that is computed; n is 0 in the second launch
kernel void k(global int *a, int n) { a[get_global_id(0) * n] = get_global_id(0); }
