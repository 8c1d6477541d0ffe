// EXPECT: div
// OPTS: --local 64 --groups 2
// WHY: a counter of a byte that begins at l and ends when it comes back to 0: 256 - l turns, 256 for work-item 0. So work-items come to different numbers of barriers, from turn 194 on.
kernel void round_trip(global int *a) {
  uchar c = (uchar)get_local_id(0);
  do {
    barrier(CLK_GLOBAL_MEM_FENCE);
    a[get_global_id(0)] += c;
    c++;
  } while (c != 0);
}
