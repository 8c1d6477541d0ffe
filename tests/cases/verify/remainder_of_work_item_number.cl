// EXPECT: race
// OPTS: --local 16 --groups 1 --assume 'n > 2'
// OPTS: --assume 'n > 2'
// WHY: work-item 0 has step -2 and work-item 1 has step -1; -1 % n is -1, but 4294967295 % n is not (n = 3: 0). Those that see a difference all store their own number to clash[0]; with n = 3 these are work-items 0 (-2 and 2) and 1 (-1 and 0).
kernel void ring(global int *clash, int n) {
  const int step = (int)get_local_id(0) - 2;
  if (step % n != (int)((uint)step % (uint)n)) {
    clash[0] = get_local_id(0);
  }
}
