/* JSON to structs: what is missing or of another type is as if it were not said; what must be there makes the answer
 * damaged. */
#include "runner/engine/answer.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "base/memory.h"
#include "base/names.h"

static const char *const verdict_names[VERIFY_VERDICTS] = {
    [ANSWER_VERIFIED] = "verified",
    [ANSWER_RACE] = "race",
    [ANSWER_DIVERGENCE] = "divergence",
    [ANSWER_OUT_OF_BOUNDS] = "out-of-bounds",
    [ANSWER_POSSIBLE_RACE] = "possible-race",
    [ANSWER_POSSIBLE_DIVERGENCE] = "possible-divergence",
    [ANSWER_UNKNOWN] = "unknown",
    [ANSWER_UNSUPPORTED] = "unsupported",
};

const char *verify_verdict_name(verify_verdict v) { return verdict_names[v]; }

static int verify_verdict_find(const char *name) { return name_number(verdict_names, VERIFY_VERDICTS, name); }

/* --- values ------------------------------------------------------------------------------------------------------- */

static char *take_text(const json_t *object, const char *key) {
  const char *text = json_string_value(json_object_get(object, key));
  return mem_strdup(text == NULL ? "" : text);
}

static uint64_t natural(const json_t *value) {
  const json_int_t n = json_integer_value(value);
  return n < 0 ? 0 : (uint64_t)n;
}

static uint64_t take_natural(const json_t *object, const char *key) { return natural(json_object_get(object, key)); }

static uint32_t take_small(const json_t *object, const char *key) {
  const uint64_t n = take_natural(object, key);
  return n > UINT32_MAX ? 0 : (uint32_t)n;
}

/* False, and zeros: there are not three numbers. */
static bool take_three(const json_t *object, const char *key, uint64_t out[3]) {
  const json_t *list = json_object_get(object, key);
  bool all = json_array_size(list) == 3;
  for (size_t i = 0; i < 3; i++) {
    const json_t *value = json_array_get(list, i);
    all = all && json_is_integer(value) && json_integer_value(value) >= 0;
    out[i] = natural(value);
  }
  return all;
}

static void take_words(const json_t *object, const char *key, answer_words *out) {
  const json_t *list = json_object_get(object, key);
  const size_t count = json_array_size(list);
  out->items = mem_calloc(count + 1, sizeof *out->items);
  for (size_t i = 0; i < count; i++) {
    const char *text = json_string_value(json_array_get(list, i));
    if (text != NULL) {
      out->items[out->count++] = mem_strdup(text);
    }
  }
}

static premise_kind kind_of(const char *word) {
  static const struct {
    const char *word;
    premise_kind kind;
  } kinds[] = {{"contents", PREMISE_CONTENTS}, {"even", PREMISE_EVEN},         {"as-seen", PREMISE_AS_SEEN},
               {"inside", PREMISE_INSIDE},     {"overflow", PREMISE_OVERFLOW}, {"division", PREMISE_DIVISION},
               {"sizes", PREMISE_SIZES},       {"waits", PREMISE_WAITS}};
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
    if (strcmp(kinds[i].word, word) == 0) {
      return kinds[i].kind;
    }
  }
  return PREMISE_OTHER;
}

static contents_facts contents_in(const json_t *object) {
  const char *holds = json_string_value(json_object_get(object, "holds"));
  const char *word = holds == NULL ? "" : holds;
  return (contents_facts){.distinct = strcmp(word, "distinct") == 0,
                          .ascending = strcmp(word, "ascending") == 0,
                          .identity = strcmp(word, "identity") == 0,
                          .bounded = strcmp(word, "values") == 0,
                          .low = json_integer_value(json_object_get(object, "low")),
                          .high = json_integer_value(json_object_get(object, "high"))};
}

/* An expression is a string, all else an object. */
static void take_premises(const json_t *answer, const char *key, premises *out) {
  const json_t *list = json_object_get(answer, key);
  const size_t count = json_array_size(list);
  out->items = mem_calloc(count + 1, sizeof *out->items);
  for (size_t i = 0; i < count; i++) {
    const json_t *one = json_array_get(list, i);
    premise *p = &out->items[out->count];
    if (json_is_string(one)) {
      *p = (premise){.kind = PREMISE_EXPRESSION, .text = mem_strdup(json_string_value(one))};
      out->count++;
    } else if (json_is_object(one)) {
      const char *kind = json_string_value(json_object_get(one, "kind"));
      *p = (premise){.kind = kind_of(kind == NULL ? "" : kind), .text = take_text(one, "text")};
      if (p->kind == PREMISE_CONTENTS) {
        p->buffer = take_text(one, "buffer");
        p->contents = contents_in(one);
      }
      out->count++;
    }
  }
}

