/* From records of kernels with bounds to findings: an access, its object, a work-item, and the calls on the way. */
#include "detectors/memory/decoder.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/rules.h"
#include "detectors/memory/record.h"
#include "frontend/tree.h"
#include "runner/session/internal.h"

static uint32_t access_of(uint32_t key) { return key & ((1U << ERROR_OBJECT_AT) - 1); }
static uint32_t object_number(uint32_t key) {
  return key >> ERROR_OBJECT_AT & ((1U << (ERROR_RULE_AT - ERROR_OBJECT_AT)) - 1);
}
static uint32_t rule_of(uint32_t key) { return key >> ERROR_RULE_AT; }

/* An error of an access and an object. */
typedef struct seen_error {
  int64_t row; /* the test case */
  uint32_t program, kernel;
  uint32_t record[MEMORY_SLOT_WORDS];
} seen_error;

/* A kernel that did something wrong, or may have, in one of these launches (of MESSAGE_EVIDENCE), and did not say what. */
typedef struct wrong_kernel {
  int64_t row; /* the test case */
  uint32_t program, kernel, first, end;
  uint32_t word; /* BRIEF_… */
} wrong_kernel;

/* --- records ------------------------------------------------------------------------------------------------------- */

static seen_error *find(session *s, const seen_error *like) {
  for (size_t i = 0; i < s->memory_error_count; i++) {
    seen_error *f = &s->memory_errors[i];
    if (f->row == like->row && f->program == like->program && f->kernel == like->kernel &&
        f->record[ERROR_KEY] == like->record[ERROR_KEY])
      return f;
  }
  return NULL;
}

/* `at`: the access, NULL: not known. */
static void note_unknown(session *s, const session_program *p, uint32_t kernel, const instrument_check *at) {
  buffer note = {0};
  buffer_printf(&note, "kernel %s of %s", p->result.model.kernels[kernel].name, p->name);
  if (at != NULL) buffer_printf(&note, ", line %u", (unsigned)at->line);
  buffer_puts(&note, ": a pointer led to memory of which nothing is known; accesses through it were not checked");
  session_add_note(s, buffer_text(&note));
  buffer_free(&note);
}

static const char left_loops[] =
    "a work-item read outside of its memory 100,000 times, and was made to leave its loops: it may turn for ever "
    "because "
    "such reads give 0";

/* All that was seen since the process made its queue. */
int take_memory(session *s, const form_record *r, error *e) {
  session_program *p = &s->programs[r->program];
  const instrument_result *made = &p->result;
  for (uint32_t i = 0; i < MEMORY_SLOT_COUNT; i++) {
    const uint32_t *slot = r->words + MEMORY_SLOTS + (size_t)i * MEMORY_SLOT_WORDS;
    const uint32_t key = slot[ERROR_KEY];
    if (rule_of(key) == ERROR_PASSED && access_of(key) < made->check_count) {
      note_unknown(s, p, r->kernel, &made->checks[access_of(key)]);
      p->checks[r->kernel].passed = true;
    } else if (rule_of(key) > 0 && rule_of(key) < ERROR_PASSED && access_of(key) < made->check_count &&
               slot[ERROR_COUNT] > 0) {
      seen_error f = {.row = r->row, .program = r->program, .kernel = r->kernel};
      memcpy(f.record, slot, sizeof f.record);
      /* The same may come again, counted further. */
      seen_error *known = find(s, &f);
      if (known == NULL)
        *ARRAY_ADD(s->memory_errors, s->memory_error_count, s->memory_error_capacity) = f;
      else if (f.record[ERROR_COUNT] > known->record[ERROR_COUNT])
        known->record[ERROR_COUNT] = f.record[ERROR_COUNT];
    }
  }
  static const char *const notes[] = {
      "a program has accesses that are not checked (docs/memory.md, \"What is not seen\")",
      "a kernel has more errors than are kept; some are not listed", left_loops};
  const bool apply[] = {made->left_out, r->words[MEMORY_DROPPED] > 0, r->words[MEMORY_LEFT] != 0};
  for (size_t i = 0; i < sizeof notes / sizeof notes[0]; i++)
    if (apply[i]) session_add_note(s, notes[i]);
  p->checks[r->kernel].made = true;
  return session_launched(s, r, e);
}

