/* JSON to rows of the database: what is missing or of another type is as if it were not said; what must be there makes the answer
 * damaged. */
#include "proofs/client/answer.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "reports/words/words.h"

/* --- findings for the database ------------------------------------------------------------------------------------ */

/* The files of places. */
typedef struct naming {
  const answer_words *names;
  record_file *file;
  const void *context;
} naming;

/* false: it is in no file of the program's. */
static bool locate(const naming *n, uint32_t line, uint32_t *file, uint32_t *column) {
  *file = n->file(n->context, n->names->items[*file]);
  *column = *column == 0 ? 1 : *column;
  return *file != MODEL_NONE && line > 0;
}

static void locate_places(mem_arena *m, const naming *n, const answer_finding *f, db_finding *out) {
  db_place *places = mem_arena_array(m, f->row.place_count + 1, sizeof *places);
  out->places = places;
  out->place_count = 0;
  for (size_t i = 0; i < f->row.place_count; i++) {
    db_place *to = &places[out->place_count];
    *to = f->row.places[i];
    if (!locate(n, to->line, &to->file, &to->column)) continue;
    db_call *calls = mem_arena_array(m, to->inlined_count + 1, sizeof *calls);
    size_t known = 0;
    for (size_t c = 0; c < to->inlined_count; c++) {
      calls[known] = to->inlined[c];
      known += locate(n, calls[known].line, &calls[known].file, &calls[known].column) ? 1 : 0;
    }
    to->inlined = calls;
    to->inlined_count = known;
    out->place_count++;
  }
}

