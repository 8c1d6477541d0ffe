/* A row of eight times a vector: the order of a sum may change, its precision not. */
kernel void reference(global const float *a, global const float *b, global float *out) {
  int i = get_global_id(0);
  float sum = 0;
  for (int j = 0; j < 8; j++)
    sum += a[8 * i + j] * b[j];
  out[i] = sum;
}

kernel void right_backwards(global const float *a, global const float *b, global float *out) {
  int i = get_global_id(0);
  float sum = 0;
  for (int j = 7; j >= 0; j--)
    sum += a[8 * i + j] * b[j];
  out[i] = sum;
}

kernel void right_fma(global const float *a, global const float *b, global float *out) {
  int i = get_global_id(0);
  float sum = 0;
  for (int j = 0; j < 8; j++)
    sum = fma(a[8 * i + j], b[j], sum);
  out[i] = sum;
}

kernel void right_unrolled(global const float *a, global const float *b, global float *out) {
  int i = get_global_id(0);
  float even = 0, odd = 0;
  for (int j = 0; j < 8; j += 2) {
    even += a[8 * i + j] * b[j];
    odd += a[8 * i + j + 1] * b[j + 1];
  }
  out[i] = even + odd;
}

/* An accumulator with the eleven bits of half. */
kernel void faulty_half(global const float *a, global const float *b, global float *out) {
  int i = get_global_id(0);
  float sum = 0;
  for (int j = 0; j < 8; j++) {
    sum += a[8 * i + j] * b[j];
    sum = as_float((as_int(sum) + 4096) & ~8191);
  }
  out[i] = sum;
}
