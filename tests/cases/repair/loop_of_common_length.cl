// EXPECT: repaired
// OPTS: --local 64 --groups 4
// WHY: as loop_of_own_length, but all take 300 turns: barriers in front of and behind the read make it right.
kernel void exchange(global int *out, local int *t) {
  const int l = get_local_id(0), n = get_local_size(0);
  int sum = 0, turn = 0;
  do {
    t[l] = turn + l;
    sum += t[l + 1 < n ? l + 1 : 0];
    turn++;
  } while (turn < 300);
  out[get_global_id(0)] = sum;
}
