/* A program's model is stored once, read back and checked; homes of its files go with it. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "base/digest.h"
#include "base/memory.h"
#include "db/internal.h"

/* Homes of sources: stored with a program, newest first found wins, and read back into its model. */

static int file_id(db *d, const model_home *h, int64_t *id, error *e) {
  int found = sql_number(d, SQL_FIND_FILE, id, e, "t", h->sha256);
  if (found == 0) {
    found = sql_run(d, SQL_ADD_FILE, e, "tb", h->sha256, h->text, h->length);
    *id = sqlite3_last_insert_rowid(d->handle);
  }
  return found < 0 ? -1 : 0;
}

static int add_home(db *d, int64_t program, size_t position, const model_home *h, error *e) {
  int64_t file = 0;
  if (file_id(d, h, &file, e) != 0 ||
      sql_run(d, SQL_ADD_HOME, e, "iiic", program, (int64_t)position, file, &model_home_columns, h) != 0)
    return -1;
  int64_t home = sqlite3_last_insert_rowid(d->handle);
  for (size_t i = 0; i < h->span_count; i++)
    if (sql_run(d, SQL_ADD_HOME_SPAN, e, "ic", home, &model_span_columns, &h->spans[i]) != 0) return -1;
  return 0;
}

int db_put_homes(db *d, int64_t program, const model *m, error *e) {
  if (sql_run(d, SQL_DROP_HOME_SPANS, e, "i", program) != 0 || sql_run(d, SQL_DROP_HOMES, e, "i", program) != 0)
    return -1;
  for (size_t i = 0; i < m->file_count; i++) {
    for (size_t k = 0; k < m->files[i].home_count; k++)
      if (add_home(d, program, i, &m->files[i].homes[k], e) != 0) return -1;
  }
  return 0;
}

static int read_spans(db *d, int64_t home, mem_arena *a, model_home *h, error *e) {
  EACH_ROW(step, row, d, SQL_HOME_SPANS, e, "i", home) {
    model_span s;
    (void)sql_read(a, row, 1, &model_span_columns, &s);
    const model_span *last = h->span_count == 0 ? NULL : &h->spans[h->span_count - 1];
    bool behind = last == NULL || s.offset - last->offset >= last->length;
    if (behind && s.home_offset <= h->length && s.home_length <= h->length - s.home_offset) /* else damaged */
      *ARENA_ADD(a, h->spans, h->span_count) = s;
  }
  return step;
}

int db_read_homes(db *d, int64_t program, mem_arena *a, model *m, error *e) {
  id_list ids = {0}; /* of the homes of all files, in the order in which they are in the model */
  EACH_ROW(step, row, d, SQL_PROGRAM_HOMES, e, "i", program) {
    uint32_t position = sql_u32(row, 1);
    if (position >= m->file_count) continue;
    model_file *f = &m->files[position];
    model_home *h = ARENA_ADD(a, f->homes, f->home_count);
    sql_read_file(a, row, 2, h->sha256, &h->text, &h->length);
    (void)sql_read(a, row, 4, &model_home_columns, h);
    *ARENA_ADD(a, ids.ids, ids.count) = sqlite3_column_int64(row, 0);
  }
  size_t n = 0;
  for (size_t i = 0; i < m->file_count; i++)
    for (size_t k = 0; k < m->files[i].home_count && step == 0; k++)
      step = read_spans(d, ids.ids[n++], a, &m->files[i].homes[k], e);
  return step;
}

/* Does a program that was read fit its files? Reports count on it: they show the lines of sites, and look outcomes up
 * by their number. A database that something else has written into may say anything. */

/* Outcomes of these are known by number; ways through a decision and cases of a switch are not. */
static uint32_t most_outcome(site_kind kind) {
  switch (kind) {
    case SITE_FOR:
    case SITE_WHILE:
    case SITE_DO: return OUTCOME_BOUNDARY;
    case SITE_SWITCH:
    case SITE_DECISION: return MODEL_NONE - 1;
    default: return 1;
  }
}

static bool fits_file(const model_file *f, uint32_t line, uint32_t end_line) {
  return line <= f->length + 1 && end_line <= f->length + 1;
}

static bool fits_site(const model *m, const model_site *s) {
  const model_file *f = &m->files[s->file];
  bool fits = fits_file(f, s->line, s->end_line) && s->line > 0 && s->offset <= f->length && s->column > 0 &&
              s->column <= f->length + 1;
  for (size_t i = 0; fits && i < s->outcome_count; i++)
    fits = s->outcomes[i].index <= most_outcome(s->kind) && s->outcomes[i].line <= f->length + 1;
  return fits;
}

