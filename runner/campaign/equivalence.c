/* Equivalent and duplicate mutants: the device's compiler is asked what it makes of each. Processes of our own do it,
 * as a compiler may crash on a mutant; what is not known then is simply run. */
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/memory.h"
#include "runner/campaign/reuse.h"
#include "runner/device_code.h"

enum { PATIENCE_MS = 120000 };

/* A question: the code of a mutant, or of the original in the kernels that reach it. */
typedef struct item {
  uint32_t program, index;
  bool original;
  bool known, built;
  bool kept; /* known from an earlier run */
  char digest[65];
} item;

typedef struct answer {
  uint32_t item, built;
  char digest[65];
} answer;

typedef struct compiler {
  pid_t child;
  int pipe;
  size_t begin, end, at; /* items, of which [begin, at) are answered */
} compiler;

typedef struct comparison {
  campaign *campaign;
  item *items;
  size_t count, capacity;
} comparison;

/* --- the items ------------------------------------------------------------------------------------------------------
 */

static bool same_kernels(const mutant *a, const mutant *b) {
  return a->kernel_count == b->kernel_count &&
         memcmp(a->kernels, b->kernels, a->kernel_count * sizeof *a->kernels) == 0;
}

static const mutant *mutant_of(const comparison *q, const item *i) {
  return q->campaign->programs[i->program]->mutants[i->index].is;
}

/* The original for this mutant's kernels; NULL if it is not among the items. */
static item *original_of(comparison *q, const item *of) {
  for (size_t i = 0; i < q->count; i++) {
    item *o = &q->items[i];
    if (o->original && o->program == of->program && same_kernels(mutant_of(q, o), mutant_of(q, of))) {
      return o;
    }
  }
  return NULL;
}

static void collect_items(comparison *q) {
  campaign *c = q->campaign;
  for (uint32_t p = 0; p < c->program_count; p++) {
    const campaign_program *program = c->programs[p];
    if (program->reason != NULL || program->request.others > 0) { /* only a whole program can be built here */
      continue;
    }
    for (uint32_t m = 0; m < program->schema.mutant_count; m++) {
      if (program->mutants[m].chosen && !program->mutants[m].decided) {
        item next = {.program = p, .index = m};
        if (original_of(q, &next) == NULL) {
          item original = next;
          original.original = true;
          *ARRAY_ADD(q->items, q->count, q->capacity) = original;
        }
        *ARRAY_ADD(q->items, q->count, q->capacity) = next;
      }
    }
  }
}

/* --- in a compiler's process ----------------------------------------------------------------------------------------
 */

/* Every clone's name and number say which mutant it is: they must be alike for the code to be comparable. */
static void erase_numbers(char *text) {
  static const char mark[] = "__cltc_m";
  char *to = text;
  for (char *from = text; *from != '\0';) {
    if (strncmp(from, mark, sizeof mark - 1) == 0) {
      memcpy(to, mark, sizeof mark - 1);
      to += sizeof mark - 1;
      from += sizeof mark - 1;
      from += strspn(from, "0123456789");
    } else {
      *to++ = *from++;
    }
  }
  *to = '\0';
}

static void send_answer(const answer *a, int out) {
  if (write(out, a, sizeof *a) != (ssize_t)sizeof *a) {
    _exit(1);
  }
}

/* Items of one program, whose texts are made one after another. */
typedef struct batch_of_items {
  const comparison *q;
  const campaign_program *program;
  size_t begin;
  device_code *device;
  int out;
} batch_of_items;

static void answer_text(void *context, size_t index, const mutate_result *texts) {
  const batch_of_items *s = context;
  const program_request *r = &s->program->request;
  answer a = {.item = (uint32_t)(s->begin + index)};
  if (texts != NULL) {
    for (size_t i = 0; i < texts->source_count; i++) {
      erase_numbers(texts->texts[i]);
    }
    const device_code_sources sources = {texts->texts, texts->options, texts->source_count,
                                         r->linked ? r->link_options : NULL};
    a.built = device_code_digest(s->device, &sources, a.digest);
  }
  send_answer(&a, s->out);
}

/* The program is read once for all of [begin, end). */
static void answer_items(const comparison *q, size_t begin, size_t end, device_code *device, int out) {
  const campaign_program *p = q->campaign->programs[q->items[begin].program];
  batch_of_items s = {q, p, begin, device, out};
  uint32_t *clones = mem_calloc(end - begin, sizeof *clones);
  for (size_t i = begin; i < end; i++) {
    uint32_t number = mutant_of(q, &q->items[i])->number;
    clones[i - begin] = q->items[i].original ? MUTATE_ORIGINAL_OF(number) : number;
  }
  pp_input *inputs = request_inputs(&p->request);
  error e;
  if (mutate_each(inputs, p->request.source_count, clones, end - begin, q->campaign->options->operators, answer_text,
                  &s, &e) != 0) {
    for (size_t i = begin; i < end; i++) {
      const answer a = {.item = (uint32_t)i};
      send_answer(&a, out);
    }
  }
  free(inputs);
  free(clones);
}

/* Does not return. */
static void run_compiler(const comparison *q, size_t begin, size_t end, int out) {
  if (freopen("/dev/null", "w", stderr) == NULL) { /* compilers talk */
    (void)close(STDERR_FILENO);
  }
  device_code *device = device_code_open(q->campaign->device_key);
  for (size_t i = begin, next = begin; i < end && device != NULL; i = next) {
    next = i + 1;
    if (q->items[i].known) {
      continue;
    }
    while (next < end && q->items[next].program == q->items[i].program && !q->items[next].known) {
      next++;
    }
    answer_items(q, i, next, device, out);
  }
  _exit(0);
}

