/* Asking git. */
#include "cli/revision.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/buffer.h"
#include "base/memory.h"

/* What a git command prints, without the line's end; its exit status, -1 when it could not be run. */
static int ask_git(const char *const *arguments, buffer *answer) {
  int ends[2];
  if (pipe(ends) != 0) {
    return -1;
  }
  (void)fflush(NULL);
  pid_t child = fork();
  if (child == 0) {
    (void)close(ends[0]);
    (void)dup2(ends[1], STDOUT_FILENO);
    if (freopen("/dev/null", "r", stdin) == NULL || freopen("/dev/null", "w", stderr) == NULL) {
      _exit(127);
    }
    (void)execvp("git", (char *const *)arguments);
    _exit(127);
  }
  (void)close(ends[1]);
  FILE *in = fdopen(ends[0], "r");
  for (int c = fgetc(in); c != EOF && c != '\n'; c = fgetc(in)) {
    buffer_putc(answer, (char)c);
  }
  (void)fclose(in);
  int status = 0;
  return child > 0 && waitpid(child, &status, 0) == child && WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static bool is_commit(const char *s) {
  size_t length = strlen(s);
  return (length == 40 || length == 64) && strspn(s, "0123456789abcdef") == length;
}

int revision_keep(db *d, int64_t run, error *e) {
  static const char *const head[] = {"git", "rev-parse", "--verify", "--quiet", "HEAD^{commit}", NULL};
  static const char *const clean[] = {"git", "diff", "--quiet", "--no-ext-diff", "HEAD", "--", NULL};
  buffer commit = {0};
  buffer nothing = {0};
  int result = 0;
  if (ask_git(head, &commit) == 0 && is_commit(buffer_text(&commit))) {
    buffer_puts(&commit, ask_git(clean, &nothing) == 0 ? "" : "+");
    result = db_set_revision(d, run, buffer_text(&commit), e);
  }
  buffer_free(&commit);
  buffer_free(&nothing);
  return result;
}

char *revision_resolve(const char *name, error *e) {
  buffer wanted = {0};
  buffer commit = {0};
  buffer_printf(&wanted, "%s^{commit}", name);
  const char *const parse[] = {"git", "rev-parse", "--verify", "--quiet", "--end-of-options", buffer_text(&wanted),
                               NULL};
  int status = ask_git(parse, &commit);
  buffer_free(&wanted);
  if (status == 0 && is_commit(buffer_text(&commit))) {
    return buffer_take(&commit);
  }
  buffer_free(&commit);
  (void)error_set(e, EXIT_USAGE,
                  status == 127 ? "a range of revisions needs git, which is not in PATH"
                                : "git knows no revision \"%s\" here; this must be a folder of its repository",
                  name);
  return NULL;
}
