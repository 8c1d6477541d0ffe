// EXPECT: race
// OPTS: --host py_class_of_program.py
// WHY: a class of its own that is a program launches with 0, too
kernel void k(global int *a, int n) { a[get_global_id(0) * n] = get_global_id(0); }
