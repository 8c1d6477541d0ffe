/* A batch is a suite of one case, composed and tried (runner/trial). */
#include "generate/bench.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/memory.h"
#include "base/rules.h"
#include "capture/capture.h"
#include "cases/cases.h"
#include "reports/words/words.h"
#include "runner/plan/plan.h"

enum { SECONDS = 10, WALL = 12, PLAIN = 30, ROUNDS = 6 };
enum { LEAST = 30 }; /* seconds: what has begun is not lost as time is over */
#define ELEMENTS_MOST (UINT64_C(1) << 22)
#define BATCH_MEMORY (UINT64_C(256) << 20)

void flaws_free(flaws *f) {
  for (size_t i = 0; i < f->count; i++) free(f->items[i].sentence);
  free(f->items);
  *f = (flaws){0};
}

/* --- a batch ------------------------------------------------------------------------------------------------------ */

static int write_text(const char *path, const buffer *text, error *e) {
  FILE *f = fopen(path, "wbe");
  const bool written = f != NULL && fwrite(buffer_text(text), 1, text->length, f) == text->length;
  return (f != NULL && fclose(f) != 0) || !written ? error_set(e, EXIT_INTERNAL, "%s cannot be written", path) : 0;
}

int bench_write(const bench *b, input *const *list, size_t count, input_reads reads, const char *path, error *e) {
  buffer text = {0};
  input_write_head("inputs", b->file, b->options, &text);
  input_write((const input *const *)list, count, "inputs", reads, &text);
  const int result = write_text(path, &text, e);
  buffer_free(&text);
  return result;
}

int bench_compose(const bench *b, input *const *list, size_t count, input_reads reads, const char *path, error *e) {
  buffer suite = {0};
  case_suite *s = NULL;
  case_capture made = {0};
  buffer_printf(&suite, "%s/batch.yaml", b->folder);
  const int result = bench_write(b, list, count, reads, buffer_text(&suite), e) != 0 ||
                             case_suite_open(&s, buffer_text(&suite), case_kernels_read, e) != 0 ||
                             case_compose(s, 0, &made, e) != 0 || capture_write(&made.capture, path, e) != 0
                         ? -1
                         : 0;
  case_capture_free(&made);
  case_suite_close(s);
  buffer_free(&suite);
  return result;
}

/* `*well`: it came to its end. */
static int try_capture(bench *b, const trial_kind *kind, const char *path, void (*look)(void *context, const view *v),
                       void *context, bool *well, error *e) {
  const double left = b->until - clock_now();
  const trial_options o = {.base = b->base,
                           .kernels.wanted = {&b->kernel, 1, 1},
                           .folder = b->folder,
                           .limit = left < LEAST            ? LEAST
                                    : left < WALL * SECONDS ? left
                                                            : WALL * SECONDS,
                           .processor = SECONDS,
                           .look = look,
                           .context = context};
  trial_result seen = {0};
  const int result = trial_run(kind, &o, path, &seen, e);
  *well = result == 0 && seen.launches > 0 && seen.code != EXIT_BASELINE;
  return result;
}

static int try(bench *b, const trial_kind *kind, input *const *list, size_t count,
               void (*look)(void *context, const view *v), void *context, bool *well, error *e) {
  buffer path = {0};
  buffer_printf(&path, "%s/batch.cltc", b->folder);
  const int result = bench_compose(b, list, count, READS_NOTHING, buffer_text(&path), e) != 0
                         ? -1
                         : try_capture(b, kind, buffer_text(&path), look, context, well, e);
  buffer_free(&path);
  return result;
}

/* --- results ------------------------------------------------------------------------------------------------------ */

void bench_results_free(bench_results *r) {
  case_run_free(&r->ran);
  case_capture_free(&r->cases);
}

int bench_run(const bench *b, input *const *list, size_t count, input_reads reads, bench_results *out, bool *well,
              error *e) {
  buffer path = {0};
  case_suite *s = NULL;
  const target *on = &b->base->target;
  const double left = b->until - clock_now();
  const case_run_options o = {.replay = on->replay,
                              .folder = b->folder,
                              .device = on->device,
                              .timeout = b->patience > 0    ? b->patience
                                         : left > 2 * PLAIN ? left / 2 /* what hangs is not all that there is to do */
                                                            : PLAIN,
                              .joined = true};
  *out = (bench_results){0};
  buffer_printf(&path, "%s/plain.yaml", b->folder);
  int result = bench_write(b, list, count, reads, buffer_text(&path), e) != 0 ||
                       case_suite_open(&s, buffer_text(&path), case_kernels_read, e) != 0 ||
                       case_compose(s, 0, &out->cases, e) != 0
                   ? -1
                   : 0;
  if (result == 0) result = case_run(&o, &out->cases, &out->ran, e);
  *well = result == 0 && out->ran.passed;
  for (size_t i = 0; i < out->ran.count; i++) *well = *well && out->ran.results[i] != NULL;
  case_suite_close(s);
  buffer_free(&path);
  return result;
}

/* --- findings ----------------------------------------------------------------------------------------------------- */

