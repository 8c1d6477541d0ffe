// EXPECT: div
// WHY: the barrier is in the loop's condition, by way of a helper. Work-items with odd numbers find `left` at 0 after two of them, the others after three.
int meet(local int *t, int l) {
  barrier(CLK_LOCAL_MEM_FENCE);
  return t[l];
}
kernel void settle(global int *a, local int *t) {
  const int l = get_local_id(0);
  int left = (l & 1) ? 2 : 3, sum = 0;
  t[l] = l;
  while (sum += meet(t, l), --left > 0) {
    sum *= 2;
  }
  a[get_global_id(0)] = sum;
}
