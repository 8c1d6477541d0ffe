// EXPECT: race
// WHY: the copy is not waited for: it may still write what the work-item reads
__attribute__((reqd_work_group_size(1, 1, 1)))
kernel void k(global const int *in, global int *out) {
  local int t[64];
  async_work_group_copy(t, in, 64, 0);
  int s = 0;
  for (int i = 0; i < 64; i++) s += t[i];
  out[get_group_id(0)] = s;
}
