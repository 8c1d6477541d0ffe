/* JSON to structs: what is missing or of another type is as if it were not said; what must be there makes the answer
 * damaged. */
#include "proofs/client/answer.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "reports/words/words.h"

/* --- findings ----------------------------------------------------------------------------------------------------- */

/* --- places ------------------------------------------------------------------------------------------------------- */

static uint32_t column_of(const answer_spot *s) { return s->column == 0 ? 1 : s->column; }

static const char *three_text(finding_record *r, const uint64_t *n) {
  return mem_arena_printf(&r->memory, "%llu,%llu,%llu", (unsigned long long)n[0], (unsigned long long)n[1],
                          (unsigned long long)n[2]);
}

static void add_witness(finding_record *r, db_witness w, const char *value) {
  w.value = value;
  r->witness[r->witness_count++] = w;
}

/* How an access is made, beside what it is. */
static const char *how_of(const answer_place *p) {
  static const char *const scopes[] = {"own", "group", "sub-group"};
  for (size_t i = 0; i < sizeof scopes / sizeof scopes[0]; i++)
    if (strcmp(scopes[i], p->scope) == 0) return scopes[i];
  return "";
}

/* The files of places. */
typedef struct naming {
  record_file *file;
  const void *context;
} naming;

static uint32_t number_of(const naming *n, const char *name) { return n->file(n->context, name); }

static void add_places(finding_record *r, const naming *n, const answer_finding *f) {
  size_t calls = 0;
  for (size_t i = 0; i < f->place_count; i++) calls += f->places[i].inlined_count;
  r->places = mem_arena_array(&r->memory, f->place_count + 1, sizeof *r->places);
  db_call *next = mem_arena_array(&r->memory, calls + 1, sizeof *next);
  for (size_t i = 0; i < f->place_count; i++) {
    const answer_place *p = &f->places[i];
    const uint32_t file = number_of(n, p->at.file);
    if (file == MODEL_NONE || p->at.line == 0) continue;
    db_place *to = &r->places[r->place_count++];
    *to = (db_place){.role = p->role,
                     .access = p->access,
                     .how = how_of(p),
                     .file = file,
                     .line = p->at.line,
                     .column = column_of(&p->at),
                     .who = p->copy && p->access[0] != '\0' ? "copy" : ""};
    to->local = p->has_item ? three_text(r, p->local) : NULL;
    to->group = p->has_item ? three_text(r, p->group) : NULL;
    to->condition = p->condition[0] == '\0' ? NULL : p->condition;
    to->inlined = next;
    for (size_t c = 0; c < p->inlined_count; c++) {
      const answer_spot *call = &p->inlined[c];
      const uint32_t where = number_of(n, call->file);
      if (where != MODEL_NONE && call->line > 0) {
        *next++ = (db_call){where, call->line, column_of(call)};
        to->inlined_count++;
      }
    }
  }
}

static void add_path(finding_record *r, const naming *n, const answer_finding *f) {
  r->path = mem_arena_array(&r->memory, f->path_count + 1, sizeof *r->path);
  for (size_t i = 0; i < f->path_count; i++) {
    const answer_step *s = &f->path[i];
    const uint32_t file = number_of(n, s->at.file);
    if (file != MODEL_NONE && s->at.line > 0)
      r->path[r->path_count++] = (db_step){s->thread, file, s->at.line, column_of(&s->at), s->text};
  }
}

static const char *number_text(finding_record *r, int64_t n) {
  return mem_arena_printf(&r->memory, "%lld", (long long)n);
}

static unsigned nibble(char c) { return (unsigned)(c <= '9' ? c - '0' : (c | 32) - 'a' + 10); }

/* The number of `bytes` bytes, the lowest first. */
static uint64_t bits_of(const char *hexadecimal, size_t bytes) {
  uint64_t bits = 0;
  for (size_t i = bytes; i-- > 0;) bits = bits << 8 | nibble(hexadecimal[2 * i]) << 4 | nibble(hexadecimal[2 * i + 1]);
  return bits;
}

static void put_real(const char *hexadecimal, bool twice, buffer *out) {
  const uint64_t bits = bits_of(hexadecimal, twice ? sizeof(double) : sizeof(float));
  const uint32_t low = (uint32_t)bits;
  double wide = 0;
  float narrow = 0;
  memcpy(&wide, &bits, sizeof wide);
  memcpy(&narrow, &low, sizeof narrow);
  buffer_printf(out, "%.*g", twice ? 17 : 9, twice ? wide : (double)narrow);
}

