// EXPECT: clean
// OPTS: --host kernels_in_vector.cpp
// SAYS: may be of any kernel
// WHY: the program launches spread with stride 3 only. If the host program is not understood as far as that, a race is possible, not certain, and the report says that a launch was not followed.
kernel void spread(global int *data, int stride) {
  data[get_global_id(0) * stride] = get_global_id(0);
}
