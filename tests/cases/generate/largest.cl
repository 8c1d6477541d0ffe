/* The largest of each row of four: a wrong identity is no number of a row. */
kernel void reference(global const float *in, global float *out) {
  int i = get_global_id(0);
  float most = in[4 * i];
  for (int j = 1; j < 4; j++)
    most = in[4 * i + j] > most ? in[4 * i + j] : most;
  out[i] = most;
}

kernel void right_tree(global const float *in, global float *out) {
  int i = get_global_id(0);
  out[i] = fmax(fmax(in[4 * i], in[4 * i + 1]), fmax(in[4 * i + 2], in[4 * i + 3]));
}

kernel void right_vector(global const float *in, global float *out) {
  int i = get_global_id(0);
  float4 all = vload4(i, in);
  float2 two = fmax(all.lo, all.hi);
  out[i] = fmax(two.x, two.y);
}

kernel void faulty_identity(global const float *in, global float *out) {
  int i = get_global_id(0);
  float most = 0;
  for (int j = 0; j < 4; j++)
    most = in[4 * i + j] > most ? in[4 * i + j] : most;
  out[i] = most;
}
