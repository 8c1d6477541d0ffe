/* An input is launched without a mutant and then with each: of the schema (mutate/mutate.h) by its number, of clones by their
 * kernels. Where what a buffer that it may write holds differs then, in two runs, the host reads something else: it is killed. So is
 * one that ends by a signal in each of two runs, though nothing does without. Loops of mutants end after FUEL turns, which is a difference, too. */
#include "generate/sieve.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/memory.h"
#include "base/subprocess.h"
#include "mutate/code.h"
#include "runner/build/build.h"

enum { LAUNCHES = 800, HIDDEN = 5, FUEL = 1 << 20, FLAGS = 3 /* from the end of what is read */ };
#define MEMORY (UINT64_C(64) << 20)

/* --- texts --------------------------------------------------------------------------------------------------------- */

static bool is_reached(const mutate_result *r, const mutant *m, const char *kernel) {
  bool reached = false;
  for (size_t i = 0; i < m->kernel_count; i++)
    reached = reached || strcmp(r->model.kernels[m->kernels[i]].name, kernel) == 0;
  return reached && !m->invalid && !m->suppressed && m->form != MUTANT_LAUNCHED;
}

static void take_text(sieve_text *t, const mutate_result *made, const asked_source *source, const char *kernel,
                      const char *folder, const char *name) {
  buffer path = {0};
  error ignored;
  if (made->question_count > 0 || made->source_count != 1) return;
  buffer_printf(&path, "%s/%s", folder, name);
  t->path = buffer_take(&path);
  t->flag_words = made->flag_words;
  asked_source_init(&t->source, made->texts[0], SIZE_MAX, made->options[0], asked_text(source)->input.directory, NULL);
  FILE *f = fopen(t->path, "wbe");
  const bool written = f != NULL && fputs(made->texts[0], f) >= 0;
  if (f != NULL && fclose(f) == 0 && written && asked_source_read(&t->source, &ignored) == 0)
    t->of = asked_signature(&t->source, kernel);
}

/* --- code ---------------------------------------------------------------------------------------------------------- */

/* What a compiler makes of mutants of one kernel alone. */
typedef struct compiling {
  const asked_source *source;
  const char *kernel;
  const bool *operators;
  uint32_t *clones; /* in groups of `sizes`, each after an original */
  size_t *sizes, *firsts, group_count;
  int out;
  bool failed; /* a group of several */
} compiling;

typedef struct compiled {
  uint32_t number; /* 0: of the original, for those that come after it */
  char digest[65];
} compiled;

enum { TOGETHER = 100, CODE_SECONDS = 20 };

static void compile_group(void *context, size_t group, const mutate_result *texts) {
  compiling *c = context;
  mutate_code *code = texts == NULL ? NULL : mutate_code_compile(texts->texts, texts->options, texts->source_count);
  const uint32_t *numbers = c->clones + c->firsts[group];
  for (size_t i = 0; code != NULL && i < c->sizes[group]; i++) {
    compiled one = {.number = i == 0 ? 0 : numbers[i]};
    char *name = mutant_clone_name(c->kernel, one.number);
    if (mutate_code_digest(code, (const char *const *)&name, 1, one.digest) &&
        write(c->out, &one, sizeof one) != (ssize_t)sizeof one)
      _exit(1);
    free(name);
  }
  c->failed = c->failed || (code == NULL && c->sizes[group] > 2);
  mutate_code_free(code);
}

/* Many at a time; what the compiler refuses spoils its group, so that then each is alone. */
static void compile_all(void *context, int out) {
  compiling *c = context;
  pp_input *sources = request_inputs(&c->source->request);
  error ignored;
  const size_t count = c->group_count;
  uint32_t *numbers = mem_calloc(count + 1, sizeof *numbers);
  memcpy(numbers, c->clones, count * sizeof *numbers);
  c->out = out;
  for (size_t together = TOGETHER; together > 0; together = c->failed && together > 1 ? 1 : 0) {
    size_t at = 0;
    c->failed = false;
    c->group_count = 0;
    for (size_t i = 0; i < count; i += together) {
      const size_t some = count - i < together ? count - i : together;
      c->firsts[c->group_count] = at;
      c->sizes[c->group_count++] = some + 1;
      c->clones[at++] = MUTATE_ORIGINAL_OF(numbers[i]);
      for (size_t k = 0; k < some; k++) c->clones[at++] = numbers[i + k];
    }
    if (mutate_groups(sources, c->source->request.source_count, c->clones, c->sizes, c->group_count, c->operators,
                      compile_group, c, &ignored) != 0)
      break;
  }
  free(numbers);
  free(sources);
}