/* Of a kernel the first launches that are known to be wrong, else the first that may be. */
int take_bounds(session *s, const form_record *r, error *e) {
  const wrong_kernel k = {r->row, r->program, r->kernel, r->first, r->end, r->words[0]};
  wrong_kernel *known = NULL;
  if ((k.word & BRIEF_LEFT) != 0) session_add_note(s, left_loops);
  for (size_t i = 0; i < s->wrong_count; i++) {
    wrong_kernel *w = &s->wrong[i];
    known = w->row == k.row && w->program == k.program && w->kernel == k.kernel ? w : known;
  }
  if (known != NULL && (known->word & BRIEF_WRONG) == 0 && (k.word & BRIEF_WRONG) != 0)
    *known = k;
  else if (known != NULL)
    known->word |= k.word;
  else if ((k.word & (BRIEF_WRONG | BRIEF_MAYBE | BRIEF_UNKNOWN)) != 0)
    *ARRAY_ADD(s->wrong, s->wrong_count, s->wrong_capacity) = k;
  return session_launched(s, r, e);
}

static const session_program *same_program(const session *s, const session_program *as) {
  for (size_t i = 0; s != NULL && i < s->program_count; i++)
    if (strcmp(s->programs[i].key, as->key) == 0) return &s->programs[i];
  return NULL;
}

static bool has_diverged(const session *s, int64_t row, const session_program *as, uint32_t kernel) {
  const session *in = s->options.diverging;
  const session_program *p = same_program(in, as);
  bool found = false;
  for (size_t i = 0; p != NULL && i < in->diverged_count && !found; i++) {
    const struct diverged_kernel *k = &in->diverged[i];
    found = k->row == row && &in->programs[k->program] == p && k->kernel == kernel;
  }
  return found;
}

static bool has_word(const session *s, uint32_t bits) {
  bool any = false;
  for (size_t i = 0; i < s->wrong_count && !any; i++) {
    any = (s->wrong[i].word & bits) != 0 &&
          !has_diverged(s, s->wrong[i].row, &s->programs[s->wrong[i].program], s->wrong[i].kernel);
  }
  return any;
}

bool session_has_wrong(const session *s) { return has_word(s, BRIEF_WRONG | BRIEF_MAYBE); }

bool session_has_untold(const session *s) { return has_word(s, BRIEF_WRONG | BRIEF_MAYBE | BRIEF_UNKNOWN); }

/* --- as a finding -------------------------------------------------------------------------------------------------- */

static const char *const rules[] = {
    [ERROR_OUTSIDE] = "out-of-bounds",        [ERROR_NULL] = "null-pointer",
    [ERROR_MISALIGNED] = "misaligned",        [ERROR_READ_ONLY] = "read-only",
    [ERROR_WRITE_ONLY] = "write-only",        [ERROR_MAPPED] = "mapped",
    [ERROR_UNWRITTEN] = "uninitialized-read", [ERROR_NOT_AWAITED] = "copy-not-awaited",
    [ERROR_UNDER_WAY] = "copy-not-awaited",
};

enum { DEEPEST = 8 };

/* An error as a finding, which lends what is here. */
typedef struct told_error {
  db_place place;
  db_call calls[DEEPEST];
  db_detail detail;
  db_witness copy; /* that is under way */
  char local[40], group[40], pixel[40], cause[16], line[16];
} told_error;

/* NULL: not known. */
static const instrument_object *object_of(const instrument_result *made, const instrument_kernel *k, uint32_t number) {
  for (size_t i = 0; number < MEMORY_ARRAYS && i < k->object_count; i++)
    if (k->objects[i].parameter == number) return &k->objects[i];
  return number >= MEMORY_ARRAYS && number - MEMORY_ARRAYS < made->array_count ? &made->arrays[number - MEMORY_ARRAYS]
                                                                               : NULL;
}

static const char *space_of(const instrument_object *o) {
  static const char *const names[TREE_SPACE_COUNT] = {[TREE_SPACE_GLOBAL] = "global",
                                                      [TREE_SPACE_LOCAL] = "local",
                                                      [TREE_SPACE_CONSTANT] = "constant",
                                                      [TREE_SPACE_PRIVATE] = "private"};
  const char *name = o->image ? "image" : o->space < TREE_SPACE_COUNT ? names[o->space] : NULL;
  return name != NULL ? name : "";
}

/* Elements before the object have numbers below 0, as they are stored. */
static void set_memory(const instrument_object *o, const uint32_t *r, told_error *t) {
  db_detail *d = &t->detail;
  d->object = o != NULL ? o->name : "";
  d->space = o != NULL ? space_of(o) : "";
  if (o != NULL && o->image) {
    if (r[ERROR_DEPTH] != MEMORY_NO_PIXEL) {
      const int32_t x = (int32_t)r[ERROR_OFFSET], y = (int32_t)r[ERROR_OFFSET + 1], z = (int32_t)r[ERROR_DEPTH];
      const int length = snprintf(t->pixel, sizeof t->pixel, "%d,%d", x, y);
      if (z != 0) (void)snprintf(t->pixel + length, sizeof t->pixel - (size_t)length, ",%d", z);
      t->detail.pixel = t->pixel;
    }
    return;
  }
  const int64_t size = o != NULL && o->size > 0 ? o->size : 1, byte = (int64_t)session_wide(r + ERROR_OFFSET);
  const int64_t rest = (byte % size + size) % size;
  d->element_size = db_known((uint64_t)size);
  d->element = db_known((uint64_t)((byte - rest) / size));
  if (rest != 0) d->byte = db_known((uint64_t)rest);
  if (o != NULL && rule_of(r[ERROR_KEY]) != ERROR_NULL) d->size = db_known(session_wide(r + ERROR_SIZE));
  if (rule_of(r[ERROR_KEY]) == ERROR_NOT_AWAITED) d->cause = r[ERROR_DEPTH] > 1 ? "several" : "";
  if (rule_of(r[ERROR_KEY]) == ERROR_MISALIGNED) {
    (void)snprintf(t->cause, sizeof t->cause, "%u", r[ERROR_DEPTH]);
    d->cause = t->cause;
  }
}

