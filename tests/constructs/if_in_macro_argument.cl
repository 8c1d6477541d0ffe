#define TWICE(code) code code
#define SAME(x) x
__kernel void test(__global int *out) {
  int i = get_global_id(0), s = 0;
  TWICE(if (i > 1) s += 2; else s -= 1;)
  s += SAME(i == 2 ? 50 : 0);
  SAME(for (int k = 0; k < i; k++) s++;)
  TWICE(
    if (s > 1000)
      s = 0;
  )
  out[i] = s;
}
// Sites written in macro arguments: where they are written, once.
// range: 4 2
// code: 3-7 9-10 12-13
// site: function 3 entered |
// site: if 5 true, false |
// site: conditional 6 true, false |
// site: for 7 0, 1, >1, boundary |
// site: if 9 false | true
// lines: 10
// findings: 0
