// EXPECT: race
// OPTS: --local 16 --groups 1
// WHY: both arms end at the same store
kernel void k(global int *a) {
  int i = get_local_id(0), at = 0;
  if (i & 1) goto odd;
  at = i;
  goto end;
odd:
  at = i - 1;
end:
  a[at] = i;
}
