// EXPECT: clean
// OPTS: --local 32 --groups 4 --assume 'n <= 1000000'
// WHY: as tiles of 128 elements are dealt out to groups in turn, and each work-item has four places of a tile, 32 apart. Told as possible: a sum that is narrowed is not followed as one that grows steadily.
kernel void scale(global float *v, int n) {
  for (int tile = get_group_id(0); tile * 128 < n; tile += get_num_groups(0)) {
    const int end = min(tile * 128 + 128, n);
    for (int i = tile * 128 + (int)get_local_id(0); i < end; i += 32) {
      v[i] *= 0.5f;
    }
  }
}
