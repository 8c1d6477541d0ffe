// EXPECT: clean
// WHY: what is done beyond 2^31 is done to the own element
kernel void k(global int *a, global const int *in, uint n) {
  int s = 0;
  for (uint i = 0; i < n; i++) {
    if (i < 100) s += in[(int)i + 1];
    if (i == 3000000000u) a[get_global_id(0)] = 2;
  }
  a[get_global_id(0)] = s;
}
