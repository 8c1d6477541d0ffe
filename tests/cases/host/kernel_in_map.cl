// EXPECT: clean
// OPTS: --host kernel_in_map.cpp
// SAYS: may be of any kernel
// WHY: the program launches spread with strides 2 and 8 only. If the host program is not understood as far as that, a race is possible, not certain, and the report says that a launch was not followed.
kernel void spread(global int *data, int stride) {
  data[get_global_id(0) * stride] = get_global_id(0);
}
