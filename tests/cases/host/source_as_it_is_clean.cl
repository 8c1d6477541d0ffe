// EXPECT: clean
// OPTS: --host source_as_it_is_clean.c
// WHY: the text is that of the file
#ifndef STRIDE
#define STRIDE 4
#endif
kernel void spread(global int *data, int stride) { data[get_global_id(0) * STRIDE] = get_global_id(0) + stride; }
