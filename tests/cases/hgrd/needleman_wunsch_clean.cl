// EXPECT: clean
// OPTS: --host needleman_wunsch_clean.c
// WHY: the tile is bounded by the loop of the host: the tiles of a diagonal are different ones.
kernel void diagonal(global int *score, int columns, int tile) {
  int bx = get_group_id(0), by = tile - 1 - bx, x = get_local_id(0);
  int at = columns * (by * 16 + 1) + bx * 16 + 1;
  for (int k = 0; k < 16; k++)
    score[at + k * columns + x] = k + x;
}
