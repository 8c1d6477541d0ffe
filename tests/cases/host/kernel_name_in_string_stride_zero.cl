// EXPECT: race
// OPTS: --host kernel_name_in_string_stride_zero.cpp
// WHY: the kernel whose name is in a string is launched with stride 0.
kernel void spread(global int *data, int stride) {
  data[get_global_id(0) * stride] = get_global_id(0);
}
