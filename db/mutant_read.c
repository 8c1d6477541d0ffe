/* Reading the mutants of a stored program back. */
#include <stdlib.h>

#include "base/memory.h"
#include "db/internal.h"

/* What is read, and the row ids of the program's parts. */
typedef struct reading {
  db *d;
  const db_program *program;
  const model *m;
  id_list files, functions, ids;
  db_mutant *mutants;
  size_t count, capacity;
} reading;

static uint32_t index_of(const int64_t *ids, size_t count, int64_t id) {
  const uint64_t behind = count > 0 ? (uint64_t)id - (uint64_t)ids[0] : 0;
  if (behind < count && ids[behind] == id) {
    return (uint32_t)behind;
  }
  for (size_t i = 0; i < count; i++) {
    if (ids[i] == id) {
      return (uint32_t)i;
    }
  }
  return MODEL_NONE;
}

static int damaged(const reading *r, error *e) {
  return error_set(e, EXIT_USAGE,
                   "%s is damaged (a mutant of program %lld refers to what is not there); delete it or name another "
                   "database with --db FILE",
                   r->d->path, (long long)r->program->id);
}

/* One row of SQL_PROGRAM_MUTANTS. */
static int mutant_row(reading *r, sqlite3_stmt *row, error *e) {
  *ARRAY_ADD(r->ids.ids, r->ids.count, r->ids.capacity) = sqlite3_column_int64(row, 0);
  db_mutant *m = ARRAY_ADD(r->mutants, r->count, r->capacity);
  *m = (db_mutant){
      .file = index_of(r->files.ids, r->files.count, sqlite3_column_int64(row, 1)),
      .function = index_of(r->functions.ids, r->functions.count, sqlite3_column_int64(row, 2)),
      .description = sqlite3_column_type(row, 3) == SQLITE_NULL ? NULL : sql_text(row, 3),
  };
  (void)sql_read(row, 4, &db_mutant_columns, m);
  return m->file == MODEL_NONE ? damaged(r, e) : 0;
}

/* One row of SQL_PROGRAM_MUTANT_KERNELS; they come in the order of the mutants. `at` is the mutant of the last one. */
static int kernel_row(reading *r, sqlite3_stmt *row, size_t *at, error *e) {
  int64_t mutant = sqlite3_column_int64(row, 0);
  while (*at < r->ids.count && r->ids.ids[*at] < mutant) {
    ++*at;
  }
  uint32_t kernel = index_of(r->program->kernels, r->m->kernel_count, sqlite3_column_int64(row, 1));
  if (*at == r->ids.count || r->ids.ids[*at] != mutant || kernel == MODEL_NONE) {
    return damaged(r, e);
  }
  db_mutant *m = &r->mutants[*at];
  uint32_t *kernels = mem_realloc((uint32_t *)m->kernels, (m->kernel_count + 1) * sizeof *kernels);
  kernels[m->kernel_count++] = kernel;
  m->kernels = kernels;
  return 0;
}

static int read_kernels(reading *r, error *e) {
  size_t at = 0;
  int step = 0;
  sqlite3_stmt *row = sql_rows(r->d, SQL_PROGRAM_MUTANT_KERNELS, &step, e, "i", r->program->id);
  for (; step == 1; step = sql_step(r->d, row, e)) {
    if (kernel_row(r, row, &at, e) != 0) {
      (void)sqlite3_reset(row);
      return -1;
    }
  }
  return step;
}

static int read_all(reading *r, error *e) {
  if (db_read_ids(r->d, SQL_PROGRAM_FILE_IDS, r->program->id, &r->files, e) != 0 ||
      db_read_ids(r->d, SQL_PROGRAM_FUNCTION_IDS, r->program->id, &r->functions, e) != 0) {
    return -1;
  }
  int step = 0;
  sqlite3_stmt *row = sql_rows(r->d, SQL_PROGRAM_MUTANTS, &step, e, "i", r->program->id);
  for (; step == 1; step = sql_step(r->d, row, e)) {
    if (mutant_row(r, row, e) != 0) {
      (void)sqlite3_reset(row);
      return -1;
    }
  }
  return step == 0 ? read_kernels(r, e) : step;
}

int db_read_mutants(db *d, const db_program *p, const model *m, db_mutant **mutants, int64_t **ids, size_t *count,
                    error *e) {
  reading r = {.d = d, .program = p, .m = m};
  int result = read_all(&r, e);
  free(r.files.ids);
  free(r.functions.ids);
  *mutants = r.mutants;
  *ids = r.ids.ids;
  *count = r.count;
  return result;
}

void db_free_mutants(db_mutant *mutants, size_t count) {
  for (size_t i = 0; i < count; i++) {
    sql_free(&db_mutant_columns, &mutants[i]);
    free((char *)mutants[i].description);
    free((uint32_t *)mutants[i].kernels);
  }
  free(mutants);
}
