/* Ways to launch a kernel: asking about each, one answer of all, and launches that were seen against them. */
#include "runner/engine/prove_ways.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "base/memory.h"
#include "base/names.h"
#include "runner/engine/engine.h"
#include "runner/engine/record.h"
#include "runner/engine/request.h"
#include "runner/ways/ways.h"

/* --- one way ------------------------------------------------------------------------------------------------------ */

typedef struct asking {
  const char *kernel;
  verify_answer answer;
  bool answered;
} asking;

static int take_line(void *context, const char *line, size_t length, error *e) {
  asking *a = context;
  verify_answer answer;
  const int result = answer_read(line, length, &answer, e);
  if (result == 0 && !a->answered && strcmp(answer.kernel, a->kernel) == 0) {
    a->answer = answer;
    a->answered = true;
  } else {
    answer_free(&answer);
  }
  return result;
}

static int ask(prover *p, const asked_source *s, const asked_kernel *k, const struct host_way *w, verify_answer *out,
               error *e) {
  asking a = {.kernel = k->name};
  buffer request = {0};
  request_way(s, &p->options, k, w, &request);
  const engine_listener listener = {&a, take_line};
  engine_end end = {0};
  const double patience = ENGINE_PATIENCE(p->options.timeout);
  const int result =
      engine_run(p->engine, buffer_text(&request), request.length, patience, p->signals, &listener, &end, e);
  buffer_free(&request);
  p->interrupted = p->interrupted || end.interrupted;
  if (result == 0 && !a.answered) {
    char why[120];
    (void)snprintf(why, sizeof why, "the proof engine ended with status %d and without an answer", end.status);
    answer_unknown(k->name, asked_text(s)->name, why, &a.answer);
  }
  *out = a.answer;
  return result;
}

/* Host code does not show what buffers hold. */
static bool needs_contents(const verify_answer *a) {
  bool needs = false;
  for (size_t i = 0; i < a->finding_count; i++) {
    needs = needs || a->findings[i].contents_count > 0;
  }
  return needs;
}

/* Of what the host code does not show a counterexample may take what is never launched. */
static void take_for_possible(const struct host_way *w, verify_answer *a) {
  if (a->verdict == ANSWER_OUT_OF_BOUNDS) { /* of these there is no possible one */
    buffer reason = {0};
    if (a->finding_count > 0) {
      record_sentence(&a->findings[0], &reason);
    } else {
      buffer_puts(&reason, "an access leaves its buffer");
    }
    buffer_puts(&reason, ", if the host code gives it what it does not show");
    answer_undecided(a, buffer_text(&reason));
    buffer_free(&reason);
  }
  if (a->verdict != ANSWER_RACE && a->verdict != ANSWER_DIVERGENCE) {
    return;
  }
  a->verdict = a->verdict == ANSWER_RACE ? ANSWER_POSSIBLE_RACE : ANSWER_POSSIBLE_DIVERGENCE;
  for (size_t i = 0; i < a->finding_count; i++) {
    answer_finding *f = &a->findings[i];
    buffer text = {0};
    buffer_printf(&text, "what the host code at %s does not show", w->from);
    f->definite = false;
    f->depends_on.items = mem_realloc(f->depends_on.items, (f->depends_on.count + 1) * sizeof *f->depends_on.items);
    f->depends_on.items[f->depends_on.count++] = buffer_take(&text);
  }
}

/* --- what the proof used ------------------------------------------------------------------------------------------ */

static const way_fact *fact_of(const struct host_way *w, const char *text) {
  return NAMED(w->facts, w->fact_count, text, text);
}

static void use_fact(verify_answer *to, const way_fact *f) {
  buffer text = {0};
  buffer_printf(&text, "%s (%s)", f->text, f->from);
  answer_use(to, buffer_text(&text));
  buffer_free(&text);
}

