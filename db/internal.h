/* What the files of db/ share: the handle, the statements, how one is run, columns, parts of a view. */
#ifndef CLTC_DB_INTERNAL_H
#define CLTC_DB_INTERNAL_H

#include <sqlite3.h>
#include <sys/types.h>

#include "db/db.h"

/* The columns that tables have in common with structs, a list a table: a field and the name of its column. Statements,
 * and what writes, reads and frees the structs, are made of these lists; merges copy what a statement gives. */

/* C(T, field, name) for each column. */
/* clang-format off */
#define CALL_COLUMNS(C, T) C(T, line, line) C(T, column, column)
#define COMMAND_COLUMNS(C, T) \
  C(T, function, function) C(T, kernel, kernel) C(T, number, number) C(T, queue, queue) C(T, in_order, in_order) \
  C(T, thread, thread) C(T, memory, memory) C(T, access, access) C(T, parameter, parameter) C(T, mapped, mapped) \
  C(T, sure, sure)
#define DETAIL_COLUMNS(C, T) \
  C(T, object, object) C(T, space, space) C(T, pixel, pixel) C(T, size, object_size) C(T, element, element) \
  C(T, element_size, element_size) C(T, byte, byte) C(T, launch, launch) C(T, launches, launches) C(T, count, count) \
  C(T, barriers, barriers) C(T, value_size, value_size) C(T, value_before, value_before) \
  C(T, value_after, value_after) C(T, differing, differing) C(T, items, items) C(T, local_size, local_size) \
  C(T, groups, groups) C(T, offset, offset) C(T, call, call) C(T, cause, cause) C(T, access, access) C(T, who, who) \
  C(T, local, local) C(T, group, work_group)
#define EXPLANATION_COLUMNS(C, T) \
  C(T, text, text) C(T, argument, argument) C(T, first, first) C(T, last, last) C(T, differing, differing) \
  C(T, reference, reference) C(T, seen, seen) C(T, line, line) C(T, unfinished, unfinished)
#define EXPLAINED_COLUMNS(C, T) C(T, role, role) C(T, group, number) C(T, construct, construct) C(T, line, line)
#define WHY_COLUMNS(C, T) \
  C(T, kind, kind) C(T, unit, unit) C(T, width, width) C(T, height, height) C(T, in_order, in_order) C(T, rest, rest) \
  C(T, race, race) C(T, race_why, race_why) C(T, read_kernel, read_kernel) C(T, read_argument, read_argument) \
  C(T, read_launch, read_launch) C(T, read_number, read_number) C(T, running, running) C(T, waiting, waiting) \
  C(T, of_groups, of_groups)
#define FUNCTION_COLUMNS(C, T) C(T, name, name) C(T, line, line) C(T, end_line, end_line) C(T, kernel, kernel)
#define LAUNCH_COLUMNS(C, T) \
  C(T, number, number) C(T, groups, groups) C(T, local, local) C(T, together, together) C(T, skipped, skipped)
#define MUTANT_COLUMNS(C, T) \
  C(T, id, identity) C(T, operator_name, operator) C(T, line, line) C(T, column, column) C(T, offset, offset) \
  C(T, end_line, end_line) C(T, end_column, end_column) C(T, end_offset, end_offset) C(T, original, original) \
  C(T, replacement, replacement)
#define NAME_COLUMNS(C, T) C(T, name, name) C(T, root, root)
#define OUTCOME_COLUMNS(C, T) C(T, index, number) C(T, label, label) C(T, line, line)
#define PLACE_COLUMNS(C, T) \
  C(T, role, role) C(T, access, access) C(T, line, line) C(T, column, column) C(T, local, local) \
  C(T, group, work_group) C(T, condition, condition) C(T, how, how) C(T, who, who) C(T, construct, construct)
#define PROOF_COLUMNS(C, T) \
  C(T, name, name) C(T, line, line) C(T, verdict, verdict) C(T, reason, reason) C(T, launches, launches) \
  C(T, proved, proved) C(T, seconds, seconds) C(T, queries, queries) C(T, memory, memory) C(T, reused, reused)
