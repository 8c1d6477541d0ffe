__kernel void test(__global int *out) {
  int i = get_global_id(0);
  if (i == 1) goto skip;
  if (i == 2) { goto inner; }
  out[i] = 5;
  {
    out[i]++;
  inner:;
    int after = 3;
    out[i] += after;
    if (i == 3) goto end;
  }
skip: out[i] += 7;
end:
  ;
}
// Labels before a declaration, in a block entered by goto, at the end of the body.
// range: 4 2
// code: 1-16
// site: function 1 entered |
// site: if 3 true, false |
// site: if 4 true, false |
// site: if 11 true, false |
// lines:
// findings: 0
