__kernel void k(__global int *o, int n) {
  int i = get_global_id(0), s = 0;
  do { s++; } while (0 && i);
  do { s++; } while (s < 5 && i != 4);
  if (i > 2 && n > 3) s++;
  o[i] = s;
}
