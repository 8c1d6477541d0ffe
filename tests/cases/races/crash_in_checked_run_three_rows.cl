// EXPECT: unchecked
// RUN: rotate_rows b0:4096 i6 @64:32
// WHY: in turn k all read row k % 3 and write row (k + 1) % 3 with a barrier in each turn, so rows do not race. But the checked run ends with a signal, and "nothing found" with exit 0 says more than is known.
kernel void rotate_rows(global const int *in, int turns) {
  local int row[3][32];
  const int l = get_local_id(0);
  row[0][l] = in[get_global_id(0)];
  for (int k = 0; k < turns; k++) {
    barrier(CLK_LOCAL_MEM_FENCE);
    row[(k + 1) % 3][l] = row[k % 3][31 - l];
  }
}
