// EXPECT: race
// OPTS: --local 32 --groups 2
// WHY: place[2] is 2 * i + 2, which is place[0] of the next work-item: both store to index[2], 0 and 1.
kernel void faces(global int *index) {
  int place[3];
  const int i = get_global_id(0);
  for (int k = 0; k < 3; k++) {
    place[k] = 2 * i + k;
  }
  for (int k = 2; k >= 0; k--) {
    index[place[k]] = i;
  }
}
