// EXPECT: race
// OPTS: --local 64 --groups 4
// WHY: the mask drops bit 0, to which bit 5 is turned: work-items 0 and 32 both store a[0].
kernel void mix_up(global int *a) {
  const uchar i = get_global_id(0);
  a[rotate(i, (uchar)3) & 0xfe] = i;
}
