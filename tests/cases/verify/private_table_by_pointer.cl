// EXPECT: oob
// OPTS: --local 32 --groups 2
// ALSO: race
// WHY: the pointer goes five elements through an array of three. What stands in the three makes two work-items write index[4 i + 4].
kernel void faces(global int *index) {
  int place[3], more[8];
  const int i = get_global_id(0);
  int *q = place;
  for (int k = 0; k < 5; k++) {
    more[k] = k;
    *q++ = 4 * i + k;
  }
  for (int k = 2; k >= 0; k--) {
    index[place[k] + more[k]] = i;
  }
}
