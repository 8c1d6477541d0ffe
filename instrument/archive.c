/* One description of the result serves both directions: each function below reads or writes its part. */
#include "instrument/archive.h"

#include <string.h>

#include "base/memory.h"

typedef struct archive {
  buffer *out;    /* writing when set */
  const char *in; /* else reading */
  size_t left;
  bool failed;
} archive;

static void raw(archive *a, void *value, size_t size) {
  if (a->out != NULL) {
    buffer_append(a->out, value, size);
  } else if (a->left < size) {
    a->failed = true;
    memset(value, 0, size);
  } else {
    memcpy(value, a->in, size);
    a->in += size;
    a->left -= size;
  }
}

static void u32(archive *a, uint32_t *value) { raw(a, value, sizeof *value); }

static void flag(archive *a, bool *value) {
  uint32_t word = *value ? 1 : 0;
  u32(a, &word);
  *value = word != 0;
}

/* A count; what follows takes at least a byte an element, so a count beyond the input is a broken archive. */
static void count_of(archive *a, size_t *count) {
  uint64_t wide = *count;
  raw(a, &wide, sizeof wide);
  if (a->out == NULL && wide > a->left) {
    a->failed = true;
    wide = 0;
  }
  *count = (size_t)wide;
}

static void string(archive *a, char **text, size_t *length) {
  size_t n = a->out == NULL ? 0 : length == NULL ? strlen(*text) : *length;
  count_of(a, &n);
  if (a->out == NULL) {
    *text = mem_calloc(n + 1, 1);
  }
  raw(a, *text, n);
  if (length != NULL) {
    *length = n;
  }
}

/* Sizes an array when reading. */
#define ARRAY(a, items, count)                        \
  do {                                                \
    count_of((a), &(count));                          \
    if ((a)->out == NULL) {                           \
      (items) = mem_calloc((count), sizeof *(items)); \
    }                                                 \
  } while (0)

static void term(archive *a, model_term *t) {
  u32(a, &t->site);
  u32(a, &t->outcome);
}

static void files(archive *a, model *m) {
  ARRAY(a, m->files, m->file_count);
  for (size_t i = 0; i < m->file_count; i++) {
    model_file *f = &m->files[i];
    string(a, &f->name, NULL);
    string(a, &f->text, &f->length);
    raw(a, f->sha256, sizeof f->sha256);
  }
}

static void functions(archive *a, model *m) {
  ARRAY(a, m->functions, m->function_count);
  for (size_t i = 0; i < m->function_count; i++) {
    model_function *f = &m->functions[i];
    string(a, &f->name, NULL);
    u32(a, &f->file);
    u32(a, &f->line);
    u32(a, &f->end_line);
    u32(a, &f->site);
    flag(a, &f->kernel);
  }
}

static void sites(archive *a, model *m) {
  ARRAY(a, m->sites, m->site_count);
  for (size_t i = 0; i < m->site_count; i++) {
    model_site *s = &m->sites[i];
    uint32_t kind = (uint32_t)s->kind;
    u32(a, &kind);
    s->kind = (site_kind)kind;
    uint32_t *fields[] = {&s->file, &s->line, &s->column, &s->offset, &s->end_line, &s->end_column, &s->function};
    for (size_t k = 0; k < sizeof fields / sizeof fields[0]; k++) {
      u32(a, fields[k]);
    }
    ARRAY(a, s->outcomes, s->outcome_count);
    for (size_t k = 0; k < s->outcome_count; k++) {
      u32(a, &s->outcomes[k].index);
      string(a, &s->outcomes[k].label, NULL);
      u32(a, &s->outcomes[k].line);
    }
  }
}

static void lines(archive *a, model *m) {
  ARRAY(a, m->lines, m->line_count);
  for (size_t i = 0; i < m->line_count; i++) {
    model_line *l = &m->lines[i];
    u32(a, &l->file);
    u32(a, &l->line);
    u32(a, &l->function);
    ARRAY(a, l->terms, l->term_count);
    for (size_t k = 0; k < l->term_count; k++) {
      term(a, &l->terms[k]);
    }
  }
}

static void model_kernels(archive *a, model *m) {
  ARRAY(a, m->kernels, m->kernel_count);
  for (size_t i = 0; i < m->kernel_count; i++) {
    model_kernel *k = &m->kernels[i];
    string(a, &k->name, NULL);
    u32(a, &k->function);
    ARRAY(a, k->functions, k->function_count);
    for (size_t f = 0; f < k->function_count; f++) {
      u32(a, &k->functions[f]);
    }
    ARRAY(a, k->sites, k->site_count);
    for (size_t s = 0; s < k->site_count; s++) {
      u32(a, &k->sites[s]);
    }
  }
}

static void kernel(archive *a, instrument_kernel *k) {
  ARRAY(a, k->bits, k->bit_count);
  for (size_t i = 0; i < k->bit_count; i++) {
    term(a, &k->bits[i]);
  }
  u32(a, &k->plane_bit);
  u32(a, &k->item_bytes);
  u32(a, &k->flag_words);
  u32(a, &k->total_words);
  ARRAY(a, k->planes, k->plane_count);
  for (size_t i = 0; i < k->plane_count; i++) {
    instrument_plane *p = &k->planes[i];
    u32(a, &p->site);
    u32(a, &p->record);
    flag(a, &p->barrier);
    ARRAY(a, p->guards, p->guard_count);
    for (size_t g = 0; g < p->guard_count; g++) {
      u32(a, &p->guards[g]);
    }
  }
}

static void result(archive *a, instrument_result *r) {
  ARRAY(a, r->questions, r->question_count);
  for (size_t i = 0; i < r->question_count; i++) {
    u32(a, &r->questions[i].source);
    string(a, &r->questions[i].expression, NULL);
  }
  if (r->question_count > 0) {
    return;
  }
  files(a, &r->model);
  functions(a, &r->model);
  sites(a, &r->model);
  lines(a, &r->model);
  model_kernels(a, &r->model);
  string(a, &r->model.options, NULL);
  size_t kernels = r->model.kernel_count;
  if (a->out == NULL) {
    r->kernels = mem_calloc(kernels, sizeof *r->kernels);
  }
  for (size_t i = 0; i < kernels; i++) {
    kernel(a, &r->kernels[i]);
  }
  ARRAY(a, r->texts, r->source_count);
  if (a->out == NULL) {
    r->options = mem_calloc(r->source_count, sizeof *r->options);
  }
  for (size_t i = 0; i < r->source_count; i++) {
    string(a, &r->texts[i], NULL);
    string(a, &r->options[i], NULL);
  }
}

void archive_write(const instrument_result *r, buffer *out) {
  archive a = {.out = out};
  result(&a, (instrument_result *)r); /* writing changes nothing */
}

int archive_read(const void *bytes, size_t length, instrument_result *out) {
  *out = (instrument_result){0};
  archive a = {.in = bytes, .left = length};
  result(&a, out);
  return a.failed ? -1 : 0;
}
