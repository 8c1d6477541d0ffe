// EXPECT: race
// OPTS: --local 32 --groups 4
// WHY: two work-items that add 2^31 each bring the counter back to where it was, and a third gets what the first got.
kernel void own(global const uint *in, global int *out, global uint *used) {
  const uint n = in[get_global_id(0)];
  const uint first = atomic_add(used, n);
  if (n > 0) {
    out[first] = get_global_id(0);
  }
}
