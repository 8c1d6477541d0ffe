// EXPECT: clean
// OPTS: --local 32 --groups 4
// WHY: each call takes 12 places, and its work-item stores 12. Told as possible: of counters only that two calls give different numbers is known.
kernel void own(global int *out, global uint *used) {
  const uint first = atomic_add(used, 12u);
  for (uint k = 0; k < 12; k++) {
    out[first + k] = get_global_id(0);
  }
}
