// EXPECT: race
// OPTS:
// BUILD: -cl-std=CL2.0
// RESTS: all work-groups have the same size
// NOTE: verified with the precondition that all groups have one size would be right, too; verified without it is wrong.
// WHY: OpenCL C 2.0 lets the last group be smaller. With 24 work-items in groups of 16 the second group has 8: its work-item 0 has number 1 * 8 + 0 = 8, and so has work-item 8 of the first group.
kernel void number(global uint *a, global const uint *b) {
  const uint i = mad24((uint)get_group_id(0), (uint)get_local_size(0), (uint)get_local_id(0));
  a[i] = b[get_global_id(0)] + 1;
}
