/* Equivalent and duplicate mutants: a compiler is asked what it makes of each; what is not known then is simply run.
 *
 * That takes longer than the first verdicts should, so mutants run before it is asked. What counts at the end is the
 * same in any order: of mutants with equal code the first in the source counts, and gets the verdict of the one that
 * has run. Of a text with several builds all that are launched decide together. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/digest.h"
#include "base/home.h"
#include "base/memory.h"
#include "base/subprocess.h"
#include "mutate/code.h"
#include "runner/campaign/internal.h"
#include "runner/isolate.h"

/* What a compiler makes of a change in all builds together. */
typedef struct code_change {
  const code_item **items; /* of its mutants in builds that are launched, in order */
  size_t count, capacity;
  bool wanted;     /* one of them takes part */
  bool unclear;    /* in a build that is launched it is not known what it is */
  bool equivalent; /* in all of them it is the original */
  uint32_t first;  /* of its class, which may be itself */
  char key[65];    /* what it is in each build */
} code_change;

/* Which mutants of several builds are one change, and which changes are alike in all of them. */

/* Whether a test case launches a kernel of the program. */
static bool program_is_launched(const campaign *c, size_t program) {
  bool launched = false;
  for (size_t t = 0; t < c->base.options->test_count && !launched; t++)
    launched = program < c->tests[t].reached_count && c->tests[t].reached[program] != NULL;
  return launched;
}

/* --- one change in several builds --------------------------------------------------------------------------------- */

typedef struct named_change {
  char name[65]; /* the same for the same change */
  campaign_mutant *mutant;
  size_t order;
} named_change;

/* As reports see it: by its file and place there, where it is written in a file of the project by the place in that. */
static void name_change(const campaign_program *p, const mutant *m, char name[65]) {
  const model_file *file = &p->schema.model.files[m->file];
  const home_shown at = home_show(file, m->offset, m->end_offset, m->line, m->column, m->end_line);
  const bool moved = at.name != file->name;
  digester d;
  digest_begin(&d);
  digest_text(&d, moved ? at.name : file->sha256);
  digest_number(&d, moved ? at.line : m->id);
  digest_number(&d, moved ? at.column : m->offset);
  digest_number(&d, m->op);
  digest_text(&d, m->original);
  digest_text(&d, m->replacement);
  digest_text(&d, m->description != NULL ? m->description : "");
  digest_end(&d, name);
}

static int by_name(const void *a, const void *b) {
  const named_change *x = a, *y = b;
  const int names = strcmp(x->name, y->name);
  return names != 0 ? names : (x->order > y->order) - (x->order < y->order);
}

/* Gives the chosen mutants of all programs numbers (campaign_mutant.change), equal ones where they are one change. How
 * many there are. */
static size_t changes_number(const campaign_programs *among) {
  scoped named_change *all = NULL;
  size_t count = 0, capacity = 0, changes = 0;
  for (size_t p = 0; p < among->count; p++) {
    for (size_t m = 0; m < among->list[p]->schema.mutant_count; m++) {
      campaign_mutant *one = &among->list[p]->mutants[m];
      if (one->chosen && among->list[p]->launches == NULL) {
        named_change *n = ARRAY_ADD(all, count, capacity);
        *n = (named_change){.mutant = one, .order = count - 1};
        name_change(among->list[p], one->mutant, n->name);
      }
    }
  }
  if (count > 0) qsort(all, count, sizeof *all, by_name);
  for (size_t i = 0; i < count; i++) {
    changes += i == 0 || strcmp(all[i - 1].name, all[i].name) != 0 ? 1 : 0;
    all[i].mutant->change = (uint32_t)changes - 1;
  }
  return changes;
}

/* --- classes ------------------------------------------------------------------------------------------------------ */

/* The same for the same build in another run. */
static void put_build(digester *d, const campaign_program *p) {
  const model *m = &p->schema.model;
  digest_text(d, m->options);
  for (size_t i = 0; i < m->file_count; i++) digest_text(d, m->files[i].sha256);
}

