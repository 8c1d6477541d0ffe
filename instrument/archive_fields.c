/* Fields, and the model of a program. */
#include "instrument/archive_fields.h"

#include <string.h>

void archive_raw(archive *a, void *value, size_t size) {
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

void archive_u32(archive *a, uint32_t *value) { archive_raw(a, value, sizeof *value); }

void archive_flag(archive *a, bool *value) {
  uint32_t word = *value ? 1 : 0;
  archive_u32(a, &word);
  *value = word != 0;
}

void archive_count(archive *a, size_t *count) {
  uint64_t wide = *count;
  archive_raw(a, &wide, sizeof wide);
  if (a->out == NULL && wide > a->left) {
    a->failed = true;
    wide = 0;
  }
  *count = (size_t)wide;
}

void archive_string(archive *a, char **text, size_t *length) {
  size_t n = a->out == NULL ? 0 : length == NULL ? strlen(*text) : *length;
  archive_count(a, &n);
  if (a->out == NULL) {
    *text = mem_calloc(n + 1, 1);
  }
  archive_raw(a, *text, n);
  if (length != NULL) {
    *length = n;
  }
}

void archive_term(archive *a, model_term *t) {
  archive_u32(a, &t->site);
  archive_u32(a, &t->outcome);
}

static void files(archive *a, model *m) {
  ARCHIVE_ARRAY(a, m->files, m->file_count);
  for (size_t i = 0; i < m->file_count; i++) {
    model_file *f = &m->files[i];
    archive_string(a, &f->name, NULL);
    archive_string(a, &f->text, &f->length);
    archive_raw(a, f->sha256, sizeof f->sha256);
  }
}

static void functions(archive *a, model *m) {
  ARCHIVE_ARRAY(a, m->functions, m->function_count);
  for (size_t i = 0; i < m->function_count; i++) {
    model_function *f = &m->functions[i];
    archive_string(a, &f->name, NULL);
    archive_u32(a, &f->file);
    archive_u32(a, &f->line);
    archive_u32(a, &f->end_line);
    archive_u32(a, &f->site);
    archive_flag(a, &f->kernel);
  }
}

static void sites(archive *a, model *m) {
  ARCHIVE_ARRAY(a, m->sites, m->site_count);
  for (size_t i = 0; i < m->site_count; i++) {
    model_site *s = &m->sites[i];
    uint32_t kind = (uint32_t)s->kind;
    archive_u32(a, &kind);
    s->kind = (site_kind)kind;
    uint32_t *fields[] = {&s->file, &s->line, &s->column, &s->offset, &s->end_line, &s->end_column, &s->function};
    for (size_t k = 0; k < sizeof fields / sizeof fields[0]; k++) {
      archive_u32(a, fields[k]);
    }
    ARCHIVE_ARRAY(a, s->outcomes, s->outcome_count);
    for (size_t k = 0; k < s->outcome_count; k++) {
      archive_u32(a, &s->outcomes[k].index);
      archive_string(a, &s->outcomes[k].label, NULL);
      archive_u32(a, &s->outcomes[k].line);
    }
  }
}

static void lines(archive *a, model *m) {
  ARCHIVE_ARRAY(a, m->lines, m->line_count);
  for (size_t i = 0; i < m->line_count; i++) {
    model_line *l = &m->lines[i];
    archive_u32(a, &l->file);
    archive_u32(a, &l->line);
    archive_u32(a, &l->function);
    ARCHIVE_ARRAY(a, l->terms, l->term_count);
    for (size_t k = 0; k < l->term_count; k++) {
      archive_term(a, &l->terms[k]);
    }
  }
}

static void model_kernels(archive *a, model *m) {
  ARCHIVE_ARRAY(a, m->kernels, m->kernel_count);
  for (size_t i = 0; i < m->kernel_count; i++) {
    model_kernel *k = &m->kernels[i];
    archive_string(a, &k->name, NULL);
    archive_u32(a, &k->function);
    ARCHIVE_ARRAY(a, k->functions, k->function_count);
    for (size_t f = 0; f < k->function_count; f++) {
      archive_u32(a, &k->functions[f]);
    }
    ARCHIVE_ARRAY(a, k->sites, k->site_count);
    for (size_t s = 0; s < k->site_count; s++) {
      archive_u32(a, &k->sites[s]);
    }
  }
}

void archive_model(archive *a, model *m) {
  files(a, m);
  functions(a, m);
  sites(a, m);
  lines(a, m);
  model_kernels(a, m);
  archive_string(a, &m->options, NULL);
}

void archive_questions(archive *a, instrument_question **questions, size_t *count) {
  ARCHIVE_ARRAY(a, *questions, *count);
  for (size_t i = 0; i < *count; i++) {
    archive_u32(a, &(*questions)[i].source);
    archive_string(a, &(*questions)[i].expression, NULL);
  }
}

void archive_sources(archive *a, char ***texts, char ***options, size_t *count) {
  ARCHIVE_ARRAY(a, *texts, *count);
  if (a->out == NULL) {
    *options = mem_calloc(*count, sizeof **options);
  }
  for (size_t i = 0; i < *count; i++) {
    archive_string(a, &(*texts)[i], NULL);
    archive_string(a, &(*options)[i], NULL);
  }
}
