__kernel void k(__global int *o, int n) {
  int i = get_global_id(0), x = n;
  while (x > 0) x /= 2;
  o[i] = x + i;
}
