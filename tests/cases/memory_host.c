/* Small generic OpenCL 1.2 host: does what the comment lines at the head of a kernel file say, in their order.
 *   host FILE.cl [build options]
 * Head lines (all before the first line that is neither empty nor a // comment):
 *   // SLOPPY                            API errors are ignored silently (else: printed, exit status 2)
 *   // OPTIONS: -DN=4                    build options
 *   // BUFFER: name type n fill [ro|wo|rw] [enq|use]    n elements; fill none: no host data, never written
 *   // SUB: name parent first n [ro|wo|rw]              in elements of the parent's type
 *   // IMAGE: name w h rgba_f32|r_f32|rgba_u8|r_u32 fill [ro|wo|rw]
 *   // WRITE: name first n fill          // FILL: name first n value          // COPY: src sfirst dst dfirst n
 *   // MAP: name r|w|x                   // UNMAP: name                    // FREE: name
 *   // KERNEL: name                      starts a launch; then:
 *   // GLOBAL: 64 1 1                    // LOCAL: 16 1 1                     // OFFSET: 0 0 0
 *   // ARG: name | int 5 | uint 5 | float 1.5 | long 5 | local type n | null | unset | raw BYTES
 *   // AGAIN                             the arguments of this launch are set once more from the first one on
 *   // LAUNCH                            (also implied by the next directive that is not ARG/GLOBAL/LOCAL/OFFSET)
 *   // READ: name [first n] [nosum] [zeros]   blocking; prints a checksum (padding of 3-vectors left out); zeros: ends with 1
 *                                         where it reads another byte
 *   // READNB: name wait|finish|free|exit    non-blocking; then waits for its event, or clFinish, before it uses the memory;
 *                                         free: frees the memory before the read begins; exit: uses it at once and ends
 *   // PROBE                             asks questions that fail (unknown parameter names)
 * fill: none | zeros | ramp[:start[:step]] | random:seed[:lo:hi] | list:v,v,...
 */
#define CL_TARGET_OPENCL_VERSION 120
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#include <CL/cl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAXOBJ = 32, MAXTOK = 40 };

typedef struct {
  char name[32];
  int base, width, slots; /* base: index in bases; width: components; slots: with padding */
  size_t elements;
  cl_mem mem;
  int image;
  size_t w, h;
  void *mapped, *host;
} Object;

static const struct {
  const char *name;
  size_t size;
} bases[] = {
    {"char", 1}, {"uchar", 1}, {"short", 2}, {"ushort", 2}, {"int", 4},
    {"uint", 4}, {"long", 8},  {"ulong", 8}, {"float", 4},  {"double", 8},
};

static Object objects[MAXOBJ];
static int object_count, sloppy;
static cl_context context;
static cl_device_id device;
static cl_command_queue queue;
static cl_program program;
static cl_kernel kernel;
static size_t global_size[3], local_size[3], offset[3];
static int dims, has_local, has_offset, pending, arg_index;

static void check(const char *call, cl_int code) {
  if (code == CL_SUCCESS || sloppy) return;
  printf("host: %s failed: %d\n", call, code);
  exit(2);
}

static void fail(const char *what, const char *which) {
  fprintf(stderr, "host: %s: %s\n", what, which ? which : "");
  exit(9);
}

static void type_of(const char *text, Object *o) {
  for (size_t b = 0; b < sizeof bases / sizeof *bases; b++) {
    size_t n = strlen(bases[b].name);
    if (strncmp(text, bases[b].name, n) == 0) {
      o->base = (int)b;
      o->width = text[n] ? atoi(text + n) : 1;
      o->slots = o->width == 3 ? 4 : o->width;
      if (o->width > 0) return;
    }
  }
  fail("unknown type", text);
}

static size_t element_size(const Object *o) { return bases[o->base].size * (size_t)o->slots; }

static Object *find(const char *name) {
  for (int i = object_count - 1; i >= 0; i--)
    if (strcmp(objects[i].name, name) == 0) return &objects[i];
  return NULL;
}

static Object *need(const char *name) {
  Object *o = name ? find(name) : NULL;
  if (!o) fail("no such object", name);
  return o;
}

static Object *add(const char *name) {
  if (object_count == MAXOBJ) fail("too many objects", name);
  Object *o = &objects[object_count++];
  memset(o, 0, sizeof *o);
  snprintf(o->name, sizeof o->name, "%s", name);
  return o;
}

