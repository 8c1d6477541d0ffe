// EXPECT: race
// OPTS: --local 16 --groups 4 --assume 'tile > 0' --assume 'tile <= 1024' --assume 'n <= 1000000'
// OPTS: --assume 'tile > 0' --assume 'tile <= 1024' --assume 'n <= 1000000'
// WHY: a group goes on by groups - 1 tiles, so group 0 comes in its second turn to the tile that the last group began with. All are multiples of tile, and so the tiles themselves do not overlap.
kernel void negate(global int *v, int n, int tile) {
  const int l = get_local_id(0), n_l = get_local_size(0), groups = get_num_groups(0);
  if (groups < 2) {
    return;
  }
  for (int base = (int)get_group_id(0) * tile; base < n; base += (groups - 1) * tile) {
    for (int i = l; i < tile && base + i < n; i += n_l) {
      v[base + i] = base + (int)get_group_id(0);
    }
  }
}
