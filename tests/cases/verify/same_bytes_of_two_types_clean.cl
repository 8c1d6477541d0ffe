// EXPECT: clean
// OPTS: --local 2 --groups 1
// WHY: both write four bytes of 0. Told as possible: values of two types are not compared.
kernel void k(global int *a) {
  if (get_local_id(0) == 0) a[0] = 0;
  else *(global short2 *)a = (short2)(0, 0);
}
