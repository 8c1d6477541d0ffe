/* Copies of what programs were made of, and two folders. In that of builds a file is one binary, named by a digest of
 * all that it was made of. Drivers may compile anew when they are asked for a binary, so a text first has a mark in the
 * place of its file: how long those of its builds have taken that a binary would have saved. When that is more than the
 * binary takes, it is kept: at the first build where that takes long, else only when the text comes again. */
#include "layer/common/builds.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "layer/common/bytes.h"
#include "layer/common/guest.h"
#include "wire/protocol.h"

/* ---- what programs are made of ---- */

char *copy_text(const char *text, size_t length) {
  char *copy = malloc(length + 1);
  if (copy == NULL) return NULL;
  if (length) memcpy(copy, text, length);
  copy[length] = '\0';
  return copy;
}

static size_t length_of(const char *string, const size_t *lengths, cl_uint i) {
  return lengths != NULL && lengths[i] ? lengths[i] : strlen(string);
}

char *join_strings(cl_uint count, const char **strings, const size_t *lengths, size_t *length) {
  *length = 0;
  for (cl_uint i = 0; i < count; i++) *length += length_of(strings[i], lengths, i);
  char *text = malloc(*length + 1), *at = text;
  if (text == NULL) return NULL;
  for (cl_uint i = 0; i < count; i++) {
    size_t part = length_of(strings[i], lengths, i);
    memcpy(at, strings[i], part);
    at += part;
  }
  *at = '\0';
  *length = strnlen(text, *length);
  return text;
}

void unit_release(unit *u) {
  if (u == NULL || atomic_fetch_sub(&u->references, 1) != 1) return;
  for (size_t i = 0; i < u->header_count; i++) {
    free(u->headers[i].name);
    free(u->headers[i].text);
  }
  free(u->headers);
  free(u->text);
  free(u->options);
  free(u);
}

static bool add_header(unit *u, cl_program handle, const char *name) {
  const source_program *s = (const source_program *)object_find(OBJECT_PROGRAM, handle);
  if (s == NULL || s->text == NULL) return false;
  source_header *to = &u->headers[u->header_count++];
  to->name = copy_text(name, strlen(name));
  to->text = copy_text(s->text, s->length);
  to->length = s->length;
  return to->name != NULL && to->text != NULL;
}

/* Nothing yet, with one reference; NULL without memory. */
static unit *unit_empty(void) {
  unit *u = calloc(1, sizeof *u);
  if (u != NULL) atomic_init(&u->references, 1);
  return u;
}

unit *unit_make(const source_program *s, const char *options, cl_uint num_headers, const cl_program *headers,
                const char **names) {
  unit *u = unit_empty();
  if (u == NULL) return NULL;
  u->text = copy_text(s->text, s->length);
  u->length = s->length;
  u->options = copy_text(options, options != NULL ? strlen(options) : 0);
  u->headers = num_headers ? calloc(num_headers, sizeof *u->headers) : NULL;
  bool complete = u->text != NULL && u->options != NULL && (u->headers != NULL || !num_headers);
  for (cl_uint i = 0; complete && i < num_headers; i++) complete = add_header(u, headers[i], names[i]);
  if (complete) return u;
  unit_release(u);
  return NULL;
}

bool units_add(unit_list *l, unit *const *units, size_t count) {
  unit **grown = realloc(l->items, (l->count + count) * sizeof(unit *));
  if (grown == NULL) return false;
  l->items = grown;
  for (size_t i = 0; i < count; i++) {
    atomic_fetch_add(&units[i]->references, 1);
    l->items[l->count++] = units[i];
  }
  return true;
}

static void units_free(unit_list *l) {
  for (size_t i = 0; i < l->count; i++) unit_release(l->items[i]);
  free(l->items);
  *l = (unit_list){0};
}

void recipe_free(recipe *r) {
  units_free(&r->units);
  free(r->link_options);
  *r = (recipe){0};
}

bool recipe_copy(recipe *to, const recipe *from) {
  *to = (recipe){.linked = from->linked};
  bool complete = units_add(&to->units, from->units.items, from->units.count);
  if (complete && from->link_options != NULL) {
    to->link_options = copy_text(from->link_options, strlen(from->link_options));
    complete = to->link_options != NULL;
  }
  if (!complete) recipe_free(to);
  return complete;
}

void source_free(source_program *s) {
  unit_release(s->compiled);
  free(s->text);
}