/* Do all places and outcomes lie where a program can have them? What refers to other parts has been looked up already.
 */
static bool db_program_fits(const model *m) {
  bool fits = true;
  for (size_t i = 0; fits && i < m->function_count; i++) {
    const model_function *f = &m->functions[i];
    fits = fits_file(&m->files[f->file], f->line, f->end_line) && f->line <= f->end_line;
  }
  for (size_t i = 0; fits && i < m->site_count; i++) fits = fits_site(m, &m->sites[i]);
  for (size_t i = 0; fits && i < m->line_count; i++) fits = fits_file(&m->files[m->lines[i].file], m->lines[i].line, 0);
  return fits;
}

/* Row ids of what has been read, in index order. */
typedef struct reading {
  db *d;
  mem_arena *a;
  int64_t program;
  model *m;
  id_list files, functions, sites, lines, kernels;
} reading;

/* The index of an id in a list, MODEL_NONE for NULL or a stranger. Ids come in ascending order, but for files. */
static uint32_t index_of(const id_list *list, int64_t id) {
  if (list->count > 0 && id >= list->ids[0]) {
    const uint64_t behind = (uint64_t)id - (uint64_t)list->ids[0];
    if (behind < list->count && list->ids[behind] == id) return (uint32_t)behind;
  }
  for (size_t i = 0; i < list->count; i++)
    if (list->ids[i] == id) return (uint32_t)i;
  return MODEL_NONE;
}

static uint32_t index_at(const id_list *list, sqlite3_stmt *row, int column) {
  return index_of(list, sqlite3_column_int64(row, column));
}

static void remember(const reading *r, id_list *list, sqlite3_stmt *row) {
  *ARENA_ADD(r->a, list->ids, list->count) = sqlite3_column_int64(row, 0);
}

/* --- one row each; a reference that leads nowhere makes them return false ----------------------------------- */

static bool file_row(reading *r, sqlite3_stmt *row) {
  model_file *f = ARENA_ADD(r->a, r->m->files, r->m->file_count);
  remember(r, &r->files, row);
  sql_read_file(r->a, row, 1, f->sha256, &f->text, &f->length);
  (void)sql_read(r->a, row, 3, &model_file_columns, f);
  return true;
}

static bool function_row(reading *r, sqlite3_stmt *row) {
  model_function *f = ARENA_ADD(r->a, r->m->functions, r->m->function_count);
  remember(r, &r->functions, row);
  f->file = index_at(&r->files, row, 1);
  f->site = MODEL_NONE; /* known once sites are: function_site_row */
  (void)sql_read(r->a, row, 3, &model_function_columns, f);
  return f->file != MODEL_NONE;
}

static bool site_row(reading *r, sqlite3_stmt *row) {
  model_site *s = ARENA_ADD(r->a, r->m->sites, r->m->site_count);
  remember(r, &r->sites, row);
  int known = site_kind_from_name(sql_peek(row, 1));
  s->kind = known < 0 ? SITE_REGION : (site_kind)known;
  s->file = index_at(&r->files, row, 2);
  s->function = index_at(&r->functions, row, 3);
  (void)sql_read(r->a, row, 4, &model_site_columns, s);
  return s->file != MODEL_NONE && known >= 0;
}

static bool function_site_row(reading *r, sqlite3_stmt *row) {
  uint32_t function = index_at(&r->functions, row, 0);
  r->m->functions[function].site = index_at(&r->sites, row, 2);
  return true;
}

static bool outcome_row(reading *r, sqlite3_stmt *row) {
  uint32_t site = index_at(&r->sites, row, 0);
  if (site == MODEL_NONE) return false;
  model_site *s = &r->m->sites[site];
  (void)sql_read(r->a, row, 1, &model_outcome_columns, ARENA_ADD(r->a, s->outcomes, s->outcome_count));
  return true;
}

static bool line_row(reading *r, sqlite3_stmt *row) {
  model_line *l = ARENA_ADD(r->a, r->m->lines, r->m->line_count);
  remember(r, &r->lines, row);
  l->file = index_at(&r->files, row, 1);
  l->line = sql_u32(row, 2);
  l->function = index_at(&r->functions, row, 3);
  return l->file != MODEL_NONE;
}

