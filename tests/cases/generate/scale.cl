/* Right and wrong ways to scale a vector, beside a reference: `cltestcheck generate --against reference` finds the wrong
 * ones (their names begin with `faulty`), and accuses none of the others. */
kernel void reference(global const float *in, global float *out, int n) {
  int i = get_global_id(0);
  if (i < n)
    out[i] = 2 * in[i] + 1;
}

kernel void right_stride(global const float *in, global float *out, int n) {
  for (int i = get_global_id(0); i < n && i < (int)get_global_size(0); i += get_global_size(0))
    out[i] = 2 * in[i] + 1;
}

kernel void right_early(global const float *in, global float *out, int n) {
  int i = get_global_id(0);
  if (i >= n)
    return;
  float x = in[i];
  out[i] = 1 + x + x;
}

kernel void right_fma(global const float *in, global float *out, int n) {
  int i = get_global_id(0);
  if (i < n)
    out[i] = fma(2.0f, in[i], 1.0f);
}

kernel void right_select(global const float *in, global float *out, int n) {
  int i = get_global_id(0);
  float old = out[i], scaled = 2 * in[i] + 1;
  out[i] = i < n ? scaled : old;
}

/* A dropped tail: only whole fours. */
kernel void faulty_tail(global const float *in, global float *out, int n) {
  int i = get_global_id(0);
  if (i < n / 4 * 4)
    out[i] = 2 * in[i] + 1;
}

kernel void faulty_bound(global const float *in, global float *out, int n) {
  int i = get_global_id(0);
  if (i <= n)
    out[i] = 2 * in[i] + 1;
}

/* A missing mask. */
kernel void faulty_mask(global const float *in, global float *out, int n) {
  int i = get_global_id(0);
  float x = i < n ? in[i] : 0;
  out[i] = 2 * x + 1;
}
