// EXPECT: clean
// BUILD: -cl-std=CL2.0
// OPTS: --local 64 --groups 1
// WHY: sixteen bytes of its own
kernel void k(global int *a) {
  char *p = __builtin_alloca(16);
  p[5] = get_local_id(0);
  a[get_global_id(0)] = p[5];
}