static bool term_row(reading *r, sqlite3_stmt *row) {
  uint32_t line = index_at(&r->lines, row, 0), site = index_at(&r->sites, row, 1);
  if (line == MODEL_NONE || site == MODEL_NONE) return false;
  model_line *l = &r->m->lines[line];
  *ARENA_ADD(r->a, l->terms, l->term_count) = (model_term){.site = site, .outcome = sql_u32(row, 2)};
  return true;
}

static bool kernel_row(reading *r, sqlite3_stmt *row) {
  model_kernel *k = ARENA_ADD(r->a, r->m->kernels, r->m->kernel_count);
  remember(r, &r->kernels, row);
  k->name = sql_text(r->a, row, 1);
  k->function = index_at(&r->functions, row, 2);
  return k->function != MODEL_NONE;
}

static bool kernel_function_row(reading *r, sqlite3_stmt *row) {
  uint32_t kernel = index_at(&r->kernels, row, 0), function = index_at(&r->functions, row, 1);
  if (kernel == MODEL_NONE || function == MODEL_NONE) return false;
  model_kernel *k = &r->m->kernels[kernel];
  *ARENA_ADD(r->a, k->functions, k->function_count) = function;
  return true;
}

static bool kernel_site_row(reading *r, sqlite3_stmt *row) {
  uint32_t kernel = index_at(&r->kernels, row, 0), site = index_at(&r->sites, row, 1);
  if (kernel == MODEL_NONE || site == MODEL_NONE) return false;
  model_kernel *k = &r->m->kernels[kernel];
  *ARENA_ADD(r->a, k->sites, k->site_count) = site;
  return true;
}

static bool options_row(reading *r, sqlite3_stmt *row) {
  r->m->options = sql_text(r->a, row, 0);
  return true;
}

static const struct {
  sql statement;
  bool (*row)(reading *r, sqlite3_stmt *row);
} parts[] = {
    {SQL_PROGRAM_OPTIONS, options_row},
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
  EACH_ROW(step, statement, r->d, which, e, "i", r->program) {
    if (!row(r, statement)) {
      (void)sqlite3_reset(statement);
      return does_not_fit(r, e);
    }
  }
  return step;
}

int db_read_program(db *d, int64_t program, mem_arena *a, model *m, db_program *ids, error *e) {
  *m = (model){.options = mem_arena_copy(a, "")};
  reading r = {.d = d, .a = a, .program = program, .m = m};
  int result = 0;
  for (size_t i = 0; result == 0 && i < sizeof parts / sizeof parts[0]; i++)
    result = read_part(&r, parts[i].statement, parts[i].row, e);
  if (result == 0 && !db_program_fits(m)) result = does_not_fit(&r, e);
  if (result == 0) result = db_read_homes(d, program, a, m, e);
  *ids = (db_program){.id = program, .kernels = r.kernels.ids, .sites = r.sites.ids};
  return result;
}

/* Ids of a program that is being stored: rows get ids in a block, so that they can refer to each other. */
typedef struct blocks {
  int64_t program;
  int64_t *files;
  int64_t function, site, line, kernel; /* of index 0 */
} blocks;

static uint64_t mix_text(uint64_t hash, const char *text) { return hash_more(hash, text, strlen(text) + 1); }

static uint64_t mix_numbers(uint64_t hash, const uint32_t *numbers, size_t count) {
  return hash_more(hash, numbers, count * sizeof *numbers);
}

static uint64_t mix_sites(uint64_t hash, const model *m) {
  EACH(const model_site, s, m->sites, m->site_count) {
    hash = mix_numbers(hash,
                       (uint32_t[]){(uint32_t)s->kind, s->line, s->column, s->offset, s->end_line, s->end_column,
                                    s->function, (uint32_t)s->outcome_count},
                       8);
    hash = mix_text(hash, m->files[s->file].sha256);
    for (size_t k = 0; k < s->outcome_count; k++) {
      hash = mix_numbers(hash, (uint32_t[]){s->outcomes[k].index, s->outcomes[k].line}, 2);
      hash = mix_text(hash, s->outcomes[k].label);
    }
  }
  return hash;
}

