// EXPECT: clean
// OPTS: --local 64 --groups 8 --assume 'rows > 0' --assume 'cols > 0'
// OPTS: --local 64
// WHY: r is below rows (by the guard), c is below cols; c * rows + r is another number for each pair, and each work-item has another pair.
kernel void transpose(global const float *in, global float *out, int rows, int cols) {
  const int at = get_global_id(0);
  if (at < rows * cols) {
    const int r = at / cols, c = at - r * cols;
    out[c * rows + r] = in[at];
  }
}
