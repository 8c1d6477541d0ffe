typedef struct { int if_; int barrier; } record;
int length_of(record r) { return r.barrier; }
__kernel void test(__global int *out, int cov) {
  int i = get_global_id(0), j = i, launch = 1;
  { int i = j * 2; if (i > 2) j = i; }
  for (int i = 0, cov = 2; i < cov; i++) j++;
  record r = {launch, 5};
  r.barrier += cov;
  out[i] = j + length_of(r) + r.if_;
}
// Members named like a barrier, variables that shadow others, names that a tool might use itself.
// range: 4 2
// args: int 6
// code: 2-10
// site: function 2 entered |
// site: function 3 entered |
// site: if 5 true, false |
// site: for 6 >1, boundary | 0, 1
// lines:
// findings: 0
