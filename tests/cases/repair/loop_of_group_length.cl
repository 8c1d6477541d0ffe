// EXPECT: repaired
// OPTS: --local 32 --groups 2
// WHY: all work-items of a group take the same number of turns, so barriers in the loop are reached by all.
kernel void settle(global int *out, local int *t) {
  const int l = get_local_id(0);
  int sum = 0;
  for (int turn = 0; turn < 5 + get_group_id(0); turn++) {
    t[l] = turn + l;
    sum += t[(l + 1) & 31];
  }
  out[get_global_id(0)] = sum;
}
