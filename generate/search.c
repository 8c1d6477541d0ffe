/* Batches until all outcomes are taken or proved never to be, or half of the time is over; then once more over what was kept,
 * for those that are not needed any more; then batches towards the mutants that survive, until time is over. */
#include "generate/search.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/memory.h"
#include "base/rules.h"
#include "generate/equal.h"
#include "generate/expect.h"
#include "generate/minimise.h"
#include "generate/reach.h"
#include "generate/seeds.h"
#include "generate/sieve.h"

enum {
  BATCH_LEAST = 8,
  BATCH = 40,
  INPUTS_MOST = 20000,
  DRAWS_MOST = 40,
  REDUCE_SECONDS = 30,
  EXPECT_SECONDS = 120,
  MINIMISE_SHARE = 8,
  ROUNDS = 4, /* of campaigns */
  SEEDS_MOST = 16,
  SHRINK_SECONDS = 60,
  COMPARED_LEAST = 160,
  WITHOUT_MOST = 8,  /* batches that hit no mutant, until no more are looked for */
  STALE_MOST = 2,    /* batches that take nothing new, until the proof engine is asked; */
  STALE_ALL = 4,     /* and until mutants are looked for, whose inputs may take outcomes as well */
  ASK_SHARE = 4,     /* of the time */
  ASK_SECONDS = 4,   /* for an outcome */
  ASKED_VARIANTS = 3 /* inputs of a launch that it answers with */
};

typedef struct searching {
  search *s;
  const search_options *options;
  bench bench;
  inputs inputs;
  size_t seeds; /* so many of those that are kept are launches of tests, which come first */
  bool marked;  /* what the text says is never taken */
  bool asked;   /* the proof engine was */
  sieve sieve;  /* of mutants, */
  bool sieving; /* for which inputs are looked for */
} searching;

/* --- what is left out --------------------------------------------------------------------------------------------- */

static void take_left(void *context, const flaw *f, const input *x) {
  search *s = ((searching *)context)->s;
  left_out *to = NULL;
  for (size_t i = 0; i < s->left_count && to == NULL; i++)
    to = strcmp(s->left[i].rule, f->rule) == 0 && s->left[i].line == f->line ? &s->left[i] : NULL;
  if (to == NULL) {
    to = ARRAY_ADD(s->left, s->left_count, s->left_capacity);
    (void)snprintf(to->rule, sizeof to->rule, "%s", f->rule);
    to->line = f->line;
  }
  to->between = to->between || f->between;
  if (to->count++ == 0 || input_items(x) < input_items(&to->smallest)) {
    free(to->sentence);
    input_free(&to->smallest);
    to->sentence = mem_strdup(f->sentence);
    input_copy(x, &to->smallest);
  }
}

/* Whether work-groups got in each other's way. */
static bool has_between(const search *s) {
  bool between = false;
  for (size_t i = 0; i < s->left_count; i++) between = between || s->left[i].between;
  return between;
}

bool search_is_finding(const search *s, const left_out *l) {
  const verify_verdict said = s->proof != NULL && !s->partial ? s->proof->verdict : ANSWER_UNKNOWN;
  return (said == ANSWER_RACE && rule_is(l->rule, RULE_RACE)) ||
         (said == ANSWER_DIVERGENCE && rule_is(l->rule, RULE_DIVERGENCE)) ||
         (said == ANSWER_OUT_OF_BOUNDS && strcmp(l->rule, "out-of-bounds") == 0);
}

/* --- a batch ------------------------------------------------------------------------------------------------------ */

/* Some are like one that was kept, in most of their arguments: what is nested is reached from what is around it. Where
 * mutants are known, most are so. */
static const input *like_kept(const searching *w, unsigned number) {
  const search *s = w->s;
  const bool most = w->sieving || w->seeds > 0;
  const bool like = s->kept_count > 0 && (number % 2 == 0 || (most && number % 4 != 1));
  return like ? &s->kept[replica_draw(w->inputs.seed, number) % s->kept_count] : NULL;
}

static size_t draw_batch(searching *w, input *batch) {
  search *s = w->s;
  size_t count = 0;
  const size_t wanted = s->tried < BATCH ? BATCH_LEAST : BATCH;
  for (unsigned i = 0; i < wanted; i++) {
    const unsigned number = ++s->tried;
    if (inputs_draw(&w->inputs, number, like_kept(w, number), &batch[count])) {
      count++;
    } else {
      s->tried--;
      w->inputs.seed = replica_draw(w->inputs.seed, number); /* another one has this number */
    }
  }
  return count;
}

