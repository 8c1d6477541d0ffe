// EXPECT: race
// OPTS: --host py_list_changed.py
// WHY: the list of sizes gets another number
kernel void k(global int *a, int n) { a[get_global_id(0) * n] = get_global_id(0) + 1000 * get_global_id(1); }
