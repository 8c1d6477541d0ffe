// EXPECT: clean
// OPTS: --local 32 --groups 2
// OPTS: --local 32
// WHY: turn t reads row t & 1 and writes row 1 - (t & 1); a barrier separates two turns.
kernel void life(global int *x, int turns) {
  local int field[2][32];
  const int l = get_local_id(0);
  int now = 0;
  field[0][l] = x[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  while (turns-- > 0) {
    field[1 - now][l] = field[now][(l + 31) & 31] ^ field[now][(l + 1) & 31];
    now = 1 - now;
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  x[get_global_id(0)] = field[now][l];
}
