int load(int *p) {
  if (*p > 5)
    return 5;
  return *p;
}
__kernel void test(__global int *out, __local int *l) {
  int i = get_global_id(0), mine = i * 4;
  l[get_local_id(0)] = i * 2;
  out[i] = load(&mine) + load(&l[get_local_id(0)]) + load(out + i);
  int *p = i & 1 ? (int *)(out + i) : &mine;
  *p += 1;
  out[i] += mine;
}
// The generic address space of OpenCL C 2.0.
// options: -cl-std=CL2.0
// range: 4 2
// args: local 16
// code: 1-13
// site: function 1 entered |
// site: if 2 true, false |
// site: function 6 entered |
// site: conditional 10 true, false |
// lines:
// findings: 0
// skip-if-build-fails
