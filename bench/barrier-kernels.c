/* Kernels with barriers and early returns, for bench/barrier-overhead: barrier-kernels NAME launches the one of that
 * name a few times over a quarter of a million work-items; without a name it lists them. */
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WIDTH = 512, ITEMS = WIDTH * WIDTH, LAUNCHES = 12 };

typedef struct sample {
  const char *name;
  cl_uint dimensions; /* groups of 256 or of 16 x 16 */
  size_t rows;        /* of WIDTH work-items */
  const char *body;
} sample;

#define HEAD "__kernel void run(__global const float *in, __global float *out, uint n, uint w) {\n"
#define WAIT "barrier(CLK_LOCAL_MEM_FENCE);\n"
#define LINE "__local float t[256]; uint l = get_local_id(0), g = get_global_id(0);\n"
#define GRID "uint x = get_global_id(0), y = get_global_id(1), lx = get_local_id(0), ly = get_local_id(1), h = n / w;\n"
#define TREE                                                 \
  "for (uint s = get_local_size(0) / 2; s > 0; s >>= 1) {\n" \
  "  if (l < s) t[l] += t[l + s];\n" WAIT                    \
  "}\n"                                                      \
  "if (l == 0) out[get_group_id(0)] = t[0];\n"

static const sample samples[] = {
    {"group-sum", 1, WIDTH, LINE "t[l] = g < n ? in[g] : 0.0f;\n" WAIT TREE},
    {"guarded-sum", 1, WIDTH, LINE "if (g >= n) return;\nt[l] = in[g];\n" WAIT TREE},
    {"early-returns", 1, WIDTH,
     "uint g = get_global_id(0);\n"
     "if (g >= n) return;\n"
     "float v = in[g];\n"
     "if (v < 0.0f) { out[g] = 0.0f; return; }\n"
     "if (v > 100.0f) { out[g] = 1.0f; return; }\n"
     "out[g] = v * v + 0.5f;\n"},
    {"returns-behind-barrier", 1, WIDTH,
     LINE "t[l] = g < n ? in[g] : 0.0f;\n" WAIT "if (g >= n) return;\n"
          "if (l == 0 || l == get_local_size(0) - 1) { out[g] = t[l]; return; }\n"
          "out[g] = 0.25f * t[l - 1] + 0.5f * t[l] + 0.25f * t[l + 1];\n"},
    {"five-point", 2, WIDTH,
     "uint x = get_global_id(0), y = get_global_id(1), h = n / w;\n"
     "if (x == 0 || y == 0 || x >= w - 1 || y >= h - 1) return;\n"
     "uint i = y * w + x;\n"
     "out[i] = 0.2f * (in[i] + in[i - 1] + in[i + 1] + in[i - w] + in[i + w]);\n"},
    {"five-point-tile", 2, WIDTH,
     "__local float t[18][18];\n" GRID "lx++; ly++;\n"
     "t[ly][lx] = in[y * w + x];\n"
     "if (lx == 1 && x > 0) t[ly][0] = in[y * w + x - 1];\n"
     "if (lx == 16 && x < w - 1) t[ly][17] = in[y * w + x + 1];\n"
     "if (ly == 1 && y > 0) t[0][lx] = in[(y - 1) * w + x];\n"
     "if (ly == 16 && y < h - 1) t[17][lx] = in[(y + 1) * w + x];\n" WAIT
     "if (x > 0 && x < w - 1 && y > 0 && y < h - 1)\n"
     "  out[y * w + x] = 0.2f * (t[ly][lx] + t[ly - 1][lx] + t[ly + 1][lx] + t[ly][lx - 1] + t[ly][lx + 1]);\n"},
    {"matrix-tile", 2, WIDTH / 16,
     "__local float a[16][16], b[16][16];\n" GRID "float sum = 0.0f;\n"
     "for (uint tile = 0; tile < h / 16; tile++) {\n"
     "  a[ly][lx] = in[y * w + tile * 16 + lx];\n"
     "  b[ly][lx] = in[(tile * 16 + ly) * w + x];\n" WAIT
     "  for (uint i = 0; i < 16; i++) sum += a[ly][i] * b[i][lx];\n" WAIT "}\n"
     "out[y * w + x] = sum;\n"},
    {"scan", 1, WIDTH,
     "__local float t[2][256]; uint l = get_local_id(0), g = get_global_id(0), from = 0;\n"
     "t[0][l] = in[g];\n" WAIT "for (uint d = 1; d < get_local_size(0); d *= 2) {\n"
     "  if (l >= d) t[1 - from][l] = t[from][l] + t[from][l - d];\n"
     "  else t[1 - from][l] = t[from][l];\n"
     "  from = 1 - from;\n" WAIT "}\n"
     "out[g] = t[from][l];\n"},
};