static void put(char *at, int base, double v) {
  switch (base) {
    case 0: *(cl_char *)at = (cl_char)v; break;
    case 1: *(cl_uchar *)at = (cl_uchar)v; break;
    case 2: *(cl_short *)at = (cl_short)v; break;
    case 3: *(cl_ushort *)at = (cl_ushort)v; break;
    case 4: *(cl_int *)at = (cl_int)v; break;
    case 5: *(cl_uint *)at = (cl_uint)v; break;
    case 6: *(cl_long *)at = (cl_long)v; break;
    case 7: *(cl_ulong *)at = (cl_ulong)v; break;
    case 8: *(cl_float *)at = (cl_float)v; break;
    default: *(cl_double *)at = v; break;
  }
}

/* n components (padding included) by the text of a fill; NULL for none */
static void *fill(const Object *o, size_t n, const char *how) {
  size_t size = bases[o->base].size, total = n * (size_t)o->slots;
  if (strcmp(how, "none") == 0) return NULL;
  char *data = calloc(total ? total : 1, size);
  double a = 0, b = 1, list[64];
  int lists = 0;
  unsigned seed = 0;
  if (strcmp(how, "zeros") == 0) return data;
  if (strncmp(how, "ramp", 4) == 0) {
    if (how[4] == ':') sscanf(how + 5, "%lf:%lf", &a, &b);
  } else if (strncmp(how, "random:", 7) == 0) {
    a = 0, b = 100;
    sscanf(how + 7, "%u:%lf:%lf", &seed, &a, &b);
  } else if (strncmp(how, "list:", 5) == 0) {
    for (const char *p = how + 5; *p && lists < 64; lists++) {
      char *end;
      list[lists] = strtod(p, &end);
      p = *end == ',' ? end + 1 : end;
      if (*end && *end != ',') fail("bad list", how);
    }
  } else {
    fail("unknown fill", how);
  }
  uint32_t state = seed * 2654435761u + 12345u;
  for (size_t e = 0; e < n; e++)
    for (int c = 0; c < o->width; c++) {
      double v;
      size_t k = e * (size_t)o->width + (size_t)c;
      if (lists) {
        v = list[k % (size_t)lists];
      } else if (how[0] == 'r' && how[1] == 'a' && how[2] == 'n') {
        state = state * 1664525u + 1013904223u;
        v = a + (b - a) * ((state >> 8) / 16777216.0);
      } else {
        v = a + b * (double)k;
      }
      put(data + (e * (size_t)o->slots + (size_t)c) * size, o->base, v);
    }
  return data;
}

static cl_mem_flags flags_of(char **t) {
  cl_mem_flags f = CL_MEM_READ_WRITE;
  for (; *t; t++) {
    if (strcmp(*t, "ro") == 0) f = CL_MEM_READ_ONLY;
    if (strcmp(*t, "wo") == 0) f = CL_MEM_WRITE_ONLY;
  }
  return f;
}

static int has(char **t, const char *word) {
  for (; *t; t++)
    if (strcmp(*t, word) == 0) return 1;
  return 0;
}

static void make_buffer(char **t) {
  Object *o = add(t[1]);
  cl_int code;
  type_of(t[2], o);
  o->elements = strtoull(t[3], NULL, 0);
  size_t bytes = o->elements * element_size(o);
  void *data = fill(o, o->elements, t[4]);
  cl_mem_flags f = flags_of(t + 5);
  int enq = has(t + 5, "enq"), use = has(t + 5, "use");
  if (data && !enq) f |= use ? CL_MEM_USE_HOST_PTR : CL_MEM_COPY_HOST_PTR;
  o->mem = clCreateBuffer(context, f, bytes, data && !enq ? data : NULL, &code);
  check("clCreateBuffer", code);
  if (data && enq)
    check("clEnqueueWriteBuffer", clEnqueueWriteBuffer(queue, o->mem, CL_TRUE, 0, bytes, data, 0, NULL, NULL));
  if (use)
    o->host = data;
  else
    free(data);
}

static void make_sub(char **t) {
  Object *parent = need(t[2]);
  Object *o = add(t[1]);
  cl_int code;
  o->base = parent->base, o->width = parent->width, o->slots = parent->slots;
  o->elements = strtoull(t[4], NULL, 0);
  cl_buffer_region region = {strtoull(t[3], NULL, 0) * element_size(o), o->elements * element_size(o)};
  o->mem = clCreateSubBuffer(parent->mem, flags_of(t + 5), CL_BUFFER_CREATE_TYPE_REGION, &region, &code);
  check("clCreateSubBuffer", code);
}

