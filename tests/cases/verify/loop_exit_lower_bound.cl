// EXPECT: div
// OPTS:
// OPTS: --local 64 --groups 4 --assume 'n == 2'
// WHY: with n = 2 a work-item whose wanted value is above sorted[1] leaves after one turn, another needs two.
kernel void lower_bound(global const int *sorted, global const int *wanted, global int *place, local int *probe, int n) {
  const int l = get_local_id(0), want = wanted[get_global_id(0)];
  int lo = 0, hi = n;
  do {
    const int mid = lo + (hi - lo) / 2;
    probe[l] = sorted[mid];
    barrier(CLK_LOCAL_MEM_FENCE);
    if (probe[l] < want) {
      lo = mid + 1;
    } else {
      hi = mid;
    }
  } while (lo < hi);
  place[get_global_id(0)] = lo;
}