static bool is_between(const db_finding *f) {
  const db_place *p = f->places;
  return f->place_count > 1 && p[0].group != NULL && p[1].group != NULL &&
         (strcmp(p[0].who, "groups") == 0 || strcmp(p[1].who, "groups") == 0 || strcmp(p[0].group, p[1].group) != 0);
}

static void take_flaws(void *context, const view *v) {
  flaws *out = context;
  if (v->refused_count > 0) {
    (void)snprintf(out->why, sizeof out->why, "%s: %s%s%s", v->refused[0].call, v->refused[0].error,
                   v->refused[0].detail[0] == '\0' ? "" : ": ", v->refused[0].detail);
  } else if (v->skipped_count > 0) {
    (void)snprintf(out->why, sizeof out->why, "%s", v->skipped[0].reason);
  }
  for (size_t i = 0; i < v->finding_count; i++) {
    const db_finding *f = &v->findings[i];
    buffer text = {0};
    flaw *to = ARRAY_ADD(out->items, out->count, out->capacity);
    finding_sentence(f, NULL, &text);
    *to = (flaw){.launch = f->detail.launch.known ? (size_t)f->detail.launch.value : SIZE_MAX,
                 .element = f->detail.element.value,
                 .known = f->detail.element.known,
                 .between = is_between(f),
                 .line = f->place_count > 0 ? f->places[0].line : 0,
                 .sentence = buffer_take(&text)};
    (void)snprintf(to->rule, sizeof to->rule, "%s", f->rule);
    (void)snprintf(to->object, sizeof to->object, "%s", f->detail.object == NULL ? "" : f->detail.object);
  }
}

/* --- bounds ------------------------------------------------------------------------------------------------------- */

/* The parameter whose memory would do if it were larger; SIZE_MAX: none. */
static size_t mended_by(const flaw *f, const replica *r) {
  for (size_t i = 0; i < r->count && f->known && strcmp(f->rule, "out-of-bounds") == 0; i++) {
    const parameter *p = r->arguments[i].is;
    const bool memory = p->kind == PARAMETER_GLOBAL || p->kind == PARAMETER_LOCAL;
    if (memory && strcmp(p->name, f->object) == 0)
      return f->element < (p->kind == PARAMETER_LOCAL ? 4096 : ELEMENTS_MOST) ? i : SIZE_MAX;
  }
  return SIZE_MAX;
}

static uint64_t memory_of(input *const *list, size_t count) {
  uint64_t bytes = 0;
  for (size_t i = 0; i < count; i++) bytes += input_memory(list[i]);
  return bytes;
}

/* More for one parameter in all inputs that are left: where one needs it, others may. */
static void widen(inputs *in, input **list, size_t count, size_t which, uint64_t element) {
  uint64_t elements = 1;
  while (elements <= element) elements *= 2;
  elements *= elements < ELEMENTS_MOST / 4 && list[0]->launch.arguments[which].is->kind == PARAMETER_GLOBAL ? 4 : 1;
  in->elements[which] = elements > in->elements[which] ? elements : in->elements[which];
  for (size_t i = 0; i < count; i++)
    if (input_elements(list[i], which) < elements) draw_set_elements(list[i], which, elements);
}

static void tell(const bench *b, const flaw *f, const input *x) {
  if (b->left != NULL) b->left(b->context, f, x);
}

static void leave_out(input **list, size_t *count, size_t index) {
  input *gone = list[index];
  memmove(&list[index], &list[index + 1], (*count - index - 1) * sizeof *list);
  list[--*count] = gone; /* behind the others: their owner has it still */
}

/* Takes what findings say; returns whether anything is to be tried again. */
static bool mend(bench *b, inputs *in, input **list, size_t *count, const flaws *seen, bool last) {
  bool gone[256] = {false};
  for (size_t i = 0; i < seen->count; i++) {
    const flaw *f = &seen->items[i];
    if (f->launch >= *count || f->launch >= sizeof gone) continue;
    const size_t by = last || b->fixed ? SIZE_MAX : mended_by(f, &list[f->launch]->launch);
    if (by != SIZE_MAX) widen(in, list, *count, by, f->element);
    const bool fits = by != SIZE_MAX && memory_of(list, *count) <= BATCH_MEMORY && inputs_allow(in, list[f->launch]);
    if (!fits) {
      gone[f->launch] = true;
      tell(b, f, list[f->launch]);
    }
  }
  for (size_t i = *count; i-- > 0;)
    if (gone[i]) leave_out(list, count, i);
  return seen->count > 0;
}

/* Of the first inputs that came to their end, as their results say; `read`: of all of them. */
static size_t count_ended(input *const *list, size_t count, size_t read) {
  for (size_t n = 0; n < count; n++) {
    size_t own = 0;
    for (size_t i = 0; i < list[n]->launch.count; i++) own += input_reads_back(list[n], i) ? 1 : 0;
    if (own == 0 || own > read) return n;
    read -= own;
  }
  return count;
}

/* Plain runs in which results come launch by launch: the one after the last result ends the process, or does not end, and is left
 * out. `*found`: some were. */
