/* The guest that gives one source in place of another: programs that build the text of the one file build that of the
 * other. So tests of a program run with a changed kernel, and no file of the user's changes. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "layer/common/builds.h"
#include "layer/common/guest.h"
#include "wire/protocol.h"

typedef struct text {
  char *bytes; /* ended by a NUL; NULL: it could not be read */
  size_t length;
} text;

static text before, after;
static char *used; /* the file that grows by a byte each time */

static char *path_of(const char *folder, const char *name) {
  const size_t size = strlen(folder) + strlen(name) + 2;
  char *path = malloc(size);
  if (path != NULL) (void)snprintf(path, size, "%s/%s", folder, name);
  return path;
}

static text read_text(const char *folder, const char *name) {
  text t = {0};
  scoped char *path = path_of(folder, name);
  FILE *f = path == NULL ? NULL : fopen(path, "rbe");
  if (f == NULL) return t;
  const long size = fseek(f, 0, SEEK_END) == 0 ? ftell(f) : -1;
  if (size >= 0 && fseek(f, 0, SEEK_SET) == 0 && (t.bytes = malloc((size_t)size + 1)) != NULL) {
    t.length = fread(t.bytes, 1, (size_t)size, f);
    t.bytes[t.length] = '\0';
  }
  (void)fclose(f);
  return t;
}

static bool is_before(cl_uint count, const char **strings, const size_t *lengths) {
  for (cl_uint i = 0; i < count; i++)
    if (strings == NULL || strings[i] == NULL) return false; /* the driver says what is wrong with it */
  size_t length = 0;
  scoped char *joined = count == 0 ? NULL : join_strings(count, strings, lengths, &length);
  return joined != NULL && length == before.length && memcmp(joined, before.bytes, length) == 0;
}

static void count_use(void) {
  const int file = open(used, O_WRONLY | O_APPEND | O_CLOEXEC);
  if (file >= 0) {
    (void)!write(file, "+", 1);
    (void)close(file);
  }
}

static cl_program CL_API_CALL create_program(cl_context context, cl_uint count, const char **strings,
                                             const size_t *lengths, cl_int *errcode_ret) {
  if (!is_before(count, strings, lengths))
    return driver.clCreateProgramWithSource(context, count, strings, lengths, errcode_ret);
  count_use();
  const char *changed = after.bytes;
  return driver.clCreateProgramWithSource(context, 1, &changed, &after.length, errcode_ret);
}

static bool begin(void) {
  const char *folder = getenv(ENV_REPLACE);
  if (folder == NULL) return false;
  before = read_text(folder, REPLACE_BEFORE);
  after = read_text(folder, REPLACE_AFTER);
  used = path_of(folder, REPLACE_USED);
  return before.bytes != NULL && after.bytes != NULL && used != NULL;
}

static void end(void) {}

static const guest_call program_calls[] = {
    CALL(clCreateProgramWithSource, create_program),
    {NULL, 0, NULL},
};

static const guest_call *const calls[] = {program_calls, NULL};
static const guest_extension *const extensions[] = {NULL};
static void (*const after_fork[])(void) = {NULL};

const guest_description guest = {
    .name = "cltestcheck-replace",
    .calls = calls,
    .extensions = extensions,
    .after_fork = after_fork,
    .begin = begin,
    .end = end,
};
