// EXPECT: clean
// OPTS: --local 16,16 --assume 'width == get_global_size(0)' --assume 'get_global_offset(0) == 0' --assume 'get_global_offset(1) == 0'
// WHY: the places of a matrix in rows of the global size, which has 24 bits; if more, that is said (no overflow).
kernel void place(global int *a, int width) {
  const int x = get_global_id(0), y = get_global_id(1);
  a[mul24(y, width) + x] = x;
}
