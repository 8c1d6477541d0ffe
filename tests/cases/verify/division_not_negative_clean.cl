// EXPECT: clean
// OPTS: --assume 'pitch > 0' --assume 'shift >= 0'
// OPTS: --local 64 --groups 4 --assume 'pitch > 0' --assume 'shift >= 0'
// WHY: of numbers that are not negative both quotients are the same, so nobody stores to report[0].
kernel void rows(global int *a, global int *report, int shift, int pitch) {
  const int up = shift / pitch;
  const uint down = (uint)shift / (uint)pitch;
  a[get_global_id(0)] = up;
  if ((uint)up != down) {
    report[0] = get_global_id(0);
  }
}
