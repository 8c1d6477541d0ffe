// EXPECT: race
// OPTS: --local 4 --groups 2
// WHY: work-items 1 and 2 of a group both store to a[n * m], different numbers. (An id below 4 has two bits, and 2 is no negative number there.)
kernel void meet(global int *a, int n, int m) {
  const int l = get_local_id(0);
  switch (l) {
    case 1:
      a[n * m] = 1;
      break;
    case 2:
      a[n * m] = 2;
      break;
  }
}
