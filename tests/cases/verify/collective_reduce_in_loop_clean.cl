// EXPECT: clean
// OPTS: --local 16 --groups 2
// BUILD: -cl-std=CL2.0 -cl-uniform-work-group-size
// WHY: all of the group go round the loop equally often and get the same sum
kernel void k(global int *out, int n) {
  int s = 0;
  for (int i = 0; i < n; i++) s += work_group_reduce_add((int)get_local_id(0));
  out[get_group_id(0)] = s;
}