static void make_image(char **t) {
  Object *o = add(t[1]);
  cl_int code;
  o->image = 1;
  o->w = strtoull(t[2], NULL, 0), o->h = strtoull(t[3], NULL, 0);
  o->elements = o->w * o->h;
  cl_image_format format = {t[4][1] == 'g' ? CL_RGBA : CL_R, CL_FLOAT};
  type_of(strstr(t[4], "f32") ? "float" : strstr(t[4], "u8") ? "uchar" : "uint", o);
  if (o->base == 1) format.image_channel_data_type = CL_UNSIGNED_INT8;
  if (o->base == 5) format.image_channel_data_type = CL_UNSIGNED_INT32;
  o->width = o->slots = t[4][1] == 'g' ? 4 : 1;
  cl_image_desc desc = {.image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = o->w, .image_height = o->h};
  void *data = fill(o, o->elements, t[5]);
  o->mem = clCreateImage(context, flags_of(t + 6) | (data ? CL_MEM_COPY_HOST_PTR : 0), &format, &desc, data, &code);
  check("clCreateImage", code);
  free(data);
}

static void set_arg(char **t) {
  cl_uint i = (cl_uint)arg_index++;
  Object local;
  cl_int code;
  const char *kind = t[1];
  if (strcmp(kind, "unset") == 0) return;
  if (strcmp(kind, "null") == 0) {
    cl_mem none = NULL;
    code = clSetKernelArg(kernel, i, sizeof none, &none);
  } else if (strcmp(kind, "local") == 0) {
    type_of(t[2], &local);
    code = clSetKernelArg(kernel, i, strtoull(t[3], NULL, 0) * element_size(&local), NULL);
  } else if (strcmp(kind, "int") == 0 || strcmp(kind, "uint") == 0 || strcmp(kind, "long") == 0 ||
             strcmp(kind, "float") == 0) {
    char raw[8];
    type_of(kind, &local);
    if (local.base == 6)
      *(cl_long *)raw = strtoll(t[2], NULL, 0);
    else
      put(raw, local.base, strtod(t[2], NULL));
    code = clSetKernelArg(kernel, i, bases[local.base].size, raw);
  } else if (strcmp(kind, "raw") == 0) {
    char raw[256] = {3};
    code = clSetKernelArg(kernel, i, strtoull(t[2], NULL, 0), raw);
  } else {
    Object *o = need(kind);
    code = clSetKernelArg(kernel, i, sizeof o->mem, &o->mem);
  }
  check("clSetKernelArg", code);
}

static void launch(void) {
  if (!pending) return;
  pending = 0;
  check("clEnqueueNDRangeKernel", clEnqueueNDRangeKernel(queue, kernel, (cl_uint)dims, has_offset ? offset : NULL,
                                                         global_size, has_local ? local_size : NULL, 0, NULL, NULL));
  check("clFinish", clFinish(queue));
  check("clReleaseKernel", clReleaseKernel(kernel));
}

static int sizes(char **t, size_t *to) {
  int n = 0;
  for (t++; *t && n < 3; t++) to[n++] = strtoull(*t, NULL, 0);
  return n;
}

static void sum(const Object *o, const char *data, size_t n) {
  uint64_t hash = 1469598103934665603ull;
  size_t size = bases[o->base].size;
  for (size_t e = 0; e < n; e++)
    for (size_t c = 0; c < (size_t)o->width * size; c++) {
      hash ^= (unsigned char)data[e * element_size(o) + c];
      hash *= 1099511628211ull;
    }
  printf("%s: %zu elements, checksum %016llx\n", o->name, n, (unsigned long long)hash);
}

static void read_back(char **t) {
  Object *o = need(t[1]);
  size_t first = 0, n = o->elements;
  if (t[2] && t[2][0] >= '0' && t[2][0] <= '9') first = strtoull(t[2], NULL, 0), n = strtoull(t[3], NULL, 0);
  char *data = calloc(n + 1, element_size(o));
  if (o->image) {
    size_t origin[3] = {0, 0, 0}, region[3] = {o->w, o->h, 1};
    check("clEnqueueReadImage", clEnqueueReadImage(queue, o->mem, CL_TRUE, origin, region, 0, 0, data, 0, NULL, NULL));
  } else {
    check("clEnqueueReadBuffer", clEnqueueReadBuffer(queue, o->mem, CL_TRUE, first * element_size(o),
                                                     n * element_size(o), data, 0, NULL, NULL));
  }
  if (!has(t, "nosum")) sum(o, data, n);
  for (size_t i = 0; has(t, "zeros") && i < n * element_size(o); i++)
    if (data[i] != 0) exit(1);
  free(data);
}

