// EXPECT: race
// WHY: i is unsigned and goes beyond 2^31 if n does; the signed sum beside it is computed only where it is small
kernel void k(global int *a, global const int *in, uint n) {
  int s = 0;
  for (uint i = 0; i < n; i++) {
    if (i < 100) s += in[(int)i + 1];
    if (i == 3000000000u) a[0] = get_global_id(0);
  }
  a[get_global_id(0) + 1] = s;
}
