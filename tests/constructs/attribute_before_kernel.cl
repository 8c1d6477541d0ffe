__attribute__((reqd_work_group_size(4, 1, 1))) __kernel void test(__global int *out) {
  int i = get_global_id(0);
  if (i < 100) out[i] = i;
}
__kernel __attribute__((work_group_size_hint(4, 1, 1))) __attribute__((vec_type_hint(int)))
void test_two(__global int *out) {
  out[8 + get_global_id(0)] = get_global_id(0) > 3 ? 1 : 2;
}
__attribute__((always_inline)) int f(int a) { return a; }
__kernel void
__attribute__((reqd_work_group_size(4, 1, 1)))
test_three(__global int *out) { out[16 + get_global_id(0)] = f(3); }
// Attributes before, after and between; of helpers, too.
// range: 8 4
// code: 1-4 6-9 12
// site: function 1 entered |
// site: if 3 true | false
// site: function 6 entered |
// site: conditional 7 true, false |
// site: function 9 entered |
// site: function 12 entered |
// lines:
// findings: 0
