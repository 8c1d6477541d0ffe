/* The phases of a campaign, one after the other: the baseline, the order of its mutants, rounds, and the estimate of a
 * sample. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/memory.h"
#include "runner/campaign/internal.h"
#include "runner/experiment/run_words.h"
#include "runner/isolate.h"

/* The original, several times. */

/* The original as it is, as experiment.h has it. */
static int campaign_baseline(campaign *c, error *e) {
  bool unread = false;
  const int result = experiment_baseline(&c->base, e);
  return result == 0 ? campaign_take_postponed(c, &unread, e) : result;
}

/* What varies only now may be a test case that cannot be replayed. */
static int campaign_baseline_later(campaign *c, error *e) {
  if (!experiment_defers_run(&c->base)) return 0;
  experiment_phase_begin(&c->base, PHASE_BASELINE, c->base.options->test_count);
  int result = c->ran_later ? 0 : experiment_baseline_later(&c->base, e);
  for (size_t t = 0; t < c->base.options->test_count && result == 0 && !c->out->common.baseline_failed; t++) {
    const experiment_case *of = &c->base.cases[t];
    const bool told = !case_is_replayed(of->state) || !campaign_varies(&c->tests[t], &of->plain) ||
                      (case_varies(of->state) && stable_reads(&of->plain) > 0);
    const char *why = told ? NULL : replay_obstacle(&of->plain);
    result = why == NULL ? 0 : experiment_lose_replays(&c->base, t, why, e);
  }
  return result;
}

/* Whether replays do not stand for the other runs. What varies by itself only the program shows. */
static bool is_left(const experiment *x, size_t test) {
  return !experiment_is_replayed(x, test) ||
         campaign_varies(&((const campaign *)x)->tests[test], &x->cases[test].plain);
}

typedef struct unstable_store {
  campaign *campaign;
  size_t test;
  bool printed; /* not read from the device */
} unstable_store;

static int store_unstable(void *context, const char *what, double share, error *e) {
  const unstable_store *s = context;
  const campaign *c = s->campaign;
  const bool varies = s->printed || campaign_varies(&c->tests[s->test], &c->base.cases[s->test].plain);
  char named[600];
  (void)snprintf(named, sizeof named, "%s%s", what, varies ? "" : ", from memory that nobody has written,");
  experiment_note(&c->base,
                  "%s: %s differs from run to run without any mutant (%.3g %% of its bytes, which are no evidence)",
                  c->base.options->tests[s->test].name, named, share * 100);
  return db_add_unstable(c->base.db, c->base.cases[s->test].row, named, share, e);
}

/* Test cases that do nothing on the device, in one sentence for all. */
static void note_idle(experiment *x) {
  enum { NAMED = 3 };
  scoped_buffer names = {0};
  size_t count = 0;
  for (size_t t = 0; t < x->options->test_count; t++)
    if (x->cases[t].state == CASE_IDLE && count++ < NAMED)
      buffer_printf(&names, "%s%s", count == 1 ? "" : ", ", x->options->tests[t].name);
  if (count > 0) {
    experiment_note(x, "%zu test case%s nothing on the device and %s run against no mutant: %s%s", count,
                    count == 1 ? " does" : "s do", count == 1 ? "is" : "are", buffer_text(&names),
                    count > NAMED ? ", …" : "");
  }
}

