/* A plain OpenCL 1.2 program that launches kernels of one file, as a user's program would:
 *
 *   launcher [-o OPTIONS] FILE.cl LAUNCH [+ LAUNCH]…
 *   LAUNCH: KERNEL GLOBAL[,GLOBAL…] LOCAL[,LOCAL…] [ARGUMENT]…
 *
 * Each argument of a kernel is one of:
 *   buffer:BYTES[:RULE]        a buffer; RULE says what is in it: zero (default), one, index, value=N: 32-bit integers;
 *                              random: 32-bit integers of a fixed generator; float: 0.0f, 1.0f, 2.0f, …
 *   hidden:BYTES[:RULE]        a buffer that has a number but is not passed to the kernel
 *   again:N                    the memory of argument N of this launch (from 0, hidden ones count), passed once more
 *   last:N                     the memory of argument N of the launch before
 *   part:N:OFFSET:BYTES        a sub-buffer of buffer N of this launch
 *   local:BYTES                local memory
 *   int:N uint:N long:N ulong:N short:N char:N float:N double:N    a scalar
 *   bytes:BYTES                a value of so many zero bytes (a vector or a structure)
 *   image:WxHxD:TYPE           an image of 2 or 3 dimensions (D 0: 2) with four channels: int, uint or float
 *   sampler                    coordinates in pixels, nearest
 * After each launch all buffers are read. Exit 0: all was launched; 1: wrong arguments; 2: OpenCL refused something. */
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_ARGUMENTS = 64 };

typedef struct {
  cl_mem memory[MOST_ARGUMENTS]; /* by the number of the argument; NULL: not memory */
  size_t bytes[MOST_ARGUMENTS];  /* of buffers, 0: nothing to read back */
} arguments;

static cl_device_id device;
static cl_context context;
static cl_command_queue queue;
static cl_program program;

static void wrong(const char *what) {
  fprintf(stderr, "launcher: not understood: %s\n", what);
  exit(1);
}

static void check(cl_int status, const char *what) {
  if (status != CL_SUCCESS) {
    fprintf(stderr, "launcher: %s: OpenCL error %d\n", what, status);
    exit(2);
  }
}

static unsigned long long number(const char *text, char **end) {
  char *own;
  unsigned long long value = strtoull(text, &own, 0);
  if (own == text) wrong(text);
  if (end)
    *end = own;
  else if (*own)
    wrong(text);
  return value;
}

/* after: what follows WORD: in an argument, NULL if it is another kind. */
static const char *after(const char *argument, const char *word) {
  size_t length = strlen(word);
  return strncmp(argument, word, length) == 0 && argument[length] == ':' ? argument + length + 1 : NULL;
}

/* fill: contents by the rule. */
static void fill(unsigned *words, size_t count, const char *rule) {
  unsigned seed = 12345;
  for (size_t i = 0; i < count; i++) {
    float real = (float)i;
    seed = seed * 1664525u + 1013904223u;
    if (!*rule || strcmp(rule, "zero") == 0)
      words[i] = 0;
    else if (strcmp(rule, "one") == 0)
      words[i] = 1;
    else if (strcmp(rule, "index") == 0)
      words[i] = (unsigned)i;
    else if (strncmp(rule, "value=", 6) == 0)
      words[i] = (unsigned)number(rule + 6, NULL);
    else if (strcmp(rule, "random") == 0)
      words[i] = seed >> 8;
    else if (strcmp(rule, "float") == 0)
      memcpy(&words[i], &real, sizeof real);
    else
      wrong(rule);
  }
}

static cl_mem new_buffer(const char *text, size_t *bytes) {
  char *end;
  cl_int status;
  *bytes = (size_t)number(text, &end);
  if (*end && *end != ':') wrong(text);
  unsigned *words = malloc((*bytes + 3) / 4 * 4);
  if (!words) wrong(text);
  fill(words, (*bytes + 3) / 4, *end ? end + 1 : "");
  cl_mem memory = clCreateBuffer(context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, *bytes, words, &status);
  check(status, text);
  free(words);
  return memory;
}

