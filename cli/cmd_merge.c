/* cltestcheck merge: runs of other databases into one. */
#include <stdio.h>

#include "base/say.h"
#include "cli/commands.h"
#include "cli/output.h"
#include "db/db.h"

static int merge_one(db *into, const char *path, size_t *merged, error *e) {
  db *from = NULL;
  int result = db_open(&from, path, DB_READ, e);
  result = result != 0 ? result : db_merge(into, from, merged, e);
  db_close(from);
  return result;
}

/* Whether all can be read, before the first changes anything. */
static int check(const words *paths, error *e) {
  int result = 0;
  for (size_t i = 0; i < paths->count && result == 0; i++) {
    db *from = NULL;
    result = db_open(&from, paths->items[i], DB_READ, e);
    db_close(from);
  }
  return result;
}

int cmd_merge(const settings *s) {
  error e;
  if (s->positional.count == 0) {
    (void)error_set(&e, EXIT_USAGE, "merge wants databases to read: cltestcheck merge --db ALL.db FILE.db…");
    return say_error(&e);
  }
  db *into = NULL;
  int result = check(&s->positional, &e);
  result = result == 0 ? db_open(&into, s->database, DB_WRITE, &e) : result;
  for (size_t i = 0; i < s->positional.count && result == 0; i++) {
    size_t merged = 0;
    result = merge_one(into, s->positional.items[i], &merged, &e);
    if (result == 0 && !s->quiet) {
      say(stdout, "%s: %zu run%s new or brought up to date\n", s->positional.items[i], merged, merged == 1 ? "" : "s");
    }
  }
  int committed = result == 0 ? db_commit(into, &e) : 0; /* else db_close does */
  result = result == 0 ? committed : result;
  db_close(into);
  return result == 0 ? EXIT_FINE : say_error(&e);
}
