/* The second line has a digest of all that follows it. */
#include "generate/file.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/digest.h"
#include "base/files.h"
#include "base/memory.h"
#include "base/names.h"

static const char first_line[] =
    "# Written by cltestcheck generate, which leaves this file alone once you have changed it.\n";
static const char mark[] = "# digest: ";

static void digest_of(const char *text, size_t length, char out[65]) {
  digester d;
  digest_begin(&d);
  digest_bytes(&d, text, length);
  digest_end(&d, out);
}

char *generated_path(const char *folder, const char *kernels) {
  const char *name = path_end(kernels), *dot = strrchr(name, '.');
  buffer path = {0};
  buffer_printf(&path, "%s/%.*s.yaml", folder, (int)(dot == NULL || dot == name ? (ptrdiff_t)strlen(name) : dot - name),
                name);
  return buffer_take(&path);
}

/* --- whose it is -------------------------------------------------------------------------------------------------- */

static bool is_ours(const char *text, size_t length) {
  const size_t begin = sizeof first_line - 1, named = begin + sizeof mark - 1, after = named + 64 + 1;
  char digest[65];
  if (length < after || strncmp(text, first_line, begin) != 0 || strncmp(text + begin, mark, sizeof mark - 1) != 0)
    return false;
  digest_of(text + after, length - after, digest);
  return strncmp(text + named, digest, 64) == 0;
}

/* False, with errno set: it cannot be read. */
static bool read_whole(const char *path, buffer *out) {
  FILE *f = fopen(path, "rbe");
  char part[4096];
  if (f == NULL) return false;
  for (size_t n = fread(part, 1, sizeof part, f); n > 0; n = fread(part, 1, sizeof part, f))
    buffer_append(out, part, n);
  (void)fclose(f);
  return true;
}

int generated_check(const char *path, error *e) {
  buffer text = {0};
  if (!read_whole(path, &text)) {
    return errno == ENOENT || errno == ENOTDIR
               ? 0
               : error_set(e, EXIT_USAGE, "%s cannot be read: %s", path, strerror(errno));
  }
  const bool ours = is_ours(buffer_text(&text), text.length);
  buffer_free(&text);
  return ours ? 0
              : error_set(e, EXIT_USAGE,
                          "%s was changed since cltestcheck generate wrote it, or is not from it, and is left as it "
                          "is: give it another name, or another folder with --output",
                          path);
}

/* --- writing ------------------------------------------------------------------------------------------------------ */

/* How the kernel file is named in a file of that folder: by the way up from it and down again. */
static char *path_from(const char *folder, const char *kernels) {
  char here[PATH_MAX], there[PATH_MAX];
  buffer path = {0};
  if (realpath(folder, here) == NULL || realpath(kernels, there) == NULL) return mem_strdup(kernels);
  size_t same = 0;
  for (size_t i = 0; here[i] == there[i] && here[i] != '\0'; i++) same = here[i] == '/' ? i : same;
  const size_t length = strlen(here);
  if (strncmp(here, there, length) == 0 && there[length] == '/') /* it lies below the folder */
    same = length;
  else
    for (const char *c = here + same; *c != '\0'; c++) buffer_puts(&path, *c == '/' ? "../" : "");
  buffer_puts(&path, there + same + 1);
  return buffer_take(&path);
}

static void put_cases(const search *s, buffer *out) {
  for (size_t i = 0; i < s->kept_count; i++) {
    const input *x = &s->kept[i];
    buffer name = {0};
    buffer_printf(&name, "%s %zu", s->kernel, i + 1);
    buffer_printf(out, "  # %s\n", x->reason);
    bool writes = false;
    for (size_t k = 0; k < x->launch.count; k++) writes = writes || input_reads_back(x, k);
    if (writes && x->expected == NULL)
      buffer_puts(out, "  # nothing is expected of it: it was not run often enough for that when the search ended\n");
    if (x->varies != NULL) buffer_printf(out, "  # %s\n", x->varies);
    input_write(&x, 1, buffer_text(&name), READS_WRITTEN, out);
    buffer_free(&name);
  }
}

static int write_whole(const char *path, const void *bytes, size_t size, error *e) {
  const int reason = file_replace(path, bytes, size);
  return reason == 0 ? 0 : error_set(e, EXIT_USAGE, "%s cannot be written: %s", path, strerror(reason));
}

static int make_folder(const char *path, char **folder, error *e) {
  *folder = mem_strndup(path, (size_t)(path_end(path) - path - 1));
  return mkdir(*folder, 0777) == 0 || errno == EEXIST
             ? 0
             : error_set(e, EXIT_USAGE, "the folder %s cannot be made: %s", *folder, strerror(errno));
}

bool generated_holds(const char *path, const char *text) {
  buffer held = {0};
  const bool same = read_whole(path, &held) && strcmp(buffer_text(&held), text) == 0;
  buffer_free(&held);
  return same;
}

int generated_source(const char *path, const char *text, error *e) {
  char *folder = NULL;
  int result = 0;
  if (generated_holds(path, text)) return 0;
  if (make_folder(path, &folder, e) != 0) {
    result = -1;
  } else if (access(path, F_OK) == 0) {
    result = error_set(e, EXIT_USAGE, "%s is there and is not what the tests build: give another folder with --output",
                       path);
  } else {
    result = write_whole(path, text, strlen(text), e);
  }
  free(folder);
  return result;
}

int generated_write(const char *path, const char *kernels, const char *options, const search *all, size_t count,
                    error *e) {
  const char *name = path_end(path);
  char *folder = NULL, *stem = mem_strndup(name, strcspn(name, "."));
  buffer text = {0}, whole = {0};
  int result = make_folder(path, &folder, e) != 0 ? -1 : generated_check(path, e);
  if (result == 0) {
    char *from = path_from(folder, kernels);
    buffer_puts(
        &text,
        "# Each case says what it takes that no case before it does. What is expected is what the kernel computes\n"
        "# today: that may be wrong, and is yours to read and to change (docs/kernel-cases.md).\n");
    input_write_head(stem, from, options, &text);
    for (size_t i = 0; i < count; i++) put_cases(&all[i], &text);
    char digest[65];
    digest_of(buffer_text(&text), text.length, digest);
    buffer_printf(&whole, "%s%s%s\n%s", first_line, mark, digest, buffer_text(&text));
    result = write_whole(path, buffer_text(&whole), whole.length, e);
    free(from);
  }
  buffer_free(&text);
  buffer_free(&whole);
  free(folder);
  free(stem);
  return result;
}
