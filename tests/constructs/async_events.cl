__kernel void test(__global int *out, __local int *a, __global const int *in) {
  int l = get_local_id(0);
  event_t first = async_work_group_copy(a, in, 2, 0);
  event_t second = async_work_group_copy(a + 2, in + 2, 2, 0);
  event_t *one = &first;
  event_t *other = &first;
  event_t both[2] = {first, second};
  if (l > 1) {
    one = &second;
    other = &first;
  }
  async_work_group_copy(a, in, 2, *one);
  wait_group_events(1, one);
  wait_group_events(1, other);
  wait_group_events(1, both + (l & 1));
  wait_group_events(1, &both[get_group_id(0)]);
  wait_group_events(2, both);
  out[get_global_id(0)] = a[0] + a[3];
}
// Work-items of a group name other events on lines 12, 13 and 15. `other` is the same for all.
// range: 8 4
// args: local 16, ints 1 2 3 4
// code: 1-19
// site: function 1 entered |
// site: async 3 |
// site: async 4 |
// site: if 8 true, false |
// site: async 12 |
// site: async 13 |
// site: async 14 |
// site: async 15 |
// site: async 16 |
// site: async 17 |
// lines:
// findings: 3
