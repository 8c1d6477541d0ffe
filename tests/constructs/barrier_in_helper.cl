void sync(void) { barrier(CLK_LOCAL_MEM_FENCE); }
int rotate_by(__local int *a, int l, int rounds) {
  for (int k = 0; k < rounds; k++) {
    int v = a[(l + 1) & 3];
    sync();
    a[l] = v;
    sync();
  }
  return a[l];
}
__kernel void test(__global int *out, __local int *a) {
  int l = get_local_id(0);
  a[l] = l;
  sync();
  out[get_global_id(0)] = rotate_by(a, l, (int)get_group_id(0));
}
// Barriers in helpers that helpers call in a loop; groups 0, 1, 2 rotate 0, 1, 2 times.
// range: 12 4
// args: local 16
// code: 1-16
// site: function 1 entered |
// site: barrier 1 covered |
// site: function 2 entered |
// site: for 3 0, 1, >1, boundary |
// site: function 11 entered |
// lines:
// findings: 0
