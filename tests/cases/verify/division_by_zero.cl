// EXPECT: possible-ok
// OPTS: --local 32 --groups 2
// OPTS: --local 32
// RESTS: no division by 0
// WHY: a number divided by 0 is any number (OpenCL C, 6.3): with w = 0 all work-items may store to one element.
kernel void put(global int *t, int w) {
  const int at = get_global_id(0);
  t[at / w * w + at % w] = at;
}
