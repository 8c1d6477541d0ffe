/* The proofs of a view: of several runs the newest says what is known of a kernel and its options. */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "db/view_build.h"

/* --- release --------------------------------------------------------------------------------------------------- */

static void free_proof(db_proof *p) {
  for (size_t kind = 0; kind < PROOF_PART_KINDS; kind++) {
    for (size_t i = 0; i < p->parts[kind].count; i++) {
      sql_free(&db_proof_part_columns, &p->parts[kind].list[i]);
    }
    free((void *)p->parts[kind].list);
  }
  free(p->options);
  sql_free(&db_proof_columns, p);
}

void view_free_proofs(view *v) {
  for (size_t i = 0; i < v->proof_count; i++) {
    free_proof(&v->proofs[i]);
  }
  free(v->proofs);
}

/* --- which proofs ---------------------------------------------------------------------------------------------- */

static int compare_names(const db_proof *x, const db_proof *y) {
  if (x->file != y->file) {
    return x->file > y->file ? 1 : -1;
  }
  if (x->line != y->line) {
    return x->line > y->line ? 1 : -1;
  }
  const int by_name = strcmp(x->name, y->name);
  return by_name != 0 ? by_name : strcmp(x->options, y->options);
}

/* The rows stay beside: build_proof_of looks them up. */
static int compare_proofs(const void *a, const void *b) {
  const build_proof *x = a;
  const build_proof *y = b;
  const int by_names = compare_names(&x->item, &y->item);
  return by_names != 0 ? by_names : (x->id > y->id) - (x->id < y->id);
}

static void add_proof(build *b, sqlite3_stmt *row) {
  const build_launcher *launcher = build_find_launcher(b, sqlite3_column_int64(row, 4));
  char *sha256 = sql_text(row, 5);
  db_proof p = {.run = sqlite3_column_int64(row, 1),
                .options = sql_text(row, 2),
                .kernel = launcher == NULL ? MODEL_NONE : launcher->kernel,
                .file = build_file_of(b, sha256)};
  (void)sql_read(row, 8, &db_proof_columns, &p);
  build_place_line(b, sha256, &p.file, &p.line);
  p.line = p.file == MODEL_NONE ? 0 : p.line;
  free(sha256);
  size_t kept = 0;
  for (size_t i = 0; i < b->proof_count; i++) { /* what an older run says of the same */
    if (b->proofs[i].item.run != p.run && compare_names(&b->proofs[i].item, &p) == 0) {
      free_proof(&b->proofs[i].item);
    } else {
      b->proofs[kept++] = b->proofs[i];
    }
  }
  b->proof_count = kept;
  *ARRAY_ADD(b->proofs, b->proof_count, b->proof_capacity) = (build_proof){sqlite3_column_int64(row, 0), p};
}

/* --- what they rest on ----------------------------------------------------------------------------------------- */

static int add_parts(build *b, build_proof *proof, error *e) {
  db_proof_part *lists[PROOF_PART_KINDS] = {NULL};
  size_t capacity[PROOF_PART_KINDS] = {0};
  int step = 0;
  sqlite3_stmt *row = sql_rows(b->d, SQL_PROOF_PARTS, &step, e, "i", proof->id);
  for (; step == 1; step = sql_step(b->d, row, e)) {
    char *kind_name = sql_text(row, 1);
    char *sha256 = sql_text(row, 2);
    const unsigned kind = db_proof_part_kind(kind_name);
    db_proof_part part = {.file = build_file_of(b, sha256)};
    (void)sql_read(row, 3, &db_proof_part_columns, &part);
    build_place_point(b, sha256, &part.file, &part.line, &part.column);
    const bool lost = kind == PROOF_BARRIER && part.file == MODEL_NONE;
    if (kind < PROOF_PART_KINDS && !lost) {
      db_proof_parts *to = &proof->item.parts[kind];
      *ARRAY_ADD(lists[kind], to->count, capacity[kind]) = part;
      to->list = lists[kind];
    } else {
      sql_free(&db_proof_part_columns, &part);
    }
    free(kind_name);
    free(sha256);
  }
  return step;
}

int build_proofs(build *b, const id_list *runs, error *e) {
  view *v = b->v;
  int result = build_read_rows(b, SQL_PROOFS, runs, add_proof, e);
  if (b->proof_count > 1) {
    qsort(b->proofs, b->proof_count, sizeof *b->proofs, compare_proofs);
  }
  for (size_t i = 0; result == 0 && i < b->proof_count; i++) {
    result = add_parts(b, &b->proofs[i], e);
  }
  v->proofs = mem_calloc(b->proof_count, sizeof *v->proofs);
  v->proof_count = b->proof_count;
  for (size_t i = 0; i < b->proof_count; i++) {
    v->proofs[i] = b->proofs[i].item;
  }
  return result;
}

uint32_t build_proof_of(const build *b, int64_t id) {
  for (size_t i = 0; i < b->proof_count; i++) {
    if (b->proofs[i].id == id) {
      return (uint32_t)i;
    }
  }
  return MODEL_NONE;
}
