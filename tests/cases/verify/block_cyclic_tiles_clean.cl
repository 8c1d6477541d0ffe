// EXPECT: clean
// OPTS: --local 64 --groups 4 --assume 'tile > 0' --assume 'tile <= 1024' --assume 'n <= 1000000'
// WHY: group g has tiles g, g + 4, g + 8 …; in a tile work-item l has places l, l + 64 … below tile, so no element has two owners. Told as possible or unknown: sums with a common factor are no products.
kernel void negate(global int *v, int n, int tile) {
  const int l = get_local_id(0), n_l = get_local_size(0), groups = get_num_groups(0);
  for (int base = (int)get_group_id(0) * tile; base < n; base += groups * tile) {
    for (int i = l; i < tile && base + i < n; i += n_l) {
      v[base + i] = -v[base + i];
    }
  }
}
