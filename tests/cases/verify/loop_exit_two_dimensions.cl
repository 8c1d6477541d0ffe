// EXPECT: div
// OPTS: --local 4,4 --groups 1,2
// WHY: rows of a group leave in different turns, as the number of turns is the number of the row and one.
kernel void rows(global int *a, local int *t) {
  const int x = get_local_id(0), y = get_local_id(1);
  int turn = 0;
  do {
    t[y * 4 + x] = turn;
    barrier(CLK_LOCAL_MEM_FENCE);
    turn++;
  } while (turn <= y);
  a[get_global_id(1) * get_global_size(0) + get_global_id(0)] = t[y * 4 + x];
}
