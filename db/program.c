/* Storing a program's model, once. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "base/digest.h"
#include "base/memory.h"
#include "db/internal.h"

/* Ids of a program that is being stored: rows get ids in a block, so that they can refer to each other. */
typedef struct blocks {
  int64_t program;
  int64_t *files;
  int64_t function, site, line, kernel; /* of index 0 */
} blocks;

/* --- identity ----------------------------------------------------------------------------------------------- */

static uint64_t mix_text(uint64_t hash, const char *text) { return hash_more(hash, text, strlen(text) + 1); }

static uint64_t mix_numbers(uint64_t hash, const uint32_t *numbers, size_t count) {
  return hash_more(hash, numbers, count * sizeof *numbers);
}

static uint64_t mix_sites(uint64_t hash, const model *m) {
  for (size_t i = 0; i < m->site_count; i++) {
    const model_site *s = &m->sites[i];
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
  for (size_t i = 0; i < m->function_count; i++) {
    const model_function *f = &m->functions[i];
    hash = mix_text(mix_text(hash, f->name), m->files[f->file].sha256);
    hash = mix_numbers(hash, (uint32_t[]){f->line, f->end_line, f->site, f->kernel}, 4);
  }
  for (size_t i = 0; i < m->line_count; i++) {
    const model_line *l = &m->lines[i];
    hash = mix_text(hash, m->files[l->file].sha256);
    hash = mix_numbers(hash, (uint32_t[]){l->line, l->function, (uint32_t)l->term_count}, 3);
    for (size_t k = 0; k < l->term_count; k++) {
      hash = mix_numbers(hash, (uint32_t[]){l->terms[k].site, l->terms[k].outcome}, 2);
    }
  }
  for (size_t i = 0; i < m->kernel_count; i++) {
    const model_kernel *k = &m->kernels[i];
    hash = mix_text(hash, k->name);
    hash = mix_numbers(hash, (uint32_t[]){k->function, (uint32_t)k->function_count}, 2);
    hash = mix_numbers(hash, k->functions, k->function_count);
    hash = mix_numbers(hash, k->sites, k->site_count);
  }
  return hash;
}

/* The files by their SHA-256, and a hash over what was found in them: the same source gives other sites where a device
 * defines other macros. The options stand in a column of their own. */
static char *identity_of(const model *m) {
  buffer text = {0};
  for (size_t i = 0; i < m->file_count; i++) {
    buffer_printf(&text, "%s ", m->files[i].sha256);
  }
  uint64_t hash = mix_rest(mix_sites(UINT64_C(0xcbf29ce484222325), m), m);
  buffer_printf(&text, "%zu %zu %zu %zu %016" PRIx64, m->function_count, m->site_count, m->line_count, m->kernel_count,
                hash);
  return buffer_take(&text);
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
        sql_run(d, SQL_ADD_PROGRAM_FILE, e, "iiic", b->program, (int64_t)i, b->files[i], &model_file_columns, f) != 0) {
      return -1;
    }
  }
  return 0;
}

static int add_functions(db *d, const model *m, const blocks *b, error *e) {
  for (size_t i = 0; i < m->function_count; i++) {
    const model_function *f = &m->functions[i];
    if (sql_run(d, SQL_ADD_FUNCTION, e, "iiirc", b->function + (int64_t)i, b->program, b->files[f->file],
                at(b->site, f->site), &model_function_columns, f) != 0) {
      return -1;
    }
  }
  return 0;
}

static int add_sites(db *d, const model *m, const blocks *b, error *e) {
  for (size_t i = 0; i < m->site_count; i++) {
    const model_site *s = &m->sites[i];
    int64_t id = b->site + (int64_t)i;
    if (sql_run(d, SQL_ADD_SITE, e, "iitirc", id, b->program, site_kind_name(s->kind), b->files[s->file],
                at(b->function, s->function), &model_site_columns, s) != 0) {
      return -1;
    }
    for (size_t k = 0; k < s->outcome_count; k++) {
      if (sql_run(d, SQL_ADD_OUTCOME, e, "ic", id, &model_outcome_columns, &s->outcomes[k]) != 0) {
        return -1;
      }
    }
  }
  return 0;
}

static int add_lines(db *d, const model *m, const blocks *b, error *e) {
  for (size_t i = 0; i < m->line_count; i++) {
    const model_line *l = &m->lines[i];
    int64_t id = b->line + (int64_t)i;
    if (sql_run(d, SQL_ADD_LINE, e, "iiiur", id, b->program, b->files[l->file], l->line,
                at(b->function, l->function)) != 0) {
      return -1;
    }
    for (size_t k = 0; k < l->term_count; k++) {
      if (sql_run(d, SQL_ADD_LINE_TERM, e, "iiiu", id, (int64_t)k, at(b->site, l->terms[k].site),
                  l->terms[k].outcome) != 0) {
        return -1;
      }
    }
  }
  return 0;
}

static int add_kernels(db *d, const model *m, const blocks *b, error *e) {
  for (size_t i = 0; i < m->kernel_count; i++) {
    const model_kernel *kernel = &m->kernels[i];
    int64_t id = b->kernel + (int64_t)i;
    if (sql_run(d, SQL_ADD_KERNEL, e, "iiti", id, b->program, kernel->name, at(b->function, kernel->function)) != 0) {
      return -1;
    }
    for (size_t k = 0; k < kernel->function_count; k++) {
      if (sql_run(d, SQL_ADD_KERNEL_FUNCTION, e, "iii", id, (int64_t)k, at(b->function, kernel->functions[k])) != 0) {
        return -1;
      }
    }
    for (size_t k = 0; k < kernel->site_count; k++) {
      if (sql_run(d, SQL_ADD_KERNEL_SITE, e, "ii", id, at(b->site, kernel->sites[k])) != 0) {
        return -1;
      }
    }
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
  if (sql_run(d, SQL_ADD_PROGRAM, e, "tt", identity, m->options) != 0) {
    return -1;
  }
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
    if (sql_run(d, SQL_RENAME_PROGRAM_FILE, e, "iic", program, (int64_t)i, &model_file_columns, f) != 0) {
      return -1;
    }
  }
  return 0;
}

static int read_ids(db *d, const model *m, db_program *out, error *e) {
  id_list sites = {0};
  id_list kernels = {0};
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
  char *identity = identity_of(m);
  const int found = sql_number(d, SQL_FIND_PROGRAM, program, e, "tt", identity, m->options);
  const int result = found < 0    ? -1
                     : found == 0 ? add_program(d, identity, m, program, e)
                                  : rename_files(d, *program, m, e);
  free(identity);
  return result;
}

int db_add_program(db *d, int64_t run, const model *m, db_program *out, error *e) {
  *out = (db_program){0};
  if (db_begin_write(d, e) != 0) {
    return -1;
  }
  const bool fails = place_program(d, m, &out->id, e) != 0 || db_put_homes(d, out->id, m, e) != 0 ||
                     sql_run(d, SQL_ADD_RUN_PROGRAM, e, "ii", run, out->id) != 0 || read_ids(d, m, out, e) != 0;
  const int result = db_end_write(d, fails ? -1 : 0, e);
  if (result != 0) {
    db_program_free(out);
  }
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
