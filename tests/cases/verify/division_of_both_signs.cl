// EXPECT: race
// OPTS:
// OPTS: --local 64 --groups 4
// WHY: with shift = -8 and pitch = 4 the signed quotient is -2 and the unsigned one 1073741822, so all store their own number to report[0].
kernel void rows(global int *a, global int *report, int shift, int pitch) {
  const int up = shift / pitch;
  const uint down = (uint)shift / (uint)pitch;
  a[get_global_id(0)] = up;
  if ((uint)up != down) {
    report[0] = get_global_id(0);
  }
}
