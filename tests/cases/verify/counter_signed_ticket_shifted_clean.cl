// EXPECT: clean
// WHY: >> rounds down: t and t + 2 k have places k apart. Told as possible: what a counter gives is any number.
kernel void push(global int *used, global int *list) {
  const int t = atomic_add(used, 2);
  list[t >> 1] = get_global_id(0);
}
