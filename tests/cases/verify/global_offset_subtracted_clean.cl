// EXPECT: clean
// OPTS:
// OPTS: --local 64 --groups 4
// WHY: the global id less the offset is the group times its size plus the local id, so both accesses go to the own element for every offset.
kernel void prefix(global int *a) {
  const size_t seen = get_group_id(0) * get_local_size(0) + get_local_id(0);
  a[get_global_id(0) - get_global_offset(0)] = a[seen] + 1;
}
