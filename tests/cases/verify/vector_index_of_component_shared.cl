// EXPECT: race
// OPTS: --local 16 --groups 2
// WHY: four work-items share a vector and store two of its components: work-items 0 and 2 both the first.
kernel void pack(global int4 *out) {
  const uint i = get_global_id(0);
  out[i / 4][i & 1] = i;
}
