// EXPECT: clean
// OPTS: --local 64 --groups 4
// WHY: popcount is at most 32, below the 33 elements that a work-item has.
kernel void ones(global int *a) {
  const uint i = get_global_id(0);
  a[i * 33 + popcount(i)] = 1;
}