static cl_mem known_memory(const arguments *of, const char *text, char **end) {
  unsigned long long index = number(text, end);
  if (index >= MOST_ARGUMENTS || !of->memory[index]) wrong(text);
  return of->memory[index];
}

static cl_mem new_part(const arguments *of, const char *text) {
  char *end;
  cl_int status;
  cl_mem whole = known_memory(of, text, &end);
  cl_buffer_region region;
  region.origin = (size_t)number(*end ? end + 1 : end, &end);
  region.size = (size_t)number(*end ? end + 1 : end, NULL);
  cl_mem memory = clCreateSubBuffer(whole, CL_MEM_READ_WRITE, CL_BUFFER_CREATE_TYPE_REGION, &region, &status);
  check(status, text);
  return memory;
}

static cl_mem new_image(const char *text) {
  char *end;
  cl_int status;
  cl_image_format format = {CL_RGBA, CL_FLOAT};
  cl_image_desc form;
  memset(&form, 0, sizeof form);
  form.image_width = (size_t)number(text, &end);
  form.image_height = (size_t)number(*end ? end + 1 : end, &end);
  form.image_depth = (size_t)number(*end ? end + 1 : end, &end);
  form.image_type = form.image_depth ? CL_MEM_OBJECT_IMAGE3D : CL_MEM_OBJECT_IMAGE2D;
  if (strcmp(end, ":int") == 0)
    format.image_channel_data_type = CL_SIGNED_INT32;
  else if (strcmp(end, ":uint") == 0)
    format.image_channel_data_type = CL_UNSIGNED_INT32;
  else if (strcmp(end, ":float") != 0)
    wrong(text);
  cl_mem memory = clCreateImage(context, CL_MEM_READ_WRITE, &format, &form, NULL, &status);
  check(status, text);
  return memory;
}

static void set(cl_kernel kernel, cl_uint index, size_t size, const void *value, const char *text) {
  check(clSetKernelArg(kernel, index, size, value), text);
}

/* set_scalar: false if the argument is no scalar. */
static int set_scalar(cl_kernel kernel, cl_uint index, const char *text) {
  static const struct {
    const char *word;
    size_t size;
  } integers[] = {{"int", 4}, {"uint", 4}, {"long", 8}, {"ulong", 8}, {"short", 2}, {"char", 1}};
  const char *value;
  for (size_t i = 0; i < sizeof integers / sizeof integers[0]; i++) {
    value = after(text, integers[i].word);
    if (value) {
      long long integer = strtoll(value, NULL, 0); /* little-endian: the low bytes come first */
      set(kernel, index, integers[i].size, &integer, text);
      return 1;
    }
  }
  value = after(text, "double");
  if (value) {
    double real = strtod(value, NULL);
    set(kernel, index, sizeof real, &real, text);
    return 1;
  }
  value = after(text, "float");
  if (value) {
    float real = strtof(value, NULL);
    set(kernel, index, sizeof real, &real, text);
    return 1;
  }
  value = after(text, "bytes");
  if (value) {
    size_t size = (size_t)number(value, NULL);
    void *zeros = calloc(size, 1);
    set(kernel, index, size, zeros, text);
    free(zeros);
    return 1;
  }
  return 0;
}

/* memory_of: the memory that an argument names or asks for, NULL if it is of another kind. */
static cl_mem memory_of(const char *text, const arguments *now, const arguments *before, size_t *bytes) {
  const char *rest = after(text, "buffer") ? after(text, "buffer") : after(text, "hidden");
  if (rest) return new_buffer(rest, bytes);
  if ((rest = after(text, "again"))) return known_memory(now, rest, NULL);
  if ((rest = after(text, "last"))) return known_memory(before, rest, NULL);
  if ((rest = after(text, "part"))) return new_part(now, rest);
  if ((rest = after(text, "image"))) return new_image(rest);
  return NULL;
}

