/* Asks for what is not known yet, and answers for what the engine is silent about. */
#include "proofs/client/prove.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "proofs/client/request.h"

/* --- ways of host code -------------------------------------------------------------------------------------------- */

/* Ways to launch a kernel: asking about each, one answer of all, and launches that were seen against them. */

/* --- one way ------------------------------------------------------------------------------------------------------ */

typedef struct asking {
  const char *kernel;
  verify_answer answer;
  bool answered;
} asking;

static int take_way_line(void *context, const char *line, size_t length, error *e) {
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

static int ask_way(prover *p, const asked_source *s, const asked_kernel *k, const struct host_way *w,
                   verify_answer *out, error *e) {
  asking a = {.kernel = k->name};
  buffer request = {0};
  request_way(s, &p->options, k, w, &request);
  const engine_listener listener = {&a, take_way_line};
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
  for (size_t i = 0; i < a->finding_count; i++) needs = needs || a->findings[i].contents_count > 0;
  return needs;
}

/* Of what the host code does not show a counterexample may take what is never launched. */
static void take_for_possible(const struct host_way *w, verify_answer *a) {
  if (a->verdict == ANSWER_OUT_OF_BOUNDS) { /* of these there is no possible one */
    buffer reason = {0};
    if (a->finding_count > 0)
      record_sentence(&a->findings[0], &reason);
    else
      buffer_puts(&reason, "an access leaves its buffer");
    buffer_puts(&reason, ", if the host code gives it what it does not show");
    answer_undecided(a, buffer_text(&reason));
    buffer_free(&reason);
  }
  if (a->verdict != ANSWER_RACE && a->verdict != ANSWER_DIVERGENCE) return;
  a->verdict = a->verdict == ANSWER_RACE ? ANSWER_POSSIBLE_RACE : ANSWER_POSSIBLE_DIVERGENCE;
  for (size_t i = 0; i < a->finding_count; i++) {
    answer_finding *f = &a->findings[i];
    buffer text = {0};
    buffer_printf(&text, "what the host code at %s does not show", w->from);
    f->row.possible = true;
    answer_doubt(a, f, buffer_text(&text));
    buffer_free(&text);
  }
}

/* --- what the proof used ------------------------------------------------------------------------------------------ */

static void use_fact(const struct host_way *w, verify_answer *to, const way_fact *f) {
  buffer text = {0};
  if (f->allocation && strcmp(f->from, w->from) != 0) {
    buffer_printf(&text, "the call at %s succeeds", f->from);
    answer_assume(to, buffer_text(&text));
    buffer_free(&text);
    text = (buffer){0};
  }
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
    if (!local && !groups && !work && !power) return false;
    at += length;
  }
  return true;
}

/* The preconditions that are facts of the host code, and others, which stay. Sizes are used as they are. */
static void take_preconditions(const struct host_way *w, const verify_answer *from, verify_answer *to) {
  for (size_t i = 0; i < w->fact_count; i++)
    if (w->facts[i].size) use_fact(w, to, &w->facts[i]);
  for (size_t i = 0; i < from->preconditions.count; i++) {
    const premise *p = &from->preconditions.items[i];
    const way_fact *f = NAMED(w->facts, w->fact_count, text, p->text);
    if (f != NULL)
      use_fact(w, to, f);
    else if (!is_of_sizes(w, p->text))
      answer_require(to, p);
  }
}

static void say_unsure(const struct host_way *w, const verify_answer *from, verify_answer *to) {
  char text[300];
  for (size_t i = 0; i < from->assumptions.count; i++) answer_take(to, &from->assumptions.items[i]);
  if (w->unsure != NULL) {
    (void)snprintf(text, sizeof text, "%.150s are different memory, which the host code at %.80s does not show",
                   w->unsure, w->from);
    answer_assume(to, text);
  }
  if (w->ends != NULL) {
    (void)snprintf(text, sizeof text, "accesses stay inside of %.150s, whose size the host code at %.80s does not show",
                   w->ends, w->from);
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
    to->verdict = from->verdict;
    to->reason =
        from->reason[0] == '\0' ? "" : mem_arena_printf(&to->texts, "%s (launched at %s)", from->reason, w->from);
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
    if (need(other) > need(to->barriers[i].text)) to->barriers[i].text = other;
  }
}

