// EXPECT: race
// OPTS: --host py_list_method_of_type.py
// WHY: list.insert puts 0 first: n is 0; a[0] of all
kernel void k(global int *a, int n) { a[get_global_id(0) * n] = get_global_id(0); }
