// EXPECT: oob
// ALSO: race
// OPTS: --local 64 --groups 1
// WHY: both indices are far below: the sum of their bytes comes round
kernel void f(global int *a, long i, long j) {
  local int t[4][4];
  if (i == -576460752303423487L && j == -2305843009213693951L && get_local_id(0) == 0) t[i][j] = 1;
}
