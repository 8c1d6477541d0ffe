// EXPECT: race
// OPTS: --host pointer_to_function_stride_zero.c
// WHY: the launch with stride 0 is made through a pointer to a function: all work-items store to data[0].
kernel void spread(global int *data, int stride) {
  data[get_global_id(0) * stride] = get_global_id(0);
}
