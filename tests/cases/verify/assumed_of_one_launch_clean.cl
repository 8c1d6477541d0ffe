// EXPECT: clean
// OPTS: --assume 'n > 4' --assume 'n < 6'
// OPTS: --local 16 --groups 2 --assume 'n > get_global_size(0)' --assume 'n == 36'
// WHY: with n at 5, or at 36 for 32 work-items, nobody writes to the place of another.
kernel void some_write(global int *first, int n) {
  if (n == 5 || n == 36) {
    first[get_global_id(0)] = n;
  } else {
    first[0] = get_global_id(0);
  }
}
