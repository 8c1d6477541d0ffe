// EXPECT: clean
// OPTS: --local 16 --groups 2
// WHY: each work-item has its own linear place
kernel void k(global int *a) {
  size_t n = 1;
  for (uint d = 0; d < 3; d++) n += get_global_size(d) - get_global_size(d);
  a[get_global_id(0)] = n;
}
