// EXPECT: clean
// OPTS: --local 16 --groups 2
// WHY: four work-items share a vector, each stores the component of its own number.
kernel void pack(global int4 *out) {
  const uint i = get_global_id(0);
  out[i / 4][i % 4] = i;
}