static code_item *original_of(const campaign *c, const code_item *of);

/* In a build in which nothing is said of it the change is the original: it is not there. */
static void judge(const campaign *c, code_change *change) {
  digester d;
  size_t built = 0;
  digest_begin(&d);
  change->equivalent = !change->unclear;
  for (size_t i = 0; i < change->count && !change->unclear; i++) {
    const code_item *item = change->items[i], *without = original_of(c, item);
    const mutant *m = mutant_at(&c->programs, item->program, item->index)->mutant;
    change->unclear = !item->known || !without->known || !without->built || (item->built && item->digest[0] == '\0');
    if (change->unclear || (item->built && strcmp(item->digest, without->digest) == 0)) {
      built += item->built ? 1 : 0;
      continue;
    }
    change->equivalent = change->equivalent && !item->built;
    put_build(&d, c->programs.list[item->program]);
    digest_text(&d, item->built ? item->digest : "invalid");
    digest_bytes(&d, m->kernels, m->kernel_count * sizeof *m->kernels);
    built += item->built ? 1 : 0;
  }
  digest_end(&d, change->key);
  change->unclear = change->unclear || built == 0; /* of one that is nowhere built each build says so by itself */
  change->equivalent = change->equivalent && !change->unclear;
}

static int by_key(const void *a, const void *b) {
  const code_change *x = *(const code_change *const *)a, *y = *(const code_change *const *)b;
  const int keys = strcmp(x->key, y->key);
  if (keys != 0) return keys;
  return x->items[0] != y->items[0] ? (x->items[0] > y->items[0] ? 1 : -1) : 0;
}

static void changes_judge(const campaign *c, code_change *changes, size_t count) {
  scoped code_change **sorted = mem_calloc(count + 1, sizeof(code_change *));
  size_t known = 0;
  for (size_t i = 0; i < count; i++) {
    changes[i].first = (uint32_t)i;
    if (changes[i].count > 0) {
      judge(c, &changes[i]);
      sorted[known] = &changes[i];
      known += !changes[i].unclear && !changes[i].equivalent ? 1 : 0;
    }
  }
  if (known > 0) qsort(sorted, known, sizeof(code_change *), by_key);
  for (size_t i = 1; i < known; i++)
    if (strcmp(sorted[i]->key, sorted[i - 1]->key) == 0) sorted[i]->first = sorted[i - 1]->first;
}

/* Mutants are compiled many at a time: most of a compilation is what the compiler does for every program. */

enum { PATIENCE_SECONDS = 120, POLL_MS = 200, MOST_COMPILERS = 64, TOGETHER = 100 };

typedef struct answer {
  uint32_t item, built;
  char digest[65];
} answer;

/* --- in a compiler's process -------------------------------------------------------------------------------------- */

/* Some items of one program. */
typedef struct text_share {
  const campaign *campaign;
  const code_item *items;
  size_t begin, end;
  bool alone; /* one at a time */
  int out;
  size_t *firsts; /* of the groups that are written, relative to `begin` */
  size_t *sizes;
} text_share;

/* The digest of an item's kernels alone. */
static bool digest_kernels(const text_share *w, const code_item *i, const mutate_code *code, char digest[65]) {
  const mutant *m = mutant_at(&w->campaign->programs, i->program, i->index)->mutant;
  const model *program = &w->campaign->programs.list[i->program]->schema.model;
  char **names = mem_calloc(m->kernel_count + 1, sizeof *names);
  for (size_t k = 0; k < m->kernel_count; k++)
    names[k] = mutant_clone_name(program->kernels[m->kernels[k]].name, i->original ? 0 : m->number);
  const bool told = mutate_code_digest(code, (const char *const *)names, m->kernel_count, digest);
  mem_free_all(names, m->kernel_count);
  return told;
}

