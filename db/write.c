/* What happens while programs run is written here: runs, test cases, evidence, findings, proofs, mutants,
 * schedules, patches. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <time.h>
#include <unistd.h>

#include "base/digest.h"
#include "base/memory.h"
#include "base/names.h"
#include "db/internal.h"

/* Writing proofs of kernels with what they rest on, and finding them again by their keys. */

const char *const proof_part_names[PROOF_PART_KINDS] = {
    [PROOF_PRECONDITION] = "precondition",
    [PROOF_ASSUMPTION] = "assumption",
    [PROOF_INVARIANT] = "invariant",
    [PROOF_BARRIER] = "barrier",
    [PROOF_COVER] = "cover",
    [PROOF_HOST] = "host",
    [PROOF_FACT] = "fact",
};

unsigned db_proof_part_kind(const char *name) {
  unsigned kind = 0;
  while (kind < PROOF_PART_KINDS && strcmp(proof_part_names[kind], name) != 0) kind++;
  return kind;
}

int db_drop_proof(db *d, int64_t proof, error *e) {
  static const sql steps[] = {
      SQL_DROP_PROOF_PLACES,   SQL_DROP_PROOF_INLINED, SQL_DROP_PROOF_WITNESS, SQL_DROP_PROOF_STEPS,
      SQL_DROP_PROOF_FINDINGS, SQL_DROP_PROOF_PARTS,   SQL_DROP_PROOF,
  };
  int result = 0;
  for (size_t i = 0; result == 0 && i < sizeof steps / sizeof steps[0]; i++)
    result = sql_run(d, steps[i], e, "i", proof);
  return result;
}

/* The row of a file of the proof's program; 0 for MODEL_NONE. */
static int find_file(db *d, int64_t program, uint32_t file, int64_t *row, error *e) {
  *row = 0;
  if (file == MODEL_NONE) return 0;
  int found = sql_number(d, SQL_PLACE_FILE, row, e, "iu", program, file);
  if (found == 0) {
    return error_set(e, EXIT_INTERNAL,
                     "a proof for %s is at a file that its program does not have; please report this as a fault",
                     d->path);
  }
  return found < 0 ? -1 : 0;
}

/* A proof being written. */
typedef struct writing {
  db *d;
  int64_t program, row;
  uint32_t position; /* of its next part */
} writing;

static int put_parts(writing *w, proof_part_kind kind, const db_proof_parts *parts, error *e) {
  int result = 0;
  for (size_t i = 0; result == 0 && i < parts->count; i++) {
    const db_proof_part *part = &parts->list[i];
    int64_t file = 0;
    result = find_file(w->d, w->program, part->file, &file, e) != 0
                 ? -1
                 : sql_run(w->d, SQL_ADD_PROOF_PART, e, "iutrc", w->row, w->position++, proof_part_names[kind], file,
                           &db_proof_part_columns, part);
  }
  return result;
}

/* Inside a call that writes. */
static int put_proof(db *d, int64_t program, int64_t kernel, const db_proof *p, int64_t *row, error *e) {
  int64_t known = 0, file = 0;
  int found = sql_number(d, SQL_FIND_RUN_PROOF, &known, e, "iit", p->run, program, p->name);
  const bool has_key = p->key != NULL && p->key[0] != '\0';
  if (found < 0 || (found == 1 && db_drop_proof(d, known, e) != 0) || find_file(d, program, p->file, &file, e) != 0 ||
      sql_run(d, SQL_ADD_PROOF, e, "iirrnnc", p->run, program, kernel, file, has_key ? p->key : NULL, p->answer,
              &db_proof_columns, p) != 0)
    return -1;
  *row = sqlite3_last_insert_rowid(d->handle);
  writing w = {.d = d, .program = program, .row = *row};
  int result = 0;
  for (unsigned kind = 0; result == 0 && kind < PROOF_PART_KINDS; kind++)
    result = put_parts(&w, (proof_part_kind)kind, &p->parts[kind], e);
  return result;
}

int db_add_proof(db *d, int64_t program, int64_t kernel, const db_proof *proof, int64_t *row, error *e) {
  *row = 0;
  return db_begin_write(d, e) != 0 ? -1 : db_end_write(d, put_proof(d, program, kernel, proof, row, e), e);
}

