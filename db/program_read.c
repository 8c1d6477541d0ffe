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
  sql_read_file(row, 1, f->sha256, &f->text, &f->length);
  (void)sql_read(row, 3, &model_file_columns, f);
  return true;
}

static bool function_row(reading *r, sqlite3_stmt *row) {
  model_function *f = ARRAY_ADD(r->m->functions, r->m->function_count, r->m->function_capacity);
  remember(&r->functions, row);
  f->file = index_at(&r->files, row, 1);
  f->site = MODEL_NONE; /* known once sites are: function_site_row */
  (void)sql_read(row, 3, &model_function_columns, f);
  return f->file != MODEL_NONE;
}

static bool site_row(reading *r, sqlite3_stmt *row) {
  model_site *s = ARRAY_ADD(r->m->sites, r->m->site_count, r->m->site_capacity);
  remember(&r->sites, row);
  const unsigned char *kind = sqlite3_column_text(row, 1);
  int known = kind == NULL ? -1 : site_kind_from_name((const char *)kind);
  s->kind = known < 0 ? SITE_REGION : (site_kind)known;
  s->file = index_at(&r->files, row, 2);
  s->function = index_at(&r->functions, row, 3);
  (void)sql_read(row, 4, &model_site_columns, s);
  return s->file != MODEL_NONE && known >= 0;
}

static bool function_site_row(reading *r, sqlite3_stmt *row) {
  uint32_t function = index_at(&r->functions, row, 0);
  r->m->functions[function].site = index_at(&r->sites, row, 2);
  return true;
}

static bool outcome_row(reading *r, sqlite3_stmt *row) {
  uint32_t site = index_at(&r->sites, row, 0);
  if (site == MODEL_NONE) {
    return false;
  }
  model_site *s = &r->m->sites[site];
  s->outcomes = mem_realloc(s->outcomes, (s->outcome_count + 1) * sizeof *s->outcomes);
  model_outcome *o = &s->outcomes[s->outcome_count++];
  *o = (model_outcome){0};
  (void)sql_read(row, 1, &model_outcome_columns, o);
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
  int step = 0;
  sqlite3_stmt *statement = sql_rows(r->d, which, &step, e, "i", r->program);
  for (; step == 1; step = sql_step(r->d, statement, e)) {
    if (!row(r, statement)) {
      (void)sqlite3_reset(statement);
      return does_not_fit(r, e);
    }
  }
  return step;
}

static int read_options(reading *r, error *e) {
  int step = 0;
  sqlite3_stmt *statement = sql_rows(r->d, SQL_PROGRAM_OPTIONS, &step, e, "i", r->program);
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
  if (result == 0) {
    result = db_read_homes(d, program, m, e);
  }
  *ids = (db_program){.id = program, .kernels = r.kernels.ids, .sites = r.sites.ids};
  free(r.files.ids);
  free(r.functions.ids);
  free(r.lines.ids);
  return result;
}
