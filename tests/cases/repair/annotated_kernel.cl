// EXPECT: repaired
// OPTS: --local 64 --groups 2
// WHY: t[l] is written and t[l ^ 1] read with no barrier between; a barrier behind the first statement makes it right. The requirement changes nothing of that. (With more than 256 work-items in a group two share an element, which no barrier repairs.)
kernel void swap_pairs(global int *x, int n) {
  __requires(n > 0);
  local int t[256];
  const int l = get_local_id(0) & 255;
  t[l] = x[get_global_id(0)];
  x[get_global_id(0)] = t[l ^ 1] + n;
}
