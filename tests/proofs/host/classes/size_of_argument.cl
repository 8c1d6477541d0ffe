// A ring of `n` elements: a launch of more work-items than that meets itself.
kernel void ring(global int *out, uint n, uint first) {
  out[(get_global_id(0) + first) % n] = get_global_id(0);
}
