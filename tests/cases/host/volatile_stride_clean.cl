// EXPECT: clean
// OPTS: --host volatile_stride_clean.c
// WHY: the stride is 4 in all launches; that a variable is volatile does not make it 0.
kernel void spread(global int *data, int stride) {
  data[get_global_id(0) * stride] = get_global_id(0);
}