static void send_answer(const text_share *w, const answer *a) {
  if (write(w->out, a, sizeof *a) != (ssize_t)sizeof *a) _exit(1);
}

/* False: the compiler takes one of these not. */
static bool answer_items(const text_share *w, size_t first, size_t count, const mutate_result *texts) {
  mutate_code *code = texts == NULL ? NULL : mutate_code_compile(texts->texts, texts->options, texts->source_count);
  for (size_t i = first; i < first + count && code != NULL; i++) {
    answer a = {.item = (uint32_t)i};
    a.built = digest_kernels(w, &w->items[i], code, a.digest);
    send_answer(w, &a);
  }
  mutate_code_free(code);
  return code != NULL;
}

static void answer_range(text_share *w);

static void answer_group(void *context, size_t group, const mutate_result *texts) {
  const text_share *w = context;
  const size_t first = w->begin + w->firsts[group], count = w->sizes[group];
  if (answer_items(w, first, count, texts)) return;
  if (count == 1) {
    const answer refused = {.item = (uint32_t)first};
    send_answer(w, &refused);
    return;
  }
  text_share one_by_one = *w;
  one_by_one.begin = first;
  one_by_one.end = first + count;
  one_by_one.alone = true;
  answer_range(&one_by_one);
}

/* Cuts the items into groups, each with one original at most. */
static size_t cut(text_share *w) {
  size_t groups = 0;
  for (size_t i = w->begin; i < w->end; i++) {
    if (w->alone || i == w->begin || w->items[i].original || w->sizes[groups - 1] == TOGETHER) {
      w->firsts[groups] = i - w->begin;
      w->sizes[groups++] = 0;
    }
    w->sizes[groups - 1]++;
  }
  return groups;
}

/* The program is read once for all of them. */
static void answer_range(text_share *w) {
  const size_t count = w->end - w->begin;
  const campaign_program *p = w->campaign->programs.list[w->items[w->begin].program];
  scoped uint32_t *clones = mem_calloc(count, sizeof *clones);
  w->firsts = mem_calloc(count, sizeof *w->firsts);
  w->sizes = mem_calloc(count, sizeof *w->sizes);
  for (size_t i = 0; i < count; i++) {
    const code_item *one = &w->items[w->begin + i];
    const uint32_t number = mutant_at(&w->campaign->programs, one->program, one->index)->mutant->number;
    clones[i] = one->original ? MUTATE_ORIGINAL_OF(number) : number;
  }
  scoped pp_input *inputs = request_inputs(&p->request);
  error e;
  if (mutate_groups(inputs, p->request.source_count, clones, w->sizes, cut(w), w->campaign->options->operators,
                    answer_group, w, &e) != 0) {
    for (size_t i = w->begin; i < w->end; i++) {
      const answer a = {.item = (uint32_t)i};
      send_answer(w, &a);
    }
  }
  free(w->firsts);
  free(w->sizes);
}

/* --- here --------------------------------------------------------------------------------------------------------- */

typedef struct compiler {
  pid_t child;
  int pipe;
  size_t end, at;      /* items [at, end) are to be answered */
  size_t alone_before; /* a compiler has crashed on one of the items before this one */
} compiler;

typedef struct comparison {
  campaign *campaign;
  code_item *items;
  interrupts signals;
  double heard; /* when the last answer came */
} comparison;

/* Does not return. */
static void run_compiler(const comparison *q, const compiler *k, int out) {
  if (freopen("/dev/null", "w", stderr) == NULL) /* compilers talk */
    (void)close(STDERR_FILENO);
  for (size_t i = k->at, next = i; i < k->end; i = next) {
    next = i + 1;
    if (q->items[i].known) continue;
    const bool alone = i < k->alone_before;
    while (next < k->end && q->items[next].program == q->items[i].program && !q->items[next].known &&
           alone == (next < k->alone_before))
      next++;
    text_share w = {q->campaign, q->items, i, next, alone, out, NULL, NULL};
    answer_range(&w);
  }
  _exit(0);
}

