int shared(int x) {
  if (x > 100)
    return 1;
  return x < 0 ? 2 : 3;
}
__kernel void test_small(__global int *out) { out[get_global_id(0)] = shared(get_global_id(0)); }
__kernel void test_large(__global int *out) { out[get_global_id(0)] = shared(get_global_id(0) + 101); }
__kernel void test_none(__global int *out) { out[get_global_id(0)] = 7; }
// A helper that two kernels call: the true outcome comes from one, the false one from the other.
// range: 4 2
// code: 1-8
// site: function 1 entered |
// site: if 2 true, false |
// site: conditional 4 false | true
// site: function 6 entered |
// site: function 7 entered |
// site: function 8 entered |
// lines:
// findings: 0
