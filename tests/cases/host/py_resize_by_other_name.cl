// EXPECT: race
// OPTS: --host py_resize_by_other_name.py
// RESTS: accesses stay inside of in
// WHY: the array has 16 numbers when the buffer is made
kernel void k(global const int *in, global int *out) { out[get_global_id(0)] = in[get_global_id(0)]; }
