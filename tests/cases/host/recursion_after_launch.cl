// EXPECT: race
// OPTS: --host recursion_after_launch.c
// WHY: the program launches spread with strides 4, 2, 1 and, in the last call, 0: all work-items store to data[0], different numbers.
kernel void spread(global int *data, int stride) {
  data[get_global_id(0) * stride] = get_global_id(0);
}