/* ---- builds that are kept ---- */

#define KEEP_SECONDS 0.15       /* a kernel: what PoCL takes to give a program's binary */
#define LONG_SECONDS 1.5        /* a kernel: a first build that is not to be made twice */
#define MOST_BYTES (64UL << 20) /* of a binary */
#define MOST_DEVICES 64
#define PATH_BYTES 4096

/* A file: this, then the binary. */
typedef struct kept_head {
  char magic[8];
  uint64_t length, low, high; /* bytes of the binary, and its digest */
} kept_head;

static const char magic[8] = {'c', 'l', 't', 'c', 'b', 'i', 'n', '2'};

/* ---- what a build depends on ---- */

/* Variables that drivers and their compilers look at. */
static const char *const variables[] = {"AMD_",   "CL_",  "CLC_",  "CUDA_", "CLOVER", "GPU_",     "IGC_",
                                        "INTEL_", "LLVM", "MESA_", "NEO",   "OCL_",   "OVERRIDE", "POCL_"};

static bool counts(const char *variable) {
  bool found = false;
  for (size_t i = 0; i < sizeof variables / sizeof *variables && !found; i++)
    found = strncmp(variable, variables[i], strlen(variables[i])) == 0;
  return found && strncmp(variable, "POCL_CACHE_DIR=", 15) != 0;
}

/* The sum of the digests of these variables: their order does not matter. */
static uint64_t digest_of_environment(void) {
  uint64_t sum = 0;
  for (char **v = environ; v != NULL && *v != NULL; v++) sum += counts(*v) ? digest_short(*v, strlen(*v)) : 0;
  return sum;
}

/* The one device of these or of the context, or NULL. */
static cl_device_id only_device(cl_context context, cl_uint count, const cl_device_id *devices) {
  cl_device_id all[MOST_DEVICES];
  size_t size = 0;
  if (count > 0) return count == 1 ? devices[0] : NULL;
  return driver.clGetContextInfo(context, CL_CONTEXT_DEVICES, sizeof all, all, &size) == CL_SUCCESS &&
                 size == sizeof all[0]
             ? all[0]
             : NULL;
}

static void put_platform(byte_buffer *b, cl_device_id device) {
  cl_platform_id platform = NULL;
  char text[1024] = "";
  if (driver.clGetDeviceInfo(device, CL_DEVICE_PLATFORM, sizeof platform, &platform, NULL) == CL_SUCCESS &&
      driver.clGetPlatformInfo(platform, CL_PLATFORM_VERSION, sizeof text, text, NULL) == CL_SUCCESS)
    bytes_string(b, text);
}

/* False: nothing is kept, or not of this text: what it includes may change. */
static bool path_of(cl_device_id device, const char *text, const char *options, char *path) {
  const char *folder = getenv(ENV_BUILDS);
  scoped char *key = folder != NULL && folder[0] == '/' && device != NULL && strstr(text, "include") == NULL
                         ? device_key(device)
                         : NULL;
  if (key == NULL) return false;
  byte_buffer b = {0};
  bytes_put(&b, magic, sizeof magic);
  bytes_string(&b, key);
  put_platform(&b, device);
  bytes_u64(&b, digest_of_environment());
  bytes_string(&b, options);
  bytes_string(&b, text);
  const bytes_digest d = digest_of(b.data, b.length);
  const bool fits = !b.failed && snprintf(path, PATH_BYTES, "%s/%016llx%016llx", folder, (unsigned long long)d.high,
                                          (unsigned long long)d.low) < PATH_BYTES - 32;
  bytes_free(&b);
  return fits;
}

/* ---- reading ---- */

static bool read_all(int fd, void *to, size_t length) {
  size_t done = 0;
  for (ssize_t n = 1; done < length && n > 0; done += n > 0 ? (size_t)n : 0)
    n = read(fd, (unsigned char *)to + done, length - done);
  return done == length;
}

/* What a file without a binary says of a text. */
typedef struct kept_state {
  double seconds; /* its builds so far, without the first if that was short */
  bool built;     /* there was one */
  bool tried;     /* somebody began to keep it, and may have crashed of it */
} kept_state;

