// EXPECT: clean
// OPTS: --local 16 --groups 1
// WHY: sixteen calls give sixteen consecutive numbers (modulo 2^32), whose low four bits are all different. Told as possible: of counters only that two calls give different numbers is known.
kernel void fold(global int *bucket, global uint *at) {
  const uint v = atomic_inc(at);
  bucket[v & 15] = get_local_id(0);
}
