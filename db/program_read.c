/* Reading a stored program back into a model. */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "db/internal.h"

/* Row ids of what has been read, in index order. */
typedef struct reading {
  db *d;
  int64_t program;
  model *m;
  id_list files, functions, sites, lines, kernels;
} reading;

/* The index of an id in a list, MODEL_NONE for NULL or a stranger. Ids come in ascending order, but for files. */
static uint32_t index_of(const id_list *list, int64_t id) {
  if (list->count > 0 && id >= list->ids[0]) {
    const uint64_t behind = (uint64_t)id - (uint64_t)list->ids[0];
    if (behind < list->count && list->ids[behind] == id) {
      return (uint32_t)behind;
    }
  }
  for (size_t i = 0; i < list->count; i++) {
    if (list->ids[i] == id) {
      return (uint32_t)i;
    }
  }
  return MODEL_NONE;
}

static uint32_t index_at(const id_list *list, sqlite3_stmt *row, int column) {
  return index_of(list, sqlite3_column_int64(row, column));
}

static void remember(id_list *list, sqlite3_stmt *row) {
  *ARRAY_ADD(list->ids, list->count, list->capacity) = sqlite3_column_int64(row, 0);
}

/* --- one row each; a reference that leads nowhere makes them return false ----------------------------------- */

static bool file_row(reading *r, sqlite3_stmt *row) {
  model_file *f = ARRAY_ADD(r->m->files, r->m->file_count, r->m->file_capacity);
  remember(&r->files, row);
  f->name = sql_text(row, 1);
  char *sha256 = sql_text(row, 2);
  (void)strncpy(f->sha256, sha256, sizeof f->sha256 - 1);
  free(sha256);
  const void *text = sqlite3_column_blob(row, 3);
  f->length = text == NULL ? 0 : (size_t)sqlite3_column_bytes(row, 3);
  f->text = mem_strndup(text == NULL ? "" : text, f->length);
  f->root = sql_text(row, 4);
  return true;
}

static bool function_row(reading *r, sqlite3_stmt *row) {
  model_function *f = ARRAY_ADD(r->m->functions, r->m->function_count, r->m->function_capacity);
  remember(&r->functions, row);
  f->name = sql_text(row, 1);
  f->file = index_at(&r->files, row, 2);
  f->line = sql_u32(row, 3);
  f->end_line = sql_u32(row, 4);
  f->site = MODEL_NONE; /* known once sites are: site_row */
  f->kernel = sqlite3_column_int(row, 6) != 0;
  return f->file != MODEL_NONE;
}

static bool site_row(reading *r, sqlite3_stmt *row) {
  model_site *s = ARRAY_ADD(r->m->sites, r->m->site_count, r->m->site_capacity);
  remember(&r->sites, row);
  const unsigned char *kind = sqlite3_column_text(row, 1);
  int known = kind == NULL ? -1 : site_kind_from_name((const char *)kind);
  s->kind = known < 0 ? SITE_REGION : (site_kind)known;
  s->file = index_at(&r->files, row, 2);
  s->line = sql_u32(row, 3);
  s->column = sql_u32(row, 4);
  s->offset = sql_u32(row, 5);
  s->end_line = sql_u32(row, 6);
  s->end_column = sql_u32(row, 7);
  s->function = index_at(&r->functions, row, 8);
  return s->file != MODEL_NONE && known >= 0;
}

static bool function_site_row(reading *r, sqlite3_stmt *row) {
  uint32_t function = index_at(&r->functions, row, 0);
  r->m->functions[function].site = index_at(&r->sites, row, 5);
  return true;
}

static bool outcome_row(reading *r, sqlite3_stmt *row) {
  uint32_t site = index_at(&r->sites, row, 0);
  if (site == MODEL_NONE) {
    return false;
  }
  model_site *s = &r->m->sites[site];
  s->outcomes = mem_realloc(s->outcomes, (s->outcome_count + 1) * sizeof *s->outcomes);
  s->outcomes[s->outcome_count++] =
      (model_outcome){.index = sql_u32(row, 1), .label = sql_text(row, 2), .line = sql_u32(row, 3)};
  return true;
}

static bool line_row(reading *r, sqlite3_stmt *row) {
  model_line *l = ARRAY_ADD(r->m->lines, r->m->line_count, r->m->line_capacity);
  remember(&r->lines, row);
  l->file = index_at(&r->files, row, 1);
  l->line = sql_u32(row, 2);
  l->function = index_at(&r->functions, row, 3);
  return l->file != MODEL_NONE;
}

