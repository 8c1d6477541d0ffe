// EXPECT: oob
// OPTS:
// NOT: not confirmed
// WHY: p is null, and a run shows the read.
kernel void nul(global int *o) {
  global int *p = 0;
  o[get_global_id(0)] = p[0];
}
