// EXPECT: clean
// OPTS: --local 4,4 --groups 2,2 --assume "get_global_offset(0) == 0" --assume "get_global_offset(1) == 0"
// WHY: rows of the whole size
kernel void k(global int *a) {
  size_t at = 0;
  for (int d = 1; d >= 0; d--) at = at * get_global_size(d) + get_global_id(d);
  a[at] = get_local_id(0);
}
