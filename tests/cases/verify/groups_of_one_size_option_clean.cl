// EXPECT: clean
// OPTS:
// BUILD: -cl-std=CL2.0 -cl-uniform-work-group-size
// WHY: the build option promises groups of one size, so the number is another one for each work-item.
kernel void number(global uint *a) {
  const size_t i = get_group_id(0) * get_local_size(0) + get_local_id(0);
  a[i] = i + 1;
}
