/* Random kernels: what the engine says of each, against executions of an interpreter that sees each access.
 *   verify_random ENGINE FIRST_SEED COUNT [quick] [show]
 * Verified: no execution races or diverges. Race, divergence, out of bounds: the execution that the counterexample describes does,
 * at those lines. `quick`: small kernels, little time for each and one finding, so that many can be asked. `show` prints the kernels
 * with their verdicts. */
#include "tests/instrument/property/random.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "tests/proofs/verify/engine.h"
#include "tests/proofs/verify/random/interpret.h"

enum { BATCH = 8, TIMEOUT = 6, MOST_ITEMS = 4096, SEEDS = 256, ELEMENTS = 64 };
/* What is known of the launch: its sizes, nothing, or all of it. */
typedef enum mode { SIZES, FREE, LAUNCH, MODES } mode;

typedef struct subject {
  program *p;
  char *text;
  mode mode;
  uint32_t local, groups, n, m;
  uint64_t seed;
  content content;
  bool held; /* the engine is told what `c` holds */
} subject;

/* How kernels are asked about. */
typedef struct manner {
  const char *engine;
  bool quick, show;
} manner;

typedef struct tally {
  unsigned long kernels, wrong, executions;
  unsigned long by[MODES][16];     /* verdicts */
  unsigned long missed;            /* not decided, though an execution races or diverges */
  unsigned long with[FEATURES][4]; /* kernels with that; of these verified, certain, wrong */
} tally;

static const char *const features[FEATURES] = {"asynchronous copies",
                                               "functions of a group",
                                               "sub-groups",
                                               "scopes of barriers",
                                               "contents that are known",
                                               "counters",
                                               "locks",
                                               "private arrays",
                                               "other views of them",
                                               "halves of elements",
                                               "divisors that may be 0",
                                               "fences",
                                               "loops of 8 and 16 bits",
                                               "loops of 64 bits",
                                               "loops with a barrier"};

static const char *const verdicts[] = {"verified",      "race",          "divergence",
                                       "out-of-bounds", "possible-race", "possible-divergence",
                                       "unknown",       "unsupported"};
enum { VERIFIED_ROW, RACE_ROW, DIVERGENCE_ROW, BOUNDS_ROW, UNSUPPORTED_ROW = 7, VERDICTS = 8 };

/* --- a kernel and what is asked of it -------------------------------------------------------------------------------- */

static subject subject_of(uint64_t seed, mode how, bool small) {
  static const uint32_t sizes[] = {2, 3, 4, 4, 6, 8}, scalars[] = {0, 1, 2, 3, 4, 5, 8, 16};
  random_state r = {seed ^ 0x5DEECE66Du};
  char name[16];
  (void)snprintf(name, sizeof name, "k%llu", (unsigned long long)seed);
  subject s = {.p = program_grow(seed, name, small), .mode = how, .seed = seed};
  s.local = sizes[random_below(&r, 6)];
  s.groups = 1 + random_below(&r, 3);
  s.n = scalars[random_below(&r, 8)];
  s.m = scalars[random_below(&r, 8)];
  s.content = how != LAUNCH && s.p->content == OWN_INDEX ? ANY_CONTENT : s.p->content;
  s.held = how == LAUNCH && s.content != ANY_CONTENT && random_below(&r, 2) == 0;
  return s;
}

/* Tells what `c` holds: of a launch that was seen as facts and as bytes, else as an assumption. */
static void tell_content(const subject *s, json_t *k, json_t *buffers) {
  static const char *const facts[CONTENTS] = {NULL, "distinct", "ascending", "identity", "within:0:7"};
  static const char *const assumptions[CONTENTS] = {NULL, "distinct(c)", "ascending(c)", NULL, "c[i] < 8"};
  if (buffers == NULL && assumptions[s->content] != NULL) {
    json_object_set_new(k, "assume", json_pack("[s]", assumptions[s->content]));
  } else if (buffers != NULL && s->content != ANY_CONTENT) {
    json_t *c = json_object_get(buffers, "c");
    json_object_set_new(c, "contents", json_pack("[s]", facts[s->content]));
    json_object_set_new(c, "unsigned", json_true());
    char held[ELEMENTS * 8 + 1];
    for (uint32_t n = 0; n < ELEMENTS; n++) {
      const uint32_t v = content_of(s->content, s->seed, n);
      (void)snprintf(held + (size_t)n * 8, 9, "%02x%02x%02x%02x", v & 255, v >> 8 & 255, v >> 16 & 255, v >> 24);
    }
    if (s->held) json_object_set_new(c, "held", json_string(held));
  }
}

