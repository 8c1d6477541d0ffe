// EXPECT: race
// OPTS: --host sub_buffers_that_overlap.c
// RESTS: from and to are different memory
// WHY: the two parts of the buffer share bytes 1024 to 4095: what one work-item stores another one reads.
kernel void spread(global int *from, global int *to) {
  to[get_global_id(0)] = from[get_global_id(0) + 1];
}
