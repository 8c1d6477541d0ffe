// EXPECT: race
// SAYS: launch 2
// RUN: scatter b0:2048=iota b1:2048=iota i2 @512:64 b1 b0 i1 @512:64
// WHY: the first launch stores i / 2 in the first buffer, by way of `out`. The second takes its indices from there: 0, 0, 1, 1 and so on, and two work-items store different numbers in one place.
kernel void scatter(global int *out, global const int *index, int d) {
  out[index[get_global_id(0)]] = get_global_id(0) / d;
}