/* The other runs, where replays do not do them. */
static int campaign_baseline_rest(campaign *c, error *e) {
  const unsigned rest = c->base.options->runs - experiment_program_runs(&c->base);
  experiment_phase_begin(&c->base, PHASE_BASELINE, c->base.options->test_count * rest);
  if (rest > 0 && experiment_run_plain(&c->base, rest, is_left, e) != 0) return -1;
  for (size_t t = 0;
       t < c->base.options->test_count && !experiment_stopped(&c->base) && !c->out->common.baseline_failed; t++) {
    unstable_store s = {.campaign = c, .test = t}, printed = {.campaign = c, .test = t, .printed = true};
    const transcript *plain = &c->base.cases[t].plain;
    if (unstable_outputs(plain, c->base.options->oracle, store_unstable, &s, e) != 0 ||
        (c->base.options->output && plain->unstable_output &&
         store_unstable(&printed, "standard output (see --ignore)", 1, e) != 0))
      return -1;
    const bool tells = c->base.cases[t].state == CASE_IDLE || stable_reads(&c->base.cases[t].plain) > 0;
    if (c->base.options->oracle == ORACLE_READS && c->programs.count > 0 && !tells) {
      experiment_note(&c->base,
                      "%s reads nothing back from the device that is the same in every run: only its exit status can "
                      "tell mutants apart (or its output, with --oracle output)",
                      c->base.options->tests[t].name);
    }
  }
  if (c->programs.count > 0) note_idle(&c->base);
  return 0;
}

/* A sample and a share of mutants: the same on every machine. */