#define PROOF_PART_COLUMNS(C, T) C(T, text, text) C(T, line, line) C(T, column, column)
#define REFUSED_COLUMNS(C, T) \
  C(T, call, call) C(T, kernel, kernel) C(T, error, error) C(T, detail, detail) C(T, count, count)
#define REPAIR_COLUMNS(C, T) C(T, name, name) C(T, outcome, outcome) C(T, report, report) C(T, patch, patch)
#define SCHEDULE_COLUMNS(C, T) \
  C(T, order, ordering) C(T, gate, gate) C(T, target, target) C(T, seed, seed) C(T, verdict, verdict) \
  C(T, outcomes, outcomes) C(T, meant, meant)
#define SITE_COLUMNS(C, T) \
  C(T, line, line) C(T, column, column) C(T, offset, offset) C(T, end_line, end_line) C(T, end_column, end_column)
#define SKIPPED_COLUMNS(C, T) C(T, program, program) C(T, reason, reason)
#define SPAN_COLUMNS(C, T) \
  C(T, offset, offset) C(T, length, length) C(T, home_offset, home_offset) C(T, home_length, home_length)
#define STEP_COLUMNS(C, T) C(T, thread, thread) C(T, line, line) C(T, column, column) C(T, text, text)
#define TEST_CASE_COLUMNS(C, T) C(T, suite, suite) C(T, name, name) C(T, command_line, command_line) C(T, word, word)
#define VERDICT_COLUMNS(C, T) \
  C(T, runs, runs) C(T, output, output) C(T, crash, crash) C(T, timeout, timeout) C(T, replayed, replayed) \
  C(T, outside, outside) C(T, unwritten, unwritten) C(T, race, race)
#define WITNESS_COLUMNS(C, T) C(T, kind, kind) C(T, what, what) C(T, element, element) C(T, value, value)
/* Of several tables, joined. */
#define REPLAY_COLUMNS(C, T) \
  C(T, suite, t.suite) C(T, name, t.name) C(T, command_line, t.command_line) C(T, word, t.word) C(T, kernel, k.name) \
  C(T, launch, l.number) C(T, order, s.ordering) C(T, gate, s.gate) C(T, target, s.target) \
  C(T, seed, s.seed) C(T, settings, r.settings)
#define SEEN_COLUMNS(C, T) \
  C(T, suite, t.suite) C(T, name, t.name) C(T, command_line, t.command_line) C(T, word, t.word) C(T, kernel, k.name)

/* Which structs have them: X(struct, list). */
#define DB_STRUCTS(X) \
  X(db_call, CALL_COLUMNS) X(db_command, COMMAND_COLUMNS) X(db_detail, DETAIL_COLUMNS) X(db_explanation, EXPLANATION_COLUMNS) \
  X(db_explained, EXPLAINED_COLUMNS) X(db_why, WHY_COLUMNS)  X(model_function, FUNCTION_COLUMNS) X(db_launch, LAUNCH_COLUMNS) \
   X(db_mutant, MUTANT_COLUMNS)  \
  X(model_file, NAME_COLUMNS) X(model_home, NAME_COLUMNS) X(model_outcome, OUTCOME_COLUMNS) \
  X(db_place, PLACE_COLUMNS) X(db_proof, PROOF_COLUMNS)  \
  X(db_proof_part, PROOF_PART_COLUMNS) X(db_refused, REFUSED_COLUMNS) \
  X(db_repair, REPAIR_COLUMNS)  \
  X(db_replay, REPLAY_COLUMNS) X(db_schedule, SCHEDULE_COLUMNS)  \
  X(db_seen, SEEN_COLUMNS) X(model_site, SITE_COLUMNS) X(view_skipped, SKIPPED_COLUMNS) X(model_span, SPAN_COLUMNS) \
  X(db_step, STEP_COLUMNS) X(view_test_case, TEST_CASE_COLUMNS) \
  X(mutant_verdict, VERDICT_COLUMNS)  X(db_witness, WITNESS_COLUMNS)

/* clang-format on */

