// EXPECT: race
// OPTS: --local 16 --groups 2
// BUILD: -cl-std=CL2.0 -cl-uniform-work-group-size
// CERTAIN: no
// WHY: a scan gives each its own number
kernel void k(global int *out) {
  out[get_group_id(0)] = work_group_scan_inclusive_add((int)get_local_id(0));
}
