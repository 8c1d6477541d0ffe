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

int generated_check(const char *path, error *e) {
  FILE *f = fopen(path, "rbe");
  buffer text = {0};
  char part[4096];
  if (f == NULL) {
    return errno == ENOENT || errno == ENOTDIR
               ? 0
               : error_set(e, EXIT_USAGE, "%s cannot be read: %s", path, strerror(errno));
  }
  for (size_t n = fread(part, 1, sizeof part, f); n > 0; n = fread(part, 1, sizeof part, f))
    buffer_append(&text, part, n);
  (void)fclose(f);
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

static int write_whole(const char *path, const buffer *text, error *e) {
  buffer temporary = {0};
  char digest[65];
  digest_of(buffer_text(text), text->length, digest);
  buffer_printf(&temporary, "%s.%ld", path, (long)getpid());
  FILE *f = fopen(buffer_text(&temporary), "wbe");
  const bool written = f != NULL && fprintf(f, "%s%s%s\n%s", first_line, mark, digest, buffer_text(text)) > 0;
  const bool closed = f != NULL && fclose(f) == 0;
  const bool there = written && closed && rename(buffer_text(&temporary), path) == 0;
  const int result = there ? 0 : error_set(e, EXIT_USAGE, "%s cannot be written: %s", path, strerror(errno));
  if (!there) (void)unlink(buffer_text(&temporary));
  buffer_free(&temporary);
  return result;
}

int generated_write(const char *path, const char *kernels, const char *options, const search *all, size_t count,
                    error *e) {
  const char *name = path_end(path);
  char *folder = mem_strndup(path, (size_t)(name - path - 1)), *stem = mem_strndup(name, strcspn(name, "."));
  buffer text = {0};
  int result = mkdir(folder, 0777) == 0 || errno == EEXIST
                   ? generated_check(path, e)
                   : error_set(e, EXIT_USAGE, "the folder %s cannot be made: %s", folder, strerror(errno));
  if (result == 0) {
    char *from = path_from(folder, kernels);
    buffer_puts(
        &text,
        "# Each case says what it takes that no case before it does. What is expected is what the kernel computes\n"
        "# today: that may be wrong, and is yours to read and to change (docs/kernel-cases.md).\n");
    input_write_head(stem, from, options, &text);
    for (size_t i = 0; i < count; i++) put_cases(&all[i], &text);
    result = write_whole(path, &text, e);
    free(from);
  }
  buffer_free(&text);
  free(folder);
  free(stem);
  return result;
}