static uint64_t mix_rest(uint64_t hash, const model *m) {
  EACH(const model_function, f, m->functions, m->function_count) {
    hash = mix_text(mix_text(hash, f->name), m->files[f->file].sha256);
    hash = mix_numbers(hash, (uint32_t[]){f->line, f->end_line, f->site, f->kernel}, 4);
  }
  EACH(const model_line, l, m->lines, m->line_count) {
    hash = mix_text(hash, m->files[l->file].sha256);
    hash = mix_numbers(hash, (uint32_t[]){l->line, l->function, (uint32_t)l->term_count}, 3);
    for (size_t k = 0; k < l->term_count; k++)
      hash = mix_numbers(hash, (uint32_t[]){l->terms[k].site, l->terms[k].outcome}, 2);
  }
  EACH(const model_kernel, k, m->kernels, m->kernel_count) {
    hash = mix_text(hash, k->name);
    hash = mix_numbers(hash, (uint32_t[]){k->function, (uint32_t)k->function_count}, 2);
    hash = mix_numbers(hash, k->functions, k->function_count);
    hash = mix_numbers(hash, k->sites, k->site_count);
  }
  return hash;
}

/* --- parts -------------------------------------------------------------------------------------------------- */

static int64_t at(int64_t first, uint32_t index) { return index == MODEL_NONE ? 0 : first + (int64_t)index; }

static int add_files(db *d, const model *m, blocks *b, error *e) {
  for (size_t i = 0; i < m->file_count; i++) {
    const model_file *f = &m->files[i];
    int found = sql_number(d, SQL_FIND_FILE, &b->files[i], e, "t", f->sha256);
    if (found == 0) {
      found = sql_run(d, SQL_ADD_FILE, e, "tb", f->sha256, f->text, f->length);
      b->files[i] = sqlite3_last_insert_rowid(d->handle);
    }
    if (found < 0 ||
        sql_run(d, SQL_ADD_PROGRAM_FILE, e, "iiic", b->program, (int64_t)i, b->files[i], &model_file_columns, f) != 0)
      return -1;
  }
  return 0;
}

static int add_functions(db *d, const model *m, const blocks *b, error *e) {
  for (size_t i = 0; i < m->function_count; i++) {
    const model_function *f = &m->functions[i];
    if (sql_run(d, SQL_ADD_FUNCTION, e, "iiirc", b->function + (int64_t)i, b->program, b->files[f->file],
                at(b->site, f->site), &model_function_columns, f) != 0)
      return -1;
  }
  return 0;
}

static int add_sites(db *d, const model *m, const blocks *b, error *e) {
  for (size_t i = 0; i < m->site_count; i++) {
    const model_site *s = &m->sites[i];
    int64_t id = b->site + (int64_t)i;
    if (sql_run(d, SQL_ADD_SITE, e, "iitirc", id, b->program, site_kind_name(s->kind), b->files[s->file],
                at(b->function, s->function), &model_site_columns, s) != 0)
      return -1;
    for (size_t k = 0; k < s->outcome_count; k++)
      if (sql_run(d, SQL_ADD_OUTCOME, e, "ic", id, &model_outcome_columns, &s->outcomes[k]) != 0) return -1;
  }
  return 0;
}

static int add_lines(db *d, const model *m, const blocks *b, error *e) {
  for (size_t i = 0; i < m->line_count; i++) {
    const model_line *l = &m->lines[i];
    int64_t id = b->line + (int64_t)i;
    if (sql_run(d, SQL_ADD_LINE, e, "iiiur", id, b->program, b->files[l->file], l->line,
                at(b->function, l->function)) != 0)
      return -1;
    for (size_t k = 0; k < l->term_count; k++)
      if (sql_run(d, SQL_ADD_LINE_TERM, e, "iiiu", id, (int64_t)k, at(b->site, l->terms[k].site),
                  l->terms[k].outcome) != 0)
        return -1;
  }
  return 0;
}

static int add_kernels(db *d, const model *m, const blocks *b, error *e) {
  for (size_t i = 0; i < m->kernel_count; i++) {
    const model_kernel *kernel = &m->kernels[i];
    int64_t id = b->kernel + (int64_t)i;
    if (sql_run(d, SQL_ADD_KERNEL, e, "iiti", id, b->program, kernel->name, at(b->function, kernel->function)) != 0)
      return -1;
    for (size_t k = 0; k < kernel->function_count; k++)
      if (sql_run(d, SQL_ADD_KERNEL_FUNCTION, e, "iii", id, (int64_t)k, at(b->function, kernel->functions[k])) != 0)
        return -1;
    for (size_t k = 0; k < kernel->site_count; k++)
      if (sql_run(d, SQL_ADD_KERNEL_SITE, e, "ii", id, at(b->site, kernel->sites[k])) != 0) return -1;
  }
  return 0;
}

