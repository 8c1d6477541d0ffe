/* All inputs run in one process, twice as they are, then with work-groups in three orders, then with each filling of memory
 * that nobody has written. Results that are one thing in all of them become words. */
#include "generate/expect.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/memory.h"
#include "capture/number.h"
#include "detectors/fills/decoder.h"
#include "detectors/fills/record.h"
#include "detectors/races/decoder.h"
#include "runner/experiment/experiment.h"
#include "runner/session/session.h"

enum { TOGETHER = 40, SECONDS = 120, VALUES = 64, REALS = 256, FEW = 8 };
#define MEMORY (UINT64_C(256) << 20)

/* Why nothing is expected of a result. */
static const char *const apart[] = {
    "varies from run to run", "depends on memory that nobody has written",
    "what it writes depends on the order of work-groups",
    "what it writes was not seen in other orders of work-groups, and with other memory, in the time",
    "has too many numbers to stand here"};
enum { BY_RUN, BY_FILLING, BY_ORDER, BY_TIME, BY_SIZE, ONE };

typedef struct expecting {
  bench *bench;
  input **list;
  size_t count;
  bench_results first;
  unsigned char *why; /* of each result: of `apart`, ONE: nothing */
} expecting;

/* --- where a result belongs --------------------------------------------------------------------------------------- */

/* The launch and the argument of a result; they come in the order in which they are read. */
static bool find_result(const expecting *x, size_t result, size_t *launch, size_t *argument) {
  size_t number = 0;
  for (size_t n = 0; n < x->count; n++) {
    for (size_t i = 0; i < x->list[n]->launch.count; i++) {
      if (x->list[n]->launch.arguments[i].is->kind == PARAMETER_GLOBAL && number++ == result) {
        *launch = n;
        *argument = i;
        return true;
      }
    }
  }
  return false;
}

static void blame_launch(expecting *x, size_t launch, unsigned char why) {
  size_t of = 0, argument = 0;
  for (size_t r = 0; r < x->first.ran.count; r++)
    if (x->why[r] == ONE && find_result(x, r, &of, &argument) && (launch == SIZE_MAX || of == launch)) x->why[r] = why;
}

static void compare(expecting *x, size_t result, const unsigned char *got, size_t size, unsigned char why) {
  const case_result *r = &x->first.cases.results[result];
  number_difference d;
  if (x->why[result] == ONE &&
      (size != r->size || numbers_differ(&r->shape, x->first.ran.results[result], got, size, &d)))
    x->why[result] = why;
}

/* --- runs --------------------------------------------------------------------------------------------------------- */

static int run_again(expecting *x, error *e) {
  bench_results again;
  bool well = false;
  const int result = bench_run(x->bench, x->list, x->count, READS_ALL, &again, &well, e);
  for (size_t r = 0; r < x->first.ran.count && result == 0 && well; r++)
    compare(x, r, again.ran.results[r], (size_t)again.cases.results[r].size, BY_RUN);
  if (result == 0 && !well) blame_launch(x, SIZE_MAX, BY_RUN);
  bench_results_free(&again);
  return result;
}

/* One run; what it reads is held against what was read before. */
static int run_filled(expecting *x, session *s, db *d, char **argv, filling_kind kind, error *e) {
  const program_options o = {.child = {.argv = argv,
                                       .on = x->bench->base->target,
                                       .filling = filling_pack(kind, 0, FILLING_END),
                                       .observe = "contents",
                                       .unwatched = true},
                             .timeout = SECONDS,
                             .form = FORM_FILLED,
                             .repeats = true,
                             .name = "inputs"};
  program_end end = {0};
  const int result = program_run(s, d, &o, &end, e);
  result_reads got = session_take_reads(s);
  const bool all = got.count == x->first.ran.count && !got.unordered && end.status == 0;
  for (size_t r = 0; r < got.count && all; r++)
    if (got.items[r].known) compare(x, r, got.items[r].bytes, got.items[r].size, BY_FILLING);
  if (!all) blame_launch(x, SIZE_MAX, BY_TIME);
  result_reads_free(&got);
  return result == 0 && end.interrupted ? error_set(e, 130, "interrupted") : result;
}

