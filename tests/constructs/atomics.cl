__kernel void test(__global int *out, __local int *counter) {
  int l = get_local_id(0);
  if (l == 0)
    *counter = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  int before = atomic_inc(counter);
  barrier(CLK_LOCAL_MEM_FENCE);
  if (atomic_add(&out[0], 1) < 0)
    out[1] = 1;
  while (atomic_cmpxchg(&out[2], 5, 6) == 5)
    ;
  atomic_max(&out[3], before > 100 ? 0 : *counter);
  (void)atom_xchg(&out[4], 8);
}
// Atomic functions on global and local memory, in conditions.
// range: 8 4
// args: local 4
// code: 1-14
// site: function 1 entered |
// site: if 3 true, false |
// site: barrier 5 covered |
// site: barrier 7 covered |
// site: if 8 false | true
// site: while 10 0, boundary | 1, >1
// site: conditional 12 false | true
// lines: 9 11
// findings: 0
