// EXPECT: clean
// OPTS: --local 32 --groups 2
// OPTS:
// WHY: place[k] is 3 * i + k, so the three stores of a work-item go to its own three elements.
kernel void faces(global int *index, int flip) {
  int place[3];
  const int i = get_global_id(0);
  for (int k = 0; k < 3; k++) {
    place[k] = 3 * i + (flip ? 2 - k : k);
  }
  for (int k = 2; k >= 0; k--) {
    index[place[k]] = i;
  }
}