int db_find_proof(db *d, const char *key, char **answer, error *e) {
  *answer = NULL;
  int step = 0;
  sqlite3_stmt *row = sql_rows(d, SQL_KNOWN_PROOF, &step, e, "t", key);
  if (step == 1) {
    *answer = sql_text(NULL, row, 0);
    (void)sqlite3_reset(row);
  }
  return step < 0 ? -1 : 0;
}

int db_find_cover(db *d, const char *cover, int64_t *proof, error *e) {
  *proof = 0;
  return sql_number(d, SQL_FIND_COVER, proof, e, "t", cover) < 0 ? -1 : 0;
}

/* Patches: writing them, and those of a view. */

int db_add_repair(db *d, int64_t program, const db_repair *r, error *e) {
  return sql_write(d, SQL_ADD_REPAIR, e, "iic", r->run, program, &db_repair_columns, r);
}

void build_add_repair(build *b, sqlite3_stmt *row) {
  const char *sha256 = sql_peek(row, 1);
  uint32_t line = 0;
  db_repair *r = BUILD_ADD(b, b->v->repairs, b->v->repair_count);
  *r = (db_repair){.run = sqlite3_column_int64(row, 0), .file = build_file_of(b, sha256)};
  build_place_line(b, sha256, &r->file, &line);
  (void)sql_read(&b->v->memory, row, 2, &db_repair_columns, r);
}

/* Writing what schedule amplification finds: launches, schedules, explanations; reading a schedule to run it again. */

/* Runs a statement's result through: the row that was put is found by what identifies it, as it may be an old one. */
static int found(const db *d, int number, const char *what, error *e) {
  return number == 1 ? 0
         : number < 0
             ? -1
             : error_set(e, EXIT_INTERNAL,
                         "a %s that was just stored in %s is not there; please report this as a fault", what, d->path);
}

int db_put_launch(db *d, int64_t test_case, int64_t kernel, const db_launch *l, int64_t *row, error *e) {
  *row = 0;
  if (db_begin_write(d, e) != 0) return -1;
  int result = sql_run(d, SQL_PUT_LAUNCH, e, "iic", test_case, kernel, &db_launch_columns, l);
  if (result == 0)
    result = found(d, sql_number(d, SQL_FIND_LAUNCH, row, e, "iiu", test_case, kernel, l->number), "launch", e);
  return db_end_write(d, result, e);
}

int db_put_schedule(db *d, int64_t launch, const db_schedule *s, int64_t *row, error *e) {
  *row = 0;
  if (db_begin_write(d, e) != 0) return -1;
  int result = sql_run(d, SQL_PUT_SCHEDULE, e, "ic", launch, &db_schedule_columns, s);
  if (result == 0) {
    result = found(d, sql_number(d, SQL_FIND_SCHEDULE, row, e, "ittuu", launch, s->order, s->gate, s->target, s->seed),
                   "schedule", e);
  }
  return db_end_write(d, result, e);
}

/* An explanation with the row id of its file (0: none), inside a call that writes;
 * x->file_name is not looked at. */
static int db_write_explanation(db *d, int64_t schedule, const db_explanation *x, int64_t file, error *e) {
  return sql_run(d, SQL_PUT_EXPLANATION, e, "irrcc", schedule, x->other, file, &db_explanation_columns, x,
                 &db_why_columns, &x->why);
}

static int put_explained(db *d, int64_t schedule, const db_explanation *x, error *e) {
  int result = sql_run(d, SQL_DROP_EXPLAINED, e, "i", schedule);
  for (size_t i = 0; result == 0 && i < x->place_count; i++) {
    const db_explained *p = &x->places[i];
    int64_t file = 0;
    result = sql_number(d, SQL_EXPLAINED_FILE, &file, e, "iu", schedule, p->file) < 0
                 ? -1
                 : sql_run(d, SQL_ADD_EXPLAINED, e, "iurc", schedule, (uint32_t)i, file, &db_explained_columns, p);
  }
  return result;
}

int db_put_explanation(db *d, int64_t schedule, const db_explanation *x, error *e) {
  if (db_begin_write(d, e) != 0) return -1;
  int64_t file = 0; /* of the kernel's program; NULL when it has none of that name */
  const int found = sql_number(d, SQL_SCHEDULE_FILE, &file, e, "it", schedule, x->file_name);
  const bool written = found >= 0 && db_write_explanation(d, schedule, x, file, e) == 0;
  return db_end_write(d, written ? put_explained(d, schedule, x, e) : -1, e);
}

int db_add_reached(db *d, int64_t schedule, int64_t site, uint32_t outcome, error *e) {
  return sql_write(d, SQL_ADD_REACHED, e, "iiu", schedule, site, outcome);
}

