/* How accesses, and calls of the program, are recorded in findings. */
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
