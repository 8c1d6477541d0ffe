// EXPECT: race
// OPTS:
// OPTS: --local 32 --groups 2
// WHY: with at = -1 and n = 6, at % n is -1 and (uint)at % (uint)n is 3. Each work-item then adds its own number to a shared place instead of its own.
kernel void ring(global int *slot, int at, int n) {
  const int r = at % n;
  const uint u = (uint)at % (uint)n;
  const int own = get_global_id(0);
  slot[r == (int)u ? own : 0] = own;
}
