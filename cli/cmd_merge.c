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
static int check_readable(const word_list *paths, error *e) {
  int result = 0;
  for (size_t i = 0; i < paths->count && result == 0; i++) {
    db *from = NULL;
    result = db_open(&from, paths->items[i], DB_READ, e);
    db_close(from);
  }
  return result;
}

static int merge_all(const settings *s, db *into, error *e) {
  for (size_t i = 0; i < s->given.positional.count; i++) {
    size_t merged = 0;
    if (merge_one(into, s->given.positional.items[i], &merged, e) != 0) return -1;
    if (!s->report.quiet) {
      say(stdout, "%s: %zu run%s new or brought up to date\n", s->given.positional.items[i], merged,
          merged == 1 ? "" : "s");
    }
  }
  return db_commit(into, e);
}

static int cmd_merge(const settings *s) {
  error e;
  if (s->given.positional.count == 0) {
    (void)error_set(&e, EXIT_USAGE, "merge wants databases to read: cltestcheck merge --db ALL.db FILE.db…");
    return say_error(&e);
  }
  db *into = NULL;
  const bool done = check_readable(&s->given.positional, &e) == 0 &&
                    db_open(&into, s->report.database, DB_WRITE, &e) == 0 && merge_all(s, into, &e) == 0;
  db_close(into); /* it commits what came before a failure */
  return done ? EXIT_FINE : say_error(&e);
}

const command command_merge = {"merge",
                               "copy the runs of other databases into one",
                               "[OPTIONS] FILE.db…",
                               "Copies every run of the given databases that the database (--db) does not have yet. "
                               "Merging twice changes nothing.",
                               "cltestcheck merge --db all.db shard1.db shard2.db",
                               cmd_merge,
                               FOR_MERGE};
