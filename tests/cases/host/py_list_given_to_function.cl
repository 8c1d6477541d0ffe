// EXPECT: race
// OPTS: --host py_list_given_to_function.py
// WHY: the function changes the list
kernel void k(global int *a, int n) { a[get_global_id(0) * n] = get_global_id(0) + 1000 * get_global_id(1); }