/* The binary, or NULL. */
static unsigned char *read_kept(const char *path, size_t *length, kept_state *state) {
  struct stat s = {0};
  kept_head head;
  unsigned char *binary = NULL;
  const int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
  *state = (kept_state){0};
  if (fd < 0) return NULL;
  if (fstat(fd, &s) == 0 && s.st_size == sizeof *state) {
    if (!read_all(fd, state, sizeof *state) || !(state->seconds >= 0)) *state = (kept_state){0};
  } else if (S_ISREG(s.st_mode) && read_all(fd, &head, sizeof head) && memcmp(head.magic, magic, sizeof magic) == 0 &&
             head.length > 0 && head.length <= MOST_BYTES && (uint64_t)s.st_size == sizeof head + head.length &&
             (binary = malloc(head.length)) != NULL) {
    *length = head.length;
    const bool whole = read_all(fd, binary, *length);
    const bytes_digest d = whole ? digest_of(binary, *length) : (bytes_digest){0};
    if (!whole || d.low != head.low || d.high != head.high) {
      free(binary);
      binary = NULL;
    }
  }
  (void)futimens(fd, NULL); /* what is used stays */
  close(fd);
  return binary;
}

static cl_uint kernels_of(cl_program p) {
  cl_uint count = 0;
  return driver.clCreateKernelsInProgram(p, 0, NULL, &count) == CL_SUCCESS ? count : 0;
}

/* Of a program from a binary drivers may not know what its arguments are. */
static bool answers(cl_program p, const char *options) {
  cl_kernel kernel = NULL;
  cl_uint count = kernels_of(p), arguments = 0;
  cl_kernel_arg_address_qualifier where;
  if (count == 0 || strstr(options, "-cl-kernel-arg-info") == NULL) return true;
  scoped cl_kernel *all = calloc(count, sizeof(cl_kernel));
  bool known = all != NULL && driver.clCreateKernelsInProgram(p, count, all, NULL) == CL_SUCCESS;
  for (cl_uint i = 0; known && i < count; i++) {
    kernel = all[i];
    known = driver.clGetKernelInfo(kernel, CL_KERNEL_NUM_ARGS, sizeof arguments, &arguments, NULL) == CL_SUCCESS;
    for (cl_uint a = 0; known && a < arguments; a++) {
      known = driver.clGetKernelArgInfo(kernel, a, CL_KERNEL_ARG_ADDRESS_QUALIFIER, sizeof where, &where, NULL) ==
              CL_SUCCESS;
    }
  }
  for (cl_uint i = 0; all != NULL && i < count; i++)
    if (all[i] != NULL) driver.clReleaseKernel(all[i]);
  return known;
}

static cl_program from_kept(cl_context context, cl_device_id device, const char *path, const char *options,
                            kept_state *state) {
  size_t length = 0;
  unsigned char *binary = read_kept(path, &length, state);
  const unsigned char *bytes = binary;
  cl_int status = CL_SUCCESS, result = CL_SUCCESS;
  if (binary == NULL) return NULL;
  cl_program p = driver.clCreateProgramWithBinary(context, 1, &device, &length, &bytes, &status, &result);
  free(binary);
  const bool made = p != NULL && result == CL_SUCCESS && status == CL_SUCCESS &&
                    driver.clBuildProgram(p, 1, &device, options, NULL, NULL) == CL_SUCCESS && answers(p, options);
  if (!made) { /* another driver's, maybe: the text is built, and kept anew the next time */
    (void)unlink(path);
    if (p != NULL) {
      driver.clReleaseProgram(p);
      p = NULL;
    }
  }
  return p;
}

/* ---- writing ---- */

static bool write_all(int fd, const void *from, size_t length) {
  size_t done = 0;
  for (ssize_t n = 1; done < length && n > 0; done += n > 0 ? (size_t)n : 0)
    n = write(fd, (const unsigned char *)from + done, length - done);
  return done == length;
}

