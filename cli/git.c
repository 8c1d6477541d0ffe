/* Git says which revision the working directory has, and which lines have changed since one. */
#include "cli/git.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/subprocess.h"

/* The first line that a git command prints; its exit status, -1 when it could not be run. */
static int ask_git(const char *const *arguments, buffer *answer) {
  scoped_buffer all = {0};
  const int status = subprocess_ask(arguments, &all);
  buffer_append(answer, buffer_text(&all), strcspn(buffer_text(&all), "\n"));
  return status;
}

static bool is_commit(const char *s) {
  size_t length = strlen(s);
  return (length == 40 || length == 64) && strspn(s, "0123456789abcdef") == length;
}

int revision_keep(db *d, int64_t run, error *e) {
  static const char *const head[] = {"git", "rev-parse", "--verify", "--quiet", "HEAD^{commit}", NULL};
  static const char *const clean[] = {"git", "diff", "--quiet", "--no-ext-diff", "HEAD", "--", NULL};
  scoped_buffer commit = {0}, nothing = {0};
  int result = 0;
  if (ask_git(head, &commit) == 0 && is_commit(buffer_text(&commit))) {
    buffer_puts(&commit, ask_git(clean, &nothing) == 0 ? "" : "+");
    result = db_set_revision(d, run, buffer_text(&commit), e);
  }
  return result;
}

char *revision_resolve(const char *name, error *e) {
  scoped_buffer wanted = {0}, commit = {0};
  buffer_printf(&wanted, "%s^{commit}", name);
  const char *const parse[] = {"git", "rev-parse", "--verify", "--quiet", "--end-of-options", buffer_text(&wanted),
                               NULL};
  int status = ask_git(parse, &commit);
  if (status == 0 && is_commit(buffer_text(&commit))) return buffer_take(&commit);
  (void)error_set(e, EXIT_USAGE,
                  status == 127 ? "a range of revisions needs git, which is not in PATH"
                                : "git knows no revision \"%s\" here; this must be a folder of its repository",
                  name);
  return NULL;
}

/* "+++ b/PATH": the file that the hunks below change; a deleted one is /dev/null. */
static void take_name(changed_lines *l, const char *line) {
  const char *name = strncmp(line, "b/", 2) == 0 ? line + 2 : line;
  *ARRAY_ADD(l->names, l->name_count, l->name_capacity) = mem_strndup(name, strcspn(name, "\t\n"));
}

/* Takes the diff's lines apart in place. */
static void read_hunks(buffer *diff, changed_lines *l) {
  char *end = diff->data == NULL ? NULL : diff->data + diff->length;
  for (char *line = diff->data; line < end;) {
    char *next = memchr(line, '\n', (size_t)(end - line));
    next = next == NULL ? end : next;
    *next = '\0';
    if (strncmp(line, "+++ ", 4) == 0)
      take_name(l, line + 4);
    else if (strncmp(line, "@@ ", 3) == 0) {
      /* "@@ -a,b +c,d @@": d lines from c on. */
      const char *plus = strchr(line, '+');
      unsigned first = 0, count = 1;
      if (plus != NULL && l->name_count > 0 && sscanf(plus, "+%u,%u", &first, &count) >= 1 && count > 0)
        *ARRAY_ADD(l->items, l->count, l->capacity) =
            (line_range){l->names[l->name_count - 1], first, first + count - 1};
    }
    line = next + 1;
  }
}

/* Files that git does not know are new from the first line to the last. */
static int read_new_files(changed_lines *l) {
  static const char *const argv[] = {
      "git", "-c", "core.quotePath=false", "ls-files", "--others", "--exclude-standard", "--full-name", "--",
      ":/",  NULL};
  scoped_buffer names = {0};
  const int status = subprocess_ask(argv, &names);
  const char *end = names.data == NULL ? NULL : names.data + names.length;
  for (const char *name = names.data; name < end;) {
    const char *next = memchr(name, '\n', (size_t)(end - name));
    next = next == NULL ? end : next;
    char *kept = mem_strndup(name, (size_t)(next - name));
    *ARRAY_ADD(l->names, l->name_count, l->name_capacity) = kept;
    *ARRAY_ADD(l->items, l->count, l->capacity) = (line_range){kept, 1, UINT32_MAX};
    name = next + 1;
  }
  return status;
}

int changed_lines_read(const char *revision, changed_lines *out, error *e) {
  const char *const argv[] = {"git",
                              "-c",
                              "core.quotePath=false",
                              "diff",
                              "--no-ext-diff",
                              "--no-color",
                              "--no-renames",
                              "--unified=0",
                              "--src-prefix=a/",
                              "--dst-prefix=b/",
                              revision,
                              "--",
                              NULL};
  *out = (changed_lines){0};
  if (revision[0] == '-') return error_set(e, EXIT_USAGE, "--since wants a git revision, not \"%s\"", revision);
  scoped_buffer diff = {0};
  int status = subprocess_ask(argv, &diff); /* outside a repository git explains itself on a hundred lines */
  read_hunks(&diff, out);
  status = status == 0 ? read_new_files(out) : status;
  if (status == SUBPROCESS_NO_PROGRAM) return error_set(e, EXIT_USAGE, "--since needs git, which is not in PATH");
  if (status != 0) {
    return error_set(e, EXIT_USAGE,
                     "--since %s: git cannot tell what changed since then; this must be a folder of a repository that "
                     "knows this revision (`git log -1 %s`)",
                     revision, revision);
  }
  return 0;
}

void changed_lines_free(changed_lines *l) {
  mem_free_all(l->names, l->name_count);
  free(l->items);
  *l = (changed_lines){0};
}