static void take_spot(const json_t *object, answer_spot *out) {
  out->file = take_text(object, "file");
  out->line = take_small(object, "line");
  out->column = take_small(object, "column");
}

/* --- findings ----------------------------------------------------------------------------------------------------- */

static void take_place(const json_t *value, answer_place *out) {
  out->role = take_text(value, "role");
  out->access = take_text(value, "access");
  take_spot(value, &out->at);
  const json_t *inlined = json_object_get(value, "inlined");
  out->inlined = mem_calloc(json_array_size(inlined) + 1, sizeof *out->inlined);
  for (; out->inlined_count < json_array_size(inlined); out->inlined_count++) {
    take_spot(json_array_get(inlined, out->inlined_count), &out->inlined[out->inlined_count]);
  }
  const bool local = take_three(value, "local", out->local), group = take_three(value, "group", out->group);
  out->has_item = local && group;
  out->condition = take_text(value, "condition");
  out->copy = json_is_true(json_object_get(value, "copy"));
  out->scope = take_text(value, "scope");
}

static void take_step(const json_t *value, answer_step *out) {
  out->thread = take_small(value, "thread");
  take_spot(value, &out->at);
  out->text = take_text(value, "text");
}

static void take_arguments(const json_t *object, answer_finding *out) {
  const char *name = NULL;
  json_t *value = NULL;
  out->arguments = mem_calloc(json_object_size(object) + 1, sizeof *out->arguments);
  json_object_foreach((json_t *)object, name, value) {
    answer_argument *a = &out->arguments[out->argument_count++];
    a->name = mem_strdup(name);
    a->is_integer = json_is_integer(value);
    a->integer = json_integer_value(value);
    a->hexadecimal = take_text(value, "bytes");
  }
}

static void take_cells(const json_t *list, answer_contents *out) {
  out->cells = mem_calloc(json_array_size(list) + 1, sizeof *out->cells);
  for (size_t i = 0; i < json_array_size(list); i++) {
    const json_t *pair = json_array_get(list, i);
    const json_t *element = json_array_get(pair, 0), *cell = json_array_get(pair, 1);
    const uint64_t size = natural(json_array_get(pair, 2));
    if (json_is_integer(element) && json_integer_value(element) >= 0 && json_is_integer(cell) && size > 0 &&
        size <= sizeof(int64_t)) {
      out->cells[out->count++] = (answer_cell){natural(element), json_integer_value(cell), (uint32_t)size};
    }
  }
}

static void take_contents(const json_t *object, answer_finding *out) {
  const char *name = NULL;
  json_t *value = NULL;
  out->contents = mem_calloc(json_object_size(object) + 1, sizeof *out->contents);
  json_object_foreach((json_t *)object, name, value) {
    answer_contents *c = &out->contents[out->contents_count++];
    c->buffer = mem_strdup(name);
    take_cells(value, c);
  }
}

static void take_finding(const json_t *value, answer_finding *out) {
  out->rule = take_text(value, "rule");
  out->definite = json_is_true(json_object_get(value, "definite"));
  const json_t *places = json_object_get(value, "places"), *path = json_object_get(value, "path");
  out->places = mem_calloc(json_array_size(places) + 1, sizeof *out->places);
  for (; out->place_count < json_array_size(places); out->place_count++) {
    take_place(json_array_get(places, out->place_count), &out->places[out->place_count]);
  }
  out->array = take_text(value, "array");
  out->space = take_text(value, "space");
  out->has_launch = json_is_integer(json_object_get(value, "launch"));
  out->launch = take_natural(value, "launch");
  const json_t *element = json_object_get(value, "element");
  out->has_element = json_is_integer(element) && json_integer_value(element) >= 0;
  out->element = natural(element);
  out->element_size = take_natural(value, "element_size");
  out->object_size = take_natural(value, "object_size");
  out->pixel = take_text(value, "pixel");
  out->call = take_text(value, "call");
  out->cause = take_text(value, "cause");
  out->has_other = take_three(value, "other", out->other);
  const bool local = take_three(value, "local_size", out->local_size),
             groups = take_three(value, "groups", out->groups);
  out->has_sizes = local && groups;
  (void)take_three(value, "offset", out->offset);
  take_arguments(json_object_get(value, "arguments"), out);
  take_contents(json_object_get(value, "contents"), out);
  take_words(value, "depends_on", &out->depends_on);
  out->path = mem_calloc(json_array_size(path) + 1, sizeof *out->path);
  for (; out->path_count < json_array_size(path); out->path_count++) {
    take_step(json_array_get(path, out->path_count), &out->path[out->path_count]);
  }
}

