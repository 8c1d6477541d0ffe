__kernel void test(__global int *out) ??<
  int i = get_global_id(0) ??' 1;
  if (i > 1 ??!??! i < 0)
    out??(i??) = sizeof("??=");
  else
    out[i] = 1 ??/
      + i;
  if (i > 9) ??< out[i] = 0; ??>
??>
// What clang takes for other characters, in strings too, and a splice. i = 1, 0, 3, 2.
// range: 4 2
// code: 1-9
// site: function 1 entered |
// site: if 3 true, false |
// site: if 8 false | true
// lines:
// findings: 0
