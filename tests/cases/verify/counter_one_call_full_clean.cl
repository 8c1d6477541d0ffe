// EXPECT: clean
// OPTS: --local 64 --groups 4
// WHY: 256 calls in steps of 2^24 give 256 different upper bytes. Told as possible: what a counter gives is any number.
kernel void push(global uint *used, global uint *list) {
  const uint s = atomic_add(used, 1u << 24);
  list[s >> 24] = get_global_id(0);
}
