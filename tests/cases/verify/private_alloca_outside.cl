// EXPECT: oob
// BUILD: -cl-std=CL2.0
// OPTS: --local 64 --groups 1
// WHY: the seventeenth byte
kernel void k(global int *a) {
  char *p = __builtin_alloca(16);
  p[16] = get_local_id(0);
  a[get_global_id(0)] = p[0];
}
