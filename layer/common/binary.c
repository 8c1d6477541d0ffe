/* A file a binary: its kind, and what it was made of, as counted strings. */
#include "layer/common/binary.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "layer/common/area.h"
#include "layer/common/bytes.h"
#include "layer/common/guest.h"
#include "wire/protocol.h"

enum { DEVICES = 64, PATH_BYTES = 4096 };

/* False: there is no folder, or its name is too long. */
static bool path_of(const void *binary, size_t size, char *path) {
  const char *folder = getenv(ENV_BINARIES);
  const bytes_digest d = digest_of(binary, size);
  return folder != NULL && folder[0] != '\0' && size > 0 &&
         snprintf(path, PATH_BYTES - 32, "%s/%016llx%016llx", folder, (unsigned long long)d.high,
                  (unsigned long long)d.low) < PATH_BYTES - 32;
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
  char other[PATH_BYTES + 24];
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
  char path[PATH_BYTES];
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
    if (binaries[i] != NULL && path_of(binaries[i], sizes[i], path) && access(path, F_OK) != 0) write_file(path, &b);
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
  char path[PATH_BYTES];
  *out = (recipe){0};
  for (cl_uint i = 0; kind == BINARY_UNKNOWN && lengths != NULL && binaries != NULL && i < count; i++) {
    size_t length = 0;
    unsigned char *data =
        binaries[i] != NULL && path_of(binaries[i], lengths[i], path) ? read_file(path, &length) : NULL;
    if (data != NULL) kind = read_origin(data, length, out);
    if (kind == BINARY_UNKNOWN) recipe_free(out);
    free(data);
  }
  return kind;
}
