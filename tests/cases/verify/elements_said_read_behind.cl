// EXPECT: oob
// OPTS: --local 32 --groups 2 --assume 'elements(in) == n' --assume 'n == 64'
// OPTS: --assume 'elements(in) == get_global_size(0)'
// WHY: the last work-item reads in[global size], one behind the end.
kernel void difference(global const int *in, global int *out, int n) {
  const size_t i = get_global_id(0);
  out[i] = in[i + 1] - in[i];
}