/* Whether a mutant before it has the same code. */
static bool is_duplicate(const compiled *codes, size_t index) {
  bool same = false;
  for (size_t k = 0; k < index && !same; k++)
    same = codes[k].number != 0 && codes[k].number != codes[index].number &&
           strcmp(codes[k].digest, codes[index].digest) == 0;
  return same;
}

static void take_codes(const sieve *s, const compiled *codes, size_t count) {
  const char *original = "";
  for (size_t i = 0; i < count; i++) {
    const bool equivalent = strcmp(original, codes[i].digest) == 0, duplicate = is_duplicate(codes, i);
    if (codes[i].number == 0) original = codes[i].digest;
    if (codes[i].number == 0 || (!equivalent && !duplicate)) continue;
    for (size_t m = 0; m < s->count; m++)
      if (s->items[m].number == codes[i].number)
        s->all->items[s->items[m].aimed].status = equivalent ? MUTANT_EQUIVALENT : MUTANT_DUPLICATE;
  }
}

static bool is_of_one_kernel(const mutate_result *all, uint32_t number) {
  bool is = false;
  for (size_t m = 0; m < all->mutant_count; m++)
    is = is || (all->mutants[m].number == number && all->mutants[m].kernel_count == 1);
  return is;
}

/* What compiles to the original is no mutant, and what compiles to another mutant is that one. A mutant that other kernels have,
 * too, is left to a campaign. */
static void compare_codes(sieve *s, const asked_source *source, const bool *operators, const mutate_result *all) {
  compiling c = {.source = source, .kernel = s->kernel, .operators = operators};
  buffer read = {0};
  subprocess_end end;
  int status = 0;
  error ignored;
  c.clones = mem_calloc(2 * s->count + 2, sizeof *c.clones);
  c.sizes = mem_calloc(s->count + 1, sizeof *c.sizes);
  c.firsts = mem_calloc(s->count + 1, sizeof *c.firsts);
  for (size_t i = 0; i < s->count; i++)
    if (is_of_one_kernel(all, s->items[i].number)) c.clones[c.group_count++] = s->items[i].number;
  const subprocess p = {
      .work = compile_all, .context = &c, .deadline = clock_now() + CODE_SECONDS, .interruptible = true};
  if (c.group_count > 0 && subprocess_read(&p, &read, &end, &status, &ignored) == 0) {
    const size_t count = read.length / sizeof(compiled);
    compiled *codes = mem_calloc(count + 1, sizeof *codes);
    memcpy(codes, buffer_text(&read), count * sizeof *codes);
    take_codes(s, codes, count);
    free(codes);
  }
  buffer_free(&read);
  free(c.clones);
  free(c.sizes);
  free(c.firsts);
}

void sieve_begin(sieve *s, const asked_source *source, const char *kernel, const char *folder, mutants *all_of) {
  bool operators[MUTATE_OPERATORS];
  mutate_result all = {0}, clones = {0};
  error ignored;
  *s = (sieve){.kernel = kernel, .all = all_of};
  if (mutate_select_operators("paper", operators, &ignored) == 0 &&
      build_mutated(&source->request, &(build_mutants){.operators = operators}, &all, &ignored) == 0) {
    uint32_t *numbers = mem_calloc(all.mutant_count + 1, sizeof *numbers); /* the first one is no mutant */
    uint32_t *columns = mem_calloc(all_of->count + all.mutant_count + 1, sizeof *columns);
    size_t cloned = 1;
    s->items = mem_calloc(all.mutant_count + 1, sizeof *s->items);
    for (size_t i = 0; i < all.mutant_count; i++) {
      const mutant *m = &all.mutants[i];
      if (!operators[m->op] || !is_reached(&all, m, kernel)) continue;
      const aimed_mutant *a = mutants_add(all_of, m->id, m->line, m->original, m->replacement, m->description);
      s->items[s->count++] = (sieved_mutant){
          .number = m->number, .aimed = (size_t)(a - all_of->items), .cloned = m->form == MUTANT_CLONED};
      if (m->form == MUTANT_CLONED) numbers[cloned++] = m->number;
      columns[a - all_of->items] = m->column;
    }
    mutants_tell_apart(all_of, columns);
    free(columns);
    all_of->known = all_of->known || (s->count == 0 && all.question_count == 0);
    take_text(&s->selected, &all, source, kernel, folder, "schema.cl");
    compare_codes(s, source, operators, &all);
    const build_mutants which = {.numbers = numbers, .count = cloned, .operators = operators};
    char *name = mutant_clone_name(kernel, 0);
    if (cloned > 1 && build_mutated(&source->request, &which, &clones, &ignored) == 0)
      take_text(&s->cloned, &clones, source, name, folder, "clones.cl");
    free(name);
    free(numbers);
  }
  mutate_free(&clones);
  mutate_free(&all);
}