/* --- answers ------------------------------------------------------------------------------------------------------ */

static void take_marks(const json_t *list, bool barriers, answer_mark **out, size_t *count) {
  *out = mem_calloc(json_array_size(list) + 1, sizeof **out);
  for (; *count < json_array_size(list); (*count)++) {
    const json_t *value = json_array_get(list, *count), *needed = json_object_get(value, "needed");
    answer_mark *m = &(*out)[*count];
    take_spot(value, &m->at);
    m->text = !barriers ? take_text(value, "text")
                        : mem_strdup(json_is_true(needed)    ? "needed"
                                     : json_is_false(needed) ? "redundant"
                                                             : "undecided");
  }
}

/* The line says that nothing can be said of the source. */
static int take_failure(const json_t *value, error *e) {
  const char *text = json_string_value(json_object_get(value, "error"));
  const json_int_t code = json_integer_value(json_object_get(value, "code"));
  return error_set(e, code == EXIT_INTERNAL ? EXIT_INTERNAL : EXIT_USAGE, "%s", text);
}

/* A verdict must be borne out: a definite one has its finding, and a proof has none. */
static bool consistent(const verify_answer *a) {
  bool definite = false;
  for (size_t i = 0; i < a->finding_count; i++) {
    definite = definite || a->findings[i].definite;
  }
  const bool claims =
      a->verdict == ANSWER_RACE || a->verdict == ANSWER_DIVERGENCE || a->verdict == ANSWER_OUT_OF_BOUNDS;
  return claims == definite && (a->verdict != ANSWER_VERIFIED || a->finding_count == 0);
}

static int take_answer(const json_t *value, verify_answer *out, error *e) {
  if (json_is_string(json_object_get(value, "error"))) {
    return take_failure(value, e);
  }
  const char *verdict = json_string_value(json_object_get(value, "verdict"));
  const int known = verdict == NULL ? -1 : verify_verdict_find(verdict);
  out->kernel = take_text(value, "kernel");
  if (known < 0 || out->kernel[0] == '\0') {
    return error_set(e, EXIT_INTERNAL, "the proof engine gave an answer without %s; install cltestcheck again",
                     known < 0 ? "a verdict" : "a kernel");
  }
  out->verdict = (verify_verdict)known;
  out->file = take_text(value, "file");
  out->line = take_small(value, "line");
  out->reason = take_text(value, "reason");
  take_premises(value, "preconditions", &out->preconditions);
  take_premises(value, "assumptions", &out->assumptions);
  out->given = take_natural(json_object_get(value, "launches"), "given");
  out->proved = take_natural(json_object_get(value, "launches"), "proved");
  out->order_shows = !json_is_true(json_object_get(value, "one_result")); /* what it does not say it does not know */
  out->wrong_assumption = json_is_true(json_object_get(value, "wrong_assumption"));
  out->conditional = out->assumptions.count > 0;
  out->seconds = json_number_value(json_object_get(value, "seconds"));
  out->queries = take_natural(value, "queries");
  out->memory = take_natural(value, "memory");
  out->opinion = take_natural(value, "second_opinion");
  take_marks(json_object_get(value, "invariants"), false, &out->invariants, &out->invariant_count);
  take_marks(json_object_get(value, "barriers"), true, &out->barriers, &out->barrier_count);
  const json_t *findings = json_object_get(value, "findings");
  out->findings = mem_calloc(json_array_size(findings) + 1, sizeof *out->findings);
  for (; out->finding_count < json_array_size(findings); out->finding_count++) {
    take_finding(json_array_get(findings, out->finding_count), &out->findings[out->finding_count]);
  }
  return consistent(out) ? 0
                         : error_set(e, EXIT_INTERNAL,
                                     "the proof engine's verdict on kernel %s and its findings do not agree; install "
                                     "cltestcheck again",
                                     out->kernel);
}

int answer_read(const char *line, size_t length, verify_answer *out, error *e) {
  *out = (verify_answer){0};
  json_error_t why;
  json_t *value = json_loadb(line, length, JSON_REJECT_DUPLICATES, &why);
  if (!json_is_object(value)) {
    json_decref(value);
    return error_set(e, EXIT_INTERNAL,
                     "the proof engine gave an answer that cannot be read; install cltestcheck again");
  }
  const int result = take_answer(value, out, e);
  json_decref(value);
  return result;
}

char *answer_with_opinion(const char *text, uint64_t launches) {
  const char *end = strrchr(text, '}');
  buffer out = {0};
  buffer_printf(&out, "%.*s, \"second_opinion\": %llu}", end == NULL ? 0 : (int)(end - text), text,
                (unsigned long long)launches);
  return buffer_take(&out);
}

