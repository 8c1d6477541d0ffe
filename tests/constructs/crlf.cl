#define BOTH(x) \
  if (x) \
    out[i] = 1; \
  else \
    out[i] = 2;
__kernel void test(__global int *out) {
  int i = get_global_id(0);
  BOTH(i > 1)
  if (i > 50) { // comment \
    goes on
    out[i] = 3;
  }
  out[i] += i ? 4 : 5;
}
// Line ends of DOS, with line splices.
// range: 4 2
// code: 6-9 11-14
// site: if 2 true, false |
// site: function 6 entered |
// site: if 9 false | true
// site: conditional 13 true, false |
// lines: 11 12
// findings: 0