static int run_fillings(expecting *x, const char *file, error *e) {
  static const filling_kind kinds[] = {FILLING_LOW, FILLING_HIGH, FILLING_NAN};
  char *argv[] = {x->bench->base->target.replay, (char *)file, "--reads", "any", NULL};
  const experiment_test test = {.suite = "", .name = "inputs", .line = "", .argv = argv};
  buffer path = {0};
  trial_includes includes = {0};
  db *d = NULL;
  int64_t run = 0, row = 0;
  buffer_printf(&path, "%s/expect.db", x->bench->folder);
  int result = trial_includes_begin(&includes, e) != 0 || db_open(&d, buffer_text(&path), DB_WRITE, e) != 0 ||
                       db_begin_run(d, "memory", CLTC_VERSION, &run, e) != 0 ||
                       experiment_begin_test_case(d, run, &test, &row, e) != 0
                   ? -1
                   : 0;
  const session_options filled = {.kernels = KERNEL_FILLED, .aside = true};
  session *s = result == 0 ? session_new(d, run, &filled) : NULL;
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds && result == 0; i++) {
    session_begin_test_case(s, row, argv);
    result = run_filled(x, s, d, argv, kinds[i], e);
  }
  session_free(s);
  trial_includes_end(&includes);
  db_close(d);
  (void)unlink(buffer_text(&path));
  buffer_free(&path);
  return result;
}

static void look_at_orders(void *context, const view *v) {
  expecting *x = context;
  for (size_t i = 0; i < v->launch_count; i++) {
    const db_launch *l = &v->launches[i];
    for (size_t k = 0; k < l->schedule_count; k++) {
      const char *verdict = l->schedules[k].verdict;
      if (strcmp(verdict, "consistent") != 0 && strcmp(verdict, "occupancy-bound") != 0)
        blame_launch(x, l->number, strcmp(verdict, "pending") == 0 ? BY_TIME : BY_ORDER);
    }
  }
}

/* Where each launch is one work-group, there is one order. */
static int run_orders(expecting *x, const char *file, error *e) {
  bool several = false;
  for (size_t i = 0; i < x->count; i++) {
    const replica *r = &x->list[i]->launch;
    several = several || input_items(x->list[i]) > r->local[0] * r->local[1] * r->local[2];
  }
  experiment_options base = *x->bench->base;
  base.runs = 1;
  const trial_options o = {.base = &base,
                           .kernels.wanted = {&x->bench->kernel, 1, 1},
                           .folder = x->bench->folder,
                           .limit = SECONDS,
                           .look = look_at_orders,
                           .context = x};
  trial_result seen = {0};
  const int result = several ? trial_run(&trial_orders, &o, file, &seen, e) : 0;
  if (several && result == 0 && (seen.code == EXIT_BASELINE || seen.code == EXIT_NOTHING))
    blame_launch(x, SIZE_MAX, BY_TIME);
  return result;
}

/* --- words -------------------------------------------------------------------------------------------------------- */

/* What a buffer held at first; `number`: among all memory objects. */
static const capture_blob *before(const capture *c, uint32_t number) {
  uint32_t at = 0;
  for (size_t i = 0; i < c->command_count; i++) {
    const capture_command *is = &c->commands[i];
    if (is->kind == CAPTURE_BUFFER && at == number)
      return is->u.buffer.blob == CAPTURE_NONE ? NULL : &c->blobs[is->u.buffer.blob];
    at += is->kind == CAPTURE_BUFFER || is->kind == CAPTURE_IMAGE ? 1 : 0;
  }
  return NULL;
}

