// EXPECT: race
// WHY: a float counts to 2^24 only: 16777216 and 16777217 are one float, so work-items of these numbers have one place.
kernel void place(global int *a) {
  a[(uint)(float)get_global_id(0)] = get_global_id(0);
}
