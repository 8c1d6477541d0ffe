// EXPECT: race
// RESTS: built with the options
// OPTS: --host source_with_line_before.c
// WHY: the text that is built begins with another STRIDE
#ifndef STRIDE
#define STRIDE 4
#endif
kernel void spread(global int *data, int stride) { data[get_global_id(0) * STRIDE] = get_global_id(0) + stride; }