static void end_text(sieve_text *t) {
  if (t->path != NULL) asked_source_free(&t->source);
  free(t->path);
}

void sieve_end(sieve *s) {
  end_text(&s->selected);
  end_text(&s->cloned);
  free(s->items);
  *s = (sieve){0};
}

/* --- launches ------------------------------------------------------------------------------------------------------ */

/* Some inputs, and some of the mutants that a text holds. */
typedef struct grid {
  sieve *s;
  const bench *bench;
  const sieve_text *text;
  input *const *list;
  size_t count;
  const size_t *mutants; /* places */
  size_t mutant_count;
  bool *hits; /* of all inputs and mutants */
} grid;

/* Each input runs twice without a mutant: what differs then says nothing. One input comes after another, so that what one leaves
 * in local memory is not what it would be without the mutant. */
enum { PLAINLY = 2 };
static size_t launches_each(const grid *g) { return g->mutant_count + PLAINLY; }
static size_t place_of(const grid *g, size_t item, size_t turn) { return turn * g->count + item; }

/* Flags, slots, the mutant's number with the turns that it may make, planes, capacity: those after the first are of no use. */
static void set_hidden(const sieve_text *t, size_t index, size_t place, uint64_t number, input *x) {
  replica_argument *a = &x->launch.arguments[index];
  buffer text = {0};
  *a = (replica_argument){.is = &t->of->parameters[index], .same_as = index};
  if (a->is->kind == PARAMETER_VALUE) {
    const uint64_t value = place == 2 ? number | (uint64_t)FUEL << 32 : 0;
    a->size = a->is->size;
    a->bytes = mem_calloc(a->size + 1, 1);
    buffer_printf(&text, "%llu", (unsigned long long)value);
  } else {
    a->size = (uint64_t)a->is->size * (place == 0 ? t->flag_words : 1);
    buffer_puts(&text, "fill: 0");
  }
  x->words[index] = buffer_take(&text);
}

static void make_launch(const grid *g, const input *from, const sieved_mutant *m, input *out) {
  const size_t own = from->launch.count, all = own + HIDDEN;
  const uint32_t number = m == NULL ? 0 : m->number;
  input_copy(from, out);
  out->words = mem_realloc(out->words, (all + 1) * sizeof *out->words);
  out->launch.arguments = mem_realloc(out->launch.arguments, (all + 1) * sizeof *out->launch.arguments);
  out->launch.count = all;
  for (size_t i = 0; i < HIDDEN; i++) set_hidden(g->text, own + i, i, g->text == &g->s->cloned ? 0 : number, out);
  if (g->text == &g->s->cloned) out->launch.kernel = mutant_clone_name(g->s->kernel, number);
}

static bool is_same(const bench_results *r, size_t one, size_t other, size_t each) {
  bool same = true;
  for (size_t k = 0; k < each; k++)
    same =
        same && memcmp(r->ran.results[one + k], r->ran.results[other + k], (size_t)r->cases.results[one + k].size) == 0;
  return same;
}

/* Of an input that has one result, and comes to its end: no flag is set. */
static bool is_plain(const bench_results *r, size_t first, size_t second, size_t each) {
  const unsigned char *flags = each < FLAGS ? NULL : r->ran.results[first + each - FLAGS];
  return flags != NULL && flags[0] == 0 && is_same(r, first, second, each);
}

/* Of the first ones, of which all launches came to their end. */
static void take_hits(const grid *g, const bench_results *r, size_t count, size_t each) {
  for (size_t i = 0; i < g->count; i++) {
    const size_t first = place_of(g, i, 0) * each;
    const bool plain = is_plain(r, first, place_of(g, i, 1) * each, each);
    for (size_t m = 0; m < count; m++)
      g->hits[i * g->s->count + g->mutants[m]] = plain && !is_same(r, first, place_of(g, i, m + PLAINLY) * each, each);
  }
  for (size_t m = 0; m < count; m++) {
    aimed_mutant *a = &g->s->all->items[g->s->items[g->mutants[m]].aimed];
    a->status = a->status == MUTANT_PENDING ? MUTANT_SURVIVED : a->status;
  }
  g->s->all->known = true;
}

