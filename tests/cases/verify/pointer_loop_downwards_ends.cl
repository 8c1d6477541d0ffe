// EXPECT: race
// OPTS: --no-bounds --local 16 --groups 2
// WHY: the loop ends when the pointer is below the array, and then all store their id to b[0]
kernel void k(global int *a, global int *b) {
  int sum = 0;
  for (global int *p = a + 3; p >= a; p--) sum += *p;
  b[0] = get_local_id(0);
}
