// EXPECT: race
// OPTS: --host py_list_in_heap.py
// WHY: the smallest number comes first: n is 0
kernel void k(global int *a, int n) { a[get_global_id(0) * n] = get_global_id(0); }
