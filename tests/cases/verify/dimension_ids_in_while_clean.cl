// EXPECT: clean
// OPTS: --local 4,4 --groups 2,2
// BUILD: -cl-std=CL2.0 -cl-uniform-work-group-size
// WHY: the ids are added to a private sum
kernel void k(global int *a) {
  size_t s = 0;
  uint d = 0;
  while (d < 3) { s += get_global_id(d); d++; }
  a[get_global_linear_id()] = s;
}
