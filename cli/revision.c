/* Asking git. */
#include "cli/revision.h"

#include <string.h>

#include "base/buffer.h"
#include "base/subprocess.h"

/* The first line that a git command prints; its exit status, -1 when it could not be run. */
static int ask_git(const char *const *arguments, buffer *answer) {
  buffer all = {0};
  const int status = subprocess_ask(arguments, &all);
  buffer_append(answer, buffer_text(&all), strcspn(buffer_text(&all), "\n"));
  buffer_free(&all);
  return status;
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
