// EXPECT: clean
// OPTS: --host py_list_read_clean.py
// WHY: the list is only read
kernel void k(global int *a, int n) { a[get_global_id(0) * n] = get_global_id(0) + 1000 * get_global_id(1); }
