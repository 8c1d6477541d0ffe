// EXPECT: refused
// SAYS: not repaired
// OPTS: --local 64 --groups 4
// OPTS:
// WHY: work-item l writes t[l] and reads t[l + 1] in each turn: a race. It takes 300 + l turns, so a barrier put into the loop is not reached by all in the last turns: the patch would be a divergence. Right: no repair, and say why.
kernel void exchange(global int *out, local int *t) {
  const int l = get_local_id(0), n = get_local_size(0);
  int sum = 0, turn = 0;
  do {
    t[l] = turn;
    sum += t[l + 1 < n ? l + 1 : 0];
    turn++;
  } while (turn < 300 + l);
  out[get_global_id(0)] = sum;
}
