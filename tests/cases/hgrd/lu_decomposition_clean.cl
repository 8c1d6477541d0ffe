// EXPECT: clean
// OPTS: --host lu_decomposition_clean.c
// WHY: the offset runs from 0 up to the size: the block that is written lies in the matrix, and what is read outside of it.
kernel void lud_internal(global float *m, int dim, int offset) {
  local float row[16][16], column[16][16];
  int i, rid = offset + (get_group_id(1) + 1) * 16, cid = offset + (get_group_id(0) + 1) * 16;
  int x = get_local_id(0), y = get_local_id(1);
  float sum = 0;
  row[y][x] = m[(offset + y) * dim + cid + x];
  column[y][x] = m[(rid + y) * dim + offset + x];
  barrier(CLK_LOCAL_MEM_FENCE);
  for (i = 0; i < 16; i++)
    sum += column[y][i] * row[i][x];
  m[(rid + y) * dim + cid + x] -= sum;
}
