// EXPECT: race
// OPTS: --local 4096 --groups 2
// BUILD: -cl-std=CL2.0
// RESTS: all work-groups have the same size
// WHY: a last group of 3000 work-items writes a[0] from each
kernel void f(global int *a) {
  if (get_local_size(0) == 3000) a[0] = get_local_id(0);
}
