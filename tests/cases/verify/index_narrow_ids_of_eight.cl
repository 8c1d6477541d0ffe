// EXPECT: race
// OPTS: --local 8 --groups 2
// WHY: work-items 4 and 5 of a group both store to a[n * m], different numbers. (An id below 8 has three bits, and 4 and 5 are no negative numbers there.)
kernel void meet(global int *a, int n, int m) {
  const int l = get_local_id(0);
  switch (l) {
    case 4:
      a[n * m] = 1;
      break;
    case 5:
      a[n * m] = 2;
      break;
  }
}
