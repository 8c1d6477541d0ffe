/* What the files of db/ share: the handle, the statements, and how one is run. */
#ifndef CLTC_DB_INTERNAL_H
#define CLTC_DB_INTERNAL_H

#include <sqlite3.h>
#include <sys/types.h>

#include "db/columns.h"
#include "db/db.h"

/* Every statement of the API; the texts are in statements.c. */
typedef enum sql {
  SQL_BEGIN_READ,
  SQL_BEGIN_WRITE,
  SQL_COMMIT,
  SQL_ROLLBACK,
  SQL_CALL_BEGIN,
  SQL_CALL_END,
  SQL_CALL_UNDO,
  SQL_ADD_RUN,
  SQL_SET_PROCESS,
  SQL_SET_REVISION,
  SQL_END_RUN,
  SQL_ADD_TEST_CASE,
  SQL_SET_WORD,
  SQL_END_TEST_CASE,
  SQL_DROP_TEST_CASE,
  SQL_FIND_FILE,
  SQL_ADD_FILE,
  SQL_FIND_PROGRAM,
  SQL_ADD_PROGRAM,
  SQL_ADD_PROGRAM_FILE,
  SQL_RENAME_PROGRAM_FILE,
  SQL_DROP_HOME_SPANS,
  SQL_DROP_HOMES,
  SQL_ADD_HOME,
  SQL_ADD_HOME_SPAN,
  SQL_PROGRAM_HOMES,
  SQL_HOME_SPANS,
  SQL_LAST_FUNCTION,
  SQL_LAST_SITE,
  SQL_LAST_LINE,
  SQL_LAST_KERNEL,
  SQL_ADD_FUNCTION,
  SQL_ADD_SITE,
  SQL_ADD_OUTCOME,
  SQL_ADD_LINE,
  SQL_ADD_LINE_TERM,
  SQL_ADD_KERNEL,
  SQL_ADD_KERNEL_FUNCTION,
  SQL_ADD_KERNEL_SITE,
  SQL_ADD_RUN_PROGRAM,
  SQL_DROP_RUN_PROGRAM,
  SQL_ADD_LAUNCHES,
  SQL_ADD_EVIDENCE,
  SQL_ADD_FINDING,
  SQL_ADD_FINDING_PLACE,
  SQL_ADD_FINDING_WITNESS,
  SQL_ADD_FINDING_COMMAND,
  SQL_ADD_FINDING_INLINED,
  SQL_ADD_FINDING_STEP,
  SQL_PLACE_FILE,
  SQL_ADD_SKIPPED,
  SQL_ADD_REFUSED,
  SQL_MERGE_REFUSED,
  SQL_PROGRAM_FILE_IDS,
  SQL_PROGRAM_FUNCTION_IDS,
  SQL_FIND_MUTANT,
  SQL_ADD_MUTANT,
  SQL_ADD_MUTANT_KERNEL,
  SQL_SET_MUTANT,
  SQL_SET_MUTANT_CODE,
  SQL_HAND_OVER_STATUS,
  SQL_HAND_OVER_VERDICTS,
  SQL_GET_MUTANT,
  SQL_PUT_VERDICT,
  SQL_KEEP_VERDICT,
  SQL_KEEP_REVEALED,
  SQL_KNOWN_REVEALED,
  SQL_KNOWN_VERDICT,
  SQL_GET_CODE,
  SQL_PUT_CODE,
  SQL_ALL_CODES,
  SQL_ADD_UNSTABLE,
  SQL_PUT_LAUNCH,
  SQL_FIND_LAUNCH,
  SQL_PUT_SCHEDULE,
  SQL_FIND_SCHEDULE,
  SQL_SCHEDULE_FILE,
  SQL_PUT_EXPLANATION,
  SQL_DROP_EXPLAINED,
  SQL_ADD_EXPLAINED,
  SQL_EXPLAINED_FILE,
  SQL_ADD_REACHED,
  SQL_GET_REPLAY,
  SQL_GET_FINDING,
  SQL_FINDING_TEST,
  SQL_SEEN_AGAIN,
  SQL_SET_SETTINGS,
  SQL_FIND_UNFINISHED,
  SQL_FIND_TEST_CASE,
  SQL_GET_FACT,
  SQL_FACTS_OF,
  SQL_PUT_FACT,
  SQL_ALL_FACTS,
  SQL_LIST_RUNS,
  SQL_RUNS_BY_AGE,
  SQL_SHARE_FILES,
  SQL_FILES_DIFFER,
  SQL_GET_RUN,
  SQL_RUN_BY_UUID,
  SQL_COPY_RUN,
  SQL_RUN_PROGRESS,
  SQL_UPDATE_RUN,
  SQL_TEST_CASES,
  SQL_COPY_TEST_CASE,
  SQL_UPDATE_TEST_CASE,
  SQL_PROGRAM_IDENTITY,
  SQL_PROGRAM_NAMES,
  SQL_FUNCTION_RANGE,
  SQL_SITE_RANGE,
  SQL_KERNEL_RANGE,
  SQL_MUTANTS_OF_RUN,
  SQL_MUTANT_KERNELS,
  SQL_GET_RUN_MUTANT,
  SQL_DROP_VERDICTS,
  SQL_MERGE_VERDICT,
  SQL_MERGE_LAUNCHES,
  SQL_MERGE_UNSTABLE,
  SQL_RUN_PROGRAMS,
  SQL_PROGRAM_OPTIONS,
  SQL_PROGRAM_FILES,
  SQL_PROGRAM_FUNCTIONS,
  SQL_PROGRAM_SITES,
  SQL_PROGRAM_OUTCOMES,
  SQL_PROGRAM_LINES,
  SQL_PROGRAM_LINE_TERMS,
  SQL_PROGRAM_KERNELS,
  SQL_PROGRAM_KERNEL_FUNCTIONS,
  SQL_PROGRAM_KERNEL_SITES,
  SQL_LAUNCHES,
  SQL_EVIDENCE,
  SQL_FINDINGS,
  SQL_RUN_FINDINGS,
  SQL_FINDING_PLACES,
  SQL_FINDING_WITNESS,
  SQL_FINDING_COMMANDS,
  SQL_FINDING_INLINED,
  SQL_FINDING_STEPS,
  SQL_SKIPPED,
  SQL_REFUSED,
  SQL_PROGRAM_MUTANTS,
  SQL_PROGRAM_MUTANT_KERNELS,
  SQL_RUN_MUTANTS,
  SQL_VERDICTS,
  SQL_UNSTABLE,
  SQL_NTH_LAUNCHES,
  SQL_SCHEDULES,
  SQL_EXPLANATION,
  SQL_EXPLAINED,
  SQL_RUN_EXPLANATIONS,
  SQL_REACHED,
  SQL_FIND_RUN_PROOF,
  SQL_DROP_PROOF_PLACES,
  SQL_DROP_PROOF_INLINED,
  SQL_DROP_PROOF_WITNESS,
  SQL_DROP_PROOF_STEPS,
  SQL_DROP_PROOF_FINDINGS,
  SQL_DROP_PROOF_PARTS,
  SQL_DROP_PROOF,
  SQL_ADD_PROOF,
  SQL_ADD_PROOF_PART,
  SQL_KNOWN_PROOF,
  SQL_FIND_COVER,
  SQL_PROOFS,
  SQL_PROOF_PARTS,
  SQL_ADD_REPAIR,
  SQL_REPAIRS,
  SQL_COUNT
} sql;

