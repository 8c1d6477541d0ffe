// EXPECT: oob
// ALSO: race
// OPTS: --local 64 --groups 1
// WHY: indices of which each is inside of 2^63 bytes, and whose sum comes round
kernel void f(global int *a, long i, long j, long k) {
  local int t[4][4][4];
  if (i == 144115188075855871L && j == 288230376151711744L && k == 1152921504606847000L && get_local_id(0) == 0)
    t[i][j][k] = 1;
}