int db_get_replay(db *d, int64_t schedule, db_replay *out, error *e) {
  *out = (db_replay){0};
  int step = 0;
  sqlite3_stmt *row = sql_rows(d, SQL_GET_REPLAY, &step, e, "i", schedule);
  if (step == 0) {
    return error_set(e, EXIT_USAGE,
                     "%s holds no schedule %lld; `cltestcheck report` prints the ids of those that failed, "
                     "`cltestcheck report --format json` all",
                     d->path, (long long)schedule);
  }
  if (step != 1) return -1;
  (void)sql_read(NULL, row, 1, &db_replay_columns, out);
  (void)sqlite3_reset(row);
  return 0;
}

void db_free_replay(db_replay *r) {
  sql_free(&db_replay_columns, r);
  *r = (db_replay){0};
}

/* Writing what mutation testing finds: the mutants of a program, their status in a run, verdicts, settings. */

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
      db_read_ids(d, SQL_PROGRAM_FUNCTION_IDS, p->program->id, &p->functions, e) != 0)
    return -1;
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
  if (found != 1) return found;
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
              &db_mutant_columns, m) != 0)
    return -1;
  *id = sqlite3_last_insert_rowid(d->handle);
  for (size_t i = 0; i < m->kernel_count; i++)
    if (sql_run(d, SQL_ADD_MUTANT_KERNEL, e, "ii", *id, p->program->kernels[m->kernels[i]]) != 0) return -1;
  return 0;
}

int db_add_mutants(db *d, const db_program *p, const model *m, const db_mutant *items, size_t count, int64_t *ids,
                   error *e) {
  if (db_begin_write(d, e) != 0) return -1;
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

int db_set_mutant(db *d, int64_t run, int64_t mutant, mutant_status status, const char *reason, int64_t original,
                  error *e) {
  return sql_write(d, SQL_SET_MUTANT, e, "iittr", run, mutant, mutant_status_name(status), reason, original);
}

int db_set_mutant_code(db *d, int64_t run, int64_t mutant, const char *code, error *e) {
  return sql_write(d, SQL_SET_MUTANT_CODE, e, "tii", code, run, mutant);
}

int db_hand_over_mutant(db *d, int64_t run, int64_t from, int64_t to, error *e) {
  if (db_begin_write(d, e) != 0) return -1;
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
    *status = db_mutant_status(sql_peek(row, 0));
    (void)sqlite3_reset(row);
  }
  return step < 0 ? -1 : 0;
}

