// EXPECT: clean
// OPTS: --host py_two_buffers_clean.py
// WHY: two buffers
kernel void k(global int *from, global int *to) { to[get_global_id(0)] = from[get_global_id(0) + 1]; }
