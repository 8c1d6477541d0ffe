// EXPECT: race
// WHY: the counter may begin at -1 (it is an argument): tickets -1 and 1 are both 0 when halved, as / rounds to 0. Two work-items store list[0].
kernel void push(global int *used, global int *list) {
  const int t = atomic_add(used, 2);
  list[t / 2] = get_global_id(0);
}
