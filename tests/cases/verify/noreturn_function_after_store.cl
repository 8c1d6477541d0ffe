// EXPECT: race
// OPTS: --local 16 --groups 1
// RESTS: is not reached
// WHY: what was stored before the function that does not return stays stored
__attribute__((noreturn)) void stop(void);
kernel void k(global int *a) {
  uint i = get_local_id(0);
  if (i == 3) { a[0] = 1; stop(); }
  if (i == 4) a[0] = 2;
}