/* A few numbers are read more easily than the formula that makes them. */
static void list_numbers(const capture_expectation *shape, const capture_blob *held, char **words) {
  capture_expectation whole = *shape;
  buffer text = {0};
  whole.first = 0;
  const bool one = held != NULL && held->size == number_size(shape->number);
  const bool long_winded = strncmp(*words, "formula: ", 9) == 0 || strncmp(*words, "random: ", 8) == 0;
  if ((one || long_winded) && held != NULL && held->size <= FEW * number_size(shape->number) &&
      case_words(&whole, held->bytes, held->size, FEW, false, &text)) {
    free(*words);
    *words = mem_strdup(buffer_text(&text));
  }
  buffer_free(&text);
}

typedef struct wording {
  const case_result *result;
  const unsigned char *bytes;
  const char *name;
  size_t element; /* bytes */
  buffer *out;
} wording;

/* Elements from `first` to before `after`. False: there are no words for them. */
static bool put_part(const wording *w, size_t first, size_t after, bool formulas) {
  const bool whole = (after - first) * w->element == w->result->size, real = number_is_real(w->result->shape.number);
  capture_expectation shape = w->result->shape;
  buffer words = {0};
  shape.first =
      first * w->element / (number_size(shape.number) * shape.lanes); /* of bytes, where they are a structure's */
  const bool said = case_words(&shape, w->bytes + first * w->element, (after - first) * w->element,
                               formulas ? 0
                               : real   ? REALS
                                        : VALUES,
                               true, &words);
  if (said) {
    buffer_printf(w->out, "      - {buffer: %s, ", w->name);
    if (!whole) buffer_printf(w->out, "range: [%zu, %zu], ", first, after);
    buffer_printf(w->out, "%s}\n", buffer_text(&words));
  }
  buffer_free(&words);
  return said;
}

static void put_unchanged(const wording *w, size_t first, size_t after) {
  const bool whole = (after - first) * w->element == w->result->size;
  if (whole) {
    buffer_printf(w->out, "      - {buffer: %s, formula: \"%s[i]\"}\n", w->name, w->name);
  } else if (first < after) {
    buffer_printf(w->out, "      - {buffer: %s, range: [%zu, %zu], formula: \"%s[i]\"}\n", w->name, first, after,
                  w->name);
  }
}

/* Whether the same elements begin and end alike. */
static void find_changed(const wording *w, const unsigned char *old, size_t *first, size_t *after) {
  const size_t count = (size_t)w->result->size / w->element;
  *first = 0;
  *after = count;
  while (old != NULL && *first < count &&
         memcmp(w->bytes + *first * w->element, old + *first * w->element, w->element) == 0)
    ++*first;
  while (old != NULL && *after > *first &&
         memcmp(w->bytes + (*after - 1) * w->element, old + (*after - 1) * w->element, w->element) == 0)
    --*after;
}

/* As few words as say all of it; `*only`: so many elements of those that changed, where they are too many to stand there; 0:
 * all. False: there are no words. */
static bool put_result(const wording *w, const unsigned char *old, size_t *only) {
  const size_t count = (size_t)w->result->size / w->element;
  const capture_expectation *shape = &w->result->shape;
  const bool real = number_is_real(shape->number);
  size_t first = 0, after = count;
  *only = 0;
  find_changed(w, old, &first, &after);
  if (first == after && old != NULL) {
    put_unchanged(w, 0, count);
    return true;
  }
  if (put_part(w, 0, count, count * shape->lanes > FEW)) return true;
  buffer parts = {0};
  wording own = *w;
  own.out = &parts;
  put_unchanged(&own, 0, first);
  bool said = put_part(&own, first, after, false);
  if (said) {
    put_unchanged(&own, after, count);
  } else if (real) {
    *only = VALUES / shape->used;
    said = first + *only < after && put_part(&own, first, first + *only, false);
  }
  if (said) {
    buffer_append(w->out, parts.data, parts.length);
  } else if (!real) {
    buffer_printf(w->out, "      - {buffer: %s, ", w->name);
    case_digest(w->bytes, (size_t)w->result->size, w->out);
    buffer_puts(w->out, "}\n");
    said = true;
  }
  buffer_free(&parts);
  return said;
}