/* `*turns`: so many of the launches of all inputs came to their end, and were taken; what goes outside of its memory comes back
 * (replay.md). `*ended`: by a signal, or time was over. */
static int run_once(const grid *g, size_t *turns, bool *ended, bool *late, error *e) {
  const size_t launches = g->count * launches_each(g);
  bench b = *g->bench;
  bench_results r = {0};
  bool well = false;
  input *all = mem_calloc(launches + 1, sizeof *all), **list = mem_calloc(launches + 1, sizeof *list);
  for (size_t i = 0; i < launches; i++) {
    const size_t m = i / g->count;
    make_launch(g, g->list[i % g->count], m < PLAINLY ? NULL : &g->s->items[g->mutants[m - PLAINLY]], &all[i]);
    list[i] = &all[i];
  }
  b.file = g->text->path;
  b.options = asked_text(&g->text->source)->options;
  const int result = bench_run(&b, list, launches, READS_WRITTEN, &r, &well, e);
  const size_t each = r.ran.count / launches;
  size_t read = 0;
  while (read < r.ran.count && r.ran.results[read] != NULL) read++;
  *turns = each == 0 ? 0 : read / (each * g->count);
  *late = r.ran.late;
  *ended = r.ran.crashed || r.ran.late;
  if (*turns > PLAINLY) take_hits(g, &r, *turns - PLAINLY, each);
  bench_results_free(&r);
  for (size_t i = 0; i < launches; i++) {
    if (g->text == &g->s->cloned) free((char *)all[i].launch.kernel);
    input_free(&all[i]);
  }
  free(all);
  free(list);
  return result;
}

/* What ends it, or does not end, is left out, and those after it run without it. */
static int run_grid(const grid *g, error *e) {
  grid rest = *g;
  while (rest.mutant_count > 0 && rest.count > 0 && clock_now() <= g->bench->until) {
    size_t turns = 0;
    bool ended = false, late = false;
    if (run_once(&rest, &turns, &ended, &late, e) != 0) return -1;
    const size_t done =
        turns < PLAINLY ? rest.mutant_count : turns - PLAINLY; /* else the device takes it by no means */
    if (done >= rest.mutant_count || !ended) return 0;
    sieved_mutant *culprit = &g->s->items[rest.mutants[done]];
    culprit->wild += late ? 0 : 1;
    culprit->doubtful = culprit->doubtful || late;
    rest.mutants += done + 1;
    rest.mutant_count -= done + 1;
  }
  return 0;
}

static uint64_t memory_of(input *const *list, size_t count) {
  uint64_t bytes = 0;
  for (size_t i = 0; i < count; i++) bytes += input_memory(list[i]);
  return bytes;
}

static bool is_asked(const sieve *s, const sieved_mutant *m, unsigned owner) {
  return owner == 0 ? mutant_is_open(&s->all->items[m->aimed]) && !m->hit && !m->doubtful : m->hit && m->owner == owner;
}

/* Those that have crashed so often, as many inputs at once as fit. */
static int run_text(sieve *s, const bench *b, const sieve_text *t, unsigned owner, unsigned wild, input *const *list,
                    size_t count, bool *hits, error *e) {
  size_t *open = mem_calloc(s->count + 1, sizeof *open), open_count = 0, some = 0;
  int result = 0;
  for (size_t m = 0; m < s->count; m++) {
    const sieved_mutant *one = &s->items[m];
    if (one->cloned == (t == &s->cloned) && one->wild == wild && is_asked(s, one, owner)) open[open_count++] = m;
  }
  for (size_t i = 0; i < count && result == 0 && t->of != NULL && open_count > 0; i += some) {
    some = 1;
    while (i + some < count && (some + 1) * (open_count + PLAINLY) <= LAUNCHES &&
           memory_of(list + i, some + 1) * (open_count + PLAINLY) <= MEMORY)
      some++;
    if (t->of->count != list[i]->launch.count + HIDDEN) continue;
    grid g = {s, b, t, list + i, some, open, open_count, hits + i * s->count};
    for (size_t m = 0; m < open_count && result == 0 && wild > 0; m++) { /* one at a time */
      g.mutants = &open[m];
      g.mutant_count = 1;
      result = run_grid(&g, e);
    }
    result = result == 0 && wild == 0 ? run_grid(&g, e) : result;
  }
  free(open);
  return result;
}

