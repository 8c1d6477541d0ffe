// EXPECT: clean
// OPTS: --local 64 --groups 4
// WHY: 256 consecutive tickets have 256 different low bytes.
kernel void push(global uint *used, global uint *list) {
  const uchar at = (uchar)atomic_inc(used);
  list[at] = get_global_id(0);
}
