__kernel void k(__global int *o, int n) {
  int i = get_global_id(0);
  printf("%d\n", i * n + 3);
}
