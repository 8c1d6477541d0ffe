// EXPECT: race
// OPTS: --local 64 --groups 4
// WHY: 512 calls in steps of 2^24 come round after 256: two work-items get one number.
kernel void push(global uint *used, global uint *list) {
  const uint s = atomic_add(used, 1u << 24);
  list[s >> 24] = get_global_id(0);
  const uint t = atomic_add(used, 1u << 24);
  list[t >> 24] = get_global_id(0);
}
