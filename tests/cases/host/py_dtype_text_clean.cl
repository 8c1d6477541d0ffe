// EXPECT: clean
// OPTS: --host py_dtype_text_clean.py
// WHY: 256 numbers of 4 bytes
kernel void k(global const int *in, global int *out) { out[get_global_id(0)] = in[get_global_id(0)]; }
