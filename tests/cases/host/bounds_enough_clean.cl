// EXPECT: clean
// OPTS: --host bounds_enough_clean.c
// WHY: the buffer in has n + 1 elements and the launch n work-items: the last one reads in[n].
kernel void difference(global const int *in, global int *out) {
  const int i = get_global_id(0);
  out[i] = in[i + 1] - in[i];
}
