/* The archive of an instrumentation, and what it owns. */
#include "instrument/archive.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/model.h"

ARCHIVE(static, implied, instrument_implication, U32(instrument_implication, bit),
        U32(instrument_implication, term.site), U32(instrument_implication, term.outcome));
ARCHIVE(static, parts, instrument_part, U32(instrument_part, function), U32(instrument_part, first));
ARCHIVE(static, planes, instrument_plane, U32(instrument_plane, site), U32(instrument_plane, record),
        FLAG(instrument_plane, barrier), FLAG(instrument_plane, async), FLAG(instrument_plane, arguments),
        ARRAY(instrument_plane, guards, guard_count, archive_numbers));
ARCHIVE(static, accesses, instrument_access, U32(instrument_access, file), U32(instrument_access, line),
        FLAG(instrument_access, writes));
ARCHIVE(static, parameters, instrument_parameter, STRING(instrument_parameter, name),
        STRING(instrument_parameter, type), FLAG(instrument_parameter, escapes),
        ARRAY(instrument_parameter, accesses, access_count, accesses));
ARCHIVE(static, objects, instrument_object, STRING(instrument_object, name), U32(instrument_object, parameter),
        U32(instrument_object, size), FLAG(instrument_object, local), FLAG(instrument_object, image),
        U32(instrument_object, shift), FLAG(instrument_object, writes), U32(instrument_object, space),
        U32(instrument_object, plain));
ARCHIVE(static, filled, instrument_filled, STRING(instrument_filled, name), STRING(instrument_filled, function),
        U32(instrument_filled, plain), FLAG(instrument_filled, local), U32(instrument_filled, file),
        U32(instrument_filled, line), U32(instrument_filled, column));
ARCHIVE(static, instrumented_kernels, instrument_kernel, ARRAY(instrument_kernel, bits, bit_count, archive_terms),
        ARRAY(instrument_kernel, parts, part_count, parts), ARRAY(instrument_kernel, implied, implied_count, implied),
        U32(instrument_kernel, plane_bit), U32(instrument_kernel, item_bytes), U32(instrument_kernel, flag_words),
        U32(instrument_kernel, total_words), FLAG(instrument_kernel, planes_in_slots),
        ARRAY(instrument_kernel, planes, plane_count, planes),
        ARRAY(instrument_kernel, parameters, parameter_count, parameters), U32(instrument_kernel, area),
        FLAG(instrument_kernel, atomics), ARRAY(instrument_kernel, objects, object_count, objects),
        ARRAY(instrument_kernel, written, written_count, archive_numbers));
ARCHIVE(static, checks, instrument_check, U32(instrument_check, file), U32(instrument_check, line),
        U32(instrument_check, column), U32(instrument_check, offset), U32(instrument_check, kind),
        FLAG(instrument_check, local));
ARCHIVE(static, results, instrument_result, ARRAY(instrument_result, questions, question_count, archive_questions),
        PART(instrument_result, model, archive_models),
        AS_MANY(instrument_result, kernels, model.kernel_count, instrumented_kernels),
        ARRAY(instrument_result, checks, check_count, checks), ARRAY(instrument_result, arrays, array_count, objects),
        ARRAY(instrument_result, filled, filled_count, filled), ARRAY(instrument_result, calls, call_count, checks),
        FLAG(instrument_result, left_out), FLAG(instrument_result, unbounded), FLAG(instrument_result, ordered),
        ARRAY(instrument_result, texts, source_count, archive_strings),
        AS_MANY(instrument_result, options, source_count, archive_strings));

void archive_write(const instrument_result *r, buffer *out) { archive_put(&results, r, out); }

int archive_read(const void *bytes, size_t length, instrument_result *out) {
  return archive_take(&results, bytes, length, out);
}

void instrument_free(instrument_result *r) {
  archive_free(&results, r);
  model_free(&r->model);
  *r = (instrument_result){0};
}

/* Fields, and the model of a program. */

_Static_assert(sizeof(site_kind) == sizeof(uint32_t) && sizeof(check_kind) == sizeof(uint32_t),
               "they are read and written as a u32");

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

static void flag(archive *a, bool *value) {
  uint32_t word = *value ? 1 : 0;
  raw(a, &word, sizeof word);
  *value = word != 0;
}

/* What follows takes at least a byte an element, so a count beyond the input is a broken archive. */
static void count_of(archive *a, size_t *count) {
  uint64_t wide = *count;
  raw(a, &wide, sizeof wide);
  if (a->out == NULL && wide > a->left) {
    a->failed = true;
    wide = 0;
  }
  *count = (size_t)wide;
}

static void text(archive *a, char **bytes, size_t *length) {
  count_of(a, length);
  if (a->out == NULL) *bytes = mem_calloc(*length + 1, 1);
  raw(a, *bytes, *length);
}