static void read_nonblocking(char **t) {
  Object *o = need(t[1]);
  cl_event event, gate = NULL;
  cl_int code;
  int wait = has(t, "wait"), finish = has(t, "finish"), release = has(t, "free");
  char *block = calloc(65536, 1), *guard = calloc(64, 1);
  char *data =
      block + 65536 - o->elements * element_size(o); /* at the block's end, so that a late write harms no heap's list */
  if (release) {
    gate = clCreateUserEvent(context, &code);
    check("clCreateUserEvent", code);
  }
  check("clEnqueueReadBuffer", clEnqueueReadBuffer(queue, o->mem, CL_FALSE, 0, o->elements * element_size(o), data,
                                                   gate ? 1 : 0, gate ? &gate : NULL, wait ? &event : NULL));
  if (release) { /* error: the read has not begun, and its memory is given back */
    free(block);
    check("clSetUserEventStatus", clSetUserEventStatus(gate, CL_COMPLETE));
    check("clFinish", clFinish(queue));
    check("clReleaseEvent", clReleaseEvent(gate));
    free(guard);
    return;
  }
  if (wait) {
    check("clWaitForEvents", clWaitForEvents(1, &event));
    check("clReleaseEvent", clReleaseEvent(event));
  } else if (finish) {
    check("clFinish", clFinish(queue));
  }
  sum(o, data, o->elements);
  if (!wait && !finish) { /* error: nothing was awaited */
    printf("done\n");
    exit(0);
  }
  free(block);
  free(guard);
}

static void directive(char **t, int n) {
  cl_int code;
  const char *d = t[0];
  int of_launch = !strcmp(d, "AGAIN") || !strcmp(d, "GLOBAL:") || !strcmp(d, "LOCAL:") || !strcmp(d, "OFFSET:") ||
                  !strcmp(d, "ARG:");
  if (!of_launch) launch();
  if (!strcmp(d, "BUFFER:") && n >= 5)
    make_buffer(t);
  else if (!strcmp(d, "SUB:") && n >= 5)
    make_sub(t);
  else if (!strcmp(d, "IMAGE:") && n >= 6)
    make_image(t);
  else if (!strcmp(d, "WRITE:") && n >= 5) {
    Object *o = need(t[1]);
    size_t first = strtoull(t[2], NULL, 0), count = strtoull(t[3], NULL, 0);
    void *data = fill(o, count, t[4]);
    check("clEnqueueWriteBuffer", clEnqueueWriteBuffer(queue, o->mem, CL_TRUE, first * element_size(o),
                                                       count * element_size(o), data, 0, NULL, NULL));
    free(data);
  } else if (!strcmp(d, "FILL:") && n >= 5) {
    Object *o = need(t[1]);
    char pattern[8];
    put(pattern, o->base, strtod(t[4], NULL));
    check("clEnqueueFillBuffer",
          clEnqueueFillBuffer(queue, o->mem, pattern, bases[o->base].size, strtoull(t[2], NULL, 0) * element_size(o),
                              strtoull(t[3], NULL, 0) * element_size(o), 0, NULL, NULL));
    check("clFinish", clFinish(queue));
  } else if (!strcmp(d, "COPY:") && n >= 6) {
    Object *s = need(t[1]), *to = need(t[3]);
    check("clEnqueueCopyBuffer", clEnqueueCopyBuffer(queue, s->mem, to->mem, strtoull(t[2], NULL, 0) * element_size(s),
                                                     strtoull(t[4], NULL, 0) * element_size(to),
                                                     strtoull(t[5], NULL, 0) * element_size(s), 0, NULL, NULL));
    check("clFinish", clFinish(queue));
  } else if (!strcmp(d, "MAP:") && n >= 3) {
    Object *o = need(t[1]);
    cl_map_flags f = t[2][0] == 'r' ? CL_MAP_READ : t[2][0] == 'w' ? CL_MAP_WRITE : CL_MAP_WRITE_INVALIDATE_REGION;
    o->mapped = clEnqueueMapBuffer(queue, o->mem, CL_TRUE, f, 0, o->elements * element_size(o), 0, NULL, NULL, &code);
    check("clEnqueueMapBuffer", code);
    if (t[2][0] != 'r') {
      void *data = fill(o, o->elements, "ramp");
      memcpy(o->mapped, data, o->elements * element_size(o));
      free(data);
    } else {
      sum(o, o->mapped, o->elements);
    }
  } else if (!strcmp(d, "UNMAP:") && n >= 2) {
    Object *o = need(t[1]);
    check("clEnqueueUnmapMemObject", clEnqueueUnmapMemObject(queue, o->mem, o->mapped, 0, NULL, NULL));
    check("clFinish", clFinish(queue));
  } else if (!strcmp(d, "FREE:") && n >= 2) {
    Object *o = need(t[1]);
    check("clReleaseMemObject", clReleaseMemObject(o->mem));
    o->mem = NULL;
  } else if (!strcmp(d, "KERNEL:") && n >= 2) {
    kernel = clCreateKernel(program, t[1], &code);
    check("clCreateKernel", code);
    pending = 1, has_local = has_offset = arg_index = 0;
    dims = 1;
    global_size[0] = 1;
    memset(offset, 0, sizeof offset);
  } else if (!strcmp(d, "GLOBAL:"))
    dims = sizes(t, global_size);
  else if (!strcmp(d, "AGAIN"))
    arg_index = 0;
  else if (!strcmp(d, "LOCAL:"))
    has_local = sizes(t, local_size) > 0;
  else if (!strcmp(d, "OFFSET:"))
    has_offset = sizes(t, offset) > 0;
  else if (!strcmp(d, "ARG:") && n >= 2)
    set_arg(t);
  else if (!strcmp(d, "READ:") && n >= 2)
    read_back(t);
  else if (!strcmp(d, "READNB:") && n >= 2)
    read_nonblocking(t);
  else if (!strcmp(d, "PROBE")) {
    cl_uint answer;
    size_t got;
    (void)clGetDeviceInfo(device, 0x7ffe, sizeof answer, &answer, &got);
    (void)clGetContextInfo(context, 0x7ffe, sizeof answer, &answer, &got);
  } else if (strcmp(d, "LAUNCH") && strcmp(d, "SLOPPY") && strcmp(d, "OPTIONS:") && strcmp(d, "EXPECT:") &&
             strcmp(d, "WHY:"))
    fail("unknown or short directive", d);
}

