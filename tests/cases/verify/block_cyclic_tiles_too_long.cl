// EXPECT: race
// OPTS: --local 32 --groups 4
// WHY: tiles begin 100 apart and are 128 long: work-item 4 of group 0 has place 100 in its fourth step, and work-item 0 of group 1 in its first; both store it.
kernel void scale(global int *v) {
  const int first = (int)get_group_id(0) * 100;
  for (int i = get_local_id(0); i < 128; i += 32) {
    v[first + i] = first;
  }
}
