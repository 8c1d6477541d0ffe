/* Finding the mutants of a small source, as text. */
#include "mutants_fixture.h"

#include <stdlib.h>
#include <string.h>

/* cmocka.h wants these before it. */
/* clang-format off */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
/* clang-format on */

#include "base/memory.h"

enum { MAX_FACTS = 16 };

void found_free(found *f) {
  places_free(&f->places);
  mutate_free(&f->result);
  program_free(&f->program);
  instrument_free(&f->instrumented);
}

/* One round; true when questions were asked, which libclang then answers for the next one. */
static bool prepare(const pp_input *source, size_t count, pp_fact *facts, size_t *fact_count, found *out) {
  pp_input in[2];
  assert_true(count <= COUNT(in));
  for (size_t i = 0; i < count; i++) {
    in[i] = source[i];
    in[i].facts = facts;
    in[i].fact_count = *fact_count;
  }
  error e = {0};
  int status = program_prepare(&out->program, in, count, &out->instrumented, &e);
  if (status != 0) {
    print_error("%s\n%s\n", source->text, e.text);
  }
  assert_int_equal(status, 0);
  for (size_t i = 0; i < out->instrumented.question_count; i++) {
    const char *question = out->instrumented.questions[i].expression;
    assert_true(*fact_count < MAX_FACTS);
    facts[(*fact_count)++] = (pp_fact){mem_strdup(question), front_answer(question, source->options)};
  }
  return out->instrumented.question_count > 0;
}

void find(const pp_input *sources, size_t count, found *out) {
  *out = (found){0};
  pp_fact facts[MAX_FACTS];
  size_t fact_count = 0;
  while (prepare(sources, count, facts, &fact_count, out)) {
    program_free(&out->program);
    instrument_free(&out->instrumented);
  }
  find_places(&out->program, &out->places, &out->result);
  for (size_t i = 0; i < fact_count; i++) {
    free((char *)facts[i].expression);
  }
}

static bool is_text(const found *f, uint32_t number) {
  for (size_t i = 0; i < f->places.count; i++) {
    if (f->places.items[i].number == number && f->places.items[i].kind == PLACE_TEXT) {
      return true;
    }
  }
  return false;
}

static void put_mutant(const found *f, const mutant *m, buffer *out) {
  const model *known = &f->instrumented.model;
  const char *name = known->files[m->file].name;
  if (strcmp(name, "kernel.cl") != 0) {
    const char *slash = strrchr(name, '/');
    buffer_printf(out, "%s:", slash == NULL ? name : slash + 1);
  }
  buffer_printf(out, "%u:%u %s -> %s", m->line, m->column, m->original, m->replacement);
  if (m->description != NULL) {
    buffer_printf(out, " (%s)", m->description);
  }
  buffer_printf(out, "%s%s\n", is_text(f, m->place) ? " text" : "", m->suppressed ? " suppressed" : "");
}

char *mutants_text(const found *f, const char *list) {
  bool selected[MUTATE_OPERATORS];
  assert_int_equal(mutate_select_operators(list, selected, NULL), 0);
  buffer out = {0};
  for (size_t i = 0; i < f->result.mutant_count; i++) {
    if (selected[f->result.mutants[i].op]) {
      put_mutant(f, &f->result.mutants[i], &out);
    }
  }
  return buffer_take(&out);
}

/* The text of a range without comments and line splices, white space joined: a second opinion for simple texts. */
static char *written(const model_file *file, const mutant *m) {
  buffer out = {0};
  for (uint32_t i = m->offset; i < m->end_offset; i++) {
    char c = file->text[i];
    bool space = c == ' ' || c == '\n' || c == '\t';
    if (!space) {
      buffer_putc(&out, c);
    } else if (out.length > 0 && out.data[out.length - 1] != ' ') {
      buffer_putc(&out, ' ');
    }
  }
  return buffer_take(&out);
}

static void check_mutant(const found *f, size_t index) {
  const model *known = &f->instrumented.model;
  const mutant *m = &f->result.mutants[index];
  assert_int_equal(m->number, index + 1);
  assert_true(m->id < 1u << 31);
  assert_true(m->file < known->file_count && m->function < known->function_count);
  const model_file *file = &known->files[m->file];
  assert_true(m->offset < m->end_offset && m->end_offset <= file->length);
  assert_true(m->place < f->result.place_count);
  char *text = written(file, m);
  if (strstr(text, "/*") == NULL && strchr(text, '\\') == NULL) {
    assert_string_equal(text, m->original);
  }
  free(text);
  for (size_t i = 0; i < index; i++) {
    assert_int_not_equal(f->result.mutants[i].id, m->id);
  }
}

/* Numbers of places and mutants agree, operands lie in their expression, types are there. */
static void check_place(const found *f, const place *at) {
  assert_true(at->count > 0 && at->first + at->count <= f->result.mutant_count);
  for (uint32_t i = 0; i < at->count; i++) {
    assert_int_equal(f->result.mutants[at->first + i].place, at->number);
    assert_int_equal(f->result.mutants[at->first + i].op, at->op);
    assert_non_null(at->replacements[i]);
  }
  assert_true(span_has(at->whole, at->token));
  assert_true(span_empty(at->left) || (span_has(at->whole, at->left.first) && span_has(at->whole, at->left.last)));
  assert_true(span_empty(at->right) || (span_has(at->whole, at->right.first) && span_has(at->whole, at->right.last)));
  assert_true((at->loop == NULL) == (at->kind != PLACE_LOOP));
}

void check_mutants(const mutants_case *cases, size_t count) { check_mutants_with(NULL, cases, count); }

void check_mutants_with(const char *options, const mutants_case *cases, size_t count) {
  for (size_t i = 0; i < count; i++) {
    pp_input in = {.name = "kernel.cl", .text = cases[i].source, .length = strlen(cases[i].source), .options = options};
    found f;
    find(&in, 1, &f);
    for (size_t k = 0; k < f.result.mutant_count; k++) {
      check_mutant(&f, k);
    }
    for (size_t k = 0; k < f.places.count; k++) {
      check_place(&f, &f.places.items[k]);
    }
    char *text = mutants_text(&f, cases[i].operators);
    if (strcmp(text, cases[i].expected) != 0) {
      print_error("source:\n%s\ngives:\n%s\nwanted:\n%s\n", cases[i].source, text, cases[i].expected);
    }
    assert_string_equal(text, cases[i].expected);
    free(text);
    found_free(&f);
  }
}