static int leave_crashing(bench *b, input **list, size_t *count, bool *found, error *e) {
  bench plain = *b;
  size_t at = 0;
  int result = 0;
  plain.patience = SECONDS;
  *found = false;
  for (bool again = true; again && at < *count && result == 0;) {
    bench_results r = {0};
    bool well = false;
    size_t read = 0;
    result = bench_run(&plain, list + at, *count - at, READS_WRITTEN, &r, &well, e);
    while (read < r.ran.count && r.ran.results[read] != NULL) read++;
    again = result == 0 && (r.ran.crashed || (r.ran.late && read > 0)); /* else it may be building */
    bench_results_free(&r);
    at += count_ended(list + at, *count - at, read);
    again = again && at < *count;
    if (!again) break;
    leave_out(list, count, at);
    b->failed++;
    *found = true;
  }
  return result;
}

/* One of them crashes, or does not end: halves tell which. */
static int settle_halves(bench *b, inputs *in, input **list, size_t *fine, error *e) {
  const size_t half = *fine / 2, rest = *fine - half;
  size_t first = 0, second = 0;
  if (bench_settle(b, in, list, half, &first, e) != 0 || bench_settle(b, in, list + half, rest, &second, e) != 0)
    return -1;
  for (size_t i = 0; i < second; i++) {
    input *moved = list[half + i];
    list[half + i] = list[first + i];
    list[first + i] = moved;
  }
  *fine = first + second;
  return 0;
}

/* What did not come to its end though nothing was wrong with its accesses. `*again`: those that are left are tried once more. */
static int settle_rest(bench *b, inputs *in, input **list, size_t *fine, bool *again, error *e) {
  const bool over = clock_now() > b->until;
  if (*fine > 1 && !over && leave_crashing(b, list, fine, again, e) != 0) return -1;
  if (*again) return 0;
  if (*fine > 1 && !over) return settle_halves(b, in, list, fine, e);
  b->failed += over ? 0 : 1; /* else time was over before it was known */
  *fine = 0;
  return 0;
}

int bench_settle(bench *b, inputs *in, input **list, size_t count, size_t *fine, error *e) {
  int result = 0;
  bool again = true;
  *fine = count;
  for (unsigned round = 0; again && *fine > 0 && result == 0; round++) {
    flaws seen = {0};
    bool well = false;
    result = try(b, &trial_memory, list, *fine, take_flaws, &seen, &well, e);
    again = result == 0 && mend(b, in, list, fine, &seen, round >= ROUNDS);
    b->ran = b->ran || well;
    if (seen.why[0] != '\0') (void)snprintf(b->why, sizeof b->why, "%s", seen.why);
    flaws_free(&seen);
    if (result == 0 && !well && !again) result = settle_rest(b, in, list, fine, &again, e);
  }
  return result;
}

/* --- coverage and races ------------------------------------------------------------------------------------------- */

int bench_cover(bench *b, input **list, size_t count, void (*look)(void *context, const view *v), void *context,
                error *e) {
  bool well = false;
  return count == 0 ? 0 : try(b, &trial_launches, list, count, look, context, &well, e);
}

int bench_cover_capture(bench *b, const char *path, void (*look)(void *context, const view *v), void *context,
                        error *e) {
  bool well = false;
  return try_capture(b, &trial_launches, path, look, context, &well, e);
}

static bool is_wrong(const flaw *f) { return rule_is(f->rule, RULE_RACE | RULE_DIVERGENCE); }

/* A pair of places is told with the first launch that shows it, so those without it are looked at once more. */
int bench_races(bench *b, input **list, size_t count, size_t *fine, error *e) {
  int result = 0;
  bool again = true;
  *fine = count;
  while (again && *fine > 0 && result == 0) {
    flaws seen = {0};
    bool well = false;
    again = false;
    result = try(b, &trial_races, list, *fine, take_flaws, &seen, &well, e);
    for (size_t i = *fine; i-- > 0 && result == 0;) {
      const flaw *wrong = NULL;
      for (size_t k = 0; k < seen.count && wrong == NULL; k++)
        wrong = seen.items[k].launch == i && is_wrong(&seen.items[k]) ? &seen.items[k] : NULL;
      if (wrong != NULL) {
        tell(b, wrong, list[i]);
        leave_out(list, fine, i);
        again = true;
      }
    }
    if (result == 0 && !well && seen.count == 0) {
      b->failed += clock_now() > b->until ? 0 : (unsigned)*fine;
      *fine = 0;
    }
    flaws_free(&seen);
  }
  return result;
}

int bench_look(bench *b, bool races, input *const *list, size_t count, flaws *out, bool *well, error *e) {
  const int result = try(b, races ? &trial_races : &trial_memory, list, count, take_flaws, out, well, e);
  size_t kept = 0;
  for (size_t i = 0; i < out->count; i++)
    if (!races || is_wrong(&out->items[i]))
      out->items[kept++] = out->items[i];
    else
      free(out->items[i].sentence);
  out->count = kept;
  return result;
}
