// EXPECT: race
// OPTS:
// OPTS: --local 64 --groups 4
// WHY: work-items 2c and 2c + 1 share acc[c]. Each loads all four elements and stores all four, so the one puts back the old value of the element that the other has set.
static void set_y(global int4 *at, int v) {
  int4 q = *at;
  q.y = v;
  *at = q;
}
static void set_z(global int4 *at, int v) {
  int4 q = *at;
  q.z = v;
  *at = q;
}
kernel void split(global int4 *acc, global const int *in) {
  const uint i = get_global_id(0);
  if (i & 1) {
    set_y(&acc[i >> 1], in[i]);
  } else {
    set_z(&acc[i >> 1], -in[i]);
  }
}
