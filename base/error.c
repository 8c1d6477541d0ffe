/* The error type: an exit code and a formatted sentence. */
#include "base/error.h"

#include <stdarg.h>
#include <stdio.h>

int error_set(error *e, int code, const char *format, ...) {
  if (e != NULL) {
    va_list args;
    va_start(args, format);
    e->code = code;
    (void)vsnprintf(e->text, sizeof e->text, format, args);
    va_end(args);
  }
  return -1;
}