/* --- here ------------------------------------------------------------------------------------------------------------
 */

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
  (void)fflush(NULL);
  k->child = fork();
  if (k->child == 0) {
    (void)close(ends[0]);
    (void)signal(SIGINT, SIG_IGN);
    run_compiler(q, k->at, k->end, ends[1]);
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
  item *i = &q->items[a.item];
  i->known = true;
  i->built = a.built != 0;
  memcpy(i->digest, a.digest, sizeof i->digest);
  skip_known(q, k);
  q->campaign->progress.done++;
  return true;
}

/* Waits for one answer of any compiler. One that ends before its work does has crashed on an item, which is left out.
 */
static bool serve_compilers(comparison *q, compiler *compilers, unsigned count) {
  struct pollfd fds[64];
  unsigned active = 0;
  for (unsigned k = 0; k < count; k++) {
    fds[k] = (struct pollfd){.fd = compilers[k].child > 0 ? compilers[k].pipe : -1, .events = POLLIN};
    active += compilers[k].child > 0 ? 1 : 0;
  }
  if (active == 0) {
    return false;
  }
  int ready = poll(fds, count, PATIENCE_MS);
  if (ready < 0 && errno == EINTR) {
    return true;
  }
  for (unsigned k = 0; k < count; k++) {
    bool silent = ready == 0 && compilers[k].child > 0;
    if ((fds[k].revents != 0 && !take_answer(q, &compilers[k])) || silent) {
      end_compiler(&compilers[k]);
      compilers[k].at++;
      start_compiler(q, &compilers[k]);
    }
  }
  campaign_tick(q->campaign);
  return true;
}

static void ask_compilers(comparison *q) {
  compiler compilers[64] = {0};
  unsigned width = q->campaign->options->jobs < 64 ? q->campaign->options->jobs : 64;
  size_t share = (q->count + width - 1) / width;
  for (unsigned k = 0; k < width; k++) {
    compilers[k].begin = compilers[k].at = k * share < q->count ? k * share : q->count;
    compilers[k].end = (k + 1) * share < q->count ? (k + 1) * share : q->count;
    start_compiler(q, &compilers[k]);
  }
  while (serve_compilers(q, compilers, width)) {
  }
}

/* --- earlier runs ----------------------------------------------------------------------------------------------------
 */

static int recall_codes(comparison *q, error *e) {
  campaign *c = q->campaign;
  for (size_t i = 0; i < q->count && c->options->reuse; i++) {
    item *one = &q->items[i];
    char key[KEY_SIZE];
    db_code code;
    code_key(c, c->programs[one->program], one->index, one->original, key);
    if (db_find_code(c->db, key, &one->known, &code, e) != 0) {
      return -1;
    }
    one->kept = one->known;
    one->built = code.built;
    memcpy(one->digest, code.digest, sizeof one->digest);
    c->progress.done += one->known ? 1 : 0;
  }
  return 0;
}

static int keep_codes(const comparison *q, error *e) {
  const campaign *c = q->campaign;
  for (size_t i = 0; i < q->count; i++) {
    const item *one = &q->items[i];
    char key[KEY_SIZE];
    db_code code = {.built = one->built};
    memcpy(code.digest, one->digest, sizeof code.digest);
    code_key(c, c->programs[one->program], one->index, one->original, key);
    if (one->known && !one->kept && db_put_code(c->db, key, &code, e) != 0) {
      return -1;
    }
  }
  return 0;
}

/* --- decisions
 * -------------------------------------------------------------------------------------------------------- */

/* The first mutant of the same kernels with the same code. */
static const item *earlier_of(const comparison *q, const item *of) {
  for (const item *i = q->items; i < of; i++) {
    if (!i->original && i->known && i->program == of->program && strcmp(i->digest, of->digest) == 0 &&
        same_kernels(mutant_of(q, i), mutant_of(q, of)) &&
        q->campaign->programs[i->program]->mutants[i->index].status != MUTANT_DUPLICATE) {
      return i;
    }
  }
  return NULL;
}

static int decide(comparison *q, const item *i, error *e) {
  campaign *c = q->campaign;
  campaign_program *p = c->programs[i->program];
  const item *original = original_of(q, i);
  if (!i->known || (i->built && i->digest[0] == '\0')) {
    return 0;
  }
  if (!i->built && !original->built) { /* it lacks something here that it has in the user's process */
    return 0;
  }
  if (!i->built) {
    return campaign_decide(c, p, i->index, MUTANT_INVALID, "", e);
  }
  if (original->known && strcmp(original->digest, i->digest) == 0) {
    return campaign_decide(c, p, i->index, MUTANT_EQUIVALENT, "", e);
  }
  const item *earlier = earlier_of(q, i);
  if (earlier == NULL) {
    return 0;
  }
  p->mutants[i->index].original = earlier->index;
  return campaign_decide(c, p, i->index, MUTANT_DUPLICATE, "", e);
}

int campaign_equivalence(campaign *c, error *e) {
  if (!c->options->equivalence || c->device_key == NULL) {
    return 0;
  }
  comparison q = {.campaign = c};
  collect_items(&q);
  campaign_phase_begin(c, PHASE_EQUIVALENCE, q.count);
  int result = recall_codes(&q, e);
  if (result == 0) {
    ask_compilers(&q);
    result = keep_codes(&q, e);
  }
  for (size_t i = 0; i < q.count && result == 0; i++) {
    result = q.items[i].original ? 0 : decide(&q, &q.items[i], e);
  }
  free(q.items);
  return result;
}
