// EXPECT: race
// OPTS: --host py_list_under_other_name.py
// WHY: the list changes under another name
kernel void k(global int *a, int n) { a[get_global_id(0) * n] = get_global_id(0) + 1000 * get_global_id(1); }
