// EXPECT: race
// OPTS: --host py_partial_of_program.py
// WHY: a program by way of functools.partial, launched with 0
kernel void k(global int *a, int n) { a[get_global_id(0) * n] = get_global_id(0); }
