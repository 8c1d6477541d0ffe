// EXPECT: oob
// OPTS: --host bounds_read_one_behind.c
// WHY: the buffer in has n elements and the launch n work-items: the last one reads in[n].
kernel void difference(global const int *in, global int *out) {
  const int i = get_global_id(0);
  out[i] = in[i + 1] - in[i];
}