static void look(void *context, const view *v) {
  const searching *w = context;
  outcomes_read(&w->s->outcomes, v, w->s->kernel);
}

/* Those that take something new, by their places in the list; they come first then. */
static size_t new_first(searching *w, input **list, size_t count) {
  size_t fresh = 0;
  for (size_t i = 0; i < count; i++) {
    char *reason = outcomes_reason(&w->s->outcomes, (uint32_t)i, 0);
    if (reason != NULL) {
      input *one = list[i];
      list[i] = list[fresh];
      list[fresh++] = one;
      free(one->reason);
      one->reason = reason;
    }
  }
  return fresh;
}

static int cover(searching *w, input **list, size_t count, error *e) {
  for (size_t i = 0; i < w->s->outcomes.count; i++) w->s->outcomes.items[i].seen = false;
  return bench_cover(&w->bench, list, count, look, w, e);
}

static void keep(search *s, const input *x, char *reason) {
  input *to = ARRAY_ADD(s->kept, s->kept_count, s->kept_capacity);
  input_copy(x, to);
  to->reason = reason;
}

/* What is new, does not race, and takes something new still. */
static int keep_new(searching *w, input **list, size_t count, error *e) {
  search *s = w->s;
  size_t fresh = new_first(w, list, count), fine = 0;
  if (fresh == 0) return 0;
  if (bench_races(&w->bench, list, fresh, &fine, e) != 0 || cover(w, list, fine, e) != 0) return -1;
  for (size_t i = 0; i < fine; i++) {
    char *reason = outcomes_reason(&s->outcomes, (uint32_t)i, list[i]->number);
    if (reason != NULL) keep(s, list[i], reason);
  }
  return 0;
}

/* --- mutants ------------------------------------------------------------------------------------------------------ */

/* What is likely to kill mutants that none before it does, and does not race. */
static int keep_killers(searching *w, input **list, size_t count, error *e) {
  search *s = w->s;
  sieve *all = &w->sieve;
  bool *hits = mem_calloc(count * all->count + 1, sizeof *hits);
  input *order[BATCH], *killers[BATCH];
  size_t fine = 0;
  int result = sieve_try(all, &w->bench, 0, list, count, hits, e);
  const size_t chosen = result == 0 ? sieve_choose(all, list, count, hits) : 0;
  memcpy(order, list, count * sizeof *list);
  memcpy(killers, list, count * sizeof *list);
  if (chosen > 0) result = bench_races(&w->bench, killers, chosen, &fine, e);
  for (size_t k = 0; k < fine && result == 0; k++) {
    size_t at = 0;
    while (order[at] != killers[k]) at++;
    if (sieve_take(all, hits + at * all->count, killers[k]->number) > 0) keep(s, killers[k], NULL);
  }
  free(hits);
  return result;
}

/* What inputs kill that were kept for outcomes. */
static int sieve_takers(searching *w, error *e) {
  search *s = w->s;
  const size_t count = s->kept_count - w->seeds, each = w->sieve.count;
  bool *hits = mem_calloc(count * each + 1, sizeof *hits);
  input **list = mem_calloc(count + 1, sizeof *list);
  for (size_t i = 0; i < count; i++) list[i] = &s->kept[w->seeds + i];
  const int result = sieve_certain(&w->sieve, &w->bench, 0, list, count, hits, e);
  for (size_t i = 0; i < count && result == 0; i++) sieve_kill(&w->sieve, hits + i * each, 0);
  s->mutants.killed_by_outcomes = mutants_of(&s->mutants, MUTANT_KILLED) - s->mutants.killed_by_tests;
  free(list);
  free(hits);
  return result;
}

/* Of the inputs from `first` on those stay that kill something for certain. */
static int confirm_killers(searching *w, size_t first, error *e) {
  search *s = w->s;
  bool *hits = mem_calloc(w->sieve.count + 1, sizeof *hits);
  size_t left = first;
  int result = 0;
  for (size_t i = first; i < s->kept_count; i++) {
    input *x = &s->kept[i];
    result = result == 0 ? sieve_certain(&w->sieve, &w->bench, x->number, &x, 1, hits, e) : result;
    if (result == 0) sieve_kill(&w->sieve, hits, x->number);
    char *reason = mutants_reason(&s->mutants, x->number);
    if (x->reason == NULL)
      x->reason = reason;
    else
      free(reason);
    if (x->reason == NULL)
      input_free(x);
    else
      s->kept[left++] = *x;
  }
  s->kept_count = left;
  free(hits);
  return result;
}

