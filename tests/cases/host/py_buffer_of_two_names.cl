// EXPECT: race
// OPTS: --host py_buffer_of_two_names.py
// WHY: from and to are one buffer: what one stores another reads
kernel void k(global int *from, global int *to) { to[get_global_id(0)] = from[get_global_id(0) + 1]; }