/* Of a list of columns, each after a comma: its names, those of a table that is joined as x, parameters. */
#define NAME(T, field, name) ", " #name
#define X_NAME(T, field, name) ", x." #name
#define F_NAME(T, field, name) ", f." #name
#define PARAMETER(T, field, name) ", ?"
#define NEW_NAME(T, field, name) ", excluded." #name
#define NEW_VALUE(T, field, name) ", " #name " = excluded." #name
#define NAMES(list) list(NAME, )
#define X_NAMES(list) list(X_NAME, )
#define PARAMETERS(list) list(PARAMETER, )
#define INSERT(table, first, marks, list) \
  "INSERT INTO " table " (" first NAMES(list) ") VALUES (" marks PARAMETERS(list) ")"
/* What becomes of a launch, or a schedule, that is there already. */
#define PUT_LAUNCH_AGAIN                                                         \
  " ON CONFLICT DO UPDATE SET groups = excluded.groups, local = excluded.local," \
  " together = excluded.together, skipped = excluded.skipped"
#define PUT_SCHEDULE_AGAIN \
  " ON CONFLICT DO UPDATE SET verdict = excluded.verdict, outcomes = excluded.outcomes, meant = excluded.meant"

/* A column in a struct. The type of the field is that of the column. */
typedef enum db_column_kind {
  COLUMN_BOOL,
  COLUMN_U32,
  COLUMN_U64, /* what is above INT64_MAX is stored as that */
  COLUMN_I64,
  COLUMN_REAL,
  COLUMN_NUMBER, /* NULL where it is not known */
  COLUMN_TEXT    /* NULL is stored as "" */
} db_column_kind;
typedef struct db_column {
  db_column_kind kind;
  size_t offset;
} db_column;
typedef struct db_columns {
  const db_column *list;
  int count;
} db_columns;

/* db_call_columns, … */
#define DECLARE_COLUMNS(type, list) extern const db_columns type##_columns;
DB_STRUCTS(DECLARE_COLUMNS)
#undef DECLARE_COLUMNS

/* Every statement of the API; the texts are in statements.h. */
#define SQL(name, text) name,
typedef enum sql {
#include "db/statements.h"
  SQL_COUNT
} sql;

extern const char *const sql_texts[SQL_COUNT];

struct db {
  sqlite3 *handle;
  char *path; /* as given, for sentences */
  bool writable;
  bool in_transaction;                 /* a write transaction is open */
  int64_t began;                       /* when, in milliseconds */
  int depth;                           /* calls that write inside each other */
  sqlite3_stmt *statements[SQL_COUNT]; /* prepared at first use */
};

/* Sets `e` from the last failure on the handle: a sentence that names the file. Returns -1. */
int db_failed(const db *d, error *e);
/* The same of a result code, at a path; `handle` may be NULL. */
int db_failed_at(const char *path, sqlite3 *handle, int rc, error *e);
/* The name by which another handle opens the same file alike. */
char *db_uri(const db *d);

/* A statement, reset, with its parameters bound by `types`, one letter each: i int64_t, u uint32_t, r int64_t where 0
 * is NULL, d double, t const char * (NULL is ""), n const char * (NULL is NULL), b const void * and size_t, c the
 * columns of a struct: const db_columns * and const void *. NULL with `e` set on failure. Bound text must live until the
 * statement is done. */
sqlite3_stmt *sql_bind(db *d, sql which, error *e, const char *types, ...);
/* 1: a row, 0: done and reset, -1: failed and reset. Whoever stops before 0 resets the statement. */
int sql_step(db *d, sqlite3_stmt *statement, error *e);
/* Both: the statement at its first row; `*step` is what sql_step gave. */
sqlite3_stmt *sql_rows(db *d, sql which, int *step, error *e, const char *types, ...);
/* Declares an int `step` and goes through the rows of a statement; what follows is done with each `row`. After it `step` is 0, or
 * -1 where reading failed. */
