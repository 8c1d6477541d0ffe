__kernel void k(__global int *o, int n) {
  int i = get_global_id(0), s = 3;
  for (int j = 0; j < n; j++)
    s += i;
  o[i] = s - 0 * n;
}