int sieve_try(sieve *s, const bench *b, unsigned owner, input *const *list, size_t count, bool *hits, error *e) {
  memset(hits, 0, count * s->count * sizeof *hits);
  return run_text(s, b, &s->selected, owner, 0, list, count, hits, e) != 0 ||
                 run_text(s, b, &s->cloned, owner, 0, list, count, hits, e) != 0
             ? -1
             : 0;
}

int sieve_certain(sieve *s, const bench *b, unsigned owner, input *const *list, size_t count, bool *hits, error *e) {
  bool *again = mem_calloc(count * s->count + 1, sizeof *again);
  int result = sieve_try(s, b, owner, list, count, hits, e);
  if (result == 0)
    result = run_text(s, b, &s->selected, owner, 1, list, count, hits, e) != 0 ||
                     run_text(s, b, &s->cloned, owner, 1, list, count, hits, e) != 0
                 ? -1
                 : 0;
  result = result == 0 ? sieve_try(s, b, owner, list, count, again, e) : result;
  for (size_t i = 0; i < count * s->count; i++) {
    const sieved_mutant *m = &s->items[i % s->count];
    hits[i] = (m->wild > 1 && is_asked(s, m, owner)) || (hits[i] && again[i]);
  }
  free(again);
  return result;
}

/* --- what is chosen ------------------------------------------------------------------------------------------------ */

size_t sieve_open(const sieve *s) {
  size_t open = 0;
  for (size_t m = 0; m < s->count; m++) open += s->items[m].wild == 0 && is_asked(s, &s->items[m], 0) ? 1 : 0;
  return open;
}

static void swap_rows(const sieve *s, input **list, bool *hits, size_t one, size_t other) {
  input *x = list[one];
  list[one] = list[other];
  list[other] = x;
  for (size_t m = 0; m < s->count; m++) {
    bool *a = &hits[one * s->count + m], *b = &hits[other * s->count + m], hit = *a;
    *a = *b;
    *b = hit;
  }
}

size_t sieve_choose(const sieve *s, input **list, size_t count, bool *hits) {
  bool *found = mem_calloc(s->count + 1, sizeof *found);
  size_t chosen = 0;
  for (size_t most = 1; chosen < count && most > 0;) {
    size_t best = chosen;
    most = 0;
    for (size_t i = chosen; i < count; i++) {
      size_t of = 0;
      for (size_t m = 0; m < s->count; m++)
        of += is_asked(s, &s->items[m], 0) && !found[m] && hits[i * s->count + m] ? 1 : 0;
      best = of > most ? i : best;
      most = of > most ? of : most;
    }
    for (size_t m = 0; m < s->count && most > 0; m++) found[m] = found[m] || hits[best * s->count + m];
    if (most > 0) swap_rows(s, list, hits, best, chosen++);
  }
  free(found);
  return chosen;
}

size_t sieve_take(sieve *s, const bool *hits, unsigned owner) {
  size_t count = 0;
  for (size_t m = 0; m < s->count; m++) {
    sieved_mutant *one = &s->items[m];
    if (!hits[m] || !is_asked(s, one, 0)) continue;
    one->hit = true;
    one->owner = owner;
    count++;
  }
  return count;
}

bool sieve_hits_all(const sieve *s, const bool *hits, unsigned owner) {
  bool all = true;
  for (size_t m = 0; m < s->count; m++) all = all && (!is_asked(s, &s->items[m], owner) || hits[m]);
  return all;
}

size_t sieve_ask_killed(sieve *s, unsigned owner, bool again) {
  size_t count = 0, wild = 0;
  for (size_t m = 0; m < s->count; m++) {
    sieved_mutant *one = &s->items[m];
    const aimed_mutant *a = &s->all->items[one->aimed];
    if (a->status != MUTANT_KILLED || a->owner != owner) continue;
    one->hit = again;
    one->owner = owner;
    count++;
    wild += one->wild;
  }
  return wild == 0 ? count : 0;
}

void sieve_kill(sieve *s, const bool *hits, unsigned owner) {
  for (size_t m = 0; m < s->count; m++) {
    sieved_mutant *one = &s->items[m];
    aimed_mutant *a = &s->all->items[one->aimed];
    if (hits[m] && is_asked(s, one, owner)) {
      a->status = MUTANT_KILLED;
      a->owner = owner;
    } else if (owner > 0 && is_asked(s, one, owner)) {
      one->doubtful = !hits[m];
      a->status = a->status == MUTANT_KILLED ? MUTANT_SURVIVED : a->status;
    } else {
      continue;
    }
    one->hit = false;
  }
}
