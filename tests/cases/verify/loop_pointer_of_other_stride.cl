// EXPECT: race
// OPTS: --local 64 --groups 1
// WHY: in its second turn work-item 3 writes a[1], and so does work-item 5
kernel void k(global char *a, int n) {
  const int l = get_local_id(0);
  global char *q = a + 1;
  if (l == 5) a[1] = 7;
  if (l == 3) {
    global char *p = a;
    for (int i = 0; i < n; i++) {
      *p = 3;
      p = i == 0 ? q : (global char *)((global int *)p + 1);
    }
  }
}
