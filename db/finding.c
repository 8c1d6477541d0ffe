/* Writing findings with their places and witness. */
#include <stdlib.h>

#include "base/digest.h"
#include "base/memory.h"
#include "db/internal.h"

/* The row of a place's file; the place goes into the digest. */
static int find_file(db *d, const db_finding *f, const db_place *p, int64_t *file, digester *to, error *e) {
  sqlite3_stmt *row = sql_bind(d, SQL_PLACE_FILE, e, "iu", f->program, p->file);
  int step = row == NULL ? -1 : sql_step(d, row, e);
  if (step == 0) {
    return error_set(e, EXIT_INTERNAL,
                     "a finding for %s is at a file that its program does not have; please report this as a fault",
                     d->path);
  }
  if (step != 1) {
    return -1;
  }
  *file = sqlite3_column_int64(row, 0);
  digest_text(to, p->role);
  digest_text(to, p->access);
  digest_text(to, (const char *)sqlite3_column_text(row, 1));
  digest_number(to, p->line);
  digest_number(to, p->column);
  (void)sqlite3_reset(row);
  return 0;
}

static int put_parts(db *d, const db_finding *f, int64_t finding, const int64_t *files, error *e) {
  int result = 0;
  for (size_t i = 0; result == 0 && i < f->place_count; i++) {
    const db_place *p = &f->places[i];
    result = sql_run(d, SQL_ADD_FINDING_PLACE, e, "iuttiuu", finding, (uint32_t)i, p->role, p->access, files[i],
                     p->line, p->column);
  }
  for (size_t i = 0; result == 0 && i < f->witness_count; i++) {
    result =
        sql_run(d, SQL_ADD_FINDING_WITNESS, e, "iutt", finding, (uint32_t)i, f->witness[i].what, f->witness[i].value);
  }
  return result;
}

/* Inside a call that writes. What tells places apart does not depend on row ids, as databases are merged. */
static int put(db *d, const db_finding *f, int64_t *files, error *e) {
  char places[65];
  digester to;
  int result = 0;
  digest_begin(&to);
  for (size_t i = 0; result == 0 && i < f->place_count; i++) {
    result = find_file(d, f, &f->places[i], &files[i], &to, e);
  }
  digest_end(&to, places);
  if (result == 0) {
    result = sql_run(d, SQL_ADD_FINDING, e, "irrrttt", f->run, f->test_case, f->kernel, f->site, f->rule, f->message,
                     f->site == 0 && f->place_count > 0 ? places : "");
  }
  const bool is_new = result == 0 && sqlite3_changes(d->handle) == 1;
  return is_new ? put_parts(d, f, sqlite3_last_insert_rowid(d->handle), files, e) : result;
}

int db_put_finding(db *d, const db_finding *f, error *e) {
  if (db_begin_write(d, e) != 0) {
    return -1;
  }
  int64_t *files = mem_calloc(f->place_count, sizeof *files);
  int result = put(d, f, files, e);
  free(files);
  return db_end_write(d, result, e);
}

int db_add_finding(db *d, int64_t test_case, int64_t kernel, int64_t site, const char *rule, const char *message,
                   error *e) {
  const db_finding f = {.test_case = test_case, .kernel = kernel, .site = site, .rule = rule, .message = message};
  return db_put_finding(d, &f, e);
}
