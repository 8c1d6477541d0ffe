__kernel void k(__global int *o, int n) {
  int i = get_global_id(0);
  if (n > 0)
    o[i] = i + (S > 1);
}
