/* Writing what mutation testing finds: the mutants of a program, their status in a run, verdicts, settings. */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/names.h"
#include "db/internal.h"

static const char *const status_names[MUTANT_STATUSES] = {
    [MUTANT_PENDING] = "pending",     [MUTANT_KILLED] = "killed",           [MUTANT_UNDECIDED] = "undecided",
    [MUTANT_SURVIVED] = "survived",   [MUTANT_NO_COVERAGE] = "no-coverage", [MUTANT_EQUIVALENT] = "equivalent",
    [MUTANT_DUPLICATE] = "duplicate", [MUTANT_INVALID] = "invalid",         [MUTANT_SUPPRESSED] = "suppressed",
};

const char *mutant_status_name(mutant_status s) {
  return (unsigned)s < MUTANT_STATUSES ? status_names[s] : status_names[MUTANT_PENDING];
}

mutant_status db_mutant_status(const char *name) {
  const int number = name_number(status_names, MUTANT_STATUSES, name);
  return number < 0 ? MUTANT_PENDING : (mutant_status)number;
}

/* --- mutants ------------------------------------------------------------------------------------------------ */

/* Row ids of a program's parts, by their indices in the model. */
typedef struct parts {
  const db_program *program;
  const model *m;
  id_list files, functions;
} parts;

static int read_parts(db *d, parts *p, error *e) {
  if (db_read_ids(d, SQL_PROGRAM_FILE_IDS, p->program->id, &p->files, e) != 0 ||
      db_read_ids(d, SQL_PROGRAM_FUNCTION_IDS, p->program->id, &p->functions, e) != 0) {
    return -1;
  }
  if (p->files.count != p->m->file_count || p->functions.count != p->m->function_count) {
    return error_set(e, EXIT_USAGE,
                     "%s is damaged (program %lld is incomplete); delete it or name another database with --db FILE",
                     d->path, (long long)p->program->id);
  }
  return 0;
}

/* A mutant that is there already: 1 found, 0 not, -1 failed or there is another one of this identity. */
static int find_mutant(db *d, const parts *p, const db_mutant *m, int64_t *id, error *e) {
  int found = 0;
  sqlite3_stmt *row = sql_rows(d, SQL_FIND_MUTANT, &found, e, "iutut", p->program->id, m->id, m->operator_name,
                               m->offset, m->replacement);
  if (found != 1) {
    return found;
  }
  *id = sqlite3_column_int64(row, 0);
  bool same = sqlite3_column_int(row, 1) != 0;
  (void)sqlite3_reset(row);
  return same ? 1
              : error_set(e, EXIT_INTERNAL, "two mutants of %s have the same id %u; please report this as a fault",
                          p->m->files[m->file].name, m->id);
}

static int add_mutant(db *d, const parts *p, const db_mutant *m, int64_t *id, error *e) {
  int64_t function = m->function == MODEL_NONE ? 0 : p->functions.ids[m->function];
  if (sql_run(d, SQL_ADD_MUTANT, e, "iirnc", p->program->id, p->files.ids[m->file], function, m->description,
              &db_mutant_columns, m) != 0) {
    return -1;
  }
  *id = sqlite3_last_insert_rowid(d->handle);
  for (size_t i = 0; i < m->kernel_count; i++) {
    if (sql_run(d, SQL_ADD_MUTANT_KERNEL, e, "ii", *id, p->program->kernels[m->kernels[i]]) != 0) {
      return -1;
    }
  }
  return 0;
}

int db_add_mutants(db *d, const db_program *p, const model *m, const db_mutant *items, size_t count, int64_t *ids,
                   error *e) {
  if (db_begin_write(d, e) != 0) {
    return -1;
  }
  parts known = {.program = p, .m = m};
  int result = read_parts(d, &known, e);
  for (size_t i = 0; result == 0 && i < count; i++) {
    int found = find_mutant(d, &known, &items[i], &ids[i], e);
    result = found == 0 ? add_mutant(d, &known, &items[i], &ids[i], e) : found < 0 ? -1 : 0;
  }
  free(known.files.ids);
  free(known.functions.ids);
  return db_end_write(d, result, e);
}

/* --- what became of them ------------------------------------------------------------------------------------- */

int db_set_mutant(db *d, int64_t run, int64_t mutant, mutant_status status, const char *reason, int64_t original,
                  error *e) {
  return sql_write(d, SQL_SET_MUTANT, e, "iittr", run, mutant, mutant_status_name(status), reason, original);
}

int db_set_mutant_code(db *d, int64_t run, int64_t mutant, const char *code, error *e) {
  return sql_write(d, SQL_SET_MUTANT_CODE, e, "tii", code, run, mutant);
}

int db_hand_over_mutant(db *d, int64_t run, int64_t from, int64_t to, error *e) {
  if (db_begin_write(d, e) != 0) {
    return -1;
  }
  const bool fails = sql_run(d, SQL_HAND_OVER_STATUS, e, "iii", run, from, to) != 0 ||
                     sql_run(d, SQL_HAND_OVER_VERDICTS, e, "iii", run, from, to) != 0;
  return db_end_write(d, fails ? -1 : 0, e);
}

int db_drop_verdicts(db *d, int64_t run, int64_t mutant, error *e) {
  return sql_write(d, SQL_DROP_VERDICTS, e, "ii", run, mutant);
}

int db_get_mutant(db *d, int64_t run, int64_t mutant, mutant_status *status, error *e) {
  *status = MUTANT_PENDING;
  int step = 0;
  sqlite3_stmt *row = sql_rows(d, SQL_GET_MUTANT, &step, e, "ii", run, mutant);
  if (step == 1) {
    const unsigned char *name = sqlite3_column_text(row, 0);
    *status = name == NULL ? MUTANT_PENDING : db_mutant_status((const char *)name);
    (void)sqlite3_reset(row);
  }
  return step < 0 ? -1 : 0;
}

int db_put_verdict(db *d, int64_t test_case, int64_t mutant, const mutant_verdict *v, error *e) {
  if (db_begin_write(d, e) != 0) {
    return -1;
  }
  int result =
      sql_run(d, SQL_PUT_VERDICT, e, "iiuc", test_case, mutant, (uint32_t)v->revealed, &mutant_verdict_columns, v);
  return db_end_write(d, result, e);
}

int db_add_unstable(db *d, int64_t test_case, const char *what, double share, error *e) {
  return sql_write(d, SQL_ADD_UNSTABLE, e, "itd", test_case, what, share);
}

/* --- settings ------------------------------------------------------------------------------------------------ */

int db_set_settings(db *d, int64_t run, const char *settings, error *e) {
  return sql_write(d, SQL_SET_SETTINGS, e, "ti", settings, run);
}

int db_find_unfinished(db *d, const char *command, const char *settings, int64_t *run, error *e) {
  *run = 0;
  return sql_number(d, SQL_FIND_UNFINISHED, run, e, "tt", command, settings) < 0 ? -1 : 0;
}

int db_find_test_case(db *d, int64_t run, const char *suite, const char *name, const char *command_line, size_t nth,
                      int64_t *test_case, error *e) {
  *test_case = 0;
  int found = sql_number(d, SQL_FIND_TEST_CASE, test_case, e, "ittti", run, suite, name, command_line, (int64_t)nth);
  return found < 0 ? -1 : 0;
}

int db_run_programs(db *d, int64_t run, int64_t **programs, size_t *count, error *e) {
  id_list list = {0};
  int result = db_read_ids(d, SQL_RUN_PROGRAMS, run, &list, e);
  *programs = list.ids;
  *count = list.count;
  return result;
}
