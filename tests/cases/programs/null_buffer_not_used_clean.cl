// EXPECT: clean
// RUN: scale b0:4096 n @64:16
// WHY: extra is a null pointer in this launch, so each work-item changes its own element of x.
kernel void scale(global float *x, global float *extra) {
  const int i = get_global_id(0);
  global float *const at = extra != 0 ? extra + i / 2 : x + i;
  *at = i * 2.0f;
}
