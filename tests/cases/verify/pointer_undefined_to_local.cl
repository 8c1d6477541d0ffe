// EXPECT: race
// OPTS: --local 64 --groups 1
// WHY: q is not set and may be t
kernel void f(global int *a) {
  local int t[4];
  local int *q;
  t[get_local_id(0) & 3] = 0;
  if (q == t) a[0] = get_local_id(0);
}