static void skip_known(const comparison *q, compiler *k) {
  while (k->at < k->end && q->items[k->at].known) k->at++;
}

static void start_compiler(const comparison *q, compiler *k) {
  int ends[2];
  k->child = -1;
  skip_known(q, k);
  if (k->at >= k->end || pipe(ends) != 0) return;
  k->child = subprocess_fork(false);
  if (k->child == 0) {
    (void)close(ends[0]);
    (void)signal(SIGINT, SIG_IGN);
    interrupts_forget(&q->signals);
    run_compiler(q, k, ends[1]);
  }
  (void)close(ends[1]);
  k->pipe = ends[0];
}

static void end_compiler(compiler *k) {
  (void)kill(k->child, SIGKILL);
  (void)waitpid(k->child, NULL, 0);
  (void)close(k->pipe);
  k->child = -1;
}

static bool take_answer(comparison *q, compiler *k) {
  answer a;
  ssize_t n = read(k->pipe, &a, sizeof a);
  if (n != (ssize_t)sizeof a || a.item != k->at) return false;
  code_item *i = &q->items[a.item];
  i->known = true;
  i->built = a.built != 0;
  memcpy(i->digest, a.digest, sizeof i->digest);
  skip_known(q, k);
  q->campaign->progress.common.done++;
  return true;
}

/* A compiler that ends before its work does has crashed on an item: they are tried one at a time, and if it crashes
 * again, that one is left out. */
static void go_on(const comparison *q, compiler *k) {
  end_compiler(k);
  if (k->at < k->alone_before)
    k->at++;
  else
    k->alone_before = k->at + TOGETHER;
  start_compiler(q, k);
}

/* Waits for one answer of any compiler; false: none is at work. */
static bool serve_compilers(comparison *q, compiler *compilers, unsigned count) {
  struct pollfd fds[MOST_COMPILERS + 1];
  unsigned active = 0;
  for (unsigned k = 0; k < count; k++) {
    fds[k] = (struct pollfd){.fd = compilers[k].child > 0 ? compilers[k].pipe : -1, .events = POLLIN};
    active += compilers[k].child > 0 ? 1 : 0;
  }
  fds[count] = (struct pollfd){.fd = q->signals.signals, .events = POLLIN};
  if (active == 0) return false;
  const int ready = poll(fds, count + 1, POLL_MS);
  const bool silent = clock_now() - q->heard > PATIENCE_SECONDS;
  for (unsigned k = 0; k < count && ready >= 0; k++) {
    const bool speaks = fds[k].revents != 0;
    if ((speaks && !take_answer(q, &compilers[k])) || (silent && !speaks && compilers[k].child > 0))
      go_on(q, &compilers[k]);
    q->heard = speaks || silent ? clock_now() : q->heard;
  }
  q->campaign->out->common.interrupted = q->campaign->out->common.interrupted || interrupts_came(&q->signals);
  experiment_tick(&q->campaign->base);
  return true;
}

/* Answers all that are not known. What stays unknown the compiler crashed on. */
static void codes_compile(campaign *c, code_item *items, size_t count) {
  comparison q = {.campaign = c, .items = items, .heard = clock_now()};
  compiler compilers[MOST_COMPILERS] = {0};
  const unsigned width = c->base.options->jobs < MOST_COMPILERS ? c->base.options->jobs : MOST_COMPILERS;
  const size_t share = (count + width - 1) / width;
  interrupts_begin(&q.signals, false);
  for (unsigned k = 0; k < width; k++) {
    compilers[k].at = k * share < count ? k * share : count;
    compilers[k].end = (k + 1) * share < count ? (k + 1) * share : count;
    start_compiler(&q, &compilers[k]);
  }
  while (!experiment_stopped(&c->base) && serve_compilers(&q, compilers, width)) {
  }
  for (unsigned k = 0; k < width; k++)
    if (compilers[k].child > 0) end_compiler(&compilers[k]);
  interrupts_end(&q.signals);
}