/* Whether others that are kept have killed all that a killer was kept for: these are theirs from now on. */
static int give_away(searching *w, size_t first, const input *x, bool *given, error *e) {
  search *s = w->s;
  const size_t each = w->sieve.count;
  bool *hits = mem_calloc(s->kept_count * each + 1, sizeof *hits);
  input **list = mem_calloc(s->kept_count + 1, sizeof *list);
  size_t count = 0;
  for (size_t i = w->seeds; i < s->kept_count; i++)
    if (&s->kept[i] != x) list[count++] = &s->kept[i];
  const bool asked = sieve_ask_killed(&w->sieve, x->number, true) > 0;
  const int result = asked ? sieve_certain(&w->sieve, &w->bench, x->number, list, count, hits, e) : 0;
  *given = asked && result == 0;
  unsigned *owners = mem_calloc(each + 1, sizeof *owners);
  for (size_t m = 0; m < each && *given; m++) {
    if (!w->sieve.items[m].hit || w->sieve.items[m].owner != x->number) continue;
    size_t by = count;
    while (by > 0 && !hits[(by - 1) * each + m]) by--;
    *given = by > 0;
    owners[m] = 1 + (by > 0 && list[by - 1] >= &s->kept[first] ? list[by - 1]->number : 0);
  }
  for (size_t m = 0; m < each && *given; m++)
    if (owners[m] > 0) s->mutants.items[w->sieve.items[m].aimed].owner = owners[m] - 1;
  (void)sieve_ask_killed(&w->sieve, x->number, false);
  for (size_t m = 0; m < each; m++) w->sieve.items[m].hit = w->sieve.items[m].hit && !*given;
  free(owners);
  free(list);
  free(hits);
  return result;
}

/* Killers that later ones make needless go. */
static int drop_needless(searching *w, size_t first, error *e) {
  search *s = w->s;
  int result = 0;
  for (size_t i = first;
       i < s->kept_count && s->kept_count > first + 1 && result == 0 && clock_now() < w->bench.until;) {
    bool given = false, takes = false;
    for (size_t o = 0; o < s->outcomes.count; o++) takes = takes || s->outcomes.items[o].owner == s->kept[i].number;
    if (!takes) result = give_away(w, first, &s->kept[i], &given, e);
    if (given) {
      input_free(&s->kept[i]);
      memmove(&s->kept[i], &s->kept[i + 1], (--s->kept_count - i) * sizeof *s->kept);
    } else {
      i++;
    }
  }
  for (size_t i = first; i < s->kept_count; i++) {
    char *reason = mutants_reason(&s->mutants, s->kept[i].number);
    const bool kills = reason != NULL && strncmp(s->kept[i].reason, "kills", 5) == 0;
    free(kills ? s->kept[i].reason : reason);
    if (kills) s->kept[i].reason = reason;
  }
  return result;
}

/* What tests kill that there are. */
static int first_mutants(searching *w, error *e) {
  search *s = w->s;
  const word_list *tests = &w->options->captures;
  const int result = tests->count == 0 ? 0 : mutants_try_captures(&s->mutants, &w->bench, tests, e);
  s->mutants.killed_by_tests = mutants_of(&s->mutants, MUTANT_KILLED);
  return result;
}

/* --- batches ------------------------------------------------------------------------------------------------------ */

static bool all_taken(const search *s) {
  return s->outcomes.known && outcomes_taken(&s->outcomes) + outcomes_never(&s->outcomes) == s->outcomes.count;
}