int db_put_verdict(db *d, int64_t test_case, int64_t mutant, const mutant_verdict *v, error *e) {
  if (db_begin_write(d, e) != 0) return -1;
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

/* Writing findings with their places, witness and path. */

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
typedef struct finding_writing {
  db *d;
  const db_finding *f;
  digester places; /* tells it from others; without row ids, as databases are merged */
  int64_t row;
} finding_writing;

/* The row of a file of the program, and its SHA-256. */
static int finding_find_file(const finding_writing *w, uint32_t file, int64_t *row, char sha256[65], error *e) {
  int step = 0;
  sqlite3_stmt *found = sql_rows(w->d, SQL_PLACE_FILE, &step, e, "iu", w->f->of.program, file);
  if (step == 0) {
    return error_set(e, EXIT_INTERNAL,
                     "a finding for %s is at a file that its program does not have; please report this as a fault",
                     w->d->path);
  }
  if (step != 1) return -1;
  *row = sqlite3_column_int64(found, 0);
  (void)snprintf(sha256, 65, "%s", sql_peek(found, 1));
  (void)sqlite3_reset(found);
  return 0;
}

static int tell_point(finding_writing *w, uint32_t file, uint32_t line, uint32_t column, error *e) {
  int64_t row = 0;
  char sha256[65];
  if (finding_find_file(w, file, &row, sha256, e) != 0) return -1;
  digest_text(&w->places, sha256);
  digest_number(&w->places, line);
  digest_number(&w->places, column);
  return 0;
}

static int tell_place(finding_writing *w, const db_place *p, error *e) {
  digest_text(&w->places, p->role);
  digest_text(&w->places, p->access);
  int result = tell_point(w, p->file, p->line, p->column, e);
  for (size_t i = 0; result == 0 && i < p->inlined_count; i++)
    result = tell_point(w, p->inlined[i].file, p->inlined[i].line, p->inlined[i].column, e);
  return result;
}

static int put_place(const finding_writing *w, uint32_t position, error *e) {
  const db_place *p = &w->f->places[position];
  int64_t file = 0;
  char sha256[65];
  if (finding_find_file(w, p->file, &file, sha256, e) != 0 ||
      sql_run(w->d, SQL_ADD_FINDING_PLACE, e, "iuic", w->row, position, file, &db_place_columns, p) != 0)
    return -1;
  for (size_t i = 0; i < p->inlined_count; i++) {
    const db_call *c = &p->inlined[i];
    if (finding_find_file(w, c->file, &file, sha256, e) != 0 ||
        sql_run(w->d, SQL_ADD_FINDING_INLINED, e, "iuuic", w->row, position, (uint32_t)i, file, &db_call_columns, c) !=
            0)
      return -1;
  }
  return 0;
}

static int put_step(const finding_writing *w, uint32_t position, error *e) {
  const db_step *s = &w->f->path[position];
  int64_t file = 0;
  char sha256[65];
  return finding_find_file(w, s->file, &file, sha256, e) != 0
             ? -1
             : sql_run(w->d, SQL_ADD_FINDING_STEP, e, "iuic", w->row, position, file, &db_step_columns, s);
}

static int finding_put_parts(const finding_writing *w, error *e) {
  const db_finding *f = w->f;
  int result = 0;
  for (size_t i = 0; result == 0 && i < f->place_count; i++) result = put_place(w, (uint32_t)i, e);
  for (size_t i = 0; result == 0 && i < f->witness_count; i++)
    result = sql_run(w->d, SQL_ADD_FINDING_WITNESS, e, "iuc", w->row, (uint32_t)i, &db_witness_columns, &f->witness[i]);
  for (size_t i = 0; result == 0 && i < f->command_count; i++) {
    result =
        sql_run(w->d, SQL_ADD_FINDING_COMMAND, e, "iuc", w->row, (uint32_t)i, &db_command_columns, &f->commands[i]);
  }
  for (size_t i = 0; result == 0 && i < f->path_count; i++) result = put_step(w, (uint32_t)i, e);
  return result;
}

/* Inside a call that writes. */
static int finding_put(finding_writing *w, error *e) {
  const db_finding *f = w->f;
  char places[65];
  int result = 0;
  digest_begin(&w->places);
  for (size_t i = 0; result == 0 && i < f->place_count; i++) result = tell_place(w, &f->places[i], e);
  if (f->distinct != NULL) digest_text(&w->places, f->distinct);
  digest_end(&w->places, places);
  const bool told = f->of.site == 0 && (f->place_count > 0 || f->distinct != NULL);
  if (result == 0) {
    result = sql_run(w->d, SQL_ADD_FINDING, e, "irrrtttrittrc", f->of.run, f->of.test_case, f->of.kernel, f->of.site,
                     f->rule, f->message, told ? places : "", f->of.proof, (int64_t)f->possible,
                     confirmed_names[f->confirmed], f->confirmation, f->schedule, &db_detail_columns, &f->detail);
  }
  const bool is_new = result == 0 && sqlite3_changes(w->d->handle) == 1;
  w->row = sqlite3_last_insert_rowid(w->d->handle);
  return is_new ? finding_put_parts(w, e) : result;
}

int db_put_finding(db *d, const db_finding *f, error *e) {
  if (db_begin_write(d, e) != 0) return -1;
  finding_writing w = {.d = d, .f = f};
  return db_end_write(d, finding_put(&w, e), e);
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
  if (step != 1) return -1;
  (void)sql_read(NULL, row, 1, &db_seen_columns, out);
  (void)sqlite3_reset(row);
  return 0;
}

int db_finding_test(db *d, int64_t finding, bool *found, db_seen *out, error *e) {
  *out = (db_seen){0};
  int step = 0;
  sqlite3_stmt *row = sql_rows(d, SQL_FINDING_TEST, &step, e, "i", finding);
  *found = step == 1;
  if (step == 1) {
    (void)sql_read(NULL, row, 1, &db_seen_columns, out);
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

/* A random (version 4) UUID. */
static int make_uuid(char out[37], error *e) {
  unsigned char b[16];
  if (getrandom(b, sizeof b, 0) != (ssize_t)sizeof b)
    return error_set(e, EXIT_INTERNAL, "the system gave no random numbers for the identity of a run; try again");
  b[6] = (unsigned char)((b[6] & 0x0f) | 0x40);
  b[8] = (unsigned char)((b[8] & 0x3f) | 0x80);
  (void)snprintf(out, 37, "%02x%02x%02x%02x-%02x%02x-%02x%02x-%02x%02x-%02x%02x%02x%02x%02x%02x", b[0], b[1], b[2],
                 b[3], b[4], b[5], b[6], b[7], b[8], b[9], b[10], b[11], b[12], b[13], b[14], b[15]);
  return 0;
}

static void timestamp(char *out, size_t size) {
  time_t t = time(NULL);
  struct tm utc;
  (void)gmtime_r(&t, &utc);
  (void)strftime(out, size, "%Y-%m-%dT%H:%M:%SZ", &utc);
}

/* Ends a call that starts or ends a run or a test case: those are committed at once, since a long wait for the user's
 * program may follow. */
static int end_and_commit(db *d, int result, error *e) {
  result = db_end_write(d, result, e);
  return result == 0 ? db_commit(d, e) : result;
}

int db_begin_run(db *d, const char *command, const char *version, int64_t *run, error *e) {
  char uuid[37];
  char started[32];
  char process[PROCESS_NAME];
  timestamp(started, sizeof started);
  db_process_name(getpid(), process);
  if (make_uuid(uuid, e) != 0 || db_begin_write(d, e) != 0) return -1;
  int result = sql_run(d, SQL_ADD_RUN, e, "ttttt", uuid, command, version, started, process);
  *run = sqlite3_last_insert_rowid(d->handle);
  return end_and_commit(d, result, e);
}

int db_end_run(db *d, int64_t run, const char *device, int exit, error *e) {
  return sql_write(d, SQL_END_RUN, e, "tii", device, (int64_t)exit, run) != 0 ? -1 : db_commit(d, e);
}

int db_continue_run(db *d, int64_t run, error *e) {
  char process[PROCESS_NAME];
  db_process_name(getpid(), process);
  return sql_write(d, SQL_SET_PROCESS, e, "ti", process, run) != 0 ? -1 : db_commit(d, e);
}

int db_set_revision(db *d, int64_t run, const char *revision, error *e) {
  return sql_write(d, SQL_SET_REVISION, e, "ti", revision, run);
}

int db_begin_test_case(db *d, int64_t run, const char *suite, const char *name, const char *command_line,
                       int64_t *test_case, error *e) {
  if (db_begin_write(d, e) != 0) return -1;
  int result = sql_run(d, SQL_ADD_TEST_CASE, e, "ittt", run, suite, name, command_line);
  *test_case = sqlite3_last_insert_rowid(d->handle);
  return end_and_commit(d, result, e);
}

int db_set_word(db *d, int64_t test_case, const char *word, error *e) {
  return sql_write(d, SQL_SET_WORD, e, "ti", word, test_case);
}

int db_end_test_case(db *d, int64_t test_case, int status, bool timed_out, error *e) {
  return sql_write(d, SQL_END_TEST_CASE, e, "iii", (int64_t)status, (int64_t)timed_out, test_case) != 0
             ? -1
             : db_commit(d, e);
}

int db_drop_test_case(db *d, int64_t test_case, error *e) {
  return sql_write(d, SQL_DROP_TEST_CASE, e, "i", test_case) != 0 ? -1 : db_commit(d, e);
}

int db_add_evidence(db *d, int64_t test_case, int64_t kernel, uint64_t launches, const db_evidence *items, size_t count,
                    error *e) {
  if (db_begin_write(d, e) != 0) return -1;
  int result = 0;
  if (launches > 0) {
    int64_t stored = launches > INT64_MAX / 2 ? INT64_MAX / 2 : (int64_t)launches;
    result = sql_run(d, SQL_ADD_LAUNCHES, e, "iii", test_case, kernel, stored);
  }
  for (size_t i = 0; result == 0 && i < count; i++)
    result = sql_run(d, SQL_ADD_EVIDENCE, e, "iiiu", test_case, kernel, items[i].site, items[i].outcome);
  return db_end_write(d, result, e);
}

int db_add_refused(db *d, int64_t run, const db_refused *r, error *e) {
  return sql_write(d, SQL_ADD_REFUSED, e, "ic", run, &db_refused_columns, r);
}

int db_add_skipped(db *d, int64_t run, const char *program, const char *reason, error *e) {
  return sql_write(d, SQL_ADD_SKIPPED, e, "itt", run, program, reason);
}