/* Whole or not at all, whoever else writes it at the time. */
static void write_kept(const char *path, const kept_head *head, const unsigned char *binary) {
  char other[PATH_BYTES + 24];
  snprintf(other, sizeof other, "%s.%ld", path, (long)gettid());
  const int fd = open(other, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  if (fd < 0) return;
  const bool whole = write_all(fd, head, sizeof *head) && write_all(fd, binary, head->length);
  if (close(fd) != 0 || !whole || rename(other, path) != 0) (void)unlink(other);
}

static void keep(cl_program p, const char *path) {
  size_t length = 0, size = 0;
  if (driver.clGetProgramInfo(p, CL_PROGRAM_BINARY_SIZES, sizeof length, &length, &size) != CL_SUCCESS ||
      size != sizeof length || length == 0 || length > MOST_BYTES)
    return;
  scoped unsigned char *binary = malloc(length);
  if (binary != NULL && driver.clGetProgramInfo(p, CL_PROGRAM_BINARIES, sizeof binary, &binary, NULL) == CL_SUCCESS) {
    const bytes_digest d = digest_of(binary, length);
    kept_head head = {.length = length, .low = d.low, .high = d.high};
    memcpy(head.magic, magic, sizeof magic);
    write_kept(path, &head, binary);
  }
}

static bool mark(const char *path, const kept_state *state) {
  const int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0600);
  const bool marked = fd >= 0 && write_all(fd, state, sizeof *state);
  if (fd >= 0) close(fd);
  return marked;
}

