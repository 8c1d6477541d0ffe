/* What the files of db/ share: the handle, the statements, and how one is run. */
#ifndef CLTC_DB_INTERNAL_H
#define CLTC_DB_INTERNAL_H

#include <sqlite3.h>
#include <sys/types.h>

#include "db/columns.h"
#include "db/db.h"

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
  int64_t patience;                    /* how old it may become before the end of a call commits it */
  int depth;                           /* calls that write inside each other */
  sqlite3_stmt *statements[SQL_COUNT]; /* prepared at first use */
};

/* Sets `e` from the last failure on the handle: a sentence that names the file. Returns -1. */
int db_failed(const db *d, error *e);

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

#endif
