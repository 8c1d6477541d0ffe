/* Two planted defects: barriers that only a part of a work-group executes. Build with -D GROUP=<size of a work-group>.
 * Both are undefined behaviour; the host program accepts whatever the devices that we know make of it. */

/* Smooths a ring of GROUP values, in alternating copies so that one barrier a round is enough.
 * DEFECT: a work-item whose patience has run out leaves the loop, while the others still wait at its barrier. */
__kernel void smooth(const int rounds, __global const int *patience, __global const float *in, __global float *out) {
  __local float ring[2][GROUP];
  const int lane = get_local_id(0);
  const int i = get_global_id(0);
  float value = in[i];
  ring[0][lane] = value;
  ring[1][lane] = value;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int round = 0; round < rounds; round++) {
    if (round >= patience[i])
      break;
    ring[round % 2][lane] = value;
    barrier(CLK_LOCAL_MEM_FENCE);
    value = 0.5f * (value + ring[round % 2][(lane + 1) % GROUP]);
  }
  out[i] = value;
}

/* Differences of neighbours within a work-group. DEFECT: the spare work-items return before the barrier. */
__kernel void differences(const int n, __global const float *in, __global float *out) {
  __local float line[GROUP];
  const int lane = get_local_id(0);
  const int i = get_global_id(0);
  if (i >= n)
    return;
  line[lane] = in[i];
  barrier(CLK_LOCAL_MEM_FENCE);
  out[i] = line[lane] - (lane > 0 ? line[lane - 1] : 0.0f);
}