/* Of the launch as a whole, or of this one of its buffers. */
static void say_why(unsigned char why, const char *name, buffer *out) {
  const bool whole = why == BY_ORDER || why == BY_TIME;
  if (!whole || out->length == 0 || strstr(buffer_text(out), apart[why]) == NULL) {
    buffer_printf(out, "%s%s%s%s: nothing is expected of it", out->length > 0 ? "; " : "", whole ? "" : name,
                  whole ? "" : " ", apart[why]);
  }
}

static void say_result(expecting *x, size_t result, input *to, size_t argument) {
  const case_result *of = &x->first.cases.results[result];
  const capture *from = &x->first.cases.capture;
  const capture_blob *held = before(from, from->commands[of->command].u.transfer.at.memory);
  buffer name = {0}, lines = {0}, why = {0};
  input_put_name(to, argument, &name);
  list_numbers(&of->shape, held, &to->words[argument]);
  buffer_puts(&lines, to->expected == NULL ? "" : to->expected);
  buffer_puts(&why, to->varies == NULL ? "" : to->varies);
  const parameter *p = to->launch.arguments[argument].is;
  const wording w = {of, x->first.ran.results[result], buffer_text(&name), p->size == 0 ? 1 : p->size, &lines};
  size_t only = 0;
  if (!input_reads_back(to, argument)) {
    /* it is as it was */
  } else if (x->why[result] != ONE || !put_result(&w, held == NULL ? NULL : held->bytes, &only)) {
    buffer_printf(&lines, "      - {buffer: %s}\n", w.name);
    say_why(x->why[result] == ONE ? BY_SIZE : x->why[result], w.name, &why);
  }
  if (only > 0) {
    buffer_printf(&why, "%sof what changes in %s the first %zu elements are expected", why.length > 0 ? "; " : "",
                  w.name, only);
  }
  free(to->expected);
  free(to->varies);
  to->expected = lines.length == 0 ? NULL : buffer_take(&lines);
  to->varies = why.length == 0 ? NULL : buffer_take(&why);
  buffer_free(&why);
  buffer_free(&name);
}

static void say_results(expecting *x) {
  for (size_t r = 0; r < x->first.ran.count; r++) {
    size_t launch = 0, argument = 0;
    if (find_result(x, r, &launch, &argument)) say_result(x, r, x->list[launch], argument);
  }
}

/* --- all ---------------------------------------------------------------------------------------------------------- */

static int expect_some(bench *b, input **list, size_t count, error *e) {
  expecting x = {.bench = b, .list = list, .count = count};
  buffer file = {0};
  bool well = false;
  buffer_printf(&file, "%s/expect.cltc", b->folder);
  int result = bench_run(b, list, count, READS_ALL, &x.first, &well, e);
  x.why = mem_calloc(x.first.ran.count + 1, 1);
  memset(x.why, ONE, x.first.ran.count);
  if (result == 0 && well && x.first.ran.count > 0) {
    result = run_again(&x, e) != 0 || bench_compose(b, list, count, READS_ALL, buffer_text(&file), e) != 0 ||
                     run_orders(&x, buffer_text(&file), e) != 0 || run_fillings(&x, buffer_text(&file), e) != 0
                 ? -1
                 : 0;
    if (result == 0) say_results(&x);
  }
  free(x.why);
  bench_results_free(&x.first);
  buffer_free(&file);
  return result;
}

int expect_results(bench *b, input *list, size_t count, error *e) {
  int result = 0;
  for (size_t done = 0; done < count && result == 0;) {
    input *some[TOGETHER];
    size_t number = 0;
    uint64_t bytes = 0;
    while (number < TOGETHER && done < count && (number == 0 || bytes + input_memory(&list[done]) <= MEMORY)) {
      bytes += input_memory(&list[done]);
      some[number++] = &list[done++];
    }
    result = expect_some(b, some, number, e);
  }
  return result;
}
