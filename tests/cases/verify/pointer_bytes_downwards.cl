// EXPECT: race
// OPTS: --no-bounds --local 16 --groups 1
// WHY: the loop ends, and all store to b[0]
kernel void k(global char *a, global int *b, int n) {
  int sum = 0;
  for (global char *p = a + n; p > a - 1; p -= 2) sum += *p;
  b[0] = get_local_id(0);
}
