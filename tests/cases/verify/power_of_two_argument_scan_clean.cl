// EXPECT: clean
// OPTS: --local 64 --groups 2 --assume 'size == 128'
// OPTS: --assume 'power_of_two(get_local_size(0))' --assume 'size == 2 * get_local_size(0)'
// WHY: step times half_left is size / 2 in each turn; a work-item changes place step * (2 * l + 2) - 1 and reads the one step before. Places of two work-items are 2 * step apart; a barrier separates turns. With free sizes told as possible: that a barrier of one turn orders all later ones is not known.
kernel void up_sweep(global int *x, local int *t, int size) {
  const int l = get_local_id(0), first = get_group_id(0) * size;
  int step = 1;
  t[l] = x[first + l];
  t[l + size / 2] = x[first + l + size / 2];
  for (int half_left = size / 2; half_left > 0; half_left /= 2) {
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l < half_left) {
      t[step * (2 * l + 2) - 1] += t[step * (2 * l + 1) - 1];
    }
    step += step;
  }
  if (l == 0) {
    x[first] = t[size - 1];
  }
}