static void set_calls(const instrument_result *made, uint64_t path, told_error *t) {
  size_t count = 0;
  for (; path != 0 && count < DEEPEST && (path & 255) <= made->call_count && (path & 255) != 255; path >>= 8) {
    const instrument_check *c = &made->calls[(path & 255) - 1];
    t->calls[count++] = (db_call){c->file, c->line, c->column};
  }
  t->place.inlined = t->calls;
  t->place.inlined_count = count;
}

static void set_place(const instrument_result *made, const uint32_t *r, told_error *t) {
  const instrument_check *c = &made->checks[access_of(r[ERROR_KEY])];
  const uint32_t *g = r + ERROR_GROUP, *l = r + ERROR_ITEM;
  (void)snprintf(t->group, sizeof t->group, "%u,%u,%u", g[0], g[1], g[2]);
  (void)snprintf(t->local, sizeof t->local, "%u,%u,%u", l[0], l[1], l[2]);
  const bool copy = c->kind == CHECK_COPY_READ || c->kind == CHECK_COPY_WRITE;
  t->place = (db_place){.role = "access",
                        .access = access_words_of(c->kind).access,
                        .how = access_words_of(c->kind).how,
                        .file = c->file,
                        .line = c->line,
                        .column = c->column,
                        .who = copy ? "copy" : "",
                        .local = copy ? "" : t->local,
                        .group = t->group};
  set_calls(made, session_wide(r + ERROR_PATH), t);
}

/* Line 0: where is not known, so that it stands for each. */
static char *mapped_key(const char *kernel, const char *parameter, uint32_t line) {
  buffer text = {0};
  buffer_printf(&text, "%s %s %u", kernel, parameter, line);
  return buffer_take(&text);
}

void session_leave_mapped(session *s, const char *kernel, const char *parameter, uint32_t line) {
  if (s != NULL && kernel[0] != '\0')
    *ARRAY_ADD(s->left_mapped, s->left_count, s->left_capacity) = mapped_key(kernel, parameter, line);
}

static bool is_left(const session *s, const seen_error *f, const told_error *t) {
  const char *kernel = s->programs[f->program].result.model.kernels[f->kernel].name;
  bool any = false;
  for (int i = 0; i < 2 && rule_of(f->record[ERROR_KEY]) == ERROR_MAPPED; i++) {
    char *key = mapped_key(kernel, t->detail.object, i == 0 ? t->place.line : 0);
    for (size_t k = 0; k < s->left_count; k++) any = any || strcmp(s->left_mapped[k], key) == 0;
    free(key);
  }
  return any;
}

static int write_error(session *s, const seen_error *f, error *e) {
  const session_program *p = &s->programs[f->program];
  const instrument_result *made = &p->result;
  const uint32_t *r = f->record;
  if (has_diverged(s, f->row, p, f->kernel)) return 0;
  told_error t = {.detail = {.launch = db_known(r[ERROR_LAUNCH]), .count = db_known(r[ERROR_COUNT])}};
  set_place(made, r, &t);
  /* The copy that the access meets. */
  const uint32_t number = r[ERROR_DEPTH];
  (void)snprintf(t.line, sizeof t.line, "%u", number < made->check_count ? (unsigned)made->checks[number].line : 0U);
  t.copy = (db_witness){.what = "copy", .value = t.line};
  set_memory(object_of(made, &made->kernels[f->kernel], object_number(r[ERROR_KEY])), r, &t);
  const db_finding finding = {.of.run = s->run,
                              .of.test_case = f->row,
                              .of.program = p->stored.id,
                              .of.kernel = p->stored.kernels[f->kernel],
                              .rule = rules[rule_of(r[ERROR_KEY])],
                              .detail = t.detail,
                              .places = &t.place,
                              .place_count = 1,
                              .witness = &t.copy,
                              .witness_count = rule_of(r[ERROR_KEY]) == ERROR_UNDER_WAY ? 1 : 0};
  s->summary.findings++;
  return rule_is_wanted(s->options.rules, finding.rule) && !is_left(s, f, &t) ? db_put_finding(s->db, &finding, e) : 0;
}

