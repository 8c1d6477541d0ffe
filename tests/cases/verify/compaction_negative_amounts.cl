// EXPECT: race
// OPTS: --local 32 --groups 4
// WHY: one adds 3, the next -3, and a third gets what the first got.
kernel void own(global const int *in, global int *out, global int *used) {
  const int n = (in[get_global_id(0)] & 7) - 4;
  const int first = atomic_add(used, n);
  if (n > 0) {
    out[first] = get_global_id(0);
  }
}
