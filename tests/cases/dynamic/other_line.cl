__kernel void k(__global int *o, int n) {
  int i = get_global_id(0);
  int x = o[i] + i;
  o[i] = x * n + 3;
}
