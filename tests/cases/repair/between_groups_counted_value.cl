// EXPECT: refused
// OPTS: --local 64 --groups 4
// SAYS: other elements for each group
// NOT: two kernels
// WHY: the first work-item reads what another group writes; a second kernel would not have the sum that a loop has made.
kernel void sums(global const int *in, global int *out, int n) {
  const int i = get_global_id(0);
  int sum = 0;
  for (int k = 0; k < n; k++) {
    sum += in[k];
  }
  out[i] = sum;
  if (i == 0) {
    out[0] = out[64] + sum;
  }
}
