// EXPECT: race
// OPTS: --host py_setstate.py
// RESTS: accesses stay inside of in
// WHY: the array is filled with the state of one of 16
kernel void k(global const int *in, global int *out) { out[get_global_id(0)] = in[get_global_id(0)]; }
