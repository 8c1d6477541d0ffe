__kernel void test(__global int *out) {
  int i = get_global_id(0), n = 0;
again:
  n++;
  if (n < i) goto again;
  if (i == 3)
    goto end;
  n += 10;
  if (i > 50) goto never;
  n += 100;
end:
  out[i] = n;
  return;
never:
  out[i] = -1;
}
// A cycle of label and goto is no loop; a label that nothing reaches.
// range: 4 2
// code: 1-16
// site: function 1 entered |
// site: if 5 true, false |
// site: if 6 true, false |
// site: if 9 false | true
// lines: 14 15
// findings: 0
