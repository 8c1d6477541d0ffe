// EXPECT: race
// OPTS: --local 16 --groups 2
// WHY: two neighbours share an element
kernel void k(global int *a) {
  global int *p = a + get_global_id(0);
  a[(p - a) / 2] = get_local_id(0);
}