static void string(archive *a, char **bytes) {
  bool there = *bytes != NULL;
  size_t length = there ? strlen(*bytes) : 0;
  flag(a, &there);
  if (there) text(a, bytes, &length);
}

static void fields(archive *a, const archive_table *t, void *value);

/* The elements of an array; `array` is the address of the pointer to them. */
static void elements(archive *a, const archive_table *items, void *array, size_t count) {
  char *first = NULL;
  if (a->out == NULL) {
    first = mem_calloc(count, items->size);
    memcpy(array, &first, sizeof first);
  } else {
    memcpy(&first, array, sizeof first);
  }
  for (size_t i = 0; i < count; i++) fields(a, items, first + i * items->size);
}

static void fields(archive *a, const archive_table *t, void *value) {
  for (const archive_field *f = t->fields; f < t->fields + t->count; f++) {
    void *at = (char *)value + f->at;
    size_t *count = (void *)((char *)value + f->count);
    switch (f->kind) {
      case ARCHIVE_U32: raw(a, at, sizeof(uint32_t)); break;
      case ARCHIVE_FLAG: flag(a, at); break;
      case ARCHIVE_STRING: string(a, at); break;
      case ARCHIVE_TEXT: text(a, at, count); break;
      case ARCHIVE_DIGEST: raw(a, at, sizeof((model_file *)NULL)->sha256); break;
      case ARCHIVE_ARRAY:
        count_of(a, count);
        elements(a, f->items, at, *count);
        break;
      case ARCHIVE_AS_MANY: elements(a, f->items, at, *count); break;
      case ARCHIVE_PART: fields(a, f->items, at); break;
    }
  }
}

void archive_put(const archive_table *t, const void *value, buffer *out) {
  archive a = {.out = out};
  fields(&a, t, (void *)value); /* writing changes nothing */
}

int archive_take(const archive_table *t, const void *bytes, size_t length, void *value) {
  archive a = {.in = bytes, .left = length};
  memset(value, 0, t->size);
  fields(&a, t, value);
  return a.failed ? -1 : 0;
}

void archive_free(const archive_table *t, void *value) {
  for (const archive_field *f = t->fields; f < t->fields + t->count; f++) {
    const bool array = f->kind == ARCHIVE_ARRAY || f->kind == ARCHIVE_AS_MANY;
    char *owned = NULL;
    if (array || f->kind == ARCHIVE_STRING || f->kind == ARCHIVE_TEXT)
      memcpy(&owned, (char *)value + f->at, sizeof owned);
    const size_t count = array && owned != NULL ? *(size_t *)(void *)((char *)value + f->count) : 0;
    for (size_t i = 0; i < count; i++) archive_free(f->items, owned + i * f->items->size);
    free(owned);
  }
}

/* --- what several structs have ------------------------------------------------------------------------------------- */

ARCHIVE(, archive_numbers, uint32_t, {ARCHIVE_U32, 0, 0, NULL});
ARCHIVE(, archive_strings, char *, {ARCHIVE_STRING, 0, 0, NULL});
ARCHIVE(, archive_terms, model_term, U32(model_term, site), U32(model_term, outcome));
ARCHIVE(, archive_questions, instrument_question, U32(instrument_question, source),
        STRING(instrument_question, expression));

/* --- the model ----------------------------------------------------------------------------------------------------- */

ARCHIVE(static, files, model_file, STRING(model_file, name),
        {ARCHIVE_TEXT, offsetof(model_file, text), offsetof(model_file, length), NULL},
        {ARCHIVE_DIGEST, offsetof(model_file, sha256), 0, NULL});
ARCHIVE(static, functions, model_function, STRING(model_function, name), U32(model_function, file),
        U32(model_function, line), U32(model_function, end_line), U32(model_function, site),
        FLAG(model_function, kernel));
ARCHIVE(static, outcomes, model_outcome, U32(model_outcome, index), STRING(model_outcome, label),
        U32(model_outcome, line));
ARCHIVE(static, sites, model_site, U32(model_site, kind), U32(model_site, file), U32(model_site, line),
        U32(model_site, column), U32(model_site, offset), U32(model_site, end_line), U32(model_site, end_column),
        U32(model_site, function), U32(model_site, turns), ARRAY(model_site, outcomes, outcome_count, outcomes));
ARCHIVE(static, lines, model_line, U32(model_line, file), U32(model_line, line), U32(model_line, function),
        ARRAY(model_line, terms, term_count, archive_terms));
ARCHIVE(static, kernels, model_kernel, STRING(model_kernel, name), U32(model_kernel, function),
        ARRAY(model_kernel, functions, function_count, archive_numbers),
        ARRAY(model_kernel, sites, site_count, archive_numbers));
ARCHIVE(, archive_models, model, ARRAY(model, files, file_count, files),
        ARRAY(model, functions, function_count, functions), ARRAY(model, sites, site_count, sites),
        ARRAY(model, lines, line_count, lines), ARRAY(model, kernels, kernel_count, kernels), STRING(model, options));
