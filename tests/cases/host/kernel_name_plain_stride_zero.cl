// EXPECT: race
// OPTS: --host kernel_name_plain_stride_zero.cpp
// WHY: the program launches spread with stride 0: all work-items store to data[0], different numbers.
kernel void spread(global int *data, int stride) {
  data[get_global_id(0) * stride] = get_global_id(0);
}