/* Whether an expression is about nothing but sizes that the way fixes: then it says what they say. */
static bool is_of_sizes(const struct host_way *w, const char *text) {
  static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_";
  for (const char *at = text + strcspn(text, letters); *at != '\0'; at += strcspn(at, letters)) {
    const size_t length = strspn(at, letters);
    const unsigned d =
        at[length] == '(' && at[length + 1] >= '0' && at[length + 1] <= '2' ? (unsigned)(at[length + 1] - '0') : 0;
    const bool local = length == 14 && strncmp(at, "get_local_size", length) == 0 && w->local[d] > 0;
    const bool groups = length == 14 && strncmp(at, "get_num_groups", length) == 0 && w->groups[d] > 0;
    const bool work = length == 12 && strncmp(at, "get_work_dim", length) == 0 && w->dimensions > 0;
    const bool power = length == 12 && strncmp(at, "power_of_two", length) == 0;
    if (!local && !groups && !work && !power) {
      return false;
    }
    at += length;
  }
  return true;
}

/* The preconditions that are facts of the host code, and others, which stay. Sizes are used as they are. */
static void take_preconditions(const struct host_way *w, const verify_answer *from, verify_answer *to) {
  for (size_t i = 0; i < w->fact_count; i++) {
    if (w->facts[i].size) {
      use_fact(to, &w->facts[i]);
    }
  }
  for (size_t i = 0; i < from->preconditions.count; i++) {
    const premise *p = &from->preconditions.items[i];
    const way_fact *f = fact_of(w, p->text);
    if (f != NULL) {
      use_fact(to, f);
    } else if (!is_of_sizes(w, p->text)) {
      answer_require(to, p);
    }
  }
}

static void say_unsure(const struct host_way *w, const verify_answer *from, verify_answer *to) {
  char text[300];
  for (size_t i = 0; i < from->assumptions.count; i++) {
    answer_take(to, &from->assumptions.items[i]);
  }
  if (w->unsure != NULL) {
    (void)snprintf(text, sizeof text, "%.150s are different memory, which the host code at %.80s does not show",
                   w->unsure, w->from);
    answer_assume(to, text);
  }
  if (!w->offset_known) {
    (void)snprintf(text, sizeof text, "ids begin at 0, which the host code at %.80s does not show", w->from);
    answer_assume(to, text);
  }
}

/* --- one answer of all -------------------------------------------------------------------------------------------- */

static unsigned severity(verify_verdict v) {
  static const unsigned of[VERIFY_VERDICTS] = {[ANSWER_VERIFIED] = 0,
                                               [ANSWER_UNSUPPORTED] = 1,
                                               [ANSWER_UNKNOWN] = 2,
                                               [ANSWER_POSSIBLE_RACE] = 3,
                                               [ANSWER_POSSIBLE_DIVERGENCE] = 3,
                                               [ANSWER_OUT_OF_BOUNDS] = 4,
                                               [ANSWER_DIVERGENCE] = 5,
                                               [ANSWER_RACE] = 6};
  return of[v];
}

static void join_verdict(const struct host_way *w, const verify_answer *from, verify_answer *to) {
  if (severity(from->verdict) > severity(to->verdict)) {
    buffer reason = {0};
    to->verdict = from->verdict;
    if (from->reason[0] != '\0') {
      buffer_printf(&reason, "%s (launched at %s)", from->reason, w->from);
    }
    free(to->reason);
    to->reason = buffer_take(&reason);
  }
  to->seconds += from->seconds;
  to->queries += from->queries;
  to->memory = from->memory > to->memory ? from->memory : to->memory;
  to->order_shows = to->order_shows || from->order_shows;
  to->conditional = to->conditional || from->conditional || w->unsure != NULL || !w->offset_known;
}

static unsigned need(const char *text) {
  return strcmp(text, "needed") == 0 ? 2 : strcmp(text, "redundant") == 0 ? 0 : 1;
}

/* A barrier can go where it can in every way. */
static void join_barriers(const verify_answer *from, verify_answer *to) {
  for (size_t i = 0; i < to->barrier_count; i++) {
    const char *other = i < from->barrier_count ? from->barriers[i].text : "undecided";
    if (need(other) > need(to->barriers[i].text)) {
      free(to->barriers[i].text);
      to->barriers[i].text = mem_strdup(other);
    }
  }
}

static void move_findings(verify_answer *from, verify_answer *to) {
  const size_t all = to->finding_count + from->finding_count;
  to->findings = mem_realloc(to->findings, (all + 1) * sizeof *to->findings);
  if (from->finding_count > 0) {
    memcpy(&to->findings[to->finding_count], from->findings, from->finding_count * sizeof *from->findings);
  }
  to->finding_count = all;
  from->finding_count = 0;
}