#define EACH_ROW(step, row, d, which, e, ...) \
  int step = 0;                               \
  for (sqlite3_stmt *row = sql_rows(d, which, &step, e, __VA_ARGS__); step == 1; step = sql_step(d, row, e))
/* Runs a statement that gives no rows. */
int sql_run(db *d, sql which, error *e, const char *types, ...);
/* The first column of the first row: 1 found, 0 no row or NULL, -1 failed. */
int sql_number(db *d, sql which, int64_t *value, error *e, const char *types, ...);
/* Columns, read safely: "" for NULL; the caller owns the copy. */
char *sql_text(sqlite3_stmt *statement, int column);
uint32_t sql_u32(sqlite3_stmt *statement, int column);
/* The SHA-256 of a file, and after it its text, which the caller owns. */
void sql_read_file(sqlite3_stmt *row, int first, char sha256[65], char **text, size_t *length);
/* The columns of a struct, from column `first` on: the column after them. Texts are the caller's, who frees them. */
int sql_read(sqlite3_stmt *row, int first, const db_columns *columns, void *to);
void sql_free(const db_columns *columns, const void *of);
int sql_bind_columns(sqlite3_stmt *statement, int first, const db_columns *columns, const void *from);
/* What is no mutant_revealed is unknown. */
mutant_revealed sql_revealed(sqlite3_stmt *statement, int column);

/* Every call that writes stands between these two: begin opens the transaction when none is open; end keeps the
 * call's work or, when `result` is not 0, undoes that call's alone, and commits a transaction that has become old, so
 * that another process gets its turn. Calls may stand inside each other. Both return 0 or -1; end returns `result` if
 * that is not 0. */
int db_begin_write(db *d, error *e);
int db_end_write(db *d, int result, error *e);
/* A statement that gives no rows between these two. */
int sql_write(db *d, sql which, error *e, const char *types, ...);
/* All reads between these two see one state. Commits what is pending. */
int db_begin_read(db *d, error *e);
void db_end_read(db *d);

enum { PROCESS_NAME = 128 };
/* How the database names a process of this machine. */
void db_process_name(pid_t process, char out[PROCESS_NAME]);
/* Reads a stored program back; `ids` as db_add_program gives them. Release both. */
int db_read_program(db *d, int64_t program, model *m, db_program *ids, error *e);

/* Stores where the files of a program are written, in place of what was known. Inside a call that writes. */
int db_put_homes(db *d, int64_t program, const model *m, error *e);
/* Reads that back into a model that has the program's files. */
int db_read_homes(db *d, int64_t program, model *m, error *e);

/* Removes a proof and all that belongs to it; inside a call that writes. */
int db_drop_proof(db *d, int64_t proof, error *e);

/* The names of the kinds of a proof's parts, by kind. */
extern const char *const proof_part_names[PROOF_PART_KINDS];
/* The kind of a name, PROOF_PART_KINDS for what is none. */
unsigned db_proof_part_kind(const char *name);
/* CONFIRMED_UNKNOWN for what is no name of one. */
finding_confirmed db_finding_confirmed(const char *name);

/* The status of a name, MUTANT_PENDING for what is none. */
mutant_status db_mutant_status(const char *name);

/* A list of row ids. */
typedef struct id_list {
  int64_t *ids;
  size_t count, capacity;
} id_list;
/* Appends the first column of every row of a statement with one integer parameter. */
int db_read_ids(db *d, sql which, int64_t key, id_list *list, error *e);

/* The schema of the results database and its migrations (docs/database.md). */

/* PRAGMA application_id: "CLTC". PRAGMA user_version: the version of the schema. */
#define SCHEMA_APPLICATION 0x434c5443
#define SCHEMA_VERSION 1

/* One step, from a version to the next: SQL statements ended by NULL. */
typedef const char *const *migration;

/* [n] leads from version n to n + 1; version 0 is an empty database. */
extern const migration schema_migrations[SCHEMA_VERSION];

/* Brings a database to version `target` by the steps it lacks, all in one transaction. The version is looked up inside
 * the transaction, so that two processes may try at once. Returns an SQLite result code; on failure nothing changed. */
