// EXPECT: clean
// OPTS: --assume 'get_global_offset(0) == 0'
// OPTS: --local 64 --groups 4 --assume 'get_global_offset(0) == 0'
// WHY: the offset is said to be 0, so both indices are the same.
kernel void prefix(global int *a) {
  const size_t seen = get_group_id(0) * get_local_size(0) + get_local_id(0);
  a[get_global_id(0)] = a[seen] + 1;
}