static char *host_of(const asked_kernel *k) {
  buffer text = {0};
  buffer_printf(&text, "%s%s", k->host, k->host_whole ? "" : ", as far as it was read");
  return buffer_take(&text);
}

/* The first: all of it but what rests on the way. */
static void begin(const asked_kernel *k, verify_answer *from, verify_answer *to) {
  *to = (verify_answer){.kernel = mem_strdup(k->name),
                        .file = mem_strdup(from->file),
                        .line = from->line,
                        .reason = mem_strdup(""),
                        .host = host_of(k),
                        .barriers = from->barriers,
                        .barrier_count = from->barrier_count,
                        .invariants = from->invariants,
                        .invariant_count = from->invariant_count};
  from->barriers = from->invariants = NULL;
  from->barrier_count = from->invariant_count = 0;
}

static void join(const asked_kernel *k, size_t way, verify_answer *from, verify_answer *to) {
  const struct host_way *w = &k->ways[way];
  if (way == 0) {
    begin(k, from, to);
  } else {
    join_barriers(from, to);
  }
  join_verdict(w, from, to);
  take_preconditions(w, from, to);
  say_unsure(w, from, to);
  move_findings(from, to);
}

int prove_ways(prover *p, const asked_source *s, const asked_kernel *k, verify_answer *out, error *e) {
  *out = (verify_answer){0};
  int result = 0;
  for (size_t i = 0; i < k->way_count && result == 0 && !p->interrupted; i++) {
    verify_answer one = {0};
    result = ask(p, s, k, &k->ways[i], &one, e);
    if (result == 0 && !p->interrupted) {
      if (k->ways[i].open || needs_contents(&one)) {
        take_for_possible(&k->ways[i], &one);
      }
      join(k, i, &one, out);
    }
    answer_free(&one);
  }
  for (size_t i = 0; i < k->host_note_count && out->kernel != NULL; i++) {
    answer_assume(out, k->host_notes[i]);
  }
  return result;
}

/* --- launches that were seen -------------------------------------------------------------------------------------- */

static int contradiction(const asked_kernel *k, const observed_launch *l, const way_fact *fact, error *e) {
  char sizes[120];
  (void)snprintf(sizes, sizeof sizes, "%llu,%llu,%llu work-items", (unsigned long long)(l->local[0] * l->groups[0]),
                 (unsigned long long)(l->local[1] * l->groups[1]), (unsigned long long)(l->local[2] * l->groups[2]));
  return error_set(
      e, EXIT_INTERNAL,
      "a launch of kernel %s with %s contradicts what was read in %s (%s%s%s); if that is the source of the "
      "program, please report this as a fault",
      k->name, sizes, k->host, fact == NULL ? "its sizes or its memory" : fact->text, fact == NULL ? "" : ", ",
      fact == NULL ? "" : fact->from);
}

/* The best that any way says of the launch. */
static way_fit fit_of(const asked_kernel *k, const signature *of, const observed_launch *l, const way_fact **fact) {
  way_fit best = WAY_CONTRADICTS;
  for (size_t i = 0; i < k->way_count && best != WAY_FITS; i++) {
    const way_fact *own = NULL;
    const way_fit fit = way_fits(&k->ways[i], of, l, &own);
    best = fit < best ? fit : best;
    *fact = *fact == NULL ? own : *fact;
  }
  return best;
}

int ways_check(const asked_source *s, const asked_kernel *k, bool *all, error *e) {
  const signature *of = asked_signature(s, k->name);
  *all = of != NULL && k->uneven == 0 && k->distinct == k->launch_count;
  for (size_t i = 0; i < k->launch_count && of != NULL; i++) {
    const way_fact *fact = NULL;
    const way_fit fit = fit_of(k, of, &k->launches[i], &fact);
    *all = *all && fit == WAY_FITS;
    if (fit == WAY_CONTRADICTS && k->host_complete) {
      return contradiction(k, &k->launches[i], fact, e);
    }
  }
  return 0;
}