/* Which read of an image it was that mattered is not known: the first one stands for all. */
static bool is_further_read(const session *s, const seen_error *f) {
  const uint32_t key = f->record[ERROR_KEY];
  bool further = false;
  for (size_t i = 0; rule_of(key) == ERROR_UNWRITTEN && f->record[ERROR_DEPTH] == MEMORY_NO_PIXEL &&
                     i < s->memory_error_count && !further;
       i++) {
    const seen_error *o = &s->memory_errors[i];
    further =
        o->row == f->row && rule_of(o->record[ERROR_KEY]) == ERROR_UNWRITTEN &&
        o->record[ERROR_DEPTH] == MEMORY_NO_PIXEL &&
        (o->program < f->program || (o->program == f->program && access_of(o->record[ERROR_KEY]) < access_of(key)));
  }
  return further;
}

int session_end_memory(session *s, error *e) {
  int result = 0;
  for (size_t i = 0; i < s->memory_error_count && result == 0; i++)
    result = is_further_read(s, &s->memory_errors[i]) ? 0 : write_error(s, &s->memory_errors[i], e);
  return result;
}

/* --- errors of which a first run says only that they are there ------------------------------------------------------ */

static bool has_error(const session *s, const session_program *p, uint32_t kernel) {
  for (size_t i = 0; p != NULL && i < s->memory_error_count; i++)
    if (&s->programs[s->memory_errors[i].program] == p && s->memory_errors[i].kernel == kernel) return true;
  return false;
}

/* Why the further run does not say more of the kernel. */
static void put_why(const session *again, const session_program *p, uint32_t kernel, const char *why, buffer *to) {
  if (p != NULL && (p->reason != NULL || !p->built)) {
    buffer_printf(to, "the kernel could not be built so that it says it: %s",
                  p->reason != NULL          ? p->reason
                  : again->last_skip == NULL ? ""
                                             : again->last_skip);
  } else if (why[0] != '\0') {
    buffer_puts(to, why);
  } else if (p == NULL || !p->checks[kernel].made) {
    buffer_puts(to, "when the program was run again to tell, no launch of the kernel could be looked at");
  } else {
    buffer_puts(to, "when the program was run again to tell, it did not do the same");
  }
}

static int write_wrong(session *s, const wrong_kernel *w, const char *why, error *e) {
  const session_program *p = &s->programs[w->program];
  char last[16];
  (void)snprintf(last, sizeof last, "%u", (unsigned)w->end);
  const db_witness witness[] = {{.what = "why", .value = why}, {.what = "last launch", .value = last}};
  const db_finding finding = {.of.run = s->run,
                              .of.test_case = w->row,
                              .of.program = p->stored.id,
                              .of.kernel = p->stored.kernels[w->kernel],
                              .rule = "memory-error",
                              .detail.launch = {w->end > 0, w->first},
                              .witness = witness,
                              .witness_count = sizeof witness / sizeof witness[0],
                              .distinct = p->result.model.kernels[w->kernel].name};
  s->summary.findings++;
  return db_put_finding(s->db, &finding, e);
}

static void note_untold(session *s, const wrong_kernel *w, const char *why) {
  buffer note = {0};
  buffer_printf(&note, "kernel %s did something wrong with memory; whether one of --rules forbids it is not known: %s",
                s->programs[w->program].result.model.kernels[w->kernel].name, why);
  session_add_note(s, buffer_text(&note));
  buffer_free(&note);
}

int session_end_wrong(session *s, const session *again, const char *why, bool *untold, error *e) {
  int result = 0;
  for (size_t i = 0; i < s->wrong_count && result == 0; i++) {
    const wrong_kernel *w = &s->wrong[i];
    const session_program *p = same_program(again, &s->programs[w->program]);
    if ((w->word & BRIEF_UNKNOWN) != 0 && (p == NULL || !p->checks[w->kernel].passed))
      note_unknown(s, &s->programs[w->program], w->kernel, NULL);
    if ((w->word & BRIEF_WRONG) == 0 || has_error(again, p, w->kernel) ||
        has_diverged(s, w->row, &s->programs[w->program], w->kernel))
      continue;
    buffer reason = {0};
    put_why(again, p, w->kernel, why, &reason);
    if (rule_is_wanted(s->options.rules, "memory-error")) {
      result = write_wrong(s, w, buffer_text(&reason), e);
    } else {
      note_untold(s, w, buffer_text(&reason));
      *untold = true;
    }
    buffer_free(&reason);
  }
  s->wrong_count = 0;
  return result;
}
