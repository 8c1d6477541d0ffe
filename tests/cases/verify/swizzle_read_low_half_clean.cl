// EXPECT: clean
// OPTS: --local 32 --groups 2
// OPTS:
// WHY: the neighbour reads elements 0 to 3, the owner stores element 6 only.
kernel void next(global int8 *v, global int4 *out) {
  const uint i = get_global_id(0), j = (i + 1) % get_global_size(0);
  out[i] = v[j].lo;
  v[i].s6 = i;
}
