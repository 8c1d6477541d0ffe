// EXPECT: race
// OPTS: --host py_list_of_numbers_changed.py
// WHY: the number in the list is set to 0
kernel void k(global int *a, int n) { a[get_global_id(0) * n] = get_global_id(0) + 1000 * get_global_id(1); }
