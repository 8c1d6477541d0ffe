// EXPECT: race
// OPTS: --local 16 --groups 1
// CERTAIN: no
// WHY: the same of a float
kernel void k(global float *a) {
  float v;
  if (get_local_id(0) < 3) v = 1.0f;
  a[0] = v;
}
