void inner(__global int *out);
void inner(__global int *);
__kernel void test(__global int *out) {
  int i = get_global_id(0);
  out[i] = i;
  inner(out);
}
__kernel void inner(__global int *out) {
  int i = get_global_id(0);
  if (i == 1)
    return;
  out[i] += 5;
}
// A kernel that is declared as a function, before another one calls it.
// range: 4 2
// code: 3-13
// site: function 3 entered |
// site: function 8 entered |
// site: if 10 true, false |
// lines:
// findings: 0
