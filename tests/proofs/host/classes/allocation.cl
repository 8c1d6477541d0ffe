// One element of each row. Rows of no element are one place.
kernel void first_of_row(global float *matrix, int row_size) {
  matrix[get_global_id(0) * (long)row_size] = get_global_id(0);
}
