/* Requests of kernel files, with build options as a command line has them. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "base/pipe_path.h"
#include "runner/build/program_request.h"

static int read_file(const char *path, buffer *out, error *e) {
  if (pipe_refuse(path, e) != 0) {
    return -1;
  }
  FILE *f = fopen(path, "rb");
  char chunk[65536];
  size_t n = 0;
  while (f != NULL && (n = fread(chunk, 1, sizeof chunk, f)) > 0) {
    buffer_append(out, chunk, n);
  }
  if (f == NULL || ferror(f)) {
    int reason = errno;
    if (f != NULL) {
      (void)fclose(f);
    }
    return error_set(e, EXIT_USAGE, "kernel file \"%s\" cannot be read: %s", path, strerror(reason));
  }
  (void)fclose(f);
  return 0;
}

static char *join_options(char *const *options) {
  buffer joined = {0};
  for (size_t i = 0; options != NULL && options[i] != NULL; i++) {
    bool plain = options[i][0] != '\0' && strpbrk(options[i], " \t\n\"\\") == NULL;
    buffer_printf(&joined, "%s%s", i == 0 ? "" : " ", plain ? "" : "\"");
    for (const char *c = options[i]; *c != '\0'; c++) {
      buffer_printf(&joined, "%s%c", *c == '"' || *c == '\\' ? "\\" : "", *c);
    }
    buffer_puts(&joined, plain ? "" : "\"");
  }
  return buffer_take(&joined);
}

int request_of_file(program_request *out, const char *path, char *const *options, error *e) {
  buffer text = {0};
  *out = (program_request){0};
  const int result = read_file(path, &text, e);
  if (result == 0) {
    char *joined = join_options(options);
    request_of_text(out, path, buffer_text(&text), text.length, joined, ".", NULL);
    free(joined);
  }
  buffer_free(&text);
  return result;
}
