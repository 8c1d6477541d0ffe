// EXPECT: race
// OPTS: --local 4 --groups 1
// FINDS: data-race data-race
// SAYS: confirmed on the device: a run of this launch
// NOT: not confirmed
// WHY: a[0] and b[0] race alike, and a run shows both.
kernel void two(global int *a, global int *b) {
  const int l = get_local_id(0);
  a[0] = l;
  b[0] = l;
}