/* Runs inputs, which are freed, and keeps those that are worth it. */
static int try_inputs(searching *w, input *batch, size_t count, error *e) {
  input *list[BATCH];
  size_t fine = 0;
  for (size_t i = 0; i < count; i++) list[i] = &batch[i];
  int result = bench_settle(&w->bench, &w->inputs, list, count, &fine, e);
  if (result == 0 && fine > 0 && w->options->against != NULL)
    result = against_try(w->options->against, &w->bench, list, fine, e);
  if (!w->sieving || !all_taken(w->s)) {
    result = result == 0 && fine > 0 ? cover(w, list, fine, e) : result;
    result = result == 0 && fine > 0 ? keep_new(w, list, fine, e) : result;
  }
  result = result == 0 && fine > 0 && w->sieving ? keep_killers(w, list, fine, e) : result;
  for (size_t i = 0; i < count; i++) input_free(&batch[i]);
  return result;
}

static int run_batch(searching *w, error *e) {
  input batch[BATCH];
  const size_t count = draw_batch(w, batch);
  return try_inputs(w, batch, count, e);
}

/* Whether verify and runs agree that the kernel is wrong, and nothing else is known of it. */
static bool is_wrong(const search *s) {
  bool wrong = false;
  for (size_t i = 0; i < s->left_count; i++) wrong = wrong || search_is_finding(s, &s->left[i]);
  return wrong && s->kept_count == 0 && s->tried >= (has_between(s) ? 4 : 2) * BATCH_LEAST;
}

/* --- what no input takes ------------------------------------------------------------------------------------------ */

/* A launch that takes an outcome, with several contents. */
static void add_variants(searching *w, const replica *launch, input *batch, size_t *count) {
  for (unsigned i = 0; i < ASKED_VARIANTS && *count < BATCH; i++)
    if (inputs_take(&w->inputs, ++w->s->tried, launch, &batch[*count])) (*count)++;
}

/* Loops whose text says how often they turn. */
static void mark_never(searching *w) {
  search *s = w->s;
  reach r;
  w->marked = true;
  reach_begin(&r, w->inputs.launches.source, s->kernel, s->proof, w->options->prover);
  for (size_t i = 0; i < s->outcomes.count; i++)
    if (!s->outcomes.items[i].taken) reach_take_text(&r, &s->outcomes.items[i]);
  reach_end(&r);
}

/* Asks for each outcome that no input takes whether a launch does, for a share of the time. */
static int ask_missed(searching *w, error *e) {
  search *s = w->s;
  const search_options *o = w->options;
  const double until = clock_now() + o->seconds / ASK_SHARE;
  input batch[BATCH];
  size_t count = 0;
  reach r;
  w->asked = true;
  if (o->prover == NULL || s->proof == NULL || s->proof->verdict == ANSWER_UNSUPPORTED || is_wrong(s)) return 0;
  reach_begin(&r, w->inputs.launches.source, s->kernel, s->proof, o->prover);
  for (size_t i = 0; i < s->outcomes.count && clock_now() < until && !interrupts_came(o->signals); i++) {
    outcome *one = &s->outcomes.items[i];
    const double left = until - clock_now();
    replica launch = {0};
    if (!one->taken && one->never == NULL &&
        reach_ask(&r, one, left < ASK_SECONDS ? left : ASK_SECONDS, &launch) == REACH_LAUNCH) {
      add_variants(w, &launch, batch, &count);
      replica_free(&launch);
    }
    o->progress(o->context, s);
  }
  const int result = count == 0 ? 0 : try_inputs(w, batch, count, e);
  reach_end(&r);
  return result;
}

/* --- all of it ---------------------------------------------------------------------------------------------------- */

/* The last ones first: what was hard to come by often takes what others were kept for. */
static int reduce(searching *w, error *e) {
  search *s = w->s;
  const size_t count = s->kept_count - w->seeds;
  input **list = mem_calloc(count + 1, sizeof *list);
  for (size_t i = 0; i < count; i++) list[i] = &s->kept[s->kept_count - 1 - i];
  w->bench.until = clock_now() + REDUCE_SECONDS;
  int result = count < 2 ? 0 : cover(w, list, count, e);
  bool all = true; /* that inputs are kept for */
  for (size_t i = 0; i < s->outcomes.count; i++)
    all = all && (s->outcomes.items[i].owner == 0 || s->outcomes.items[i].seen);
  if (result == 0 && count >= 2 && all) { /* the device did all of them again */
    input *kept = mem_calloc(s->kept_count + 1, sizeof *kept);
    size_t left = w->seeds;
    memcpy(kept, s->kept, w->seeds * sizeof *kept);
    for (size_t i = 0; i < s->outcomes.count; i++)
      s->outcomes.items[i].taken = s->outcomes.items[i].taken && s->outcomes.items[i].owner == 0;
    for (size_t i = 0; i < count; i++) {
      char *reason = outcomes_reason(&s->outcomes, (uint32_t)i, list[i]->number);
      free(list[i]->reason);
      list[i]->reason = reason;
      if (reason == NULL)
        input_free(list[i]);
      else
        kept[left++] = *list[i];
    }
    free(s->kept);
    s->kept = kept;
    s->kept_capacity = s->kept_count + 1;
    s->kept_count = left;
  }
  free(list);
  return result;
}

