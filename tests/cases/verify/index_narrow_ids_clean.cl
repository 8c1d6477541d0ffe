// EXPECT: clean
// OPTS: --local 4 --groups 2 --assume 'get_global_offset(0) == 0'
// WHY: as index_narrow_ids, but the places lie side by side, in a row for each group.
kernel void apart(global int *a, int n, int m) {
  const int l = get_local_id(0), g = get_group_id(0);
  switch (l) {
    case 1:
      a[n * m + 2 * g] = 1;
      break;
    case 2:
      a[n * m + 2 * g + 1] = 2;
      break;
  }
}
