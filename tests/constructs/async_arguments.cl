__kernel void test(__global int *out, __local int *a, __global const int *in) {
  int l = get_local_id(0);
  uint n = l == 3 ? 2 : 1;
  event_t e[2];
  e[0] = async_work_group_copy(a + l, in, (size_t)1, 0);
  e[1] = async_work_group_copy(a, &in[l & 1], 1, e[0]);
  async_work_group_copy(a, in, n, e[0]);
  async_work_group_strided_copy(a, in, 1, n++, e[1]);
  wait_group_events(l == 0 ? 1 : 2, e);
  out[get_global_id(0)] = (int)n;
}
// All work-items make each call, with other pointers, numbers, strides: each line from 5 to 9. n is read before it grows.
// range: 8 4
// args: local 16, ints 1 2 3 4
// code: 1-11
// site: function 1 entered |
// site: conditional 3 true, false |
// site: async 5 |
// site: async 6 |
// site: async 7 |
// site: async 8 |
// site: async 9 |
// site: conditional 9 true, false |
// lines:
// findings: 5
