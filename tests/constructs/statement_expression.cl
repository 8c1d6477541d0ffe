#define MAX(a, b) ({ int a_ = (a), b_ = (b); a_ > b_ ? a_ : b_; })
__kernel void test(__global int *out) {
  int i = get_global_id(0);
  out[i] = MAX(i, 2) + ({
    int s = 0;
    for (int k = 0; k < i; k++)
      s += k;
    if (s > 50)
      s = 50;
    s;
  });
}
// Statement expressions (a GNU form that clang takes).
// range: 4 2
// code: 2-12
// site: conditional 1 true, false |
// site: function 2 entered |
// site: for 6 0, 1, >1, boundary |
// site: if 8 false | true
// lines: 9
// findings: 0
// skip-if-build-fails