static void locate_path(mem_arena *m, const naming *n, const answer_finding *f, db_finding *out) {
  db_step *path = mem_arena_array(m, f->row.path_count + 1, sizeof *path);
  out->path = path;
  out->path_count = 0;
  for (size_t i = 0; i < f->row.path_count; i++) {
    db_step *to = &path[out->path_count];
    *to = f->row.path[i];
    out->path_count += locate(n, to->line, &to->file, &to->column) ? 1 : 0;
  }
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

/* Bytes of float and double, and of vectors of these, as numbers; any other value as it is. */
static const char *value_text(mem_arena *m, const parameter *p, const char *value) {
  const char *hexadecimal = answer_bytes(value);
  const bool twice = p != NULL && strncmp(p->type, "double", 6) == 0;
  const bool real = twice || (p != NULL && strncmp(p->type, "float", 5) == 0);
  const size_t digits = twice ? 16 : 8, count = hexadecimal == NULL ? 0 : strlen(hexadecimal) / digits;
  if (!real || count == 0 || strlen(hexadecimal) % digits != 0) return value;
  buffer text = {0};
  for (size_t i = 0; i < count; i++) {
    buffer_puts(&text, i > 0 ? ", " : count > 1 ? "(" : "");
    put_real(hexadecimal + i * digits, twice, &text);
  }
  buffer_puts(&text, count > 1 ? ")" : "");
  const char *made = mem_arena_copy(m, buffer_text(&text));
  buffer_free(&text);
  return made;
}

db_finding record_make(mem_arena *memory, const answer_finding *f, const signature *of, record_file *file,
                       const void *context) {
  const naming n = {f->files, file, context};
  db_finding made = f->row;
  locate_places(memory, &n, f, &made);
  locate_path(memory, &n, f, &made);
  db_witness *witness = mem_arena_array(memory, made.witness_count + 1, sizeof *witness);
  for (size_t i = 0; i < made.witness_count; i++) {
    witness[i] = made.witness[i];
    if (of != NULL && strcmp(witness[i].kind, "argument") == 0)
      witness[i].value = value_text(memory, NAMED(of->parameters, of->count, name, witness[i].what), witness[i].value);
  }
  made.witness = witness;
  return made;
}

static uint32_t any_file(const void *context, const char *name) {
  (void)context;
  (void)name;
  return 0;
}

void record_sentence(const answer_finding *f, buffer *to) {
  mem_arena memory = {0};
  db_finding told = record_make(&memory, f, NULL, any_file, NULL);
  told.proved = true;
  finding_sentence(&told, NULL, to);
  finding_sight(&told, to);
  mem_arena_free(&memory);
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

/* Adds it where it is not there yet; its number. */
static uint32_t add_word(mem_arena *m, answer_words *w, const char *text) {
  for (size_t i = 0; i < w->count; i++)
    if (strcmp(w->items[i], text) == 0) return (uint32_t)i;
  w->items = mem_arena_more(m, w->items, w->count, sizeof *w->items);
  w->items[w->count++] = mem_arena_copy(m, text);
  return (uint32_t)(w->count - 1);
}

static db_call take_spot(mem_arena *m, const json_t *object, answer_words *files) {
  const char *file = json_string_value(json_object_get(object, "file"));
  return (db_call){add_word(m, files, file == NULL ? "" : file), take_small(object, "line"),
                   take_small(object, "column")};
}

static const char *three_text(mem_arena *m, const uint64_t n[3]) {
  return mem_arena_printf(m, "%llu,%llu,%llu", (unsigned long long)n[0], (unsigned long long)n[1],
                          (unsigned long long)n[2]);
}

/* --- findings ----------------------------------------------------------------------------------------------------- */

static db_place take_place(mem_arena *m, const json_t *value, answer_words *files) {
  static const char *const scopes[] = {"own", "group", "sub-group"};
  const db_call at = take_spot(m, value, files);
  const char *scope = take_text(m, value, "scope"), *condition = take_text(m, value, "condition");
  uint64_t local[3], group[3];
  const bool has_local = take_three(value, "local", local), has_item = take_three(value, "group", group) && has_local;
  db_place made = {.role = take_text(m, value, "role"),
                   .access = take_text(m, value, "access"),
                   .how = "",
                   .file = at.file,
                   .line = at.line,
                   .column = at.column,
                   .who = "",
                   .local = has_item ? three_text(m, local) : NULL,
                   .group = has_item ? three_text(m, group) : NULL,
                   .condition = condition[0] == '\0' ? NULL : condition};
  for (size_t i = 0; i < sizeof scopes / sizeof *scopes; i++)
    if (strcmp(scopes[i], scope) == 0) made.how = scopes[i];
  if (json_is_true(json_object_get(value, "copy")) && made.access[0] != '\0') made.who = "copy";
  const json_t *inlined = json_object_get(value, "inlined");
  db_call *calls = mem_arena_array(m, json_array_size(inlined) + 1, sizeof *calls);
  for (; made.inlined_count < json_array_size(inlined); made.inlined_count++)
    calls[made.inlined_count] = take_spot(m, json_array_get(inlined, made.inlined_count), files);
  made.inlined = calls;
  return made;
}

static void take_places(mem_arena *m, const json_t *list, answer_words *files, answer_finding *out) {
  db_place *places = mem_arena_array(m, json_array_size(list) + 1, sizeof *places);
  for (size_t i = 0; i < json_array_size(list); i++) {
    const json_t *value = json_array_get(list, i);
    places[i] = take_place(m, value, files);
    out->copies = out->copies || json_is_true(json_object_get(value, "copy"));
  }
  out->row.places = places;
  out->row.place_count = json_array_size(list);
}

static void take_path(mem_arena *m, const json_t *list, answer_words *files, db_finding *out) {
  db_step *path = mem_arena_array(m, json_array_size(list) + 1, sizeof *path);
  for (; out->path_count < json_array_size(list); out->path_count++) {
    const json_t *value = json_array_get(list, out->path_count);
    const db_call at = take_spot(m, value, files);
    path[out->path_count] =
        (db_step){take_small(value, "thread"), at.file, at.line, at.column, take_text(m, value, "text")};
  }
  out->path = path;
}

/* The values that a finding needs. */
typedef struct witnesses {
  db_witness *items;
  size_t count;
} witnesses;

static witnesses room_for(mem_arena *m, const json_t *finding) {
  const char *name = NULL;
  json_t *buffers = json_object_get(finding, "contents"), *cells = NULL;
  size_t most = json_object_size(json_object_get(finding, "arguments"));
  most += json_array_size(json_object_get(finding, "depends_on"));
  json_object_foreach(buffers, name, cells) { most += json_array_size(cells); }
  return (witnesses){mem_arena_array(m, most + 1, sizeof(db_witness)), 0};
}

static db_witness doubt(mem_arena *m, const char *text) {
  return (db_witness){.kind = "doubt", .what = "", .value = mem_arena_copy(m, text)};
}

static const char bytes_word[] = "bytes ";

const char *answer_bytes(const char *value) {
  const size_t length = sizeof bytes_word - 1;
  return strncmp(value, bytes_word, length) == 0 ? value + length : NULL;
}

static void take_arguments(mem_arena *m, const json_t *object, witnesses *to) {
  const char *name = NULL;
  json_t *value = NULL;
  json_object_foreach((json_t *)object, name, value) {
    const char *text = json_is_integer(value) ? mem_arena_printf(m, "%lld", (long long)json_integer_value(value))
                                              : mem_arena_printf(m, "%s%s", bytes_word, take_text(m, value, "bytes"));
    to->items[to->count++] = (db_witness){.kind = "argument", .what = mem_arena_copy(m, name), .value = text};
  }
}

static void take_contents(mem_arena *m, const json_t *object, answer_finding *out, witnesses *to) {
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
      const uint64_t at = natural(element), size = natural(json_array_get(pair, 2));
      const int64_t number = json_integer_value(cell);
      if (json_is_integer(element) && json_integer_value(element) >= 0 && json_is_integer(cell) && size > 0 &&
          size <= sizeof(int64_t)) {
        c->cells[c->count++] = (answer_cell){at, number, (uint32_t)size};
        to->items[to->count++] =
            (db_witness){"content", c->buffer, db_known(at), mem_arena_printf(m, "%lld", (long long)number)};
      }
    }
  }
}

