// EXPECT: race
// OPTS: --host cpp_placement_new.cpp
// WHY: a new int is made where the stride is
kernel void spread(global int *data, int stride) { data[get_global_id(0) * stride] = get_global_id(0); }