int main(int argc, char **argv) {
  if (argc < 2) fail("usage: host FILE.cl [options]", "");
  FILE *f = fopen(argv[1], "rb");
  if (!f) fail("cannot open", argv[1]);
  static char source[65536], line[1024];
  char options[1024] = "";
  size_t length = fread(source, 1, sizeof source - 1, f);
  fclose(f);
  source[length] = 0;

  cl_platform_id platform;
  cl_int code;
  const char *text = source;
  int pass;
  for (pass = 0; pass < 2; pass++) {
    if (pass == 1) {
      for (int i = 2; i < argc; i++) strncat(options, " ", 8), strncat(options, argv[i], 512);
      check("clGetPlatformIDs", clGetPlatformIDs(1, &platform, NULL));
      check("clGetDeviceIDs", clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL));
      context = clCreateContext(NULL, 1, &device, NULL, NULL, &code);
      check("clCreateContext", code);
      queue = clCreateCommandQueue(context, device, 0, &code);
      check("clCreateCommandQueue", code);
      program = clCreateProgramWithSource(context, 1, &text, &length, &code);
      check("clCreateProgramWithSource", code);
      code = clBuildProgram(program, 1, &device, options, NULL, NULL);
      if (code != CL_SUCCESS) {
        static char log[65536];
        clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, sizeof log - 1, log, NULL);
        printf("%s\n", log);
        fail("build failed", argv[1]);
      }
    }
    for (const char *p = source; *p;) {
      size_t n = strcspn(p, "\n");
      snprintf(line, sizeof line, "%.*s", (int)(n < 1000 ? n : 1000), p);
      p += n + (p[n] == '\n');
      if (n == 0) continue;
      if (strncmp(line, "//", 2) != 0) break;
      char *t[MAXTOK] = {0};
      int count = 0;
      for (char *w = strtok(line + 2, " \t"); w && count < MAXTOK - 1; w = strtok(NULL, " \t")) t[count++] = w;
      if (!count) continue;
      if (pass == 0) {
        if (strcmp(t[0], "SLOPPY") == 0) sloppy = 1;
        if (strcmp(t[0], "OPTIONS:") == 0)
          for (int i = 1; i < count; i++) strcat(options, " "), strcat(options, t[i]);
      } else {
        directive(t, count);
      }
    }
  }
  launch();
  check("clFinish", clFinish(queue));
  for (int i = object_count - 1; i >= 0; i--)
    if (objects[i].mem)
      if (objects[i].mem) clReleaseMemObject(objects[i].mem);
  clReleaseProgram(program);
  clReleaseCommandQueue(queue);
  clReleaseContext(context);
  printf("done\n");
  return 0;
}