/* --- the items ---------------------------------------------------------------------------------------------------- */

static bool same_kernels(const mutant *a, const mutant *b) {
  return a->kernel_count == b->kernel_count &&
         memcmp(a->kernels, b->kernels, a->kernel_count * sizeof *a->kernels) == 0;
}

static campaign_mutant *mutant_of(const campaign_programs *all, const code_item *i) {
  return mutant_at(all, i->program, i->index);
}

/* The original for this mutant's kernels; NULL if it is not among the items. */
static code_item *original_of(const campaign *c, const code_item *of) {
  for (size_t i = 0; i < c->codes.count; i++) {
    code_item *o = &c->codes.list[i];
    if (o->original && o->program == of->program &&
        same_kernels(mutant_of(&c->programs, o)->mutant, mutant_of(&c->programs, of)->mutant))
      return o;
  }
  return NULL;
}

static bool decided_by_runs(const campaign_mutant *m) { return m->decided && campaign_is_run(m->status); }

/* Those that are to be run, and those of the run that this one goes on with that were. */
static bool takes_part(const campaign *c, uint32_t program, const campaign_mutant *m) {
  const bool to_run = !m->decided && m->reached && !campaign_is_unsurveyed(c, c->programs.list[program]);
  return m->chosen && (to_run || decided_by_runs(m) || m->status == MUTANT_DUPLICATE);
}

/* Whether the program is part of what decides: only a whole one can be built here. */
static bool is_compared(const campaign_program *p) { return p->reason == NULL && p->request.others == 0; }

/* Whether the mutant is one in a build that is launched. */
static bool counts(const campaign *c, uint32_t program, const campaign_mutant *m) {
  return m->chosen && c->programs.list[program]->launches == NULL && !m->mutant->suppressed && !m->mutant->invalid &&
         program_is_launched(c, program);
}

/* The changes of which one mutant takes part. */
static code_change *collect_changes(campaign *c) {
  c->codes.changes = changes_number(&c->programs);
  code_change *changes = mem_calloc(c->codes.changes + 1, sizeof *changes);
  for (uint32_t p = 0; p < c->programs.count; p++) {
    for (uint32_t m = 0; m < c->programs.list[p]->schema.mutant_count; m++) {
      const campaign_mutant *one = mutant_at(&c->programs, p, m);
      if (counts(c, p, one)) {
        changes[one->change].wanted = changes[one->change].wanted || takes_part(c, p, one);
        changes[one->change].unclear = changes[one->change].unclear || !is_compared(c->programs.list[p]);
      }
    }
  }
  return changes;
}

static void collect_items(campaign *c) {
  scoped code_change *changes = collect_changes(c);
  for (uint32_t p = 0; p < c->programs.count; p++) {
    for (uint32_t m = 0; m < c->programs.list[p]->schema.mutant_count; m++) {
      const campaign_mutant *one = mutant_at(&c->programs, p, m);
      if (counts(c, p, one) && changes[one->change].wanted && !changes[one->change].unclear) {
        code_item next = {.program = p, .index = m};
        if (original_of(c, &next) == NULL) {
          code_item original = next;
          original.original = true;
          *ARRAY_ADD(c->codes.list, c->codes.count, c->codes.capacity) = original;
        }
        *ARRAY_ADD(c->codes.list, c->codes.count, c->codes.capacity) = next;
      }
    }
  }
}

/* --- earlier runs ------------------------------------------------------------------------------------------------- */

static int recall_codes(campaign *c, error *e) {
  for (size_t i = 0; i < c->codes.count && !c->options->no_cache; i++) {
    code_item *one = &c->codes.list[i];
    char key[KEY_SIZE];
    db_code code;
    code_key(c->programs.list[one->program], one->index, one->original, key);
    if (db_find_code(c->base.db, key, &one->known, &code, e) != 0) return -1;
    one->kept = one->known;
    one->built = code.built;
    memcpy(one->digest, code.digest, sizeof one->digest);
  }
  return 0;
}

