// EXPECT: race
// OPTS: --assume 'distinct(index)'
// WHY: 3 and 2 are different, and 3 / 2 is 2 / 2.
kernel void scatter(global int *out, global const uint *index) {
  out[index[get_global_id(0)] / 2] = get_global_id(0);
}
