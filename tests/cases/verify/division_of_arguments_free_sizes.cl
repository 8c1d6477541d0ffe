// EXPECT: race
// OPTS:
// RESTS: no division by 0
// WHY: the same, in groups of any size
kernel void k(global uint *a, uint n, uint m) { a[0] = m % n; }
