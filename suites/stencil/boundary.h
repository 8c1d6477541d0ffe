/* Which element to read where a stencil reaches over the end of a line of n elements. */
#ifndef BOUNDARY_H
#define BOUNDARY_H

/* the line is a ring */
static int wrapped(const int i, const int n) {
  if (i < 0)
    return i + n;
  return i >= n ? i - n : i;
}

/* the last element goes on */
static int clamped(const int i, const int n) { return clamp(i, 0, n - 1); }

/* the line turns back, as often as needed */
static int mirrored(int i, const int n) {
  while (i < 0 || i >= n)
    i = i < 0 ? -1 - i : 2 * n - 1 - i;
  return i;
}

#endif