/* The first: all of it but what rests on the way. */
static void begin(const asked_kernel *k, verify_answer *from, verify_answer *to) {
  *to = (verify_answer){.kernel = from->kernel,
                        .file = from->file,
                        .line = from->line,
                        .reason = "",
                        .files = from->files,
                        .barriers = from->barriers,
                        .barrier_count = from->barrier_count,
                        .invariants = from->invariants,
                        .invariant_count = from->invariant_count};
  to->host = mem_arena_printf(&to->texts, "%s%s", k->host, k->host_whole ? "" : ", as far as it was read");
}

static void join(const asked_kernel *k, size_t way, verify_answer *from, verify_answer *to) {
  const struct host_way *w = &k->ways[way];
  if (way == 0)
    begin(k, from, to);
  else
    join_barriers(from, to);
  join_verdict(w, from, to);
  take_preconditions(w, from, to);
  say_unsure(w, from, to);
  for (size_t i = 0; i < from->finding_count; i++) {
    to->findings = mem_arena_more(&to->texts, to->findings, to->finding_count, sizeof *to->findings);
    to->findings[to->finding_count++] = from->findings[i];
  }
  mem_arena_adopt(&to->texts, &from->texts);
}

/* Asks about all ways of kernel `k`, and makes one answer of theirs: as bad as the worst. Free `*out` in every case. */
static int prove_ways(prover *p, const asked_source *s, const asked_kernel *k, verify_answer *out, error *e) {
  *out = (verify_answer){0};
  int result = 0;
  for (size_t i = 0; i < k->way_count && result == 0 && !p->interrupted; i++) {
    verify_answer one = {0};
    result = ask_way(p, s, k, &k->ways[i], &one, e);
    if (result == 0 && !p->interrupted) {
      if (k->ways[i].open || needs_contents(&one)) take_for_possible(&k->ways[i], &one);
      join(k, i, &one, out);
    }
    answer_free(&one);
  }
  for (size_t i = 0; i < k->host_note_count && out->kernel != NULL; i++) answer_assume(out, k->host_notes[i]);
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

/* Whether each launch of `k` that was seen is one of its ways, by all that is known. -1 with `e` set (EXIT_INTERNAL): a
 * launch contradicts all ways although all ways are known. */
static int ways_check(const asked_source *s, const asked_kernel *k, bool *all, error *e) {
  const signature *of = asked_signature(s, k->name);
  *all = of != NULL && k->uneven == 0 && k->distinct == k->launch_count;
  for (size_t i = 0; i < k->launch_count && of != NULL; i++) {
    const way_fact *fact = NULL;
    const way_fit fit = fit_of(k, of, &k->launches[i], &fact);
    *all = *all && fit == WAY_FITS;
    if (fit == WAY_CONTRADICTS && k->host_complete) return contradiction(k, &k->launches[i], fact, e);
  }
  return 0;
}

static const parameter *parameter_of(const signature *of, const char *name) {
  for (size_t i = 0; i < of->count; i++) {
    const parameter *p = &of->parameters[i];
    if (strcmp(p->name, name) == 0 && (p->kind == PARAMETER_GLOBAL || p->kind == PARAMETER_LOCAL)) return p;
  }
  return NULL;
}

/* The engine counts in the bytes of an access: of a member of a structure, or of a vector in a buffer of numbers, that is no
 * element of the buffer. Tells them by the parameter's type. */
static void elements_tell(verify_answer *a, const signature *of) {
  for (size_t i = 0; of != NULL && i < a->finding_count; i++) {
    db_detail *d = &a->findings[i].row.detail;
    const parameter *p = d->element.known && strcmp(d->space, "image") != 0 ? parameter_of(of, d->object) : NULL;
    if (p != NULL && p->size > 0 && d->element_size.value > 0 && d->element_size.value != p->size) {
      const uint64_t byte = d->element.value * d->element_size.value;
      d->byte = (db_number){d->element_size.value < p->size, byte % p->size};
      d->element.value = byte / p->size;
      d->element_size.value = p->size;
    }
  }
}

typedef struct proving {
  prover *prover;
  const asked_source *source;
  bool *wanted; /* kernels of the source that have no answer yet */
  char *
      *not_all; /* why what is said of a kernel is not so for every run of its host code; NULL: nothing is to be said */
  size_t asked; /* that the engine is asked for */
} proving;

void proved_kernel_free(proved_kernel *k) {
  answer_free(&k->answer);
  free(k->text);
  *k = (proved_kernel){0};
}

/* What we did to the launches before the engine saw them. */
static void say_launches(const asked_kernel *kernel, verify_answer *a) {
  char text[200];
  if (kernel->distinct > kernel->launch_count) {
    (void)snprintf(text, sizeof text, "of %llu different launches only %zu were looked at, the most different ones",
                   (unsigned long long)kernel->distinct, kernel->launch_count);
    answer_assume(a, text);
  }
  if (kernel->uneven > 0) {
    (void)snprintf(text, sizeof text,
                   "%llu launches whose last work-groups are smaller than the others were not looked at",
                   (unsigned long long)kernel->uneven);
    answer_assume(a, text);
  }
  for (size_t i = 0; i < kernel->launch_count; i++) {
    const observed_launch *l = &kernel->launches[i];
    if (l->local_chosen) {
      (void)snprintf(text, sizeof text,
                     "where the program leaves the size of work-groups to the driver, that is %llu work-items for a "
                     "launch of %llu",
                     (unsigned long long)l->local[0], (unsigned long long)(l->local[0] * l->groups[0]));
      answer_assume(a, text);
      return; /* one says it */
    }
  }
}

static bool says_dimensions(const verify_answer *a) {
  static const char words[] = "get_work_dim()";
  for (size_t i = 0; i < a->preconditions.count; i++)
    if (strncmp(a->preconditions.items[i].text, words, sizeof words - 1) == 0) return true;
  return false;
}

/* Dimensions and sizes that the request names. With any sizes, less dimensions are among them: they have sizes of 1. */
static void say_sizes(const prove_options *o, const signature *of, verify_answer *a) {
  const unsigned most = o->local.dimensions > o->groups.dimensions ? o->local.dimensions : o->groups.dimensions;
  const unsigned dimensions = most > 0 ? most : of != NULL ? of->dimensions : 0;
  char text[100];
  if (dimensions > 0 && !says_dimensions(a) && (dimensions < 3 || of == NULL || of->asks_dimensions)) {
    const bool exactly = most > 0 || dimensions == 1 || of->asks_dimensions;
    (void)snprintf(text, sizeof text, "get_work_dim() %s %u", exactly ? "==" : "<=", dimensions);
    answer_require_expression(a, text);
  }
  for (unsigned i = 0; i < 3; i++) {
    if (i < o->local.dimensions && o->local.sizes[i] > 0) {
      (void)snprintf(text, sizeof text, "get_local_size(%u) == %llu", i, (unsigned long long)o->local.sizes[i]);
      answer_require_expression(a, text);
    }
    if (i < o->groups.dimensions && o->groups.sizes[i] > 0) {
      (void)snprintf(text, sizeof text, "get_num_groups(%u) == %llu", i, (unsigned long long)o->groups.sizes[i]);
      answer_require_expression(a, text);
    }
  }
}

/* The engine takes the launches in order and ends with the first that goes wrong. */
static void say_which_launch(const asked_kernel *kernel, verify_answer *a) {
  if (kernel->made < 2 || a->verdict == ANSWER_VERIFIED || a->given != kernel->launch_count || a->proved >= a->given)
    return;
  for (size_t i = 0; i < a->finding_count; i++) {
    answer_finding *f = &a->findings[i];
    const observed_launch *l =
        &kernel->launches[f->has_launch && f->launch < kernel->launch_count ? f->launch : a->proved];
    f->row.detail.launch = db_known(l->first - 1);
    f->row.detail.launches = db_known(kernel->made);
  }
}

static int hand_over(const proving *g, proved_kernel *k, error *e) {
  const asked_kernel *kernel = asked_kernel_find(g->source, k->answer.kernel);
  elements_tell(&k->answer, asked_signature(g->source, k->answer.kernel));
  if (!g->source->observed && k->answer.host == NULL && k->answer.verdict == ANSWER_VERIFIED) {
    say_sizes(&g->prover->options, asked_signature(g->source, k->answer.kernel), &k->answer);
  } else if (kernel != NULL) {
    say_launches(kernel, &k->answer);
    say_which_launch(kernel, &k->answer);
  }
  if (kernel != NULL && g->not_all[kernel - g->source->kernels] != NULL)
    answer_assume(&k->answer, g->not_all[kernel - g->source->kernels]);
  const prove_listener *l = &g->prover->listener;
  return l->proved(l->context, g->source, k, e);
}

/* What an earlier run has proved. An answer that cannot be read any more is as good as none. */
static bool recall(const proving *g, const asked_kernel *kernel, int *result, error *e) {
  const prover *p = g->prover;
  proved_kernel k = {.reused = true};
  request_key(g->source, &p->options, kernel, p->digest, k.key);
  k.text = p->listener.recall == NULL || k.key[0] == '\0' ? NULL : p->listener.recall(p->listener.context, k.key);
  error ignored;
  if (k.text == NULL || answer_read(k.text, strlen(k.text), &k.answer, &ignored) != 0 ||
      strcmp(k.answer.kernel, kernel->name) != 0) {
    proved_kernel_free(&k);
    return false;
  }
  *result = hand_over(g, &k, e);
  return true;
}

/* The kernel of the source that an answer is about; SIZE_MAX: none that was asked for. */
static size_t asked_index(const proving *g, const char *name) {
  for (size_t i = 0; i < g->source->kernel_count; i++)
    if (g->wanted[i] && strcmp(g->source->kernels[i].name, name) == 0) return i;
  return SIZE_MAX;
}

static int take_line(void *context, const char *line, size_t length, error *e) {
  proving *g = context;
  proved_kernel k = {0};
  if (answer_read(line, length, &k.answer, e) != 0) {
    proved_kernel_free(&k);
    return -1;
  }
  const size_t i = asked_index(g, k.answer.kernel);
  if (i == SIZE_MAX && !g->source->every) {
    proved_kernel_free(&k);
    return 0;
  }
  if (i != SIZE_MAX) {
    g->wanted[i] = false;
    if (k.answer.verdict != ANSWER_UNKNOWN) /* another time there may be more time */
      request_key(g->source, &g->prover->options, &g->source->kernels[i], g->prover->digest, k.key);
  }
  k.text = mem_strndup(line, length);
  return hand_over(g, &k, e);
}

/* Kernels of which the engine has said nothing. */
static int answer_for_silent(const proving *g, const char *why, error *e) {
  int result = 0;
  for (size_t i = 0; i < g->source->kernel_count && result == 0; i++) {
    if (g->wanted[i]) {
      proved_kernel k = {0};
      answer_unknown(g->source->kernels[i].name, asked_text(g->source)->name, why, &k.answer);
      result = hand_over(g, &k, e);
    }
  }
  return result;
}

static int ask(proving *g, error *e) {
  prover *p = g->prover;
  buffer request = {0};
  request_write(g->source, &p->options, g->wanted, &request);
  const engine_listener listener = {g, take_line};
  engine_end end;
  const double patience = ENGINE_PATIENCE(p->options.timeout);
  int result =
      request.overflowed
          ? error_set(e, EXIT_USAGE, "%s: the launches of its kernels are more than can be asked about",
                      asked_text(g->source)->name)
          : engine_run(p->engine, buffer_text(&request), request.length, patience, p->signals, &listener, &end, e);
  buffer_free(&request);
  if (result != 0) return -1;
  p->interrupted = end.interrupted;
  char why[160];
  if (end.silent)
    (void)snprintf(why, sizeof why, "the proof engine said nothing for %.0f seconds and was ended", patience);
  else
    (void)snprintf(why, sizeof why, "the proof engine ended with status %d and without an answer", end.status);
  if (g->source->every && end.status != 0)
    return error_set(e, EXIT_INTERNAL, "%s: %s", asked_text(g->source)->name, why);
  return p->interrupted ? 0 : answer_for_silent(g, why, e);
}

/* What host code says is enough: of a kernel file always, of launches that were seen where it proves all of them. */
static bool is_enough(const proving *g, const asked_kernel *kernel, bool all, verify_answer *a) {
  if (!g->source->observed) return true;
  if (!all || a->verdict != ANSWER_VERIFIED) return false;
  a->given = a->proved = kernel->launch_count;
  return true;
}

/* A kernel with ways: an answer for all runs of the host code; or of what was seen, and why not for all. */
static int prove_hosted(proving *g, size_t i, error *e) {
  const asked_kernel *kernel = &g->source->kernels[i];
  proved_kernel k = {0};
  bool all = false;
  const bool checked = ways_check(g->source, kernel, &all, e) == 0;
  const int result = checked ? prove_ways(g->prover, g->source, kernel, &k.answer, e) : -1;
  if (result == 0 && !g->prover->interrupted) {
    g->wanted[i] = !is_enough(g, kernel, all, &k.answer);
    if (!g->wanted[i]) return hand_over(g, &k, e);
    buffer text = {0};
    buffer_printf(&text, "not for every run of %s: there %s%s%s", kernel->host, verify_verdict_name(k.answer.verdict),
                  k.answer.reason[0] == '\0' ? "" : ", ", k.answer.reason);
    g->not_all[i] = buffer_take(&text);
  }
  proved_kernel_free(&k);
  return result;
}

/* Of a kernel whose launches all have last work-groups that are smaller than the others. */
static int refuse_uneven(const proving *g, const asked_kernel *kernel, error *e) {
  proved_kernel k = {0};
  answer_unknown(kernel->name, asked_text(g->source)->name,
                 "the last work-groups of its launches are smaller than the others, which proofs do not follow",
                 &k.answer);
  k.answer.verdict = ANSWER_UNSUPPORTED;
  return hand_over(g, &k, e);
}

static int prove_kernel(proving *g, size_t i, error *e) {
  const asked_kernel *kernel = &g->source->kernels[i];
  int result = 0;
  if (g->source->observed && kernel->launch_count == 0) return refuse_uneven(g, kernel, e);
  g->wanted[i] = true;
  if (kernel->way_count > 0) result = prove_hosted(g, i, e);
  if (result == 0 && g->wanted[i] && !g->prover->interrupted) g->wanted[i] = !recall(g, kernel, &result, e);
  g->asked += g->wanted[i] ? 1 : 0;
  return result;
}

int prove_source(prover *p, const asked_source *s, error *e) {
  proving g = {.prover = p, .source = s};
  g.wanted = mem_calloc(s->kernel_count + 1, sizeof *g.wanted);
  g.not_all = mem_calloc(s->kernel_count + 1, sizeof *g.not_all);
  int result = 0;
  for (size_t i = 0; i < s->kernel_count && result == 0; i++) result = prove_kernel(&g, i, e);
  if (result == 0 && !p->interrupted && (g.asked > 0 || s->every)) result = ask(&g, e);
  mem_free_all(g.not_all, s->kernel_count);
  free(g.wanted);
  return result;
}
