// EXPECT: clean
// OPTS: --local 64 --groups 4
// WHY: 256 consecutive tickets have 256 different low bytes. Told as possible: of counters only that two calls give different numbers is known.
kernel void push(global uint *used, global uint *list) {
  const uchar at = (uchar)atomic_inc(used);
  list[at] = get_global_id(0);
}
