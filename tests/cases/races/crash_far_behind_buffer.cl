// EXPECT: unchecked
// RUN: jump b0:4096 i100000000 @64:16
// WHY: work-item 1 stores 400 MB behind the buffer: the program ends with a signal. What a run that crashed did not show is not known, so "nothing found" with exit 0 is wrong.
kernel void jump(global int *a, int far) {
  a[(long)get_global_id(0) * far] = 1;
}
