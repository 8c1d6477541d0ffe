// The tiles right of and below a tile of a matrix. Past the end of a row begins the next one.
kernel void inner(global float *m, int side, int offset) {
  const int row = offset + (get_group_id(1) + 1) * 16 + get_local_id(1);
  const int column = offset + (get_group_id(0) + 1) * 16 + get_local_id(0);
  m[row * side + column] *= 2;
}
