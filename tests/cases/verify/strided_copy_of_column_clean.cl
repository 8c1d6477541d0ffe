// EXPECT: clean
// OPTS: --local 32 --groups 3
// WHY: the copy brings 32 elements, three apart; all wait for it before they read t, and each stores its own element.
kernel void column(global const long *in, global long *out, local long *t) {
  const int l = get_local_id(0);
  event_t e = async_work_group_strided_copy(t, in + get_group_id(0), 32, 3, 0);
  wait_group_events(1, &e);
  out[get_global_id(0)] = t[l] - t[l ^ 1];
}
