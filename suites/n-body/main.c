/* n-body [N [STEPS [motion|energy]]]: moves N bodies (a multiple of 16) for STEPS steps; "energy" then adds up their
 * kinetic energy too. */
#include <math.h>
#include <stdlib.h>

#include "common/host.h"

enum { LOCAL = 16 };

static const float softening = 0.01f, wall = 4.0f; /* as in the build options below */
static const float duration = 0.01f;

static void launch_accelerate(const host *h, int n, cl_mem bodies, cl_mem acceleration) {
  const size_t local = LOCAL, global = (size_t)n;
  cl_kernel kernel = host_kernel(h, "accelerate");
  HOST_ARGUMENT(kernel, 0, n);
  HOST_ARGUMENT(kernel, 1, bodies);
  HOST_ARGUMENT(kernel, 2, acceleration);
  host_argument(kernel, 3, LOCAL * sizeof(cl_float4), NULL);
  host_launch(h, kernel, 1, NULL, &global, &local);
  clReleaseKernel(kernel);
}

static void launch_move(const host *h, int n, cl_mem bodies, cl_mem velocity, cl_mem acceleration) {
  const size_t local = LOCAL, global = (size_t)n;
  cl_kernel kernel = host_kernel(h, "move");
  HOST_ARGUMENT(kernel, 0, duration);
  HOST_ARGUMENT(kernel, 1, bodies);
  HOST_ARGUMENT(kernel, 2, velocity);
  HOST_ARGUMENT(kernel, 3, acceleration);
  host_launch(h, kernel, 1, NULL, &global, &local);
  clReleaseKernel(kernel);
}

/* The kinetic energy of each body, into `out`. */
static void launch_energy(const host *h, int n, cl_mem bodies, cl_mem velocity, float *out) {
  const size_t local = LOCAL, global = (size_t)n;
  cl_mem buffer = host_buffer(h, (size_t)n * sizeof *out, NULL);
  cl_kernel kernel = host_kernel(h, "energy");
  HOST_ARGUMENT(kernel, 0, bodies);
  HOST_ARGUMENT(kernel, 1, velocity);
  HOST_ARGUMENT(kernel, 2, buffer);
  host_launch(h, kernel, 1, NULL, &global, &local);
  host_read(h, buffer, (size_t)n * sizeof *out, out);
  clReleaseKernel(kernel);
  clReleaseMemObject(buffer);
}

static void step_on_host(int n, cl_float4 *bodies, cl_float4 *velocity, cl_float4 *acceleration) {
  for (int i = 0; i < n; i++)
    for (int axis = 0; axis < 3; axis++) acceleration[i].s[axis] = 0.0f;
  for (int i = 0; i < n; i++)
    for (int other = 0; other < n; other++) {
      float way[3], square = softening;
      for (int axis = 0; axis < 3; axis++) {
        way[axis] = bodies[other].s[axis] - bodies[i].s[axis];
        square += way[axis] * way[axis];
      }
      for (int axis = 0; axis < 3; axis++)
        acceleration[i].s[axis] += way[axis] * bodies[other].s[3] / (square * sqrtf(square));
    }
  for (int i = 0; i < n; i++)
    for (int axis = 0; axis < 3; axis++) {
      velocity[i].s[axis] += duration * acceleration[i].s[axis];
      if (fabsf(bodies[i].s[axis]) > wall) velocity[i].s[axis] = -velocity[i].s[axis];
      bodies[i].s[axis] += duration * velocity[i].s[axis];
    }
}

static int count_wrong_bodies(int n, const cl_float4 *bodies, const cl_float4 *result) {
  int wrong = 0;
  for (int i = 0; i < n; i++)
    for (int axis = 0; axis < 3; axis++) wrong += !host_close(result[i].s[axis], bodies[i].s[axis], 1e-3f);
  return wrong;
}

static int count_wrong_energies(int n, const cl_float4 *bodies, const cl_float4 *velocity, const float *energies) {
  int wrong = 0;
  for (int i = 0; i < n; i++) {
    float square = 0.0f;
    for (int axis = 0; axis < 3; axis++) square += velocity[i].s[axis] * velocity[i].s[axis];
    wrong += !host_close(energies[i], 0.5f * bodies[i].s[3] * square, 1e-3f);
  }
  return wrong;
}

int main(int argc, char **argv) {
  const int n = host_number(argc, argv, 1, LOCAL, LOCAL, 1024) / LOCAL * LOCAL;
  const int steps = host_number(argc, argv, 2, 1, 0, 100);
  const bool with_energy = host_word(argc, argv, 3, "motion", "energy");
  const size_t count = (size_t)n, bytes = count * sizeof(cl_float4);
  cl_float4 *bodies = host_calloc(count, sizeof *bodies), *velocity = host_calloc(count, sizeof *velocity);
  cl_float4 *acceleration = host_calloc(count, sizeof *acceleration), *result = host_calloc(count, sizeof *result);
  float *energies = host_calloc(count, sizeof *energies);
  for (int i = 0; i < n; i++) {
    const float position[4] = {(float)(i % 5) - 2.0f, (float)(i % 7) - 3.0f, (float)(i % 6) - 2.5f, 1.0f};
    for (int axis = 0; axis < 4; axis++) bodies[i].s[axis] = position[axis];
  }

  host h = host_open("n-body", "-D SOFTENING=0.01f -DWALL=4.0f");
  cl_mem bodies_buffer = host_buffer(&h, bytes, bodies), velocity_buffer = host_buffer(&h, bytes, velocity);
  cl_mem acceleration_buffer = host_buffer(&h, bytes, NULL);
  for (int step = 0; step < steps; step++) {
    launch_accelerate(&h, n, bodies_buffer, acceleration_buffer);
    launch_move(&h, n, bodies_buffer, velocity_buffer, acceleration_buffer);
    step_on_host(n, bodies, velocity, acceleration);
  }
  host_read(&h, bodies_buffer, bytes, result);
  int wrong = count_wrong_bodies(n, bodies, result);
  if (with_energy) {
    launch_energy(&h, n, bodies_buffer, velocity_buffer, energies);
    wrong += count_wrong_energies(n, bodies, velocity, energies);
  }

  clReleaseMemObject(acceleration_buffer);
  clReleaseMemObject(velocity_buffer);
  clReleaseMemObject(bodies_buffer);
  free(energies);
  free(result);
  free(acceleration);
  free(velocity);
  free(bodies);
  return host_finish(&h, wrong == 0, "%d values of %d bodies are wrong after %d steps", wrong, n, steps);
}
