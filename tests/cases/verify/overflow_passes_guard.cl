// EXPECT: possible-ok
// OPTS: --local 64 --groups 64 --assume 'pitch == 1048576' --assume 'limit == 1000'
// RESTS: signed overflow
// WHY: from work-item 2048 on the product does not fit into an int. On a device it wraps to a negative number, which passes the guard, and a[row] lies before the beginning of the buffer. Plain "verified" is wrong: either out of bounds, or verified with "no signed overflow at line 6" among what it rests on.
kernel void rows(global float *a, int pitch, int limit) {
  const int row = (int)get_global_id(0) * pitch;
  if (row < limit) {
    a[row] = row;
  }
}
