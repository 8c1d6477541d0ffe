// EXPECT: race
// WHY: a[i] = a[i] is a store, and the neighbour reads a[i] meanwhile.
kernel void touch(global int *a, global int *b) {
  const size_t i = get_global_id(0);
  a[i] = a[i];
  b[i] = a[i + 1];
}