static int keep_codes(campaign *c, error *e) {
  for (size_t i = 0; i < c->codes.count; i++) {
    code_item *one = &c->codes.list[i];
    char key[KEY_SIZE];
    db_code code = {.built = one->built};
    if (!one->known || one->kept) continue;
    memcpy(code.digest, one->digest, sizeof code.digest);
    code_key(c->programs.list[one->program], one->index, one->original, key);
    if (db_put_code(c->base.db, key, &code, e) != 0) return -1;
    one->kept = true;
  }
  return 0;
}

/* --- decisions ---------------------------------------------------------------------------------------------------- */

static code_change *judge_changes(const campaign *c) {
  code_change *changes = mem_calloc(c->codes.changes + 1, sizeof *changes);
  for (size_t i = 0; i < c->codes.count; i++) {
    if (!c->codes.list[i].original) {
      code_change *of = &changes[mutant_of(&c->programs, &c->codes.list[i])->change];
      *ARRAY_ADD(of->items, of->count, of->capacity) = &c->codes.list[i];
    }
  }
  changes_judge(c, changes, c->codes.changes);
  return changes;
}

static void free_changes(code_change *changes, size_t count) {
  for (size_t i = 0; i < count; i++) free(changes[i].items);
  free(changes);
}

/* The item of a change in a program; NULL: it is not there. */
static const code_item *item_in(const code_change *change, uint32_t program) {
  for (size_t i = 0; i < change->count; i++)
    if (change->items[i]->program == program) return change->items[i];
  return NULL;
}

/* What its code says of a mutant; MUTANT_PENDING: it counts for itself. */
static mutant_status status_by_code(const campaign *c, const code_change *changes, const code_item *i,
                                    const code_item **earlier) {
  const code_item *original = original_of(c, i);
  const uint32_t number = mutant_of(&c->programs, i)->change;
  const code_change *change = &changes[number], *first = &changes[change->first];
  *earlier = NULL;
  if (i->known && !i->built) /* if the original is not built either, something is missing here that is there */
    return original->built ? MUTANT_INVALID : MUTANT_PENDING;
  if (change->unclear || change->first == number) return change->equivalent ? MUTANT_EQUIVALENT : MUTANT_PENDING;
  *earlier = item_in(first, i->program);
  return *earlier == NULL ? MUTANT_EQUIVALENT : MUTANT_DUPLICATE; /* that one is not in this build */
}

/* Its verdict goes to the mutant that it is a duplicate of, if that has none. */
static int hand_over(campaign *c, const campaign_mutant *from, campaign_mutant *to, error *e) {
  if (db_hand_over_mutant(c->base.db, c->base.run, from->row, to->row, e) != 0) return -1;
  campaign_count(c, to, from->status);
  return 0;
}

static int decide(campaign *c, const code_change *changes, const code_item *i, error *e) {
  campaign_program *p = c->programs.list[i->program];
  campaign_mutant *m = mutant_of(&c->programs, i);
  const code_item *earlier = NULL;
  const mutant_status status = status_by_code(c, changes, i, &earlier);
  if (status == MUTANT_PENDING ||
      (m->decided && m->status == status && (earlier == NULL || m->original == earlier->index)))
    return 0;
  if (decided_by_runs(m)) {
    campaign_mutant *to = earlier == NULL ? NULL : mutant_of(&c->programs, earlier);
    if ((to != NULL && !to->decided && hand_over(c, m, to, e) != 0) ||
        db_drop_verdicts(c->base.db, c->base.run, m->row, e) != 0)
      return -1;
  }
  m->original = earlier == NULL ? 0 : earlier->index;
  return campaign_decide(c, p, i->index, status, "", e);
}

