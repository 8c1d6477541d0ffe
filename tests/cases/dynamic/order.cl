// Kernels for dynamic.sh: what the order of eight work-groups of four decides. `race_…`: plain accesses race; `order_…`: atomic
// functions decide; `same_…`: no order shows.
#define FIRST if (get_local_id(0) != 0) return
kernel void order_one(global int *x, global int *y) {
  int g = get_group_id(0);
  FIRST;
  if (g == 5) atomic_xchg(&x[0], 9);
  if (g == 2) y[0] = atomic_or(&x[0], 0);
}
kernel void order_two(global int *x, global int *y) {
  int g = get_group_id(0);
  FIRST;
  if (g == 4) atomic_xchg(&x[0], 9);
  if (g == 2 || g == 6) y[g / 4] = atomic_or(&x[0], 0);
}
kernel void order_many(global int *x, global int *y) { y[atomic_inc(&x[0])] = get_group_id(0); }
kernel void order_last(global int *x, global int *y) {
  FIRST;
  atomic_xchg(&y[0], (int)get_group_id(0));
}
kernel void order_first(global int *x, global int *y) {
  FIRST;
  atomic_cmpxchg(&y[64], 0, (int)get_group_id(0) + 1);
}
kernel void order_float(global int *x, global int *y) {
  volatile global int *sum = (volatile global int *)&y[0];
  float term = get_group_id(0) == 3 ? 1.0e8f : 1.25f;
  int old, seen;
  FIRST;
  do {
    old = atomic_or(sum, 0); /* a plain read beside the exchanges of others would be a race */
    seen = atomic_cmpxchg(sum, old, as_int(as_float(old) + term));
  } while (seen != old);
}
kernel void race_one(global int *x, global int *y) {
  FIRST;
  y[0] = get_group_id(0);
}
kernel void race_two(global int *x, global int *y) {
  int g = get_group_id(0);
  FIRST;
  if (g == 5) x[0] = 9;
  if (g == 2 || g == 7) y[g / 4] = x[0];
}
kernel void race_many(global int *x, global int *y) { y[get_local_id(0)] = get_group_id(0); }
kernel void same_sum(global int *x, global int *y) {
  atomic_add(&y[0], (int)get_global_id(0));
  atomic_max(&y[1], (int)get_global_id(0));
}
kernel void same_slots(global int *x, global int *y) { y[atomic_inc(&x[0])] = 7; }
kernel void same_own(global int *x, global int *y) { y[get_global_id(0)] = x[get_global_id(0)] + get_group_id(0); }
