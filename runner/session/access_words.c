/* How accesses, and calls of the program, are recorded in findings. */
#include <stdlib.h>
#include <string.h>

#include "base/names.h"
#include "runner/call_places.h"
#include "runner/session/internal.h"

access_words access_words_of(check_kind kind) {
  static const access_words all[] = {
      [CHECK_READ] = {"read", ""},
      [CHECK_WRITE] = {"write", ""},
      [CHECK_UPDATE] = {"write", "update"},
      [CHECK_ATOMIC] = {"atomic", ""},
      [CHECK_ATOMIC_LOAD] = {"atomic", "load"},
      [CHECK_COPY_READ] = {"read", ""},
      [CHECK_COPY_WRITE] = {"write", ""},
  };
  return all[kind];
}

void session_put_call(const char *module, uint64_t offset, buffer *to) {
  call_place at = {0};
  if (module[0] != '\0') {
    find_call_places(module, &offset, 1, &at);
  }
  if (at.path != NULL) {
    buffer_printf(to, "%s:%u", path_end(at.path), (unsigned)at.line);
  }
  free(at.path);
}