/* For runs with another part of the mutants: which of these are the same as one of those. */
static int keep_class(campaign *c, const code_change *changes, const code_item *i, error *e) {
  campaign_mutant *m = mutant_of(&c->programs, i);
  const code_change *change = &changes[m->change];
  if (m->coded || !decided_by_runs(m) || change->unclear || change->equivalent) return 0;
  char code[33]; /* half of a digest is enough to tell mutants apart */
  (void)snprintf(code, sizeof code, "%.32s", change->key);
  m->coded = true;
  return db_set_mutant_code(c->base.db, c->base.run, m->row, code, e);
}

static int decide_all(campaign *c, error *e) {
  int result = 0;
  code_change *changes = judge_changes(c);
  for (size_t i = 0; i < c->codes.count && result == 0; i++)
    result = c->codes.list[i].original ? 0 : decide(c, changes, &c->codes.list[i], e);
  for (size_t i = 0; i < c->codes.count && result == 0; i++)
    result = c->codes.list[i].original ? 0 : keep_class(c, changes, &c->codes.list[i], e);
  free_changes(changes, c->codes.changes);
  return result;
}

int campaign_equivalence(campaign *c, error *e) {
  if (c->options->no_equivalence || c->codes.device == NULL) return 0;
  if (!mutate_code_available()) {
    experiment_note(&c->base, "equivalent mutants are not looked for: clang-19 is not installed");
    return 0;
  }
  collect_items(c);
  return recall_codes(c, e) == 0 ? decide_all(c, e) : -1;
}

/* --- asking ------------------------------------------------------------------------------------------------------- */

/* Marks the items of mutants that are asked for, and their originals. */
static bool *choose_items(const campaign *c, bool all) {
  bool *chosen = mem_calloc(c->codes.count + 1, sizeof *chosen);
  scoped bool *unnoticed = mem_calloc(c->codes.changes + 1, sizeof *unnoticed);
  for (size_t i = 0; i < c->codes.count; i++) {
    const campaign_mutant *m = mutant_of(&c->programs, &c->codes.list[i]);
    unnoticed[m->change] =
        unnoticed[m->change] || (m->decided && (m->status == MUTANT_SURVIVED || m->status == MUTANT_UNDECIDED));
  }
  for (size_t i = 0; i < c->codes.count; i++) {
    if (!c->codes.list[i].original && (all || unnoticed[mutant_of(&c->programs, &c->codes.list[i])->change])) {
      chosen[i] = true;
      chosen[original_of(c, &c->codes.list[i]) - c->codes.list] = true;
    }
  }
  return chosen;
}

int campaign_compare(campaign *c, bool all, error *e) {
  if (c->codes.count == 0) return 0;
  scoped bool *chosen = choose_items(c, all);
  scoped size_t *from = mem_calloc(c->codes.count, sizeof *from);
  scoped code_item *some = mem_calloc(c->codes.count, sizeof *some);
  size_t some_count = 0;
  for (size_t i = 0; i < c->codes.count; i++) {
    if (chosen[i] && !c->codes.list[i].known && !c->codes.list[i].asked) {
      from[some_count] = i;
      some[some_count++] = c->codes.list[i];
    }
  }
  if (some_count > 0) {
    experiment_phase_begin(&c->base, PHASE_EQUIVALENCE, some_count);
    codes_compile(c, some, some_count);
  }
  const bool whole = !experiment_stopped(&c->base);
  for (size_t i = 0; i < some_count; i++) {
    c->codes.list[from[i]] = some[i];
    c->codes.list[from[i]].asked = whole;
  }
  return keep_codes(c, e) == 0 ? decide_all(c, e) : -1;
}

bool campaign_compared(const campaign_codes *codes) {
  for (size_t i = 0; i < codes->count; i++)
    if (!codes->list[i].known && !codes->list[i].asked) return false;
  return true;
}