static json_t *asked(const subject *s) {
  json_t *k = json_pack("{s:s,s:i}", "kernel", s->p->name, "dimensions", 1);
  if (s->mode != LAUNCH) tell_content(s, k, NULL);
  if (s->mode == FREE) return k;
  json_t *sizes = json_pack("{s:[i],s:[i],s:i}", "local", (int)s->local, "groups", (int)s->groups, "dimensions", 1);
  if (s->mode == SIZES) {
    json_object_update(k, sizes);
    json_decref(sizes);
    return k;
  }
  json_object_set_new(sizes, "arguments", json_pack("{s:i,s:i}", "n", (int)s->n, "m", (int)s->m));
  json_t *buffers = json_object();
  for (uint32_t array = 0; array < ARRAYS; array++) {
    json_object_set_new(buffers, array_text(array),
                        json_pack("{s:i}", array == ARRAY_T ? "local_bytes" : "bytes", ELEMENTS * 4));
  }
  json_object_set_new(buffers, "q", json_pack("{s:i}", "bytes", 4));
  tell_content(s, k, buffers);
  json_object_set_new(sizes, "buffers", buffers);
  json_object_set_new(k, "launches", json_pack("[o]", sizes));
  return k;
}

/* --- executions ----------------------------------------------------------------------------------------------------- */

static execution execution_of(const subject *s, uint64_t seed) {
  execution e = {.local = s->local, .groups = s->groups, .n = s->n, .m = s->m, .seed = seed};
  e.content = s->content;
  e.content_seed = s->held ? s->seed : seed;
  for (uint32_t array = 0; array < ARRAYS && s->mode == LAUNCH; array++) e.elements[array] = ELEMENTS;
  return e;
}

/* Sizes and scalars of one of many launches that the request allows; the first is the subject's own. */
static void vary(const subject *s, unsigned which, random_state *r, execution *e) {
  static const uint32_t scalars[] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 12, 16, 17, 64, UINT32_MAX, UINT32_MAX - 3};
  if (which == 0 || s->mode == LAUNCH) return;
  e->n = scalars[random_below(r, 16)];
  e->m = scalars[random_below(r, 16)];
  if (s->mode == FREE) {
    e->local = 1 + random_below(r, 9);
    e->groups = 1 + random_below(r, 4);
  }
}

/* The first execution that races or diverges; false: none of them. `divided`: those that divide by 0 count. */
static bool find_wrong(const subject *s, tally *t, bool divided, execution *found) {
  random_state r = {s->seed * 977 + 5};
  for (unsigned which = 0; which < 24; which++) {
    execution e = execution_of(s, s->seed * 100 + which);
    vary(s, which, &r, &e);
    e.content_seed = which == 0 ? s->seed : e.seed; /* no proof rests on what the buffer held */
    interpret(s->p, &e);
    t->executions++;
    const bool counts = e.outside == 0 && (divided || !e.by_zero); /* what follows such an access is undefined */
    if (counts && (e.race_count > 0 || e.diverged > 0)) {
      *found = e;
      return true;
    }
    execution_free(&e);
  }
  return false;
}

static uint32_t number_at(const json_t *list, size_t i) {
  return (uint32_t)json_integer_value(json_array_get(list, i));
}

/* The launch that a finding describes. */
static execution described(const subject *s, const json_t *finding, uint64_t seed) {
  execution e = execution_of(s, seed);
  const json_t *arguments = json_object_get(finding, "arguments"), *contents = json_object_get(finding, "contents");
  e.local = number_at(json_object_get(finding, "local_size"), 0);
  e.groups = number_at(json_object_get(finding, "groups"), 0);
  e.n = (uint32_t)json_integer_value(json_object_get(arguments, "n"));
  e.m = (uint32_t)json_integer_value(json_object_get(arguments, "m"));
  for (uint32_t array = 0; array < ARRAYS; array++) {
    const json_t *list = json_object_get(contents, array_text(array));
    for (size_t i = 0; i < json_array_size(list) && e.content_count < MOST_CONTENTS; i++) {
      const json_t *one = json_array_get(list, i);
      const uint32_t entry[3] = {array, number_at(one, 0), number_at(one, 1)};
      memcpy(e.contents[e.content_count++], entry, sizeof entry);
    }
  }
  return e;
}

static touch_kind kind_of(const json_t *place) {
  const char *word = json_string_value(json_object_get(place, "access"));
  return word == NULL || strcmp(word, "read") == 0 ? TOUCH_READ
         : strcmp(word, "write") == 0              ? TOUCH_WRITE
                                                   : TOUCH_ATOMIC;
}