/* Nothing more is to be found, or what was found is enough. */
static bool is_done(const searching *w) {
  const against *a = w->options->against;
  const bool all =
      all_taken(w->s) && (!w->sieving || sieve_open(&w->sieve) == 0) && (a == NULL || a->compared >= COMPARED_LEAST);
  return all || is_wrong(w->s) || (a != NULL && a->difference != NULL);
}

static bool is_stale(const searching *w, unsigned stale) {
  const bool later = !w->options->no_mutants && w->options->against == NULL && w->asked && w->s->kept_count > 0;
  return w->sieving ? stale >= WITHOUT_MOST : later && stale >= STALE_ALL;
}

static int run_batches(searching *w, error *e) {
  search *s = w->s;
  const search_options *o = w->options;
  unsigned empty = 0, stale = 0;
  int result = 0;
  while (result == 0 && clock_now() < w->bench.until && !is_done(w) && s->tried < INPUTS_MOST && empty < DRAWS_MOST &&
         (w->bench.ran || s->tried < BATCH) && !is_stale(w, stale)) {
    const unsigned before = s->tried;
    const bool none = s->kept_count == 0 && s->tried >= 2 * BATCH_LEAST;
    w->inputs.alone = none && has_between(s) && s->tried < 4 * BATCH_LEAST;
    w->inputs.offsets = none && !w->inputs.alone; /* what lies in front of memory is read else */
    const size_t taken = outcomes_taken(&s->outcomes), open = w->sieving ? sieve_open(&w->sieve) : 0;
    result = run_batch(w, e);
    if (result == 0 && !w->marked && s->outcomes.known) mark_never(w);
    empty = s->tried == before ? empty + 1 : 0;
    const bool won = outcomes_taken(&s->outcomes) > taken || (w->sieving && sieve_open(&w->sieve) < open);
    stale = won ? 0 : stale + 1;
    if (result == 0 && !w->asked && stale >= STALE_MOST && s->outcomes.known && !all_taken(s))
      result = ask_missed(w, e);
    o->progress(o->context, s);
    if (result == 0 && interrupts_came(o->signals)) result = error_set(e, 130, "interrupted");
  }
  return result;
}

/* Tests that there are: what they take, and their launches as inputs to begin with. */
static int take_tests(searching *w, error *e) {
  search *s = w->s;
  const search_options *o = w->options;
  input batch[BATCH], *list[BATCH];
  size_t count = 0, fine = 0;
  int result = 0;
  for (size_t i = 0; i < o->captures.count && result == 0; i++) {
    result = bench_cover_capture(&w->bench, o->captures.items[i], look, w, e);
    outcomes_take(&s->outcomes);
  }
  for (size_t i = 0; o->seen != NULL && i < o->seen->launch_count && count < SEEDS_MOST; i++)
    if (seed_of_launch(&w->inputs, ++s->tried, &o->seen->launches[i], &batch[count])) count++;
  for (size_t i = 0; i < count; i++) list[i] = &batch[i];
  result = result == 0 && count > 0 ? bench_settle(&w->bench, &w->inputs, list, count, &fine, e) : result;
  for (size_t i = 0; i < fine && result == 0; i++) keep(s, list[i], NULL);
  for (size_t i = 0; i < count; i++) input_free(&batch[i]);
  w->seeds = s->kept_count;
  return result;
}

/* They are no cases. */
static void drop_seeds(searching *w) {
  search *s = w->s;
  for (size_t i = 0; i < w->seeds; i++) input_free(&s->kept[i]);
  memmove(s->kept, s->kept + w->seeds, (s->kept_count - w->seeds) * sizeof *s->kept);
  s->kept_count -= w->seeds;
  w->seeds = 0;
}

