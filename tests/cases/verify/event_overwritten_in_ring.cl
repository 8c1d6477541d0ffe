// EXPECT: race
// OPTS: --local 16 --groups 1
// WHY: the copies of turns 0 and 2 both keep their event in ev[0]; the one of turn 0 is lost, so tile[0] is read while its copy may still run.
kernel void ring(global const int *in, global int *out) {
  local int tile[3][16];
  event_t ev[2];
  for (int t = 0; t < 3; t++) {
    ev[t & 1] = async_work_group_copy(tile[t], in + t * 16, 16, 0);
  }
  wait_group_events(2, ev);
  out[get_local_id(0)] = tile[0][get_local_id(0)] + tile[1][get_local_id(0)] + tile[2][get_local_id(0)];
}
