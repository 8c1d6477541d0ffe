__kernel void k(__global int *o, int n) {
  int i = get_global_id(0);
  o[i] = i * n + 3;
}