/* Why nothing has run: what the device says of one input without anything of ours in the kernel, else what it said before. */
static int say_why(searching *w, error *e) {
  bench *b = &w->bench;
  input one, *list[] = {&one};
  bench_results r = {0};
  bool well = false;
  buffer why = {0};
  int result = 0;
  if (inputs_draw(&w->inputs, 1, NULL, &one)) {
    result = bench_run(b, list, 1, READS_NOTHING, &r, &well, e);
    const char *said = result == 0 && !well && r.ran.said.length > 0 ? buffer_text(&r.ran.said) : "";
    const char *launch = strstr(said, "launch 1 of kernel");
    if (launch != NULL) {
      buffer_printf(&why, "the device does not run it: %.*s%s", (int)strcspn(launch, "\n"), launch,
                    strstr(launch, "KERNEL_NAME") == NULL ? "" : "; is a function of the language called so?");
      b->failed = 0;
    }
    bench_results_free(&r);
    input_free(&one);
  }
  if (why.length == 0) {
    buffer_printf(&why, "its program does not build for this device, or does not run there in time%s%s",
                  b->why[0] == '\0' ? "" : ": ", b->why);
  }
  w->s->obstacle = buffer_take(&why);
  return result;
}

static int run_outcomes(searching *w, double end, error *e) {
  search *s = w->s;
  w->bench.until = w->options->no_mutants ? end : clock_now() + (end - clock_now()) / 2;
  int result = run_batches(w, e);
  w->bench.until = end;
  result = result == 0 && s->kept_count == 0 ? run_batches(w, e) : result;
  result = result == 0 && !w->asked && s->outcomes.known && !all_taken(s) ? ask_missed(w, e) : result;
  if (s->tried == 0 && result == 0)
    s->obstacle = mem_strdup(draw_none(&w->inputs.launches));
  else if (result == 0 && !w->bench.ran)
    result = say_why(w, e);
  result = result == 0 ? reduce(w, e) : result;
  w->bench.until = clock_now() + (end - clock_now()) / MINIMISE_SHARE;
  return result == 0 && w->options->against == NULL
             ? minimise_takers(&w->bench, &w->inputs, s->kept + w->seeds, s->kept_count - w->seeds, &s->outcomes, e)
             : result;
}

static int look_for_killers(searching *w, error *e) {
  w->sieving = true;
  const int result = run_batches(w, e);
  w->sieving = false;
  return result;
}

/* What is left goes through a campaign, which knows code that is the same, and accesses that leave their memory. */
static int run_campaign(searching *w, error *e) {
  search *s = w->s;
  const size_t count = s->kept_count - w->seeds;
  input **list = mem_calloc(count + 1, sizeof *list);
  for (size_t i = 0; i < count; i++) list[i] = &s->kept[w->seeds + i];
  const bool open = mutants_of(&s->mutants, MUTANT_KILLED) < mutants_of(&s->mutants, MUTANT_STATUSES);
  const int result = open && count > 0 ? mutants_try(&s->mutants, &w->bench, list, count, e) : 0;
  free(list);
  return result;
}

/* Asks of each mutant that no input kills whether it does what the kernel does. Launches in which it does not are inputs. */
static int ask_survivors(searching *w, double until, error *e) {
  search *s = w->s;
  const search_options *o = w->options;
  input batch[BATCH];
  size_t count = 0;
  reach r;
  if (o->prover == NULL || s->proof == NULL || s->proof->verdict == ANSWER_UNSUPPORTED) return 0;
  reach_begin(&r, w->inputs.launches.source, s->kernel, s->proof, o->prover);
  for (size_t i = 0; i < w->sieve.count && clock_now() < until && !interrupts_came(o->signals); i++) {
    sieved_mutant *m = &w->sieve.items[i];
    aimed_mutant *a = &s->mutants.items[m->aimed];
    const double left = until - clock_now();
    replica launch = {0};
    if (m->asked || !mutant_is_open(a)) continue;
    m->asked = true;
    const reached is = equal_ask(&r, m->number, left < ASK_SECONDS ? left : ASK_SECONDS, &a->never, &launch);
    if (is == REACH_LAUNCH) add_variants(w, &launch, batch, &count);
    replica_free(&launch);
    o->progress(o->context, s);
  }
  w->sieving = true;
  const int result = count == 0 ? 0 : try_inputs(w, batch, count, e);
  w->sieving = false;
  reach_end(&r);
  return result;
}

