// EXPECT: refused
// OPTS: --local 64 --groups 4
// SAYS: two kernels, split between lines 8 and 10
// WHY: the first work-item reads what another group writes. The place is computed from ids, which a second kernel has, too.
kernel void sums(global const int *in, global int *out, int n) {
  const int i = get_global_id(0);
  const int twice = 2 * i;
  out[i] = in[i] + twice;
  if (i == 0) {
    out[0] = out[64] + twice;
  }
}
