/* Writing findings with their places, witness and path. */
#include <stdlib.h>
#include <string.h>

#include "base/digest.h"
#include "base/memory.h"
#include "base/names.h"
#include "db/internal.h"

static const char *const confirmed_names[] = {
    [CONFIRMED_UNKNOWN] = "",
    [CONFIRMED_YES] = "yes",
    [CONFIRMED_NO] = "no",
    [CONFIRMED_NOT_LAUNCHABLE] = "not launchable",
};
#define CONFIRMED_NAMES (sizeof confirmed_names / sizeof confirmed_names[0])

const char *finding_confirmed_name(finding_confirmed c) { return confirmed_names[c]; }

finding_confirmed db_finding_confirmed(const char *name) {
  const int number = name_number(confirmed_names, CONFIRMED_NAMES, name);
  return number < 0 ? CONFIRMED_UNKNOWN : (finding_confirmed)number;
}

/* A finding being written. */
typedef struct writing {
  db *d;
  const db_finding *f;
  digester places; /* tells it from others; without row ids, as databases are merged */
  int64_t row;
} writing;

/* The row of a file of the program, and its SHA-256. */
static int find_file(const writing *w, uint32_t file, int64_t *row, char sha256[65], error *e) {
  int step = 0;
  sqlite3_stmt *found = sql_rows(w->d, SQL_PLACE_FILE, &step, e, "iu", w->f->of.program, file);
  if (step == 0) {
    return error_set(e, EXIT_INTERNAL,
                     "a finding for %s is at a file that its program does not have; please report this as a fault",
                     w->d->path);
  }
  if (step != 1) {
    return -1;
  }
  *row = sqlite3_column_int64(found, 0);
  const char *digest = (const char *)sqlite3_column_text(found, 1);
  (void)strncpy(sha256, digest == NULL ? "" : digest, 64);
  sha256[64] = '\0';
  (void)sqlite3_reset(found);
  return 0;
}

static int tell_point(writing *w, uint32_t file, uint32_t line, uint32_t column, error *e) {
  int64_t row = 0;
  char sha256[65];
  if (find_file(w, file, &row, sha256, e) != 0) {
    return -1;
  }
  digest_text(&w->places, sha256);
  digest_number(&w->places, line);
  digest_number(&w->places, column);
  return 0;
}

static int tell_place(writing *w, const db_place *p, error *e) {
  digest_text(&w->places, p->role);
  digest_text(&w->places, p->access);
  int result = tell_point(w, p->file, p->line, p->column, e);
  for (size_t i = 0; result == 0 && i < p->inlined_count; i++) {
    result = tell_point(w, p->inlined[i].file, p->inlined[i].line, p->inlined[i].column, e);
  }
  return result;
}

static int put_place(const writing *w, uint32_t position, error *e) {
  const db_place *p = &w->f->places[position];
  int64_t file = 0;
  char sha256[65];
  if (find_file(w, p->file, &file, sha256, e) != 0 ||
      sql_run(w->d, SQL_ADD_FINDING_PLACE, e, "iuic", w->row, position, file, &db_place_columns, p) != 0) {
    return -1;
  }
  for (size_t i = 0; i < p->inlined_count; i++) {
    const db_call *c = &p->inlined[i];
    if (find_file(w, c->file, &file, sha256, e) != 0 ||
        sql_run(w->d, SQL_ADD_FINDING_INLINED, e, "iuuic", w->row, position, (uint32_t)i, file, &db_call_columns, c) !=
            0) {
      return -1;
    }
  }
  return 0;
}

static int put_step(const writing *w, uint32_t position, error *e) {
  const db_step *s = &w->f->path[position];
  int64_t file = 0;
  char sha256[65];
  return find_file(w, s->file, &file, sha256, e) != 0
             ? -1
             : sql_run(w->d, SQL_ADD_FINDING_STEP, e, "iuic", w->row, position, file, &db_step_columns, s);
}

