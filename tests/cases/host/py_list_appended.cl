// EXPECT: race
// OPTS: --host py_list_appended.py
// WHY: the list of sizes grows by a dimension
kernel void k(global int *a, int n) { a[get_global_id(0) * n] = get_global_id(0) + 1000 * get_global_id(1); }
