/* Bodies that attract each other: position in x, y, z, mass in w. Build with -D SOFTENING=<number>, which keeps the
 * force finite, and -D WALL=<half the width of the box>. */

/* Turns a body round that is beyond a wall. */
#define BOUNCE(axis)                                 \
  do {                                               \
    if (body.axis < -(WALL) || body.axis > (WALL)) { \
      speed.axis = -speed.axis;                      \
    }                                                \
  } while (0)

static float4 pull(const float4 at, const float4 body) {
  const float4 way = (float4)(body.xyz - at.xyz, 0.0f);
  const float distance = sqrt(dot(way, way) + SOFTENING);
  return way * (body.w / (distance * distance * distance));
}

/* `tile` holds one body a work-item; n is a multiple of the work-group's size. */
kernel void accelerate(const int n, global const float4 *bodies, global float4 *acceleration, local float4 *tile) {
  const int i = get_global_id(0);
  const int lane = get_local_id(0);
  const int size = get_local_size(0);
  float4 sum = (float4)(0.0f);
  int start = 0;
  for (;;) {
    tile[lane] = bodies[start + lane];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int other = 0; other < size; other++) {
      if (start + other == i)
        continue;
      sum += pull(bodies[i], tile[other]);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    start += size;
    if (start >= n)
      break;
  }
  acceleration[i] = sum;
}

kernel void move(const float time, global float4 *bodies, global float4 *velocity, global const float4 *acceleration) {
  const int i = get_global_id(0);
  float4 body = bodies[i];
  float4 speed = velocity[i] + time * acceleration[i];
  BOUNCE(x);
  BOUNCE(y);
  BOUNCE(z);
  body += time * speed;
  bodies[i] = body;
  velocity[i] = speed;
}

/* The kinetic energy of each body. */
kernel void energy(global const float4 *bodies, global const float4 *velocity, global float *out) {
  const int i = get_global_id(0);
  const float mass = bodies[i].w;
  out[i] = mass > 0.0f ? 0.5f * mass * dot(velocity[i], velocity[i]) : 0.0f;
}