static void set_other(cl_kernel kernel, cl_uint index, const char *text) {
  const char *local = after(text, "local");
  if (local) {
    set(kernel, index, (size_t)number(local, NULL), NULL, text);
  } else if (strcmp(text, "sampler") == 0) {
    cl_int status;
    cl_sampler sampler = clCreateSampler(context, CL_FALSE, CL_ADDRESS_CLAMP_TO_EDGE, CL_FILTER_NEAREST, &status);
    check(status, text);
    set(kernel, index, sizeof sampler, &sampler, text);
  } else if (!set_scalar(kernel, index, text)) {
    wrong(text);
  }
}

static cl_uint read_size(const char *text, size_t size[3]) {
  cl_uint dimensions = 0;
  const char *at = text;
  for (;;) {
    char *end;
    if (dimensions == 3) wrong(text);
    size[dimensions++] = (size_t)number(at, &end);
    if (*end != ',') return dimensions;
    at = end + 1;
  }
}

static void read_back(const arguments *of) {
  for (size_t i = 0; i < MOST_ARGUMENTS; i++) {
    if (of->bytes[i] > 0) {
      void *contents = malloc(of->bytes[i]);
      check(clEnqueueReadBuffer(queue, of->memory[i], CL_TRUE, 0, of->bytes[i], contents, 0, NULL, NULL), "a read");
      free(contents);
    }
  }
}

/* launch: one launch; its last word is followed by NULL or "+". Returns how many words it has. */
static int launch(char **words, const arguments *before, arguments *now) {
  size_t global[3];
  size_t local[3];
  cl_int status;
  cl_uint index = 0;
  int count = 3;
  if (!words[0] || !words[1] || !words[2]) wrong("a launch needs a kernel, a global and a local size");
  cl_uint dimensions = read_size(words[1], global);
  if (read_size(words[2], local) != dimensions) wrong(words[2]);
  cl_kernel kernel = clCreateKernel(program, words[0], &status);
  check(status, words[0]);
  memset(now, 0, sizeof *now);
  for (; words[count] && strcmp(words[count], "+") != 0; count++) {
    if (count - 3 == MOST_ARGUMENTS) wrong(words[count]);
    cl_mem memory = memory_of(words[count], now, before, &now->bytes[count - 3]);
    now->memory[count - 3] = memory;
    if (!memory)
      set_other(kernel, index++, words[count]);
    else if (!after(words[count], "hidden"))
      set(kernel, index++, sizeof memory, &memory, words[count]);
  }
  check(clEnqueueNDRangeKernel(queue, kernel, dimensions, NULL, global, local, 0, NULL, NULL), words[0]);
  check(clFinish(queue), words[0]);
  read_back(now);
  clReleaseKernel(kernel);
  return count;
}

static void build(const char *path, const char *options) {
  cl_int status;
  FILE *file = fopen(path, "rb");
  if (!file) wrong(path);
  static char source[1 << 20];
  const char *text = source;
  size_t length = fread(source, 1, sizeof source, file);
  fclose(file);
  program = clCreateProgramWithSource(context, 1, &text, &length, &status);
  check(status, path);
  status = clBuildProgram(program, 1, &device, options, NULL, NULL);
  if (status != CL_SUCCESS) {
    static char log[1 << 16];
    clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, sizeof log - 1, log, NULL);
    fprintf(stderr, "%s\n", log);
  }
  check(status, path);
}

int main(int argc, char **argv) {
  cl_platform_id platform;
  cl_int status;
  const char *options = "";
  char **word = argv + 1;
  arguments launches[2];
  int turn = 0;
  if (argc > 2 && strcmp(*word, "-o") == 0) {
    options = word[1];
    word += 2;
  }
  if (!*word) wrong("no kernel file");
  check(clGetPlatformIDs(1, &platform, NULL), "platforms");
  check(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL), "devices");
  context = clCreateContext(NULL, 1, &device, NULL, NULL, &status);
  check(status, "a context");
  queue = clCreateCommandQueue(context, device, 0, &status);
  check(status, "a queue");
  build(*word++, options);
  memset(launches, 0, sizeof launches);
  do {
    word += launch(word, &launches[1 - turn], &launches[turn]);
    turn = 1 - turn;
  } while (*word++);
  clReleaseProgram(program);
  clReleaseCommandQueue(queue);
  clReleaseContext(context);
  return 0;
}