static int next_id(db *d, sql last, int64_t *next, error *e) {
  *next = 0;
  int found = sql_number(d, last, next, e, "");
  *next += 1;
  return found < 0 ? -1 : 0;
}

static int add_program(db *d, const char *identity, const model *m, int64_t *program, error *e) {
  if (sql_run(d, SQL_ADD_PROGRAM, e, "tt", identity, m->options) != 0) return -1;
  *program = sqlite3_last_insert_rowid(d->handle);
  blocks b = {.program = *program, .files = mem_calloc(m->file_count, sizeof *b.files)};
  const bool fails = next_id(d, SQL_LAST_FUNCTION, &b.function, e) != 0 || next_id(d, SQL_LAST_SITE, &b.site, e) != 0 ||
                     next_id(d, SQL_LAST_LINE, &b.line, e) != 0 || next_id(d, SQL_LAST_KERNEL, &b.kernel, e) != 0 ||
                     add_files(d, m, &b, e) != 0 || add_functions(d, m, &b, e) != 0 || add_sites(d, m, &b, e) != 0 ||
                     add_lines(d, m, &b, e) != 0 || add_kernels(d, m, &b, e) != 0;
  free(b.files);
  return fails ? -1 : 0;
}

/* A file that moved is known by its newest name. */
static int rename_files(db *d, int64_t program, const model *m, error *e) {
  for (size_t i = 0; i < m->file_count; i++) {
    const model_file *f = &m->files[i];
    if (sql_run(d, SQL_RENAME_PROGRAM_FILE, e, "iic", program, (int64_t)i, &model_file_columns, f) != 0) return -1;
  }
  return 0;
}

static int read_ids(db *d, const model *m, db_program *out, error *e) {
  id_list sites = {0}, kernels = {0};
  int result = db_read_ids(d, SQL_PROGRAM_SITES, out->id, &sites, e) != 0 ||
                       db_read_ids(d, SQL_PROGRAM_KERNELS, out->id, &kernels, e) != 0
                   ? -1
                   : 0;
  if (result == 0 && (sites.count != m->site_count || kernels.count != m->kernel_count)) {
    result = error_set(e, EXIT_USAGE,
                       "%s is damaged (program %lld is incomplete); delete it or name another database with --db FILE",
                       d->path, (long long)out->id);
  }
  out->sites = sites.ids;
  out->kernels = kernels.ids;
  return result;
}

/* Stores it, or finds it. */
static int place_program(db *d, const model *m, int64_t *program, error *e) {
  /* The files by their SHA-256, and a hash over what was found in them: the same source gives other sites where a device
   * defines other macros. The options stand in a column of their own. */
  scoped_buffer text = {0};
  for (size_t i = 0; i < m->file_count; i++) buffer_printf(&text, "%s ", m->files[i].sha256);
  uint64_t hash = mix_rest(mix_sites(UINT64_C(0xcbf29ce484222325), m), m);
  buffer_printf(&text, "%zu %zu %zu %zu %016" PRIx64, m->function_count, m->site_count, m->line_count, m->kernel_count,
                hash);
  scoped char *identity = buffer_take(&text);
  const int found = sql_number(d, SQL_FIND_PROGRAM, program, e, "tt", identity, m->options);
  return found < 0 ? -1 : found == 0 ? add_program(d, identity, m, program, e) : rename_files(d, *program, m, e);
}

int db_add_program(db *d, int64_t run, const model *m, db_program *out, error *e) {
  *out = (db_program){0};
  if (db_begin_write(d, e) != 0) return -1;
  const bool fails = place_program(d, m, &out->id, e) != 0 || db_put_homes(d, out->id, m, e) != 0 ||
                     sql_run(d, SQL_ADD_RUN_PROGRAM, e, "ii", run, out->id) != 0 || read_ids(d, m, out, e) != 0;
  const int result = db_end_write(d, fails ? -1 : 0, e);
  if (result != 0) db_program_free(out);
  return result;
}

int db_drop_program(db *d, int64_t run, int64_t program, error *e) {
  return sql_write(d, SQL_DROP_RUN_PROGRAM, e, "ii", run, program);
}

void db_program_free(db_program *p) {
  free(p->kernels);
  free(p->sites);
  *p = (db_program){0};
}
