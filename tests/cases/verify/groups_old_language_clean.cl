// EXPECT: clean
// OPTS:
// BUILD: -cl-std=CL1.2
// WHY: OpenCL C 1.2 has groups of one size only.
kernel void number(global uint *a) {
  const size_t i = get_group_id(0) * get_local_size(0) + get_local_id(0);
  a[i] = i + 1;
}
