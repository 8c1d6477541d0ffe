__kernel void k(__global int *o, int n) {
  int i = get_global_id(0);
  int y = i / 1;
  int z = i % ((int)get_local_id(1) + 1);
  o[i] = y + z + n;
}
