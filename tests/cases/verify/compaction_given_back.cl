// EXPECT: race
// OPTS: --local 32 --groups 4
// WHY: a work-item gives its places back, and the next gets them, too.
kernel void own(global const int *in, global int *out, global int *used) {
  const int n = in[get_global_id(0)] & 7;
  const int first = atomic_add(used, n);
  for (int k = 0; k < n; k++) {
    out[first + k] = get_global_id(0);
  }
  atomic_sub(used, n);
}
