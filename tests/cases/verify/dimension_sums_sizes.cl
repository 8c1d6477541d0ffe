// EXPECT: race
// OPTS: --local 4,4 --groups 2,2
// WHY: ids of the dimensions are added: (1,0) and (0,1) meet
kernel void k(global int *a) {
  size_t at = 0;
  for (uint d = 0; d < 2; d++) at += get_global_id(d);
  a[at] = get_global_id(0);
}