static void check(const char *what, cl_int result) {
  if (result != CL_SUCCESS) {
    (void)fprintf(stderr, "%s: OpenCL error %d\n", what, result);
    exit(1);
  }
}

static cl_kernel build(cl_context context, cl_device_id device, const sample *s) {
  char *text = NULL;
  size_t length = 0;
  FILE *source = open_memstream(&text, &length);
  if (source == NULL) exit(1);
  (void)fprintf(source, "%s%s}\n", HEAD, s->body);
  (void)fclose(source);
  const char *const texts = text;
  cl_int result = CL_SUCCESS;
  cl_program program = clCreateProgramWithSource(context, 1, (const char **)&texts, NULL, &result);
  check("clCreateProgramWithSource", result);
  check("clBuildProgram", clBuildProgram(program, 1, &device, "", NULL, NULL));
  cl_kernel kernel = clCreateKernel(program, "run", &result);
  check("clCreateKernel", result);
  free(text);
  return kernel;
}

static void launch(const sample *s, cl_context context, cl_device_id device) {
  cl_int result = CL_SUCCESS;
  cl_command_queue queue = clCreateCommandQueue(context, device, 0, &result);
  check("clCreateCommandQueue", result);
  cl_kernel kernel = build(context, device, s);
  static float values[ITEMS];
  for (size_t i = 0; i < ITEMS; i++) values[i] = (float)((i * 2654435761u >> 7) % 1000) / 8.0f - 5.0f;
  cl_mem in = clCreateBuffer(context, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, sizeof values, values, &result);
  check("clCreateBuffer", result);
  cl_mem out = clCreateBuffer(context, CL_MEM_WRITE_ONLY, sizeof values, NULL, &result);
  check("clCreateBuffer", result);
  const cl_uint width = WIDTH;
  const size_t global[] = {s->dimensions == 1 ? WIDTH * s->rows : WIDTH, s->rows};
  const size_t local[] = {s->dimensions == 1 ? 256 : 16, 16};
  const cl_uint items = (cl_uint)(WIDTH * s->rows);
  check("clSetKernelArg", clSetKernelArg(kernel, 0, sizeof in, &in) | clSetKernelArg(kernel, 1, sizeof out, &out) |
                              clSetKernelArg(kernel, 2, sizeof items, &items) |
                              clSetKernelArg(kernel, 3, sizeof width, &width));
  for (int i = 0; i < LAUNCHES; i++) {
    check("clEnqueueNDRangeKernel",
          clEnqueueNDRangeKernel(queue, kernel, s->dimensions, NULL, global, local, 0, NULL, NULL));
    check("clFinish", clFinish(queue));
  }
  check("clEnqueueReadBuffer", clEnqueueReadBuffer(queue, out, CL_TRUE, 0, sizeof values, values, 0, NULL, NULL));
}

int main(int argc, char **argv) {
  const sample *found = NULL;
  for (size_t i = 0; i < sizeof samples / sizeof *samples; i++)
    if (argc < 2)
      (void)puts(samples[i].name);
    else if (strcmp(argv[1], samples[i].name) == 0)
      found = &samples[i];
  if (argc < 2) return 0;
  if (found == NULL) {
    (void)fprintf(stderr, "barrier-kernels: there is no kernel %s\n", argv[1]);
    return 1;
  }
  cl_platform_id platform = NULL;
  cl_device_id device = NULL;
  cl_int result = CL_SUCCESS;
  check("clGetPlatformIDs", clGetPlatformIDs(1, &platform, NULL));
  check("clGetDeviceIDs", clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL));
  cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, &result);
  check("clCreateContext", result);
  launch(found, context, device);
  return 0;
}
