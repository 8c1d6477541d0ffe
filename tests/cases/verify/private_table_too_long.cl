// EXPECT: oob
// OPTS: --local 32 --groups 2
// WHY: the first loop stores place[3], which has three elements; also where short loops are written out that is an access, and is found.
kernel void faces(global int *index) {
  int place[3];
  const int i = get_global_id(0);
  for (int k = 0; k < 4; k++) {
    place[k] = 4 * i + k;
  }
  for (int k = 2; k >= 0; k--) {
    index[place[k]] = i;
  }
}
