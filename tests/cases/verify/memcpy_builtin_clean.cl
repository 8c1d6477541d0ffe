// EXPECT: clean
// OPTS: --local 16 --groups 2
// WHY: four bytes each
kernel void k(global int *a, constant int *c) {
  __builtin_memcpy(a + get_global_id(0), c + get_global_id(0), 4);
}
