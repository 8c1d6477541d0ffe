// EXPECT: oob
// WHY: s has four elements; the access at the constant index 4 goes away in a pass before it is seen
kernel void k(global const int *op, global int *out, int n) {
  int s[4] = {0, 0, 0, 0};
  int i = get_global_id(0);
  s[1] = i;
  if (n == 77 && op[i] == 1999) s[4] = i;
  out[i] = s[1] + s[2];
}
