// EXPECT: clean
// OPTS: --local 32 --groups 2
// OPTS:
// WHY: work-item i stores x and y of body[i] only; its neighbours read w only.
kernel void drift(global float4 *body, global float *force) {
  const int i = get_global_id(0);
  force[i] = i > 0 ? body[i - 1].w * body[i].w : 0.0f;
  body[i].x += 0.5f;
  body[i].y += 0.5f;
}
