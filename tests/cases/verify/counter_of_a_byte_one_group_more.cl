// EXPECT: race
// OPTS: --local 64 --groups 5
// WHY: 320 tickets do not fit into a byte: tickets t and t + 256 have the same place.
kernel void push(global uint *used, global uint *list) {
  const uchar at = (uchar)atomic_inc(used);
  list[at] = get_global_id(0);
}