/* Of float and double, and of vectors of these, their numbers; of anything else its bytes. */
static const char *value_text(finding_record *r, const parameter *p, const char *hexadecimal) {
  const bool twice = p != NULL && strncmp(p->type, "double", 6) == 0;
  const bool real = twice || (p != NULL && strncmp(p->type, "float", 5) == 0);
  const size_t digits = twice ? 16 : 8, count = strlen(hexadecimal) / digits;
  if (!real || count == 0 || strlen(hexadecimal) % digits != 0)
    return mem_arena_printf(&r->memory, "bytes %s", hexadecimal);
  buffer text = {0};
  for (size_t i = 0; i < count; i++) {
    buffer_puts(&text, i > 0 ? ", " : count > 1 ? "(" : "");
    put_real(hexadecimal + i * digits, twice, &text);
  }
  buffer_puts(&text, count > 1 ? ")" : "");
  const char *made = mem_arena_copy(&r->memory, buffer_text(&text));
  buffer_free(&text);
  return made;
}

static void set_launch(finding_record *r, const answer_finding *f) {
  db_detail *d = &r->detail;
  d->launch = (db_number){f->launches_made > 0, f->launch_number - 1};
  d->launches = (db_number){f->launches_made > 0, f->launches_made};
  if (f->has_sizes) {
    d->local_size = three_text(r, f->local_size);
    d->groups = three_text(r, f->groups);
  }
  if (f->offset[0] + f->offset[1] + f->offset[2] > 0) d->offset = three_text(r, f->offset);
  d->call = f->call;
  d->cause = f->cause;
  d->local = f->has_other ? three_text(r, f->other) : NULL;
}

static void add_values(finding_record *r, const signature *of, const answer_finding *f) {
  size_t count = f->argument_count + f->depends_on.count;
  for (size_t i = 0; i < f->contents_count; i++) count += f->contents[i].count;
  r->witness = mem_arena_array(&r->memory, count + 1, sizeof *r->witness);
  for (size_t i = 0; i < f->argument_count; i++) {
    const answer_argument *a = &f->arguments[i];
    add_witness(r, (db_witness){.kind = "argument", .what = a->name},
                a->is_integer ? number_text(r, a->integer)
                              : value_text(r, of == NULL ? NULL : NAMED(of->parameters, of->count, name, a->name),
                                           a->hexadecimal));
  }
  for (size_t i = 0; i < f->contents_count; i++) {
    for (size_t c = 0; c < f->contents[i].count; c++) {
      const answer_cell *cell = &f->contents[i].cells[c];
      add_witness(r, (db_witness){"content", f->contents[i].buffer, db_known(cell->element), NULL},
                  number_text(r, cell->value));
    }
  }
  for (size_t i = 0; i < f->depends_on.count; i++)
    add_witness(r, (db_witness){.kind = "doubt", .what = ""}, f->depends_on.items[i]);
}

void record_free(finding_record *r) { mem_arena_free(&r->memory); }

/* --- the whole ---------------------------------------------------------------------------------------------------- */

void record_make(const answer_finding *f, const signature *of, record_file *file, const void *context,
                 finding_record *out) {
  const naming n = {file, context};
  *out = (finding_record){0};
  add_places(out, &n, f);
  add_path(out, &n, f);
  db_detail *d = &out->detail;
  d->object = f->array;
  d->space = f->space;
  d->pixel = f->pixel;
  d->size = (db_number){f->object_size > 0, f->object_size};
  d->element = (db_number){f->has_element, f->element};
  d->element_size = (db_number){f->element_size > 0, f->element_size};
  d->byte = (db_number){f->has_byte, f->byte};
  set_launch(out, f);
  add_values(out, of, f);
}

static uint32_t any_file(const void *context, const char *name) {
  (void)context;
  (void)name;
  return 0;
}