static seen_race race_of(const json_t *finding) {
  const json_t *places = json_object_get(finding, "places");
  const char *name = json_string_value(json_object_get(finding, "array"));
  seen_race r = {.array = ARRAYS};
  for (uint32_t array = 0; array < ARRAYS && name != NULL; array++)
    r.array = strcmp(array_text(array), name) == 0 ? array : r.array;
  for (size_t i = 0; i < 2; i++) {
    r.lines[i] = (unsigned)json_integer_value(json_object_get(json_array_get(places, i), "line"));
    r.kinds[i] = kind_of(json_array_get(places, i));
  }
  if (r.lines[0] > r.lines[1] || (r.lines[0] == r.lines[1] && r.kinds[0] > r.kinds[1]))
    r = (seen_race){r.array, {r.lines[1], r.lines[0]}, {r.kinds[1], r.kinds[0]}};
  return r;
}

/* Whether the execution shows what the finding says. A barrier that others do not reach ends an execution before what comes
 * later. */
static bool shows(const execution *e, const char *verdict, const json_t *finding) {
  const json_t *first = json_array_get(json_object_get(finding, "places"), 0);
  const unsigned line = (unsigned)json_integer_value(json_object_get(first, "line"));
  if (strcmp(verdict, "race") == 0) {
    const seen_race r = race_of(finding);
    return e->diverged > 0 || execution_has(e, &r);
  }
  return strcmp(verdict, "divergence") == 0 ? e->diverged > 0 : e->diverged > 0 || e->outside == line;
}

/* Each finding of a verdict that is certain is so itself. */
static const char *verdict_of(const json_t *finding) {
  const char *rule = json_string_value(json_object_get(finding, "rule"));
  return strcmp(rule, "data-race") == 0 ? "race" : strcmp(rule, "barrier-divergence") == 0 ? "divergence" : rule;
}

static bool is_confirmed(const subject *s, tally *t, const json_t *finding) {
  const char *verdict = verdict_of(finding);
  for (uint64_t seed = 0; seed < SEEDS; seed++) {
    execution e = described(s, finding, seed);
    if (e.local == 0 || (uint64_t)e.local * e.groups > MOST_ITEMS) return true; /* too large to be run here */
    interpret(s->p, &e);
    t->executions++;
    const bool confirmed = e.too_long || shows(&e, verdict, finding);
    execution_free(&e);
    if (confirmed) return true;
  }
  return false;
}

/* --- verdicts ------------------------------------------------------------------------------------------------------- */

static void tell(const subject *s, const json_t *answer, const char *what) {
  static const char *const modes[] = {"sizes are given", "all is free", "the launch is given"};
  char *text = json_dumps(answer, JSON_COMPACT);
  (void)printf("seed %llu, %s (local %u, groups %u, n %u, m %u): %s\n%s%s\n", (unsigned long long)s->seed,
               modes[s->mode], s->local, s->groups, s->n, s->m, what, s->text, text);
  free(text);
}

static size_t row_of(const json_t *answer) {
  const char *verdict = json_string_value(json_object_get(answer, "verdict"));
  for (size_t i = 0; i < VERDICTS && verdict != NULL; i++)
    if (strcmp(verdicts[i], verdict) == 0) return i;
  return UNSUPPORTED_ROW;
}

/* Whether it says that it holds where nothing is divided by 0 only. */
static bool rests_on_divisors(const json_t *answer) {
  char *text = json_dumps(json_object_get(answer, "assumptions"), JSON_COMPACT);
  const bool rests = text != NULL && strstr(text, "no division by 0") != NULL;
  free(text);
  return rests;
}

static const char *wrong_about(const subject *s, tally *t, const json_t *answer, char *text, size_t size) {
  const size_t row = row_of(answer);
  execution found = {0};
  const bool bad = find_wrong(s, t, !rests_on_divisors(answer), &found);
  const char *wrong = NULL;
  if (row == VERIFIED_ROW && bad) {
    (void)snprintf(text, size, "verified, but with local %u, groups %u, n %u, m %u, seed %llu: %s line %u, line %u",
                   found.local, found.groups, found.n, found.m, (unsigned long long)found.seed,
                   found.race_count > 0 ? "race" : "divergence",
                   found.race_count > 0 ? found.races[0].lines[0] : found.diverged,
                   found.race_count > 0 ? found.races[0].lines[1] : found.diverged);
    wrong = text;
  } else if (row == RACE_ROW || row == DIVERGENCE_ROW || row == BOUNDS_ROW) {
    size_t i = 0;
    const json_t *finding = NULL, *all = json_object_get(answer, "findings");
    json_array_foreach(all, i, finding) {
      wrong = wrong == NULL && is_confirmed(s, t, finding) ? NULL : "no execution shows what is said to be certain";
    }
  } else if (row == UNSUPPORTED_ROW) {
    wrong = "nothing in it is unusual";
  } else if (bad && row != VERIFIED_ROW) {
    t->missed++;
  }
  execution_free(&found);
  return wrong;
}

