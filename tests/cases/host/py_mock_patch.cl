// EXPECT: race
// OPTS: --host py_mock_patch.py
// WHY: n is 0 while the patch holds
kernel void k(global int *a, int n) { a[get_global_id(0) * n] = get_global_id(0); }