void record_sentence(const answer_finding *f, buffer *to) {
  finding_record r;
  record_make(f, NULL, any_file, NULL, &r);
  const db_finding told = {.rule = f->rule,
                           .proved = true,
                           .detail = r.detail,
                           .places = r.places,
                           .place_count = r.place_count,
                           .witness = r.witness,
                           .witness_count = r.witness_count};
  finding_sentence(&told, NULL, to);
  finding_sight(&told, to);
  record_free(&r);
}

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

/* --- values ------------------------------------------------------------------------------------------------------- */

static const char *take_text(mem_arena *m, const json_t *object, const char *key) {
  const char *text = json_string_value(json_object_get(object, key));
  return mem_arena_copy(m, text == NULL ? "" : text);
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

static premise_kind kind_of(const char *word) {
  static const struct {
    const char *word;
    premise_kind kind;
  } kinds[] = {{"contents", PREMISE_CONTENTS}, {"even", PREMISE_EVEN},         {"as-seen", PREMISE_AS_SEEN},
               {"inside", PREMISE_INSIDE},     {"overflow", PREMISE_OVERFLOW}, {"division", PREMISE_DIVISION},
               {"sizes", PREMISE_SIZES},       {"waits", PREMISE_WAITS}};
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
    if (strcmp(kinds[i].word, word) == 0) return kinds[i].kind;
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
static void take_premises(mem_arena *m, const json_t *answer, const char *key, premises *out) {
  const json_t *list = json_object_get(answer, key);
  const size_t count = json_array_size(list);
  out->items = mem_arena_array(m, count + 1, sizeof *out->items);
  for (size_t i = 0; i < count; i++) {
    const json_t *one = json_array_get(list, i);
    premise *p = &out->items[out->count];
    if (json_is_string(one)) {
      *p = (premise){.kind = PREMISE_EXPRESSION, .text = mem_arena_copy(m, json_string_value(one))};
      out->count++;
    } else if (json_is_object(one)) {
      const char *kind = json_string_value(json_object_get(one, "kind"));
      *p = (premise){.kind = kind_of(kind == NULL ? "" : kind), .text = take_text(m, one, "text")};
      if (p->kind == PREMISE_CONTENTS) {
        p->buffer = take_text(m, one, "buffer");
        p->contents = contents_in(one);
      }
      out->count++;
    }
  }
}

static void take_spot(mem_arena *m, const json_t *object, answer_spot *out) {
  out->file = take_text(m, object, "file");
  out->line = take_small(object, "line");
  out->column = take_small(object, "column");
}

/* --- findings ----------------------------------------------------------------------------------------------------- */

static void take_place(mem_arena *m, const json_t *value, answer_place *out) {
  out->role = take_text(m, value, "role");
  out->access = take_text(m, value, "access");
  take_spot(m, value, &out->at);
  const json_t *inlined = json_object_get(value, "inlined");
  out->inlined = mem_arena_array(m, json_array_size(inlined) + 1, sizeof *out->inlined);
  for (; out->inlined_count < json_array_size(inlined); out->inlined_count++)
    take_spot(m, json_array_get(inlined, out->inlined_count), &out->inlined[out->inlined_count]);
  const bool local = take_three(value, "local", out->local), group = take_three(value, "group", out->group);
  out->has_item = local && group;
  out->condition = take_text(m, value, "condition");
  out->copy = json_is_true(json_object_get(value, "copy"));
  out->scope = take_text(m, value, "scope");
}

static void take_step(mem_arena *m, const json_t *value, answer_step *out) {
  out->thread = take_small(value, "thread");
  take_spot(m, value, &out->at);
  out->text = take_text(m, value, "text");
}

static void take_arguments(mem_arena *m, const json_t *object, answer_finding *out) {
  const char *name = NULL;
  json_t *value = NULL;
  out->arguments = mem_arena_array(m, json_object_size(object) + 1, sizeof *out->arguments);
  json_object_foreach((json_t *)object, name, value) {
    answer_argument *a = &out->arguments[out->argument_count++];
    a->name = mem_arena_copy(m, name);
    a->is_integer = json_is_integer(value);
    a->integer = json_integer_value(value);
    a->hexadecimal = take_text(m, value, "bytes");
  }
}

static void take_contents(mem_arena *m, const json_t *object, answer_finding *out) {
  const char *name = NULL;
  json_t *value = NULL;
  out->contents = mem_arena_array(m, json_object_size(object) + 1, sizeof *out->contents);
  json_object_foreach((json_t *)object, name, value) {
    answer_contents *c = &out->contents[out->contents_count++];
    c->buffer = mem_arena_copy(m, name);
    c->cells = mem_arena_array(m, json_array_size(value) + 1, sizeof *c->cells);
    for (size_t i = 0; i < json_array_size(value); i++) {
      const json_t *pair = json_array_get(value, i);
      const json_t *element = json_array_get(pair, 0), *cell = json_array_get(pair, 1);
      const uint64_t size = natural(json_array_get(pair, 2));
      if (json_is_integer(element) && json_integer_value(element) >= 0 && json_is_integer(cell) && size > 0 &&
          size <= sizeof(int64_t))
        c->cells[c->count++] = (answer_cell){natural(element), json_integer_value(cell), (uint32_t)size};
    }
  }
}

static void take_finding(mem_arena *m, const json_t *value, answer_finding *out) {
  out->rule = take_text(m, value, "rule");
  out->definite = json_is_true(json_object_get(value, "definite"));
  const json_t *places = json_object_get(value, "places"), *path = json_object_get(value, "path");
  out->places = mem_arena_array(m, json_array_size(places) + 1, sizeof *out->places);
  for (; out->place_count < json_array_size(places); out->place_count++)
    take_place(m, json_array_get(places, out->place_count), &out->places[out->place_count]);
  out->array = take_text(m, value, "array");
  out->space = take_text(m, value, "space");
  out->has_launch = json_is_integer(json_object_get(value, "launch"));
  out->launch = take_natural(value, "launch");
  const json_t *element = json_object_get(value, "element");
  out->has_element = json_is_integer(element) && json_integer_value(element) >= 0;
  out->element = natural(element);
  out->element_size = take_natural(value, "element_size");
  out->object_size = take_natural(value, "object_size");
  out->pixel = take_text(m, value, "pixel");
  out->call = take_text(m, value, "call");
  out->cause = take_text(m, value, "cause");
  out->has_other = take_three(value, "other", out->other);
  const bool local = take_three(value, "local_size", out->local_size),
             groups = take_three(value, "groups", out->groups);
  out->has_sizes = local && groups;
  (void)take_three(value, "offset", out->offset);
  take_arguments(m, json_object_get(value, "arguments"), out);
  take_contents(m, json_object_get(value, "contents"), out);
  const json_t *list = json_object_get(value, "depends_on");
  const size_t count = json_array_size(list);
  out->depends_on.items = mem_arena_array(m, count + 1, sizeof *out->depends_on.items);
  for (size_t i = 0; i < count; i++) {
    const char *text = json_string_value(json_array_get(list, i));
    if (text != NULL) out->depends_on.items[out->depends_on.count++] = mem_arena_copy(m, text);
  }
  out->path = mem_arena_array(m, json_array_size(path) + 1, sizeof *out->path);
  for (; out->path_count < json_array_size(path); out->path_count++)
    take_step(m, json_array_get(path, out->path_count), &out->path[out->path_count]);
}

/* --- answers ------------------------------------------------------------------------------------------------------ */

static void take_marks(mem_arena *m, const json_t *list, bool barriers, answer_mark **out, size_t *count) {
  *out = mem_arena_array(m, json_array_size(list) + 1, sizeof **out);
  for (; *count < json_array_size(list); (*count)++) {
    const json_t *value = json_array_get(list, *count), *needed = json_object_get(value, "needed");
    answer_mark *to = &(*out)[*count];
    take_spot(m, value, &to->at);
    to->text = !barriers               ? take_text(m, value, "text")
               : json_is_true(needed)  ? "needed"
               : json_is_false(needed) ? "redundant"
                                       : "undecided";
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
  for (size_t i = 0; i < a->finding_count; i++) definite = definite || a->findings[i].definite;
  const bool claims =
      a->verdict == ANSWER_RACE || a->verdict == ANSWER_DIVERGENCE || a->verdict == ANSWER_OUT_OF_BOUNDS;
  return claims == definite && (a->verdict != ANSWER_VERIFIED || a->finding_count == 0);
}

static int take_answer(const json_t *value, verify_answer *out, error *e) {
  if (json_is_string(json_object_get(value, "error"))) return take_failure(value, e);
  mem_arena *const m = &out->texts;
  const char *verdict = json_string_value(json_object_get(value, "verdict"));
  const int known = verdict == NULL ? -1 : name_number(verdict_names, VERIFY_VERDICTS, verdict);
  out->kernel = take_text(m, value, "kernel");
  if (known < 0 || out->kernel[0] == '\0') {
    return error_set(e, EXIT_INTERNAL, "the proof engine gave an answer without %s; install cltestcheck again",
                     known < 0 ? "a verdict" : "a kernel");
  }
  out->verdict = (verify_verdict)known;
  out->file = take_text(m, value, "file");
  out->line = take_small(value, "line");
  out->reason = take_text(m, value, "reason");
  take_premises(m, value, "preconditions", &out->preconditions);
  take_premises(m, value, "assumptions", &out->assumptions);
  out->given = take_natural(json_object_get(value, "launches"), "given");
  out->proved = take_natural(json_object_get(value, "launches"), "proved");
  out->order_shows = !json_is_true(json_object_get(value, "one_result")); /* what it does not say it does not know */
  out->wrong_assumption = json_is_true(json_object_get(value, "wrong_assumption"));
  out->conditional = out->assumptions.count > 0;
  out->seconds = json_number_value(json_object_get(value, "seconds"));
  out->queries = take_natural(value, "queries");
  out->memory = take_natural(value, "memory");
  out->opinion = take_natural(value, "second_opinion");
  take_marks(m, json_object_get(value, "invariants"), false, &out->invariants, &out->invariant_count);
  take_marks(m, json_object_get(value, "barriers"), true, &out->barriers, &out->barrier_count);
  const json_t *findings = json_object_get(value, "findings");
  out->findings = mem_arena_array(m, json_array_size(findings) + 1, sizeof *out->findings);
  for (; out->finding_count < json_array_size(findings); out->finding_count++)
    take_finding(m, json_array_get(findings, out->finding_count), &out->findings[out->finding_count]);
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
  *out = (verify_answer){.verdict = ANSWER_UNKNOWN};
  out->kernel = mem_arena_copy(&out->texts, kernel);
  out->file = mem_arena_copy(&out->texts, file);
  out->reason = mem_arena_copy(&out->texts, reason);
}

static void add_word(mem_arena *m, answer_words *w, const char *text) {
  for (size_t i = 0; i < w->count; i++)
    if (strcmp(w->items[i], text) == 0) return;
  w->items = mem_arena_more(m, w->items, w->count, sizeof *w->items);
  w->items[w->count++] = mem_arena_copy(m, text);
}

void answer_use(verify_answer *a, const char *fact) { add_word(&a->texts, &a->facts, fact); }

void answer_doubt(verify_answer *a, answer_finding *f, const char *text) { add_word(&a->texts, &f->depends_on, text); }

static void add_premise(mem_arena *m, premises *to, const premise *p) {
  for (size_t i = 0; i < to->count; i++)
    if (strcmp(to->items[i].text, p->text) == 0) return;
  to->items = mem_arena_more(m, to->items, to->count, sizeof *to->items);
  premise *made = &to->items[to->count++];
  *made = *p;
  made->text = mem_arena_copy(m, p->text);
  made->buffer = p->buffer == NULL ? NULL : mem_arena_copy(m, p->buffer);
}

void answer_require(verify_answer *a, const premise *p) { add_premise(&a->texts, &a->preconditions, p); }

void answer_require_expression(verify_answer *a, const char *text) {
  answer_require(a, &(premise){.kind = PREMISE_EXPRESSION, .text = text});
}

void answer_take(verify_answer *a, const premise *p) { add_premise(&a->texts, &a->assumptions, p); }

void answer_assume(verify_answer *a, const char *text) {
  answer_take(a, &(premise){.kind = PREMISE_OTHER, .text = text});
}

bool premises_have(const premises *p, premise_kind kind) {
  bool have = false;
  for (size_t i = 0; i < p->count; i++) have = have || p->items[i].kind == kind;
  return have;
}

void answer_undecided(verify_answer *a, const char *reason) {
  a->findings = NULL;
  a->finding_count = 0;
  a->verdict = ANSWER_UNKNOWN;
  a->reason = mem_arena_copy(&a->texts, reason);
}

void answer_free(verify_answer *a) {
  mem_arena_free(&a->texts);
  *a = (verify_answer){0};
}
