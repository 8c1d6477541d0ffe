/* Requests of kernel files, with build options as a command line has them. */
#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "base/files.h"
#include "runner/build/program_request.h"

enum { FILE_MOST = 64 << 20 };

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
  const int result = file_read(path, "kernel file", FILE_MOST, &text, e);
  if (result == 0) {
    char *joined = join_options(options);
    request_of_text(out, path, buffer_text(&text), text.length, joined, ".", NULL);
    free(joined);
  }
  buffer_free(&text);
  return result;
}
