// EXPECT: clean
// OPTS: --host pitch_linear_clean.c
// WHY: a row has a positive number of bytes, as memory was made for it, and as many elements as work-items.
kernel void shift(global int *matrix, global const int *from, int row_size) {
  int x = get_global_id(0), y = get_global_id(1);
  matrix[y * (row_size / 4) + x] = from[y * (row_size / 4) + x];
}
