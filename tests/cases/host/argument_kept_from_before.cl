// EXPECT: race
// OPTS: --host argument_kept_from_before.c
// WHY: the second launch has the argument that was set last, which is 0; the variable is 4 again, but was not given again.
kernel void spread(global int *data, int stride) {
  data[get_global_id(0) * stride] = get_global_id(0);
}