extern const char *const sql_texts[SQL_COUNT];

struct db {
  sqlite3 *handle;
  char *path; /* as given, for sentences */
  bool writable;
  bool in_transaction;                 /* a write transaction is open */
  int64_t began;                       /* when, in milliseconds */
  int64_t patience;                    /* how old it may become before the end of a call commits it */
  int depth;                           /* calls that write inside each other */
  sqlite3_stmt *statements[SQL_COUNT]; /* prepared at first use */
};

/* Sets `e` from the last failure on the handle: a sentence that names the file. Returns -1. */
int db_failed(const db *d, error *e);
/* The same for a result code, before there is a `db`. `handle` may be NULL. */
int db_failed_at(const char *path, sqlite3 *handle, int rc, error *e);

/* A statement, reset, with its parameters bound by `types`, one letter each: i int64_t, u uint32_t, r int64_t where 0
 * is NULL, d double, t const char * (NULL is ""), n const char * (NULL is NULL), b const void * and size_t, c the
 * columns of a struct: const db_columns * and const void *. NULL with `e` set on failure. Bound text must live until the
 * statement is done. */
sqlite3_stmt *sql_bind(db *d, sql which, error *e, const char *types, ...);
/* 1: a row, 0: done and reset, -1: failed and reset. Whoever stops before 0 resets the statement. */
int sql_step(db *d, sqlite3_stmt *statement, error *e);
/* Both: the statement at its first row; `*step` is what sql_step gave. */
sqlite3_stmt *sql_rows(db *d, sql which, int *step, error *e, const char *types, ...);
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
/* VERDICT_COLUMNS from this one on, and `revealed`. */
mutant_verdict sql_verdict(sqlite3_stmt *statement, int first);

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
/* Does the process of that name live, on this machine? */
bool db_process_lives(const char *name);

/* Do all places and outcomes lie where a program can have them? What refers to other parts has been looked up already.
 */
bool db_program_fits(const model *m);
/* Reads a stored program back; `ids` as db_add_program gives them. Release both. */
int db_read_program(db *d, int64_t program, model *m, db_program *ids, error *e);

/* Stores where the files of a program are written, in place of what was known. Inside a call that writes. */
int db_put_homes(db *d, int64_t program, const model *m, error *e);
/* Reads that back into a model that has the program's files. */
int db_read_homes(db *d, int64_t program, model *m, error *e);

/* An explanation with the row id of its file (0: none), inside a call that writes;
 * x->file_name is not looked at. */
int db_write_explanation(db *d, int64_t schedule, const db_explanation *x, int64_t file, error *e);

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

#endif
