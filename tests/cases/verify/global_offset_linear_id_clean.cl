// EXPECT: clean
// OPTS:
// BUILD: -cl-std=CL2.0
// WHY: linear ids begin at 0 whatever the offset is.
kernel void own(global int *a) {
  a[get_global_linear_id()] = get_global_id(0);
}
