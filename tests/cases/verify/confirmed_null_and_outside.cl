// EXPECT: oob
// OPTS: --local 4 --groups 1
// NOT: not confirmed
// WHY: a store through null and one past the end of an array; a run shows both, or it is said that it cannot be run.
kernel void both(global int *o, int n) {
  local int t[4];
  global int *p = 0;
  if (n == 3)
    p[get_local_id(0)] = 1;
  else
    t[get_local_id(0) + 1] = n;
}