int schema_migrate(sqlite3 *handle, const migration *steps, int target);

/* PRAGMA application_id, PRAGMA user_version and the number of objects in the database. An SQLite result code. */
int schema_probe(sqlite3 *handle, int *application, int *version, int *objects);

/* Parts of a view as they are put together: test cases and order (view.c), models laid over each other and evidence
 * (view_build.c), proofs and findings (view_finding.c), mutants and schedules (view_experiments.c), homes. */

/* How often something was covered: by how many test cases, told apart by the last one that did (they come in order). */
typedef struct counter {
  uint32_t tests;
  uint32_t last;  /* number of that test case, from 1 */
  uint32_t first; /* index of the first one */
  uint64_t cases; /* of the first 64 a bit each: whether it did */
  bool listed;    /* for a kernel: one of its programs has this outcome */
} counter;

/* A line's: with which test cases these were, a set of the view plus 1; 0: none. */
typedef struct line_counter {
  counter count;
  uint32_t set;
} line_counter;

/* A program, and where its parts went in the view. */
typedef struct build_program {
  model m; /* moved to its homes: files after the first `own_files` are homes of those before */
  size_t own_files;
  struct home_index *homes; /* of each own file */
  uint32_t *first_home;     /* of each own file: its first home among the files of the model */
  db_program ids;
  uint32_t *files, *functions, *sites, *lines, *kernels; /* index in the model to index in the view */
  uint32_t *first;      /* of each site, and one more: its outcomes' place in the two arrays below */
  uint32_t *positions;  /* place among the outcomes of the site in the view */
  uint32_t *first_line; /* of each outcome, and one more: place in `lines_of` */
  uint32_t *lines_of;   /* lines (of the model) that the outcome executes */
} build_program;

/* A kernel of the view: what its functions hold, as indices in the view, and how its own launches covered that. */
typedef struct build_kernel {
  uint32_t *functions, *sites, *lines;
  size_t function_count, function_capacity, site_count, site_capacity, line_count, line_capacity;
  size_t *first; /* of each site: its outcomes' place in `outcomes` */
  counter *outcomes, *line_counters;
  counter launched;
  int64_t execution;                /* whose launches are being counted */
  uint32_t test_case;               /* and its test case, as build has it */
  uint64_t launches, most_launches; /* of that execution; the most of an execution of that test case */
} build_kernel;

/* A kernel of a program: where its program's sites and lines are in the kernel of the view; MODEL_NONE: not reached. */
typedef struct build_launcher {
  int64_t id;
  size_t program;
  uint32_t kernel;
  uint32_t *sites, *lines;
} build_launcher;

/* A test case of a run, and what it is in the view. `run` is the place of its run among those of the view: the higher,
 * the newer. */
typedef struct build_test_case {
  int64_t id;
  size_t run;
  uint32_t index;
} build_test_case;

/* A finding of the view: its row, and what tells its places from others'. */
typedef struct build_finding {
  int64_t id;
  char *places;
  bool meant; /* the schedule that shows it is of a kernel that says that its order dependence is meant */
} build_finding;

/* A proof of the view, and its row. */
typedef struct build_proof {
  int64_t id;
  db_proof item;
} build_proof;
/* Where a place of an own file of a program is in the view. The parts that are written nowhere known stay. */
typedef struct build_place {
  uint32_t file, line, column, offset, end_line, end_column, end_offset; /* `file` of the view */
} build_place;
void build_place_mutant(const build_program *p, build_place *place);
/* Moves a program's functions, sites and lines to where its files are written; before it is laid over the view. */
void build_move_home(build_program *p);
void build_free_homes(build_program *p);
void view_free_proofs(view *v);
void view_free_repairs(view *v);
void view_free_finding(db_finding *f);
/* The site (of the model) of a row id; MODEL_NONE: it is another program's. */
uint32_t build_find_site(const build_program *p, int64_t id);
/* The place of an outcome among those of its site, MODEL_NONE when the site does not list it. */
uint32_t build_find_outcome(const model_site *s, uint32_t number);
/* Launches, by the new places of sites and kernels; outcomes have theirs already. */
void view_sort_launches(view *v, const uint32_t *sites, const uint32_t *kernels);
void view_free_launches(view *v);
/* Brings items into the order of `compare`, of equal ones that first which was first, and gives where each went; to be
 * freed. */