/* What is left of the time is for killers that are smaller. */
static int shrink_killers(searching *w, size_t first, error *e) {
  search *s = w->s;
  for (size_t i = first; i < s->kept_count; i++) (void)sieve_ask_killed(&w->sieve, s->kept[i].number, true);
  const int result =
      minimise_killers(&w->bench, &w->inputs, s->kept + first, s->kept_count - first, &s->outcomes, &w->sieve, e);
  return result == 0 ? confirm_killers(w, first, e) : result;
}

static int run_mutants(searching *w, double end, error *e) {
  search *s = w->s;
  const double searched = end - (end - clock_now()) / MINIMISE_SHARE;
  w->inputs.edges = true;
  w->bench.until = searched;
  int result = first_mutants(w, e);
  sieve_begin(&w->sieve, w->inputs.launches.source, s->kernel, w->options->folder, &s->mutants);
  result = result == 0 ? sieve_takers(w, e) : result;
  const size_t takers = s->kept_count;
  for (unsigned round = 0; result == 0 && round < ROUNDS && sieve_open(&w->sieve) > 0 && clock_now() < searched;
       round++) {
    const size_t before = s->kept_count;
    if (round == 0) result = ask_survivors(w, clock_now() + (searched - clock_now()) / ASK_SHARE, e);
    w->bench.until = clock_now() + (searched - clock_now()) / 2;
    result = result == 0 ? look_for_killers(w, e) : result;
    w->bench.until = searched;
    result = result == 0 ? confirm_killers(w, before, e) : result;
    w->options->progress(w->options->context, s);
  }
  w->bench.until = clock_now() + (end - clock_now()) / 2;
  if (result == 0 && w->options->against == NULL && s->kept_count > takers)
    result = drop_needless(w, takers, e) != 0 || shrink_killers(w, takers, e) != 0 ? -1 : 0;
  w->bench.until = end;
  return result == 0 && s->mutants.known ? run_campaign(w, e) : result;
}

/* Outcomes first: what is never reached kills nothing. */
static int run(searching *w, error *e) {
  search *s = w->s;
  const double end = w->bench.until;
  against *a = w->options->against;
  int result = take_tests(w, e);
  result = result == 0 ? run_outcomes(w, end, e) : result;
  if (result == 0 && s->kept_count > 0 && !w->options->no_mutants && (a == NULL || a->difference == NULL))
    result = run_mutants(w, end, e);
  drop_seeds(w);
  if (result == 0 && s->kept_count > 0 && a == NULL) {
    w->bench.until = clock_now() + EXPECT_SECONDS;
    result = expect_results(&w->bench, s->kept, s->kept_count, e);
  }
  if (result == 0 && a != NULL && a->difference != NULL) {
    w->bench.until = clock_now() + SHRINK_SECONDS;
    result = against_shrink(a, &w->bench, &w->inputs, e);
  }
  return result;
}

int search_run(search *s, const asked_source *source, const search_options *o, error *e) {
  searching w = {.s = s,
                 .options = o,
                 .bench = {.base = o->base,
                           .folder = o->folder,
                           .file = o->file,
                           .options = o->options,
                           .kernel = s->kernel,
                           .until = clock_now() + o->seconds,
                           .left = take_left,
                           .context = &w}};
  const double began = clock_now();
  s->source = source;
  inputs_begin(&w.inputs, source, s->kernel, s->proof, o->assumed, o->assumed_count, o->seed);
  w.inputs.edges = o->against != NULL;
  s->partial = w.inputs.terms.foreign != NULL;
  s->obstacle = inputs_obstacle(&w.inputs);
  int result = s->obstacle == NULL ? run(&w, e) : 0;
  if (result != 0 && e->code == 130) {
    s->interrupted = true;
    result = 0;
  }
  s->failed = w.bench.failed;
  s->seconds = clock_now() - began;
  sieve_end(&w.sieve);
  inputs_end(&w.inputs);
  return result;
}

void search_free(search *s) {
  for (size_t i = 0; i < s->kept_count; i++) input_free(&s->kept[i]);
  for (size_t i = 0; i < s->left_count; i++) {
    input_free(&s->left[i].smallest);
    free(s->left[i].sentence);
  }
  free(s->kept);
  free(s->left);
  free(s->obstacle);
  mutants_free(&s->mutants);
  outcomes_free(&s->outcomes);
}