static int put_parts(const writing *w, error *e) {
  const db_finding *f = w->f;
  int result = 0;
  for (size_t i = 0; result == 0 && i < f->place_count; i++) {
    result = put_place(w, (uint32_t)i, e);
  }
  for (size_t i = 0; result == 0 && i < f->witness_count; i++) {
    result = sql_run(w->d, SQL_ADD_FINDING_WITNESS, e, "iuc", w->row, (uint32_t)i, &db_witness_columns, &f->witness[i]);
  }
  for (size_t i = 0; result == 0 && i < f->command_count; i++) {
    result =
        sql_run(w->d, SQL_ADD_FINDING_COMMAND, e, "iuc", w->row, (uint32_t)i, &db_command_columns, &f->commands[i]);
  }
  for (size_t i = 0; result == 0 && i < f->path_count; i++) {
    result = put_step(w, (uint32_t)i, e);
  }
  return result;
}

/* Inside a call that writes. */
static int put(writing *w, error *e) {
  const db_finding *f = w->f;
  char places[65];
  int result = 0;
  digest_begin(&w->places);
  for (size_t i = 0; result == 0 && i < f->place_count; i++) {
    result = tell_place(w, &f->places[i], e);
  }
  if (f->distinct != NULL) {
    digest_text(&w->places, f->distinct);
  }
  digest_end(&w->places, places);
  const bool told = f->of.site == 0 && (f->place_count > 0 || f->distinct != NULL);
  if (result == 0) {
    result = sql_run(w->d, SQL_ADD_FINDING, e, "irrrtttrittrc", f->of.run, f->of.test_case, f->of.kernel, f->of.site,
                     f->rule, f->message, told ? places : "", f->of.proof, (int64_t)f->possible,
                     confirmed_names[f->confirmed], f->confirmation, f->schedule, &db_detail_columns, &f->detail);
  }
  const bool is_new = result == 0 && sqlite3_changes(w->d->handle) == 1;
  w->row = sqlite3_last_insert_rowid(w->d->handle);
  return is_new ? put_parts(w, e) : result;
}

int db_put_finding(db *d, const db_finding *f, error *e) {
  if (db_begin_write(d, e) != 0) {
    return -1;
  }
  writing w = {.d = d, .f = f};
  return db_end_write(d, put(&w, e), e);
}

/* --- once more ---------------------------------------------------------------------------------------------------- */

int db_get_finding(db *d, int64_t finding, db_seen *out, error *e) {
  *out = (db_seen){0};
  int step = 0;
  sqlite3_stmt *row = sql_rows(d, SQL_GET_FINDING, &step, e, "i", finding);
  if (step == 0) {
    return error_set(e, EXIT_USAGE,
                     "%s holds no finding %lld with places of a kernel that was launched; `cltestcheck report` prints "
                     "the ids of findings that can be seen again",
                     d->path, (long long)finding);
  }
  if (step != 1) {
    return -1;
  }
  (void)sql_read(row, 1, &db_seen_columns, out);
  (void)sqlite3_reset(row);
  return 0;
}

int db_finding_test(db *d, int64_t finding, bool *found, db_seen *out, error *e) {
  *out = (db_seen){0};
  int step = 0;
  sqlite3_stmt *row = sql_rows(d, SQL_FINDING_TEST, &step, e, "i", finding);
  *found = step == 1;
  if (step == 1) {
    (void)sql_read(row, 1, &db_seen_columns, out);
    (void)sqlite3_reset(row);
  }
  return step < 0 ? -1 : 0;
}

void db_free_seen(db_seen *s) {
  sql_free(&db_seen_columns, s);
  *s = (db_seen){0};
}

int db_seen_again(db *d, int64_t finding, int64_t run, bool *again, error *e) {
  int64_t count = 0;
  const int result = sql_number(d, SQL_SEEN_AGAIN, &count, e, "ii", finding, run);
  *again = count > 0;
  return result < 0 ? -1 : 0;
}