static bool term_row(reading *r, sqlite3_stmt *row) {
  uint32_t line = index_at(&r->lines, row, 0);
  uint32_t site = index_at(&r->sites, row, 1);
  if (line == MODEL_NONE || site == MODEL_NONE) {
    return false;
  }
  model_line *l = &r->m->lines[line];
  l->terms = mem_realloc(l->terms, (l->term_count + 1) * sizeof *l->terms);
  l->terms[l->term_count++] = (model_term){.site = site, .outcome = sql_u32(row, 2)};
  return true;
}

static bool kernel_row(reading *r, sqlite3_stmt *row) {
  model_kernel *k = ARRAY_ADD(r->m->kernels, r->m->kernel_count, r->m->kernel_capacity);
  remember(&r->kernels, row);
  k->name = sql_text(row, 1);
  k->function = index_at(&r->functions, row, 2);
  return k->function != MODEL_NONE;
}

static bool kernel_function_row(reading *r, sqlite3_stmt *row) {
  uint32_t kernel = index_at(&r->kernels, row, 0);
  uint32_t function = index_at(&r->functions, row, 1);
  if (kernel == MODEL_NONE || function == MODEL_NONE) {
    return false;
  }
  model_kernel *k = &r->m->kernels[kernel];
  k->functions = mem_realloc(k->functions, (k->function_count + 1) * sizeof *k->functions);
  k->functions[k->function_count++] = function;
  return true;
}

static bool kernel_site_row(reading *r, sqlite3_stmt *row) {
  uint32_t kernel = index_at(&r->kernels, row, 0);
  uint32_t site = index_at(&r->sites, row, 1);
  if (kernel == MODEL_NONE || site == MODEL_NONE) {
    return false;
  }
  model_kernel *k = &r->m->kernels[kernel];
  k->sites = mem_realloc(k->sites, (k->site_count + 1) * sizeof *k->sites);
  k->sites[k->site_count++] = site;
  return true;
}

static const struct {
  sql statement;
  bool (*row)(reading *r, sqlite3_stmt *row);
} parts[] = {
    {SQL_PROGRAM_FILES, file_row},
    {SQL_PROGRAM_FUNCTIONS, function_row},
    {SQL_PROGRAM_SITES, site_row},
    {SQL_PROGRAM_FUNCTIONS, function_site_row},
    {SQL_PROGRAM_OUTCOMES, outcome_row},
    {SQL_PROGRAM_LINES, line_row},
    {SQL_PROGRAM_LINE_TERMS, term_row},
    {SQL_PROGRAM_KERNELS, kernel_row},
    {SQL_PROGRAM_KERNEL_FUNCTIONS, kernel_function_row},
    {SQL_PROGRAM_KERNEL_SITES, kernel_site_row},
};

static int does_not_fit(const reading *r, error *e) {
  return error_set(e, EXIT_USAGE,
                   "%s is damaged (program %lld refers to what is not there); delete it or name another database "
                   "with --db FILE",
                   r->d->path, (long long)r->program);
}

static int read_part(reading *r, sql which, bool (*row)(reading *, sqlite3_stmt *), error *e) {
  sqlite3_stmt *statement = sql_bind(r->d, which, e, "i", r->program);
  int step = statement == NULL ? -1 : sql_step(r->d, statement, e);
  for (; step == 1; step = sql_step(r->d, statement, e)) {
    if (!row(r, statement)) {
      (void)sqlite3_reset(statement);
      return does_not_fit(r, e);
    }
  }
  return step;
}

static int read_options(reading *r, error *e) {
  sqlite3_stmt *statement = sql_bind(r->d, SQL_PROGRAM_OPTIONS, e, "i", r->program);
  int step = statement == NULL ? -1 : sql_step(r->d, statement, e);
  if (step == 1) {
    r->m->options = sql_text(statement, 0);
    (void)sqlite3_reset(statement);
    return 0;
  }
  r->m->options = mem_strdup("");
  return step;
}

int db_read_program(db *d, int64_t program, model *m, db_program *ids, error *e) {
  *m = (model){0};
  reading r = {.d = d, .program = program, .m = m};
  int result = read_options(&r, e);
  for (size_t i = 0; result == 0 && i < sizeof parts / sizeof parts[0]; i++) {
    result = read_part(&r, parts[i].statement, parts[i].row, e);
  }
  if (result == 0 && !db_program_fits(m)) {
    result = does_not_fit(&r, e);
  }
  result = result == 0 ? db_read_homes(d, program, m, e) : result;
  *ids = (db_program){.id = program, .kernels = r.kernels.ids, .sites = r.sites.ids};
  free(r.files.ids);
  free(r.functions.ids);
  free(r.lines.ids);
  return result;
}
