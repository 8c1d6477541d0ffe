// EXPECT: clean
// OPTS: --host cpp_new_elsewhere_clean.cpp
// WHY: the new int is made elsewhere
kernel void spread(global int *data, int stride) { data[get_global_id(0) * stride] = get_global_id(0); }
