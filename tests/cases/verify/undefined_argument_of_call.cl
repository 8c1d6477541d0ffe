// EXPECT: race
// OPTS: --local 16 --groups 1
// WHY: a variable that one work-item leaves unset may be any number; the work-item goes on
kernel void k(global int *a, global int *c) {
  int i = get_local_id(0), v;
  if (i != 3) v = 1;
  atomic_add(c, v);
  if (i == 3 || i == 4) a[0] = i;
}