void answer_unknown(const char *kernel, const char *file, const char *reason, verify_answer *out) {
  *out = (verify_answer){
      .kernel = mem_strdup(kernel), .file = mem_strdup(file), .verdict = ANSWER_UNKNOWN, .reason = mem_strdup(reason)};
}

static void add_word(answer_words *w, const char *text) {
  for (size_t i = 0; i < w->count; i++) {
    if (strcmp(w->items[i], text) == 0) {
      return;
    }
  }
  w->items = mem_realloc(w->items, (w->count + 1) * sizeof *w->items);
  w->items[w->count++] = mem_strdup(text);
}

void answer_use(verify_answer *a, const char *fact) { add_word(&a->facts, fact); }

static void add_premise(premises *to, const premise *p) {
  for (size_t i = 0; i < to->count; i++) {
    if (strcmp(to->items[i].text, p->text) == 0) {
      return;
    }
  }
  to->items = mem_realloc(to->items, (to->count + 1) * sizeof *to->items);
  premise *made = &to->items[to->count++];
  *made = *p;
  made->text = mem_strdup(p->text);
  made->buffer = p->buffer == NULL ? NULL : mem_strdup(p->buffer);
}

void answer_require(verify_answer *a, const premise *p) { add_premise(&a->preconditions, p); }

void answer_require_expression(verify_answer *a, const char *text) {
  add_premise(&a->preconditions, &(premise){.kind = PREMISE_EXPRESSION, .text = (char *)text});
}

void answer_take(verify_answer *a, const premise *p) { add_premise(&a->assumptions, p); }

void answer_assume(verify_answer *a, const char *text) {
  add_premise(&a->assumptions, &(premise){.kind = PREMISE_OTHER, .text = (char *)text});
}

bool premises_have(const premises *p, premise_kind kind) {
  bool have = false;
  for (size_t i = 0; i < p->count; i++) {
    have = have || p->items[i].kind == kind;
  }
  return have;
}

static void free_findings(verify_answer *a);

void answer_undecided(verify_answer *a, const char *reason) {
  free_findings(a);
  free(a->reason);
  a->verdict = ANSWER_UNKNOWN;
  a->reason = mem_strdup(reason);
}

/* --- freeing ------------------------------------------------------------------------------------------------------ */

static void free_premises(premises *p) {
  for (size_t i = 0; i < p->count; i++) {
    free(p->items[i].text);
    free(p->items[i].buffer);
  }
  free(p->items);
}

static void free_words(answer_words *w) { mem_free_all(w->items, w->count); }

static void free_marks(answer_mark *marks, size_t count) {
  for (size_t i = 0; i < count; i++) {
    free(marks[i].at.file);
    free(marks[i].text);
  }
  free(marks);
}

static void free_place(answer_place *p) {
  for (size_t i = 0; i < p->inlined_count; i++) {
    free(p->inlined[i].file);
  }
  free(p->inlined);
  free(p->role);
  free(p->access);
  free(p->at.file);
  free(p->condition);
  free(p->scope);
}

static void free_finding(answer_finding *f) {
  for (size_t i = 0; i < f->place_count; i++) {
    free_place(&f->places[i]);
  }
  for (size_t i = 0; i < f->path_count; i++) {
    free(f->path[i].at.file);
    free(f->path[i].text);
  }
  for (size_t i = 0; i < f->argument_count; i++) {
    free(f->arguments[i].name);
    free(f->arguments[i].hexadecimal);
  }
  for (size_t i = 0; i < f->contents_count; i++) {
    free(f->contents[i].buffer);
    free(f->contents[i].cells);
  }
  free_words(&f->depends_on);
  free(f->places);
  free(f->path);
  free(f->arguments);
  free(f->contents);
  free(f->rule);
  free(f->pixel);
  free(f->call);
  free(f->cause);
  free(f->array);
  free(f->space);
}

static void free_findings(verify_answer *a) {
  for (size_t i = 0; i < a->finding_count; i++) {
    free_finding(&a->findings[i]);
  }
  free(a->findings);
  a->findings = NULL;
  a->finding_count = 0;
}

void answer_free(verify_answer *a) {
  free_findings(a);
  free_premises(&a->preconditions);
  free_premises(&a->assumptions);
  free_words(&a->facts);
  free(a->host);
  free_marks(a->invariants, a->invariant_count);
  free_marks(a->barriers, a->barrier_count);
  free(a->kernel);
  free(a->file);
  free(a->reason);
  *a = (verify_answer){0};
}