uint32_t *view_reorder(void *items, size_t count, size_t size, int (*compare)(const void *, const void *));

typedef struct index_key {
  uint32_t part[4];
} index_key;
typedef struct index_entry {
  index_key key;
  uint32_t value; /* plus 1; 0: free */
} index_entry;

/* `{0}` is empty. */
typedef struct index_map {
  index_entry *entries;
  size_t count, capacity;
} index_map;

typedef struct build {
  db *d;
  view *v;
  build_test_case *test_cases; /* in order of `index` */
  size_t test_case_count, test_case_capacity;
  char *run_list, *test_list; /* as JSON (statements.h) */
  build_program *programs;
  size_t program_count;
  build_kernel *kernels;
  size_t kernel_capacity;
  build_launcher *launchers; /* by ascending id */
  size_t launcher_count, launcher_capacity;
  size_t file_capacity, function_capacity, site_capacity, line_capacity, finding_capacity, skipped_capacity,
      refused_capacity, repair_capacity;
  build_proof *proofs; /* in the order of the view's */
  size_t proof_count, proof_capacity;
  build_finding *findings; /* in the order of the view's */
  size_t kept_capacity;
  index_map functions, sites, lines, kernel_of, kernel_parts;
  size_t *first; /* of each site of the view: its outcomes' place in `outcomes` */
  counter *outcomes;
  line_counter *line_counters;
  index_map sets; /* from a set and a test case to the set with it */
  size_t set_capacity;
  uint32_t test_case; /* number of the test case being counted, from 1 */
} build;

/* Lays the next program over the view; b->programs[i].m and ids are filled in. */
void build_add_program(build *b, size_t i);
/* Gives every row of a statement, for each of some keys, to `add`. */
int build_read_rows(build *b, sql which, const id_list *keys, void (*add)(build *, sqlite3_stmt *), error *e);
/* The same of a statement of the view's runs, as JSON. */
int build_read_list(build *b, sql which, void (*add)(build *, sqlite3_stmt *), error *e);
/* A row of SQL_VIEW_REPAIRS. */
void build_add_repair(build *b, sqlite3_stmt *row);
/* The file of the view with this SHA-256, MODEL_NONE: it has none. */
uint32_t build_file_of(const build *b, const char *sha256);
/* The proofs of some runs; after the last program. */
int build_proofs(build *b, const id_list *runs, error *e);
/* The findings of some test cases, and those of their runs alone; after the proofs. */
int build_findings(build *b, const id_list *test_cases, const id_list *runs, error *e);

/* Moves a line of the file with this SHA-256, of which `file` is the one in the view. */
void build_place_line(const build *b, const char *sha256, uint32_t *file, uint32_t *line);
/* The same for a line and column (in bytes). */
void build_place_point(const build *b, const char *sha256, uint32_t *file, uint32_t *line, uint32_t *column);
/* Files of which all is written elsewhere leave the view; after everything refers to what it is about. */
void build_drop_files(build *b);
/* Makes room for counting; after the last program. */
void build_start_counting(build *b);
/* Counts the evidence of a test case; they come in order. */
int build_count_test_case(build *b, const build_test_case *test_case, error *e);
/* The kernel of a row id; NULL: of none of the programs. */
build_launcher *build_find_launcher(const build *b, int64_t id);
/* Moves the counts into the view and fills in its kernels. */
void build_finish(build *b);
void build_free(build *b);

/* The mutants of the runs with their verdicts, and unstable outputs; after the last program. */
int build_mutants(build *b, error *e);

/* The launches of some runs with their schedules; after build_finish. */
int build_launches(build *b, error *e);

/* The value of a key; when it has none yet, `value` becomes it. */
uint32_t index_find_or_add(index_map *map, index_key key, uint32_t value);
void index_free(index_map *map);

#endif
