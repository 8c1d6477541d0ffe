// EXPECT: race
// OPTS: --local 16 --groups 2
// WHY: the 16-bit store lies in the word that is added to
kernel void k(volatile global int *a) {
  atomic_add(&a[get_global_id(0)], 1);
  ((volatile global short *)a)[get_global_id(0) * 2 + 2] = 3;
}
