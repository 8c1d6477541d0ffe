// EXPECT: race
// OPTS: --local 16 --groups 1
// BUILD: -cl-std=CL2.0 -cl-uniform-work-group-size
// WHY: who has the global pointer meets others of its group
kernel void k(global int *a) {
  local int t[16];
  int *p = get_local_id(0) < 8 ? (int *)a : (int *)&t[get_local_id(0)];
  *p = get_local_id(0);
}
