/* The archive of a program's mutants. */
#include "mutate/archive.h"

#include "instrument/archive_fields.h"

static void description(archive *a, char **text) {
  bool there = *text != NULL;
  archive_flag(a, &there);
  if (there) {
    archive_string(a, text, NULL);
  }
}

static void one(archive *a, mutant *m) {
  uint32_t op = (uint32_t)m->op;
  uint32_t form = (uint32_t)m->form;
  uint32_t *fields[] = {&m->number, &m->id,     &op,          &form,          &m->place,      &m->file,    &m->line,
                        &m->column, &m->offset, &m->end_line, &m->end_column, &m->end_offset, &m->function};
  for (size_t i = 0; i < sizeof fields / sizeof fields[0]; i++) {
    archive_u32(a, fields[i]);
  }
  m->op = (mutate_operator)op;
  m->form = (mutant_form)form;
  archive_string(a, &m->original, NULL);
  archive_string(a, &m->replacement, NULL);
  description(a, &m->description);
  ARCHIVE_ARRAY(a, m->kernels, m->kernel_count);
  for (size_t i = 0; i < m->kernel_count; i++) {
    archive_u32(a, &m->kernels[i]);
  }
  archive_string(a, &m->change, NULL);
  archive_flag(a, &m->sizes);
  archive_flag(a, &m->invalid);
  archive_flag(a, &m->suppressed);
}

static void result(archive *a, mutate_result *r) {
  archive_questions(a, &r->questions, &r->question_count);
  if (r->question_count > 0) {
    return;
  }
  archive_model(a, &r->model);
  ARCHIVE_ARRAY(a, r->mutants, r->mutant_count);
  for (size_t i = 0; i < r->mutant_count; i++) {
    one(a, &r->mutants[i]);
  }
  ARCHIVE_ARRAY(a, r->kernel_digests, r->kernel_digest_count);
  for (size_t i = 0; i < r->kernel_digest_count; i++) {
    archive_string(a, &r->kernel_digests[i], NULL);
  }
  ARCHIVE_ARRAY(a, r->kernel_parameters, r->kernel_parameter_count);
  for (size_t i = 0; i < r->kernel_parameter_count; i++) {
    archive_string(a, &r->kernel_parameters[i], NULL);
  }
  archive_u32(a, &r->place_count);
  archive_u32(a, &r->flag_words);
  archive_sources(a, &r->texts, &r->options, &r->source_count);
}

void mutate_archive_write(const mutate_result *r, buffer *out) {
  archive a = {.out = out};
  result(&a, (mutate_result *)r); /* writing changes nothing */
}

int mutate_archive_read(const void *bytes, size_t length, mutate_result *out) {
  *out = (mutate_result){0};
  archive a = {.in = bytes, .left = length};
  result(&a, out);
  return a.failed ? -1 : 0;
}
