// EXPECT: clean
// OPTS: --local 64 --groups 4
// WHY: each index of the loop is twice the one before, beginning with the id. Told as possible: of a variable that doubles it is not known that odd beginnings stay apart.
kernel void k(global int *a) {
  uint i = get_global_id(0);
  for (uint j = i + 1; j < 1u << 20; j *= 2) {
    if (i & 1) continue;
    if ((i & 1) == 0) a[j - 1] = i;
  }
}