static db_number positive(const json_t *object, const char *key) {
  const uint64_t n = take_natural(object, key);
  return (db_number){n > 0, n};
}

static void take_detail(mem_arena *m, const json_t *value, answer_finding *out) {
  const json_t *element = json_object_get(value, "element");
  uint64_t other[3];
  db_detail *d = &out->row.detail;
  d->object = take_text(m, value, "array");
  d->space = take_text(m, value, "space");
  d->pixel = take_text(m, value, "pixel");
  d->size = positive(value, "object_size");
  d->element = (db_number){json_is_integer(element) && json_integer_value(element) >= 0, natural(element)};
  d->element_size = positive(value, "element_size");
  d->call = take_text(m, value, "call");
  d->cause = take_text(m, value, "cause");
  d->local = take_three(value, "other", other) ? three_text(m, other) : NULL;
  const bool local = take_three(value, "local_size", out->local_size),
             groups = take_three(value, "groups", out->groups);
  out->has_sizes = local && groups;
  (void)take_three(value, "offset", out->offset);
  if (out->has_sizes) {
    d->local_size = three_text(m, out->local_size);
    d->groups = three_text(m, out->groups);
  }
  if (out->offset[0] + out->offset[1] + out->offset[2] > 0) d->offset = three_text(m, out->offset);
}

static void take_finding(mem_arena *m, const json_t *value, answer_words *files, answer_finding *out) {
  out->files = files;
  out->row.rule = take_text(m, value, "rule");
  out->row.possible = !json_is_true(json_object_get(value, "definite"));
  out->has_launch = json_is_integer(json_object_get(value, "launch"));
  out->launch = take_natural(value, "launch");
  take_places(m, json_object_get(value, "places"), files, out);
  take_path(m, json_object_get(value, "path"), files, &out->row);
  take_detail(m, value, out);
  witnesses w = room_for(m, value);
  take_arguments(m, json_object_get(value, "arguments"), &w);
  take_contents(m, json_object_get(value, "contents"), out, &w);
  const json_t *list = json_object_get(value, "depends_on");
  for (size_t i = 0; i < json_array_size(list); i++) {
    const char *text = json_string_value(json_array_get(list, i));
    if (text != NULL) w.items[w.count++] = doubt(m, text);
  }
  out->row.witness = w.items;
  out->row.witness_count = w.count;
}

/* --- answers ------------------------------------------------------------------------------------------------------ */

static void take_marks(mem_arena *m, const json_t *list, bool barriers, answer_words *files, db_proof_part **out,
                       size_t *count) {
  *out = mem_arena_array(m, json_array_size(list) + 1, sizeof **out);
  for (; *count < json_array_size(list); (*count)++) {
    const json_t *value = json_array_get(list, *count), *needed = json_object_get(value, "needed");
    const db_call at = take_spot(m, value, files);
    const char *text = !barriers               ? take_text(m, value, "text")
                       : json_is_true(needed)  ? "needed"
                       : json_is_false(needed) ? "redundant"
                                               : "undecided";
    (*out)[*count] = (db_proof_part){text, at.file, at.line, at.column};
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
  for (size_t i = 0; i < a->finding_count; i++) definite = definite || !a->findings[i].row.possible;
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
  out->files = mem_arena_array(m, 1, sizeof *out->files);
  take_marks(m, json_object_get(value, "invariants"), false, out->files, &out->invariants, &out->invariant_count);
  take_marks(m, json_object_get(value, "barriers"), true, out->files, &out->barriers, &out->barrier_count);
  const json_t *findings = json_object_get(value, "findings");
  out->findings = mem_arena_array(m, json_array_size(findings) + 1, sizeof *out->findings);
  for (; out->finding_count < json_array_size(findings); out->finding_count++)
    take_finding(m, json_array_get(findings, out->finding_count), out->files, &out->findings[out->finding_count]);
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

void answer_use(verify_answer *a, const char *fact) { (void)add_word(&a->texts, &a->facts, fact); }

void answer_doubt(verify_answer *a, answer_finding *f, const char *text) {
  for (size_t i = 0; i < f->row.witness_count; i++)
    if (strcmp(f->row.witness[i].kind, "doubt") == 0 && strcmp(f->row.witness[i].value, text) == 0) return;
  db_witness *more = mem_arena_more(&a->texts, f->row.witness, f->row.witness_count, sizeof *more);
  more[f->row.witness_count++] = doubt(&a->texts, text);
  f->row.witness = more;
}

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
