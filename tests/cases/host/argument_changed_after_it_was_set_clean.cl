// EXPECT: clean
// OPTS: --host argument_changed_after_it_was_set_clean.c
// WHY: clSetKernelArg copies the number: that the variable is 0 when the kernel is launched does not matter.
kernel void spread(global int *data, int stride) {
  data[get_global_id(0) * stride] = get_global_id(0);
}
