// EXPECT: race
// OPTS: --host py_flag_of_other_name.py
// RESTS: are different memory
// WHY: both buffers are the same host memory
kernel void k(global int *from, global int *to) { to[get_global_id(0)] = from[get_global_id(0) + 1]; }
