__kernel void test(__global int *out) {
  int i = get_global_id(0);
  int n = i;
  do {} while (n-- > 0) ;
  do { n += 2; } while (n < 4)  ;
  do
    n++;
  while (n < 0)
  ;
  out[i] = n;
}
// do loops with an empty body, a space before the semicolon, a body without braces; i = 0 to 3.
// After line 4 n is -1; line 5: n = 1, 3, 5: three times.
// range: 4 4
// code: 1-11
// site: function 1 entered |
// site: do 4 1, >1, boundary |
// site: do 5 >1, boundary | 1
// site: do 6 1, boundary | >1
// lines:
// findings: 0