/* A number that looks random. */
static uint64_t draw_lot(uint64_t seed, uint64_t id) {
  uint64_t z = seed * UINT64_C(0x9E3779B97F4A7C15) + id;
  z = (z ^ (z >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
  z = (z ^ (z >> 27)) * UINT64_C(0x94D049BB133111EB);
  return z ^ (z >> 31);
}

typedef struct ticket {
  uint64_t lot;
  bool *chosen;
} ticket;

static int compare_tickets(const void *a, const void *b) {
  const ticket *left = a;
  const ticket *right = b;
  return left->lot < right->lot ? -1 : left->lot > right->lot;
}

static void draw_sample(const campaign_options *o, const selection *all, size_t count) {
  scoped ticket *tickets = mem_calloc(count + 1, sizeof *tickets);
  size_t drawn = 0;
  for (size_t i = 0; i < count; i++)
    if (*all[i].chosen && !all[i].suppressed)
      tickets[drawn++] = (ticket){draw_lot(o->common.seed, all[i].id), all[i].chosen};
  if (drawn > o->sample) {
    qsort(tickets, drawn, sizeof *tickets, compare_tickets);
    for (size_t i = o->sample; i < drawn; i++) *tickets[i].chosen = false;
  }
}

void campaign_draw(const campaign_options *o, const selection *all, size_t count) {
  if (o->sample > 0) draw_sample(o, all, count);
  size_t number = 0;
  for (size_t i = 0; i < count && o->common.shards > 1; i++)
    if (*all[i].chosen) *all[i].chosen = number++ % o->common.shards == o->common.shard - 1;
}

/* The order in which mutants are drawn: at random within strata, so that those that have a verdict when a campaign is
 * cut off tell what the score of all would be.
 *
 * Sorted by kernel, operator and line, mutants that are alike stand beside each other; those of one line in a random
 * order. Each half of this list is put into an order in the same way, and then one of each half is taken in turn, where
 * a coin says which goes first. Of an odd number one that is drawn at random gets a random place. So each mutant is as
 * likely as any other to be drawn at any moment, and those that are drawn are spread evenly over the list. The order
 * depends on the mutants and --seed alone. */

/* --- drawing ------------------------------------------------------------------------------------------------------ */

/* By the first pair whose numbers differ. */
static int compare_pairs(const uint64_t pairs[][2], size_t count) {
  int result = 0;
  for (size_t i = 0; i < count && result == 0; i++) result = (pairs[i][0] > pairs[i][1]) - (pairs[i][0] < pairs[i][1]);
  return result;
}

static int by_stratum(const void *a, const void *b) {
  const draw_item *x = a, *y = b;
  const uint64_t pairs[][2] = {{x->program, y->program}, {x->kernel, y->kernel}, {x->op, y->op},
                               {x->file, y->file},       {x->line, y->line},     {x->lot, y->lot},
                               {x->index, y->index}};
  return compare_pairs(pairs, sizeof pairs / sizeof pairs[0]);
}

typedef struct shuffle {
  draw_item *room; /* for as many as there are */
  uint64_t seed, count;
} shuffle;

static uint64_t next_number(shuffle *s) { return draw_lot(s->seed, s->count++); }

static void put_in_order(shuffle *s, draw_item *items, size_t count) {
  if (count < 2) return;
  if (count % 2 == 1) {
    draw_item *taken = &items[next_number(s) % count];
    const draw_item one = *taken;
    memmove(taken, taken + 1, (size_t)(items + count - taken - 1) * sizeof *items);
    put_in_order(s, items, count - 1);
    draw_item *place = &items[next_number(s) % count];
    memmove(place + 1, place, (size_t)(items + count - place - 1) * sizeof *items);
    *place = one;
    return;
  }
  const size_t half = count / 2;
  put_in_order(s, items, half);
  put_in_order(s, items + half, half);
  for (size_t i = 0; i < half; i++) {
    const size_t first = next_number(s) >> 63;
    s->room[2 * i + first] = items[i];
    s->room[2 * i + 1 - first] = items[half + i];
  }
  memcpy(items, s->room, count * sizeof *items);
}

void draw_order(draw_item *items, size_t count, uint64_t seed) {
  for (size_t i = 0; i < count; i++) items[i].lot = draw_lot(seed ^ (uint64_t)items[i].program << 32, items[i].id);
  if (count > 1) qsort(items, count, sizeof *items, by_stratum);
  shuffle s = {mem_calloc(count + 1, sizeof *s.room), seed, 0};
  put_in_order(&s, items, count);
  free(s.room);
}

/* --- of a campaign ------------------------------------------------------------------------------------------------ */

/* All that the score may count, decided or not: a campaign that goes on draws as it would have without the pause. */
static draw_item *list_items(const campaign_programs *all, size_t *count) {
  draw_item *items = NULL;
  size_t capacity = 0;
  *count = 0;
  for (uint32_t p = 0; p < all->count; p++) {
    const campaign_program *program = all->list[p];
    for (uint32_t m = 0; m < program->schema.mutant_count; m++) {
      const mutant *is = program->mutants[m].mutant;
      if (program->mutants[m].chosen && !is->suppressed && !is->invalid) {
        *ARRAY_ADD(items, *count, capacity) = (draw_item){.program = p,
                                                          .index = m,
                                                          .id = is->id,
                                                          .kernel = is->kernel_count == 0 ? UINT32_MAX : is->kernels[0],
                                                          .op = (uint32_t)is->op,
                                                          .file = is->file,
                                                          .line = is->line};
      }
    }
  }
  return items;
}

static size_t count_runs(const campaign_progress *p) {
  return p->of[MUTANT_KILLED] + p->of[MUTANT_UNDECIDED] + p->of[MUTANT_SURVIVED];
}

void campaign_order(campaign *c) {
  size_t count = 0;
  scoped draw_item *items = list_items(&c->programs, &count);
  draw_order(items, count, c->base.options->seed);
  free(c->queue.list);
  c->queue.list = mem_calloc(count + 1, sizeof *c->queue.list);
  c->queue.count = 0;
  c->queue.to_run = 0;
  for (size_t i = 0; i < count; i++) {
    const campaign_mutant *m = mutant_at(&c->programs, items[i].program, items[i].index);
    if (!m->decided) {
      c->queue.list[c->queue.count++] = (mutant_index){items[i].program, items[i].index};
      c->queue.to_run += m->reached ? 1 : 0;
    }
  }
  c->queue.ran_before = count_runs(&c->progress);
}

/* Mutants that no test case reaches need no run. They are drawn all the same: each is decided once as many of those
 * before it as there are have been run, so that they never have more than their share. */
int campaign_draw_unreached(campaign *c, bool all, error *e) {
  const size_t runs = count_runs(&c->progress), ran = runs > c->queue.ran_before ? runs - c->queue.ran_before : 0;
  for (; c->queue.drawn < c->queue.count; c->queue.drawn++) {
    const mutant_index at = c->queue.list[c->queue.drawn];
    campaign_program *p = c->programs.list[at.program];
    campaign_mutant *m = &p->mutants[at.index];
    if (!m->reached && !m->decided) {
      if (ran == 0 && c->queue.to_run > 0 && !all) return 0;
      if (campaign_decide(c, p, at.index, MUTANT_NO_COVERAGE, "", e) != 0) return -1;
    } else if (!m->decided || campaign_is_run(m->status)) {
      if (c->queue.passed >= ran && !all) return 0;
      c->queue.passed++;
      m->passed = true;
    }
  }
  return 0;
}

double estimate_left(const mutant_costs *costs, double spent) {
  double seconds = 0, left = 0;
  size_t done = 0;
  for (size_t k = 0; k < MUTANT_COSTS; k++) {
    seconds += costs->seconds[k];
    done += costs->done[k];
  }
  for (size_t k = 0; k < MUTANT_COSTS && done > 0; k++) {
    const double mean = costs->done[k] > 0 ? costs->seconds[k] / (double)costs->done[k] : seconds / (double)done;
    left += (double)costs->left[k] * mean;
  }
  return done == 0 || seconds <= 0 ? -1 : left * spent / seconds; /* several run at the same time */
}

/* --- of a campaign ------------------------------------------------------------------------------------------------ */

/* A mutant's place in the order, by what has to be built for it. */
typedef struct turn {
  uint32_t program, kernel, part;
  size_t place;
  campaign_mutant *mutant;
} turn;

static int by_build(const void *a, const void *b) {
  const turn *x = a, *y = b;
  const uint64_t pairs[][2] = {
      {x->program, y->program}, {x->kernel, y->kernel}, {x->part, y->part}, {x->place, y->place}};
  return compare_pairs(pairs, sizeof pairs / sizeof pairs[0]);
}

static bool same_build(const turn *a, const turn *b) {
  return a->program == b->program && a->kernel == b->kernel && a->part == b->part;
}

void campaign_expect(campaign *c) {
  scoped turn *turns = mem_calloc(c->queue.count + 1, sizeof *turns);
  size_t count = 0;
  for (size_t i = 0; i < c->queue.count; i++) {
    campaign_mutant *m = mutant_at(&c->programs, c->queue.list[i].program, c->queue.list[i].index);
    m->cost = m->form == MUTANT_CLONED ? COST_CLONE : COST_BUILT;
    if (m->reached && m->form == MUTANT_SELECTED && m->mutant->kernel_count > 0)
      turns[count++] = (turn){(uint32_t)c->queue.list[i].program, m->mutant->kernels[0], m->part, i, m};
  }
  qsort(turns, count, sizeof *turns, by_build);
  for (size_t i = 0; i < count; i++)
    turns[i].mutant->cost = i == 0 || !same_build(&turns[i - 1], &turns[i]) ? COST_BUILDS : COST_BUILT;
}

void campaign_spent(campaign_pace *pace, const campaign_mutant *m, double seconds) {
  pace->costs.seconds[m->cost] += seconds;
  pace->costs.done[m->cost]++;
}

static double campaign_seconds_left(campaign *c, double now) {
  enum { COUNTS_A_SECOND = 2 };
  if (now - c->pace.counted > 1.0 / COUNTS_A_SECOND) {
    c->pace.counted = now;
    memset(c->pace.costs.left, 0, sizeof c->pace.costs.left);
    for (size_t i = 0; i < c->queue.count; i++) {
      const campaign_mutant *m = mutant_at(&c->programs, c->queue.list[i].program, c->queue.list[i].index);
      c->pace.costs.left[m->cost] += m->reached && !m->decided ? 1 : 0;
    }
  }
  const double by_costs = estimate_left(&c->pace.costs, now - c->pace.started);
  const double by_limit = c->base.deadline - now;
  return c->base.deadline > 0 && (by_costs < 0 || by_limit < by_costs) ? by_limit : by_costs;
}

/* How many mutants have a verdict. */
static size_t campaign_decided(const campaign_progress *p) {
  size_t decided = 0;
  for (size_t s = 0; s < MUTANT_STATUSES; s++) decided += p->of[s];
  return decided;
}

/* How long the mutants take is not known before some have run. */
void campaign_progressed(experiment *x) {
  campaign *c = (campaign *)x;
  experiment_progress *p = &c->progress.common;
  if (p->total < p->done) /* some work is done again */
    p->total = p->done;
  p->remaining = -1;
  if (c->pace.started > 0) {
    const double now = clock_now(), spent = now - c->pace.started;
    p->remaining = campaign_seconds_left(c, now);
    c->progress.rate = spent > 0 ? (double)(campaign_decided(&c->progress) - c->pace.decided_before) / spent : 0;
  }
}

static void find_directories(campaign *c) {
  for (size_t t = 0; t < c->base.options->test_count; t++) {
    add_directories(c->base.options->tests[t].argv, &c->directories.list, &c->directories.count,
                    &c->directories.capacity);
  }
}

/* How many test cases before this one are the same command. */
static size_t same_before(const experiment_options *o, size_t test) {
  size_t count = 0;
  for (size_t t = 0; t < test; t++) {
    count += strcmp(o->tests[t].suite, o->tests[test].suite) == 0 &&
                     strcmp(o->tests[t].name, o->tests[test].name) == 0 &&
                     strcmp(o->tests[t].line, o->tests[test].line) == 0
                 ? 1
                 : 0;
  }
  return count;
}

static bool is_known(const campaign_programs *all, int64_t program) {
  for (size_t p = 0; p < all->count; p++)
    if (all->list[p]->stored.id == program) return true;
  return false;
}

/* A run can only be gone on with while the kernels are the ones that it began with. */
static int check_resumed(campaign *c, error *e) {
  scoped int64_t *programs = NULL;
  size_t count = 0;
  if (!c->resumed || experiment_stopped(&c->base) || c->out->common.baseline_failed) return 0;
  int result = db_run_programs(c->base.db, c->base.run, &programs, &count, e);
  for (size_t i = 0; i < count && result == 0; i++) {
    if (!is_known(&c->programs, programs[i])) {
      result = error_set(e, EXIT_USAGE,
                         "--resume: the kernels have changed since run %lld began; start again without --resume",
                         (long long)c->base.run);
    }
  }
  return result;
}

static int begin_tests(campaign *c, error *e) {
  c->tests = mem_calloc(c->base.options->test_count, sizeof *c->tests);
  for (size_t t = 0; t < c->base.options->test_count; t++) {
    const experiment_test *test = &c->base.options->tests[t];
    if (db_find_test_case(c->base.db, c->base.run, test->suite, test->name, test->line,
                          same_before(&c->options->common, t), &c->base.cases[t].row, e) != 0)
      return -1;
    c->resumed = c->resumed || c->base.cases[t].row != 0;
    if (c->base.cases[t].row == 0 &&
        experiment_begin_test_case(c->base.db, c->base.run, test, &c->base.cases[t].row, e) != 0)
      return -1;
  }
  return 0;
}

static int end_tests(experiment *x, error *e) {
  for (size_t t = 0; t < x->options->test_count; t++)
    if (db_end_test_case(x->db, x->cases[t].row, x->cases[t].plain.status, false, e) != 0) return -1;
  return 0;
}

static size_t programs_with_mutants(const campaign_programs *all) {
  size_t count = 0;
  for (size_t p = 0; p < all->count; p++) {
    count += all->list[p]->reason == NULL && (all->list[p]->schema.mutant_count > 0 || all->list[p]->launch_count > 0)
                 ? 1
                 : 0;
  }
  return count;
}

/* Whether the campaign goes on after a phase. */
static bool goes_on(const campaign *c) {
  return !experiment_stopped(&c->base) && !c->out->common.baseline_failed && !c->base.failed;
}

/* All of them */
static int campaign_mutants(campaign *c, error *e);

/* What programs reach decides which of their mutants take part. */
static int equivalence_phase(campaign *c, error *e) { return c->surveying ? 0 : campaign_equivalence(c, e); }

static int run_phases(campaign *c, error *e) {
  int (*const phases[])(campaign *, error *) = {campaign_baseline,      campaign_capture, campaign_launches,
                                                check_resumed,          campaign_prepare, campaign_baseline_later,
                                                campaign_baseline_rest, campaign_select,  equivalence_phase,
                                                campaign_recall,        campaign_mutants};
  for (size_t i = 0; i < sizeof phases / sizeof phases[0] && goes_on(c); i++) {
    if (phases[i](c, e) != 0) return -1;
    c->out->common.programs = programs_with_mutants(&c->programs);
    if (c->out->common.programs == 0) break;
  }
  if (c->base.failed) {
    *e = c->base.failure;
    return -1;
  }
  return c->out->common.interrupted || c->out->common.out_of_time ? campaign_list(c, e) : 0;
}

/* When all of it ends; 0: not by time. */
static void campaign_set_deadline(experiment *x, double deadline) {
  x->deadline = deadline;
  pool_set_deadline(x->pool, deadline);
  isolated_set_deadline(deadline);
}

/* Of a limited time a part is kept to ask the compiler about mutants that nobody noticed: an equivalent one does not
 * count, and would make the score of a campaign that is cut off too low. */
static void keep_time(campaign *c) {
  const double most = 3, part = 0.1 * c->base.options->max_time;
  const double kept = c->options->no_equivalence ? 0 : part < most ? part : most;
  c->pace.deadline = c->base.deadline;
  campaign_set_deadline(&c->base, c->base.deadline > 0 ? c->base.deadline - kept : 0);
}

static void free_campaign(campaign *c) {
  for (size_t t = 0; t < c->base.options->test_count && c->tests != NULL; t++) {
    mem_free_all(c->tests[t].reached, c->tests[t].reached_count);
    mem_free_all(c->tests[t].iterations, c->tests[t].iteration_count);
    case_inputs_free(c->tests[t].inputs);
    transcript_free(&c->tests[t].unwritten);
    race_list_free(c->tests[t].races);
  }
  launches_free(c);
  for (size_t i = 0; i < c->references.count; i++) {
    transcript_free(&c->references.list[i]->shown);
    free(c->references.list[i]);
  }
  for (size_t p = 0; p < c->programs.count; p++) campaign_program_free(c->programs.list[p]);
  for (size_t i = 0; i < c->directories.count; i++) free(c->directories.list[i]);
  free(c->tests);
  free(c->references.list);
  free(c->programs.list);
  for (size_t i = 0; i < c->postponed_count; i++) request_free(&c->postponed[i].request);
  free(c->postponed);
  free(c->directories.list);
  free(c->queue.list);
  free(c->codes.list);
  free(c->codes.device);
}

int campaign_run(db *d, int64_t run, const campaign_options *o, const experiment_listener *l, campaign_outcome *out,
                 error *e) {
  *out = (campaign_outcome){0};
  campaign c = {.options = o, .out = out};
  c.base = (experiment){.kind = &campaign_kind,
                        .options = &o->common,
                        .listener = l,
                        .out = &out->common,
                        .progress = &c.progress.common,
                        .db = d,
                        .run = run};
  experiment_open(&c.base);
  keep_time(&c);
  find_directories(&c);
  const bool ran = begin_tests(&c, e) == 0 && run_phases(&c, e) == 0 && end_tests(&c.base, e) == 0;
  if (ran) experiment_say_rechecked(&c.base, "", out->common.verified, "mutants");
  isolated_set_deadline(0);
  out->decided = campaign_decided(&c.progress);
  for (size_t s = 0; s < MUTANT_STATUSES; s++)
    out->counted += campaign_is_run((mutant_status)s) || s == MUTANT_NO_COVERAGE ? c.progress.of[s] : 0;
  const int result = experiment_close(&c.base, ran ? 0 : -1, e);
  free_campaign(&c);
  return result;
}

/* Mutants run in rounds, and after some of them the compiler is asked about code.
 *
 * The first two rounds have verdicts before code is compared. Then that of all is, where it does not take long; of a
 * large campaign that of mutants that nobody noticed, after each round of the largest size, as they may be equivalent.
 * Which of the others are duplicates can wait until all have run. */

enum { FIRST_ROUND = 16, LARGEST_ROUND = 512, ROUND_GROWTH = 3 };

static const campaign_mutant *at_turn(const campaign *c, size_t i) {
  return mutant_at(&c->programs, c->queue.list[i].program, c->queue.list[i].index);
}

/* Those up to a place in the order that are to be run. */
static size_t count_undecided(const campaign *c, size_t end) {
  size_t count = 0;
  for (size_t i = 0; i < end; i++) count += at_turn(c, i)->reached && !at_turn(c, i)->decided ? 1 : 0;
  return count;
}

/* The end of a round of so many more that are to be run. */
static size_t end_of_round(const campaign *c, size_t size) {
  size_t end = c->queue.end;
  for (size_t count = 0; end < c->queue.count && count < size; end++)
    count += at_turn(c, end)->reached && !at_turn(c, end)->decided ? 1 : 0;
  return end;
}

/* Runs what is not decided of the mutants up to the end of the round. */
static int run_round(campaign *c, error *e) {
  const size_t left = count_undecided(c, c->queue.end);
  if (left == 0 || experiment_stopped(&c->base)) return 0;
  experiment_phase_begin(&c->base, PHASE_RUNS, left);
  return campaign_round(c, e);
}

static int compare_behind_round(campaign *c, size_t size, error *e) {
  const bool large = c->queue.to_run > LARGEST_ROUND;
  const bool due = large ? size == LARGEST_ROUND : size == FIRST_ROUND * ROUND_GROWTH;
  return due && !experiment_stopped(&c->base) ? campaign_compare(c, !large, e) : 0;
}

/* Where what is reached is told while mutants run, the first rounds ask for what they need; the next one for the rest,
 * and from then on code can be compared. */
static int survey_round(campaign *c, bool all, error *e) {
  const bool surveying = c->surveying;
  if (campaign_survey(c, all, e) != 0) return -1;
  return surveying && !c->surveying ? campaign_equivalence(c, e) : 0;
}

static int run_rounds(campaign *c, error *e) {
  size_t size = c->surveying ? c->base.options->jobs : FIRST_ROUND;
  while (c->queue.end < c->queue.count && !experiment_stopped(&c->base)) {
    c->queue.end = end_of_round(c, size);
    if (survey_round(c, size > FIRST_ROUND, e) != 0 || run_round(c, e) != 0 ||
        campaign_draw_unreached(c, false, e) != 0 || compare_behind_round(c, size, e) != 0)
      return -1;
    size = size < FIRST_ROUND ? FIRST_ROUND : size * ROUND_GROWTH < LARGEST_ROUND ? size * ROUND_GROWTH : LARGEST_ROUND;
  }
  const bool surveying = c->surveying;
  if (!experiment_stopped(&c->base) && campaign_survey(c, true, e) != 0) return -1;
  return surveying ? campaign_equivalence(c, e) : 0;
}

/* What is asked of the compiler at the end: about all mutants, or, where the time is over, about those that nobody
 * noticed, for which some of the time was kept. */
static int compare_at_end(campaign *c, error *e) {
  const bool whole = !experiment_stopped(&c->base);
  if (c->out->common.interrupted) return 0;
  campaign_set_deadline(&c->base, c->pace.deadline);
  return campaign_compare(c, whole, e);
}

static int campaign_mutants(campaign *c, error *e) {
  c->pace.started = clock_now();
  c->pace.decided_before = campaign_decided(&c->progress);
  experiment_phase_begin(&c->base, PHASE_RUNS, c->queue.to_run);
  if (run_rounds(c, e) != 0 || compare_at_end(c, e) != 0) return -1;
  const bool left = count_undecided(c, c->queue.count) > 0;
  if (!left && campaign_draw_unreached(c, true, e) != 0) return -1;
  c->out->common.out_of_time = c->out->common.out_of_time && (left || !campaign_compared(&c->codes));
  return 0;
}
