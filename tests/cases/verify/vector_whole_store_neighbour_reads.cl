// EXPECT: race
// OPTS: --local 32 --groups 2
// OPTS:
// WHY: work-item i stores all eight elements of body[i], the last one included; work-item i + 1 reads the last element of body[i].
kernel void mark(global float8 *body, global float *force) {
  const int i = get_global_id(0);
  force[i] = i > 0 ? body[i - 1].s7 : 0.0f;
  global float8 *const me = &body[i];
  float8 v = *me;
  v.s0 = 0.5f;
  *me = v;
}