static double seconds(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

cl_program build_text(cl_context context, cl_uint device_count, const cl_device_id *devices, const char *text,
                      const char *options, bool *was_kept, cl_int *result) {
  char path[PATH_BYTES];
  kept_state state = {0};
  cl_device_id device = only_device(context, device_count, devices);
  const bool kept = path_of(device, text, options, path);
  cl_program p = kept ? from_kept(context, device, path, options, &state) : NULL;
  *result = CL_SUCCESS;
  *was_kept = p != NULL;
  if (p != NULL) return p;
  const double begun = seconds();
  p = driver.clCreateProgramWithSource(context, 1, &text, NULL, result);
  if (p != NULL) *result = driver.clBuildProgram(p, device_count, devices, options, NULL, NULL);
  if (kept && p != NULL && *result == CL_SUCCESS && !state.tried) {
    const double taken = seconds() - begun;
    const cl_uint kernels = kernels_of(p);
    state.seconds += state.built || taken > LONG_SECONDS * kernels ? taken : 0;
    state.built = true;
    state.tried = state.seconds > KEEP_SECONDS * kernels;
    if (mark(path, &state) && state.tried) keep(p, path);
  }
  return p;
}

/* ---- what binaries of the program itself were made of ---- */

enum { DEVICES = 64, BINARY_PATH_BYTES = 4096 };

/* False: there is no folder, or its name is too long. */
static bool binary_path_of(const void *binary, size_t size, char *path) {
  const char *folder = getenv(ENV_BINARIES);
  const bytes_digest d = digest_of(binary, size);
  return folder != NULL && folder[0] != '\0' && size > 0 &&
         snprintf(path, BINARY_PATH_BYTES - 32, "%s/%016llx%016llx", folder, (unsigned long long)d.high,
                  (unsigned long long)d.low) < BINARY_PATH_BYTES - 32;
}

/* ---- writing ---- */

static void put_unit(byte_buffer *b, const unit *u) {
  bytes_counted(b, u->text, u->length);
  bytes_string(b, u->options);
  bytes_u32(b, (uint32_t)u->header_count);
  for (size_t i = 0; i < u->header_count; i++) {
    bytes_string(b, u->headers[i].name);
    bytes_counted(b, u->headers[i].text, u->headers[i].length);
  }
}

/* Whole or not at all, whoever else writes it at the time. */
static void write_file(const char *path, const byte_buffer *b) {
  char other[BINARY_PATH_BYTES + 24];
  snprintf(other, sizeof other, "%s.%ld", path, (long)gettid());
  int fd = b->failed ? -1 : open(other, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  if (fd < 0) return;
  size_t done = 0;
  for (ssize_t n = 1; done < b->length && n > 0; done += n > 0 ? (size_t)n : 0)
    n = write(fd, b->data + done, b->length - done);
  if (close(fd) != 0 || done < b->length || rename(other, path) != 0) unlink(other);
}

static binary_kind kind_now(cl_program handle) {
  cl_device_id devices[DEVICES];
  cl_program_binary_type type = CL_PROGRAM_BINARY_TYPE_NONE;
  if (driver.clGetProgramInfo(handle, CL_PROGRAM_DEVICES, sizeof devices, devices, NULL) != CL_SUCCESS ||
      driver.clGetProgramBuildInfo(handle, devices[0], CL_PROGRAM_BINARY_TYPE, sizeof type, &type, NULL) != CL_SUCCESS)
    return BINARY_UNKNOWN;
  return type == CL_PROGRAM_BINARY_TYPE_EXECUTABLE        ? BINARY_EXECUTABLE
         : type == CL_PROGRAM_BINARY_TYPE_LIBRARY         ? BINARY_LIBRARY
         : type == CL_PROGRAM_BINARY_TYPE_COMPILED_OBJECT ? BINARY_OBJECT
                                                          : BINARY_UNKNOWN;
}

void binaries_keep(cl_program handle, const recipe *made_of, unit *compiled, unsigned char *const *binaries) {
  size_t sizes[DEVICES], bytes = 0;
  char path[BINARY_PATH_BYTES];
  const binary_kind kind = kind_now(handle);
  const recipe of_object = {.units = {&compiled, compiled != NULL ? 1 : 0}};
  const recipe *r = kind == BINARY_OBJECT ? &of_object : made_of;
  if (kind == BINARY_UNKNOWN || !r->units.count ||
      driver.clGetProgramInfo(handle, CL_PROGRAM_BINARY_SIZES, sizeof sizes, sizes, &bytes) != CL_SUCCESS)
    return;
  byte_buffer b = {0};
  bytes_u32(&b, kind);
  bytes_u32(&b, r->linked ? 1 : 0);
  bytes_string(&b, r->link_options);
  bytes_u32(&b, (uint32_t)r->units.count);
  for (size_t i = 0; i < r->units.count; i++) put_unit(&b, r->units.items[i]);
  for (size_t i = 0; i < bytes / sizeof *sizes; i++)
    if (binaries[i] != NULL && binary_path_of(binaries[i], sizes[i], path) && access(path, F_OK) != 0)
      write_file(path, &b);
  bytes_free(&b);
}

/* ---- reading ---- */

/* NULL: it is not there. */
static unsigned char *read_file(const char *path, size_t *length) {
  struct stat s;
  int fd = open(path, O_RDONLY | O_CLOEXEC);
  unsigned char *data = NULL;
  if (fd >= 0 && fstat(fd, &s) == 0 && s.st_size > 0 && (data = malloc((size_t)s.st_size)) != NULL) {
    const ssize_t n = read(fd, data, (size_t)s.st_size);
    *length = n > 0 ? (size_t)n : 0;
  }
  if (fd >= 0) close(fd);
  return data;
}

static bool read_unit(wire_reader *in, recipe *to) {
  unit *u = unit_empty();
  bool complete = u != NULL;
  if (complete) {
    u->text = read_string(in);
    u->length = u->text != NULL ? strlen(u->text) : 0;
    u->options = read_string(in);
    const uint32_t headers = wire_u32(in);
    u->headers = !in->failed && headers <= in->left / 8 ? calloc((size_t)headers + 1, sizeof *u->headers) : NULL;
    for (uint32_t i = 0; u->headers != NULL && !in->failed && i < headers; i++) {
      source_header *h = &u->headers[u->header_count++];
      h->name = read_string(in);
      h->text = read_string(in);
      h->length = h->text != NULL ? strlen(h->text) : 0;
    }
    complete = u->headers != NULL && !in->failed && units_add(&to->units, &u, 1);
  }
  unit_release(u);
  return complete;
}

static binary_kind read_origin(const unsigned char *data, size_t length, recipe *out) {
  wire_reader in = {.at = data, .left = length};
  const uint32_t kind = wire_u32(&in);
  out->linked = wire_u32(&in) != 0;
  out->link_options = read_string(&in);
  const uint32_t units = wire_u32(&in);
  bool complete = !in.failed && units > 0;
  for (uint32_t i = 0; complete && i < units; i++) complete = read_unit(&in, out);
  return complete && kind <= BINARY_OBJECT ? (binary_kind)kind : BINARY_UNKNOWN;
}

binary_kind binaries_find(cl_uint count, const size_t *lengths, const unsigned char *const *binaries, recipe *out) {
  binary_kind kind = BINARY_UNKNOWN;
  char path[BINARY_PATH_BYTES];
  *out = (recipe){0};
  for (cl_uint i = 0; kind == BINARY_UNKNOWN && lengths != NULL && binaries != NULL && i < count; i++) {
    size_t length = 0;
    unsigned char *data =
        binaries[i] != NULL && binary_path_of(binaries[i], lengths[i], path) ? read_file(path, &length) : NULL;
    if (data != NULL) kind = read_origin(data, length, out);
    if (kind == BINARY_UNKNOWN) recipe_free(out);
    free(data);
  }
  return kind;
}
