int sign(int x) { return x > 0 ? 1 : x < 0 ? -1 : 0; }
__kernel void test(__global int *out) {
  int i = get_global_id(0);
  int a = i ? i : 7;
  int b = (i > 1 ? a : i > 50 ? 3 : 4) + (i == 3 ? 1 : 0);
  __global int *p = i & 1 ? out : out + 0;
  p[i] = a + b + sign(i) +
         (i > 60
              ? 1000
              : 2000);
  i > 2 ? (out[i] += 3) : (out[i] += 4);
}
// ?: alone, nested, on pointers, over lines, as a statement.
// i = 0 to 3; sign(0) is 0, so its inner one is never true.
// range: 4 2
// code: 1-12
// site: function 1 entered |
// site: conditional 1 true, false |
// site: conditional 1 false | true
// site: function 2 entered |
// site: conditional 4 true, false |
// site: conditional 5 true, false |
// site: conditional 5 false | true
// site: conditional 5 true, false |
// site: conditional 6 true, false |
// site: conditional 9 false | true
// site: conditional 11 true, false |
// lines: 9
// findings: 0
