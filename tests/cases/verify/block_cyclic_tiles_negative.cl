// EXPECT: race
// OPTS: --local 16 --groups 4 --assume 'tile >= -4' --assume 'tile <= -1'
// WHY: tile is below 0, so groups go down, and 16 places of a tile reach into those of others: with tile = -1 group 0 stores places 64 to 79 and group 1 places 63 to 78.
kernel void negate(global int *v, int tile) {
  const int l = get_local_id(0), groups = get_num_groups(0);
  int k = 0;
  for (int base = 64 + (int)get_group_id(0) * tile; k < 4; base += groups * tile, k++) {
    v[base + l] = (int)get_group_id(0);
  }
}
