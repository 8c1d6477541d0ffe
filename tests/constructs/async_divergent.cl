__kernel void test(__global int *out, __local int *a, __global const int *in) {
  int l = get_local_id(0);
  a[l] = 7;
  if (get_global_id(0) < 6) {
    event_t e = async_work_group_copy(a, in, 4, 0);
    wait_group_events(1, &e);
  }
  for (int k = 0; k < l; k++) {
    async_work_group_strided_copy(a, in, 2, 1, 0);
  }
  out[get_global_id(0)] = l;
}
// Two of the four work-items of group 1 make the first two calls. Work-item l of each group makes the third one l times.
// What is copied is not looked at, as it may be anything.
// range: 8 4
// args: local 16, ints 1 2 3 4
// code: 1-12
// site: function 1 entered |
// site: if 4 true, false |
// site: async 5 |
// site: async 6 |
// site: for 8 0, 1, >1, boundary |
// site: async 9 |
// lines:
// findings: 3
