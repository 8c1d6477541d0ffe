#define COPY(to, from) async_work_group_copy(to, from, 2, 0)
event_t fetch(__local int *to, __global const int *from, int from_where) {
  if (from_where >= 0) {
    return COPY(to, from + from_where);
  }
  return COPY(to, from);
}
__kernel void test(__global int *out, __local int *a, __global const int *in) {
  __local int own[2][2];
  int l = get_local_id(0);
  int g = get_group_id(0);
  __global const int *mine = in + g;
  __local int *now = a;
  __local int *next = a + 2;
  event_t e = COPY(now, mine);
  for (int k = 0; k <= g; k++) {
    event_t ahead = fetch(next, in, k - 1);
    wait_group_events(1, &e);
    e = ahead;
    __local int *swap = now;
    now = next;
    next = swap;
  }
  wait_group_events(1, &e);
  if (in[g] > 1) {
    e = async_work_group_strided_copy(own[g], &in[l - l], 2, in[0], e);
  } else {
    e = async_work_group_copy(own[1 - g], in + 1, 2, e);
  }
  wait_group_events(1, &e);
  if (l > 3) {
    e = COPY(now, in);
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  out[get_global_id(0)] = own[1][l & 1] + now[l & 1];
}
// Calls whose arguments only a run shows to be alike: no findings. Group 0 goes through the loop once and copies with line
// 6, group 1 twice, with lines 6 and 4: elements 0 and 1 in all cases. Group 0 fills own[1] with elements 1 and 2, group 1
// with 0 and 1.
// range: 8 4
// args: local 16, ints 1 2 3 4
// code: 2-36
// site: async 1 |
// site: function 2 entered |
// site: if 3 true, false |
// site: function 8 entered |
// site: for 16 1, >1, boundary | 0
// site: async 18 |
// site: async 24 |
// site: if 25 true, false |
// site: async 26 |
// site: async 28 |
// site: async 30 |
// site: if 31 false | true
// site: barrier 34 covered |
// lines: 32-33
// findings: 0
