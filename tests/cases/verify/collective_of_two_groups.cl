// EXPECT: race
// OPTS: --local 16 --groups 2
// BUILD: -cl-std=CL2.0 -cl-uniform-work-group-size
// CERTAIN: no
// WHY: two groups get different sums
kernel void k(global int *out) {
  out[0] = work_group_reduce_add((int)get_group_id(0));
}
