/* Mutants are compiled many at a time: most of a compilation is what the compiler does for every program. */
#include "runner/campaign/codes.h"

#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/buffer.h"
#include "base/clock.h"
#include "base/memory.h"
#include "base/subprocess.h"
#include "mutate/code.h"
#include "runner/interrupts.h"

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
  for (size_t k = 0; k < m->kernel_count; k++) {
    names[k] = mutant_clone_name(program->kernels[m->kernels[k]].name, i->original ? 0 : m->number);
  }
  const bool told = mutate_code_digest(code, (const char *const *)names, m->kernel_count, digest);
  mem_free_all(names, m->kernel_count);
  return told;
}

static void send_answer(const text_share *w, const answer *a) {
  if (write(w->out, a, sizeof *a) != (ssize_t)sizeof *a) {
    _exit(1);
  }
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
  if (answer_items(w, first, count, texts)) {
    return;
  }
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
  uint32_t *clones = mem_calloc(count, sizeof *clones);
  w->firsts = mem_calloc(count, sizeof *w->firsts);
  w->sizes = mem_calloc(count, sizeof *w->sizes);
  for (size_t i = 0; i < count; i++) {
    const code_item *one = &w->items[w->begin + i];
    const uint32_t number = mutant_at(&w->campaign->programs, one->program, one->index)->mutant->number;
    clones[i] = one->original ? MUTATE_ORIGINAL_OF(number) : number;
  }
  pp_input *inputs = request_inputs(&p->request);
  error e;
  if (mutate_groups(inputs, p->request.source_count, clones, w->sizes, cut(w), w->campaign->options->operators,
                    answer_group, w, &e) != 0) {
    for (size_t i = w->begin; i < w->end; i++) {
      const answer a = {.item = (uint32_t)i};
      send_answer(w, &a);
    }
  }
  free(inputs);
  free(clones);
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
  if (freopen("/dev/null", "w", stderr) == NULL) { /* compilers talk */
    (void)close(STDERR_FILENO);
  }
  for (size_t i = k->at, next = i; i < k->end; i = next) {
    next = i + 1;
    if (q->items[i].known) {
      continue;
    }
    const bool alone = i < k->alone_before;
    while (next < k->end && q->items[next].program == q->items[i].program && !q->items[next].known &&
           alone == (next < k->alone_before)) {
      next++;
    }
    text_share w = {q->campaign, q->items, i, next, alone, out, NULL, NULL};
    answer_range(&w);
  }
  _exit(0);
}

static void skip_known(const comparison *q, compiler *k) {
  while (k->at < k->end && q->items[k->at].known) {
    k->at++;
  }
}

static void start_compiler(const comparison *q, compiler *k) {
  int ends[2];
  k->child = -1;
  skip_known(q, k);
  if (k->at >= k->end || pipe(ends) != 0) {
    return;
  }
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
  if (n != (ssize_t)sizeof a || a.item != k->at) {
    return false;
  }
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
  if (k->at < k->alone_before) {
    k->at++;
  } else {
    k->alone_before = k->at + TOGETHER;
  }
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
  if (active == 0) {
    return false;
  }
  const int ready = poll(fds, count + 1, POLL_MS);
  const bool silent = clock_now() - q->heard > PATIENCE_SECONDS;
  for (unsigned k = 0; k < count && ready >= 0; k++) {
    const bool speaks = fds[k].revents != 0;
    if ((speaks && !take_answer(q, &compilers[k])) || (silent && !speaks && compilers[k].child > 0)) {
      go_on(q, &compilers[k]);
    }
    q->heard = speaks || silent ? clock_now() : q->heard;
  }
  q->campaign->out->common.interrupted = q->campaign->out->common.interrupted || interrupts_came(&q->signals);
  experiment_tick(&q->campaign->base);
  return true;
}

void codes_compile(campaign *c, code_item *items, size_t count) {
  comparison q = {.campaign = c, .items = items, .heard = clock_now()};
  compiler compilers[MOST_COMPILERS] = {0};
  const unsigned width = c->base.options->jobs < MOST_COMPILERS ? c->base.options->jobs : MOST_COMPILERS;
  const size_t share = (count + width - 1) / width;
  interrupts_begin(&q.signals);
  for (unsigned k = 0; k < width; k++) {
    compilers[k].at = k * share < count ? k * share : count;
    compilers[k].end = (k + 1) * share < count ? (k + 1) * share : count;
    start_compiler(&q, &compilers[k]);
  }
  while (!experiment_stopped(&c->base) && serve_compilers(&q, compilers, width)) {
  }
  for (unsigned k = 0; k < width; k++) {
    if (compilers[k].child > 0) {
      end_compiler(&compilers[k]);
    }
  }
  interrupts_end(&q.signals);
}
