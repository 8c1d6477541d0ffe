// EXPECT: clean
// OPTS: --local 32 --groups 4
// WHY: each work-item takes as many places as it stores, at most 3: 128 work-items take 384. Told as possible: what a counter holds after a barrier, and rooms that one work-item takes for its group, are not followed.
kernel void own(global const uint *in, global int *out, global uint *used) {
  const uint n = in[get_global_id(0)] & 3;
  const uint first = atomic_add(used, n);
  for (uint k = 0; k < n; k++) {
    out[first + k] = get_global_id(0);
  }
}
