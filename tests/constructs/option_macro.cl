__kernel void test(__global int *out) {
  int i = get_global_id(0);
  out[i] = CHOOSE(i) + N;
}
// A function-like macro with ?: from the command line; the site is where it is defined, which has no line of ours.
// options: -DCHOOSE(x)=((x)>1?10:20) -D N=4
// range: 4 2
// code: 1-4
// site: function 1 entered |
// site: conditional option true, false |
// lines:
// findings: 0
