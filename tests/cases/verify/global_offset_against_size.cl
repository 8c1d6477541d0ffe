// EXPECT: race
// OPTS: --local 16 --groups 2
// RESTS: get_global_offset(
// WHY: with an offset of 1 the last id is the size, whose place is 0, as the first without an offset; work-item 0 has place 1, and with an offset of 32 places 0 and 16 … are those of others: ids 32 to 63 all clamp to 31.
kernel void clampi(global int *a) {
  const int i = get_global_id(0), last = get_global_size(0) - 1;
  a[i < last ? i : last] = i;
}
