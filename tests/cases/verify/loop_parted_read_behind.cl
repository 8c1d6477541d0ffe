// EXPECT: race
// OPTS: --local 64 --groups 4 --assume 'shared_turns >= 20'
// OPTS: --assume 'shared_turns >= 20'
// ALSO: divergence
// NOTE: who holds that a barrier in a loop stands for every turn of it may say divergence instead, as work-items have different numbers of turns; "verified" is wrong in any case.
// WHY: turns below shared_turns are common and have a barrier; then work-item l goes on alone and writes row[l] in its last turn, after work-item l - 1 has left and reads row[l] with no barrier between.
kernel void tail(global int *out, local int *row, int shared_turns) {
  const int l = get_local_id(0), n = get_local_size(0);
  for (int k = 0; k <= shared_turns + l; k++) {
    if (k < shared_turns) {
      barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (k == shared_turns + l) {
      row[l] = k;
    }
  }
  out[get_global_id(0)] = l + 1 < n ? row[l + 1] : 0;
}
