// EXPECT: clean
// OPTS: --local 64 --groups 4 --assume 'get_global_offset(0) == 0'
// WHY: 256 divides 65536, so a work-item that wraps around comes to its own places again. Told as possible: a sum that is narrowed is not followed as one that grows steadily.
kernel void fill(global int *a, uint n) {
  for (ushort i = get_global_id(0); i < n; i += get_global_size(0)) {
    a[i] = get_global_id(0);
  }
}
