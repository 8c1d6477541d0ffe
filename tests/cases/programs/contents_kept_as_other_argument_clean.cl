// EXPECT: clean
// RUN: scatter b0:2048=iota b1:2048=iota i1 @512:64 b2:2048 b1 i1 @512:64
// WHY: the indices are those of the second buffer both times, which nobody changes: 0 to 511.
kernel void scatter(global int *out, global const int *index, int d) {
  out[index[get_global_id(0)]] = get_global_id(0) / d;
}
