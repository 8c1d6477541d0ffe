// EXPECT: clean
// OPTS:
// BUILD: -cl-std=CL2.0
// WHY: the enqueued size is the same in all groups, also if the last one is smaller, so the number is the global id less the offset.
kernel void number(global uint *a) {
  const size_t i = get_group_id(0) * get_enqueued_local_size(0) + get_local_id(0);
  a[i] = i + 1;
}
