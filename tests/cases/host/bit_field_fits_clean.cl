// EXPECT: clean
// OPTS: --host bit_field_fits_clean.c
// WHY: the stride is 8, which fits: no race. A bit-field is not followed, so a race is possible at most.
kernel void spread(global int *data, int stride) {
  data[get_global_id(0) * stride] = get_global_id(0);
}