static void judge(const subject *s, tally *t, const engine_run *run, bool show) {
  char text[256];
  const json_t *answer = engine_answer(run, s->p->name);
  char *malformed = answer == NULL ? NULL : engine_malformed(answer);
  const char *wrong = answer == NULL      ? "there is no answer"
                      : malformed != NULL ? malformed
                                          : wrong_about(s, t, answer, text, sizeof text);
  t->kernels++;
  t->by[s->mode][row_of(answer)]++;
  t->wrong += wrong != NULL ? 1 : 0;
  for (size_t f = 0; f < FEATURES; f++) {
    const size_t row = row_of(answer);
    const unsigned long has = s->p->features >> f & 1;
    t->with[f][0] += has;
    t->with[f][1] += row == VERIFIED_ROW ? has : 0;
    t->with[f][2] += row == RACE_ROW || row == DIVERGENCE_ROW || row == BOUNDS_ROW ? has : 0;
    t->with[f][3] += wrong != NULL ? has : 0;
  }
  if (wrong != NULL || show) tell(s, answer, wrong == NULL ? "fine" : wrong);
  free(malformed);
}

/* Some kernels in one source, each as a text that begins at line 1 of its own for whoever reads it. */
static void run_batch(const manner *m, uint64_t first, size_t count, tally *t) {
  subject subjects[BATCH];
  buffer source = {0};
  json_t *kernels = json_array();
  const mode how = (mode)(first / BATCH % MODES);
  unsigned line = 1;
  for (size_t i = 0; i < count; i++) {
    subjects[i] = subject_of(first + i, how, m->quick);
    const size_t from = source.length;
    line = program_print(subjects[i].p, line, &source);
    subjects[i].text = mem_strdup(buffer_text(&source) + from);
    json_array_append_new(kernels, asked(&subjects[i]));
  }
  json_t *request = json_pack("{s:s,s:s,s:s,s:f,s:f,s:i,s:b,s:b,s:o}", "source", buffer_text(&source), "file",
                              "random.cl", "options", "-cl-std=CL2.0 -cl-uniform-work-group-size", "timeout",
                              m->quick ? 0.5 : TIMEOUT, "query_timeout", m->quick ? 0.2 : 1.5, "jobs", m->quick ? 1 : 2,
                              "bounds", how == LAUNCH, "all", !m->quick, "kernels", kernels);
  engine_run run = engine_ask_json(m->engine, request, 3000);
  for (size_t i = 0; i < count; i++) {
    judge(&subjects[i], t, &run, m->show);
    program_free(subjects[i].p);
    free(subjects[i].text);
  }
  engine_free(&run);
  json_decref(request);
  buffer_free(&source);
}

int main(int argc, char **argv) {
  if (argc < 4) {
    (void)fprintf(stderr, "usage: verify_random ENGINE FIRST_SEED COUNT [quick] [show]\n");
    return 1;
  }
  const uint64_t first = strtoull(argv[2], NULL, 10) / BATCH * BATCH, count = strtoull(argv[3], NULL, 10);
  manner m = {.engine = argv[1]};
  for (int i = 4; i < argc; i++) {
    m.quick = m.quick || strcmp(argv[i], "quick") == 0;
    m.show = m.show || strcmp(argv[i], "show") == 0;
  }
  tally t = {0};
  for (uint64_t at = 0; at < count; at += BATCH) {
    const size_t some = count - at < BATCH ? (size_t)(count - at) : BATCH;
    run_batch(&m, first + at, some, &t);
  }
  (void)printf("%lu kernels, seeds %llu to %llu, %lu executions\n%-20s %6s %6s %6s\n", t.kernels,
               (unsigned long long)first, (unsigned long long)(first + count - 1), t.executions, "", "sizes", "free",
               "launch");
  for (size_t i = 0; i < VERDICTS; i++)
    (void)printf("%-20s %6lu %6lu %6lu\n", verdicts[i], t.by[SIZES][i], t.by[FREE][i], t.by[LAUNCH][i]);
  (void)printf("%-24s %7s %9s %7s %6s\n", "with", "kernels", "verified", "certain", "wrong");
  for (size_t f = 0; f < FEATURES; f++)
    (void)printf("%-24s %7lu %9lu %7lu %6lu\n", features[f], t.with[f][0], t.with[f][1], t.with[f][2], t.with[f][3]);
  (void)printf("not decided, though an execution goes wrong: %lu\nwrong: %lu\n", t.missed, t.wrong);
  return t.wrong > 0 ? 1 : 0;
}
