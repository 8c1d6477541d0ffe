// No newline at the end of the file, which ends in code.
// range: 4 2
// code: 7-9
// site: function 7 entered |
// site: if 8 true, false |
// lines:
__kernel void test(__global int *out) { int i = get_global_id(0);
  if (i) out[i] = 1;
}