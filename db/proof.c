/* Writing proofs of kernels with what they rest on, and finding them again by their keys. */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "db/internal.h"

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
  while (kind < PROOF_PART_KINDS && strcmp(proof_part_names[kind], name) != 0) {
    kind++;
  }
  return kind;
}

int db_drop_proof(db *d, int64_t proof, error *e) {
  static const sql steps[] = {
      SQL_DROP_PROOF_PLACES,   SQL_DROP_PROOF_INLINED, SQL_DROP_PROOF_WITNESS, SQL_DROP_PROOF_STEPS,
      SQL_DROP_PROOF_FINDINGS, SQL_DROP_PROOF_PARTS,   SQL_DROP_PROOF,
  };
  int result = 0;
  for (size_t i = 0; result == 0 && i < sizeof steps / sizeof steps[0]; i++) {
    result = sql_run(d, steps[i], e, "i", proof);
  }
  return result;
}

/* The row of a file of the proof's program; 0 for MODEL_NONE. */
static int find_file(db *d, int64_t program, uint32_t file, int64_t *row, error *e) {
  *row = 0;
  if (file == MODEL_NONE) {
    return 0;
  }
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
static int put(db *d, int64_t program, int64_t kernel, const db_proof *p, int64_t *row, error *e) {
  int64_t known = 0;
  int64_t file = 0;
  int found = sql_number(d, SQL_FIND_RUN_PROOF, &known, e, "iit", p->run, program, p->name);
  const bool has_key = p->key != NULL && p->key[0] != '\0';
  if (found < 0 || (found == 1 && db_drop_proof(d, known, e) != 0) || find_file(d, program, p->file, &file, e) != 0 ||
      sql_run(d, SQL_ADD_PROOF, e, "iirrnnc", p->run, program, kernel, file, has_key ? p->key : NULL, p->answer,
              &db_proof_columns, p) != 0) {
    return -1;
  }
  *row = sqlite3_last_insert_rowid(d->handle);
  writing w = {.d = d, .program = program, .row = *row};
  int result = 0;
  for (unsigned kind = 0; result == 0 && kind < PROOF_PART_KINDS; kind++) {
    result = put_parts(&w, (proof_part_kind)kind, &p->parts[kind], e);
  }
  return result;
}

int db_add_proof(db *d, int64_t program, int64_t kernel, const db_proof *proof, int64_t *row, error *e) {
  *row = 0;
  if (db_begin_write(d, e) != 0) {
    return -1;
  }
  return db_end_write(d, put(d, program, kernel, proof, row, e), e);
}

int db_find_proof(db *d, const char *key, char **answer, error *e) {
  *answer = NULL;
  int step = 0;
  sqlite3_stmt *row = sql_rows(d, SQL_KNOWN_PROOF, &step, e, "t", key);
  if (step == 1) {
    *answer = sql_text(row, 0);
    (void)sqlite3_reset(row);
  }
  return step < 0 ? -1 : 0;
}

int db_find_cover(db *d, const char *cover, int64_t *proof, error *e) {
  *proof = 0;
  return sql_number(d, SQL_FIND_COVER, proof, e, "t", cover) < 0 ? -1 : 0;
}
