// EXPECT: clean
// OPTS: --host recursion_stride_kept_clean.c
// WHY: the function calls itself after the launch, with the same stride 4.
kernel void spread(global int *data, int stride) {
  data[get_global_id(0) * stride] = get_global_id(0);
}
