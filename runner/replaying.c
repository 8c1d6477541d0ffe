/* The words of the program, its end, its record. */
#include "runner/replaying.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/memory.h"
#include "base/subprocess.h"

int replaying_run(const replaying *r, buffer *said, replaying_end *end, error *e) {
  enum { WORDS_MOST = 16 };
  char *argv[WORDS_MOST + 5] = {(char *)r->program, (char *)r->capture};
  size_t count = 2;
  subprocess_end how = SUBPROCESS_ENDED;
  int status = 0;
  *end = (replaying_end){0};
  if (r->program == NULL)
    return error_set(e, EXIT_INTERNAL, "cltestcheck-replay is not where cltestcheck looks for it; install it again");
  for (size_t i = 0; r->more != NULL && r->more[i] != NULL && i < WORDS_MOST; i++) argv[count++] = (char *)r->more[i];
  if (r->device != NULL) {
    argv[count++] = "--device";
    argv[count++] = (char *)r->device;
  }
  const subprocess s = {.argv = argv,
                        .deadline = r->timeout > 0 ? clock_now() + r->timeout : 0,
                        .quiet = r->quiet,
                        .joined = r->joined,
                        .interruptible = true};
  if (subprocess_read(&s, said, &how, &status, e) != 0) return -1;
  if (how == SUBPROCESS_INTERRUPTED) return error_set(e, 130, "interrupted");
  end->late = how == SUBPROCESS_LATE;
  end->too_much = how == SUBPROCESS_TOO_MUCH;
  end->signal = how == SUBPROCESS_ENDED && WIFSIGNALED(status) ? WTERMSIG(status) : 0;
  end->status = how == SUBPROCESS_ENDED && WIFEXITED(status) ? WEXITSTATUS(status) : EXIT_INTERNAL;
  return 0;
}

int replaying_compare(const replaying *r, const char *folder, replay_record *record, bool *known, replaying_end *end,
                      error *e) {
  buffer path = {0}, said = {0};
  buffer_printf(&path, "%s/record", folder);
  const char *const words[] = {"--record", buffer_text(&path), NULL};
  replaying own = *r;
  own.more = words;
  own.quiet = true;
  const int result = replaying_run(&own, &said, end, e);
  FILE *in = fopen(buffer_text(&path), "rbe");
  *known = in != NULL && fread(record, sizeof *record, 1, in) == 1;
  if (in != NULL) (void)fclose(in);
  (void)unlink(buffer_text(&path));
  buffer_free(&path);
  buffer_free(&said);
  return result;
}
