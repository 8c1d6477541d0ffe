/* The loop of trying barriers and learning from counterexamples. */
#include "proofs/patch/search.h"

#include <stdlib.h>
#include <string.h>

#include "base/clock.h"

enum { OTHERS_MOST = 3, OTHERS_TRIED = 6 };

void flaw_free(flaw *f) {
  free(f->message);
  free(f->preconditions);
  *f = (flaw){0};
}

void repair_init(repair *r, const spots *s, flaw_finder finder, size_t most, double deadline) {
  const pp_file *f = &s->text->files[0];
  *r = (repair){.spots = s, .text = f->text, .length = f->length, .finder = finder, .deadline = deadline};
  r->flags = mem_calloc(s->count + 1, sizeof *r->flags);
  hitting_set_init(&r->set, s, most);
  memcpy(r->flags, r->set.existing, s->count * sizeof *r->flags);
}

repair_kernel *repair_add_kernel(repair *r, const char *name, bool chosen) {
  r->kernels = mem_realloc(r->kernels, (r->kernel_count + 1) * sizeof *r->kernels);
  repair_kernel *k = &r->kernels[r->kernel_count++];
  *k = (repair_kernel){.name = mem_strdup(name), .chosen = chosen};
  return k;
}

void repair_free(repair *r) {
  for (size_t i = 0; i < r->kernel_count; i++) {
    repair_kernel *k = &r->kernels[i];
    free(k->name);
    flaw_free(&k->first);
    flaw_free(&k->last);
    flaw_free(&k->failed);
  }
  for (size_t i = 0; i < r->other_count; i++) free(r->others[i]);
  free(r->others);
  free(r->kernels);
  free(r->flags);
  hitting_set_free(&r->set);
  patch_free(&r->patch);
  *r = (repair){0};
}

bool repair_changes(const repair *r) {
  return memcmp(r->flags, r->set.existing, r->spots->count * sizeof *r->flags) != 0;
}

void repair_text(repair *r, const unsigned *flags, buffer *out) {
  patch_free(&r->patch);
  spots_write(r->spots, flags, &r->patch);
  patch_apply(&r->patch, r->text, r->length, out);
}

static bool search_is_late(const repair *r) { return r->deadline > 0 && clock_now() > r->deadline; }

static bool any_of(const bool *marked, size_t count) {
  bool any = false;
  for (size_t i = 0; i < count; i++) any = any || marked[i];
  return any;
}

/* Where a kernel's body begins; PATCH_NOWHERE: not in this file. */
static size_t body_of(const repair *r, const char *kernel) {
  const tree *t = r->spots->tree;
  for (size_t i = 0; i < t->function_count; i++) {
    const tree_node *body = tree_body(t->functions[i]);
    if (strcmp(t->functions[i]->symbol->name, kernel) == 0 && body != NULL &&
        spots_plain(r->spots->text, (span){body->tokens.first, body->tokens.first}))
      return r->spots->text->tokens[body->tokens.first].expanded.offset + 1;
  }
  return PATCH_NOWHERE;
}

/* The text of a question: an annotation says which work-items are looked at. */
static void write_question(repair *r, const unsigned *flags, buffer *out) {
  patch_free(&r->patch);
  spots_write(r->spots, flags, &r->patch);
  for (size_t i = 0; i < r->kernel_count; i++) {
    const repair_kernel *k = &r->kernels[i];
    if (k->scope != SCOPE_EVERY) {
      patch_add(&r->patch, body_of(r, k->name), 0,
                mem_strdup(k->scope == SCOPE_WITHIN ? " __assume(__same_group);" : " __assume(!__same_group);"),
                PATCH_NO_SPOT);
    }
  }
  patch_apply(&r->patch, r->text, r->length, out);
}

/* Asks for the text with these changes, into `last` of the kernels that are marked. As flaw_finder.find. */
static int search_ask(repair *r, const unsigned *flags, const bool *marked, error *e) {
  if (!any_of(marked, r->kernel_count)) return 0;
  buffer text = {0};
  write_question(r, flags, &text);
  flaw *flaws = mem_calloc(r->kernel_count + 1, sizeof *flaws);
  const int result = r->finder.find(r->finder.context, buffer_text(&text), text.length, marked, flaws, e);
  r->tries++;
  for (size_t i = 0; i < r->kernel_count; i++) {
    if (marked[i] && result == 0) {
      flaw_free(&r->kernels[i].last);
      r->kernels[i].last = flaws[i];
    } else {
      flaw_free(&flaws[i]);
    }
  }
  free(flaws);
  buffer_free(&text);
  return result;
}

/* --- kernels ------------------------------------------------------------------------------------------------------ */

static bool is_wrong(const flaw *f) { return f->kind != FLAW_NONE && f->kind != FLAW_UNDECIDED; }

static flaw flaw_copy(const flaw *f) {
  flaw copy = *f;
  copy.message = mem_strdup(f->message == NULL ? "" : f->message);
  copy.preconditions = mem_strdup(f->preconditions == NULL ? "" : f->preconditions);
  return copy;
}

static void give_up(repair *r, size_t i, repair_outcome outcome, const char *why) {
  repair_kernel *k = &r->kernels[i];
  k->outcome = outcome;
  k->why = why;
  flaw_free(&k->failed);
  k->failed = flaw_copy(&k->last);
  learn_lines(r, &k->last, k->failing);
  hitting_set_forget(&r->set, i);
}

/* REPAIR_DONE stands for kernels that are still worked on, too. */
static bool is_active(const repair_kernel *k) { return k->outcome == REPAIR_DONE; }

static size_t mark_active(const repair *r, bool *marked) {
  size_t count = 0;
  for (size_t i = 0; i < r->kernel_count; i++) {
    marked[i] = is_active(&r->kernels[i]);
    count += marked[i] ? 1 : 0;
  }
  return count;
}

static int begin(repair *r, bool *marked, error *e) {
  for (size_t i = 0; i < r->kernel_count; i++) marked[i] = true;
  if (search_ask(r, r->flags, marked, e) != 0) return -1;
  for (size_t i = 0; i < r->kernel_count; i++) {
    repair_kernel *k = &r->kernels[i];
    k->first = flaw_copy(&k->last);
    learn_lines(r, &k->first, k->lines);
    k->outcome = k->first.kind == FLAW_NONE        ? REPAIR_FINE
                 : k->first.kind == FLAW_UNDECIDED ? REPAIR_UNDECIDED
                 : k->chosen                       ? REPAIR_DONE
                                                   : REPAIR_FINE;
    if (k->outcome == REPAIR_UNDECIDED) k->failed = flaw_copy(&k->first);
  }
  return 0;
}

/* --- the loop ----------------------------------------------------------------------------------------------------- */

/* What is wrong inside of groups can be repaired still. */
static bool look_within(repair *r, size_t i, const char *why) {
  repair_kernel *k = &r->kernels[i];
  if (k->scope != SCOPE_EVERY || body_of(r, k->name) == PATCH_NOWHERE) return false;
  k->scope = SCOPE_WITHIN;
  k->why = why;
  flaw_free(&k->failed);
  k->failed = flaw_copy(&k->last);
  learn_lines(r, &k->last, k->failing);
  return true;
}

/* Takes up the counterexamples of kernels that are worked on. Gives how many are still wrong. */
static size_t learn_all(repair *r, const unsigned *flags) {
  size_t wrong = 0;
  for (size_t i = 0; i < r->kernel_count; i++) {
    repair_kernel *k = &r->kernels[i];
    if (!is_active(k) || k->last.kind == FLAW_NONE) continue;
    const char *why = NULL;
    const repair_outcome outcome = learn(r, i, flags, &why);
    if (outcome != REPAIR_DONE && (outcome != REPAIR_BETWEEN || !look_within(r, i, why))) give_up(r, i, outcome, why);
    wrong++;
  }
  return wrong;
}

/* Gives up those that are still wrong, or all that are worked on if these are not. */
static void give_up_wrong(repair *r, repair_outcome outcome, const char *why) {
  bool any = false;
  for (size_t i = 0; i < r->kernel_count; i++)
    any = any || (is_active(&r->kernels[i]) && r->kernels[i].last.kind != FLAW_NONE);
  for (size_t i = 0; i < r->kernel_count; i++)
    if (is_active(&r->kernels[i]) && (!any || r->kernels[i].last.kind != FLAW_NONE)) give_up(r, i, outcome, why);
}

/* Until all kernels that are worked on are proved with r->flags. */
static int settle(repair *r, bool *marked, error *e) {
  while (learn_all(r, r->flags) > 0) {
    double cost = 0;
    while (!hitting_set_solve(&r->set, r->flags, &cost) && mark_active(r, marked) > 0)
      give_up_wrong(r, REPAIR_NO_PLACE, "no barriers at the places that can have one order all of its accesses");
    if (search_is_late(r)) {
      give_up_wrong(r, REPAIR_OVER, "--max-time is over");
      (void)hitting_set_solve(&r->set, r->flags, &cost);
    }
    if (mark_active(r, marked) == 0) break;
    const int result = search_ask(r, r->flags, marked, e);
    if (result < 0) return -1;
    if (result > 0) give_up_wrong(r, REPAIR_NO_PLACE, "the source does not compile with the barriers that were tried");
  }
  if (mark_active(r, marked) == 0) memcpy(r->flags, r->set.existing, r->spots->count * sizeof *r->flags);
  return 0;
}

/* Looks at all kernels of the source: others may share functions with those that are repaired. True: something was
 * learnt, and the barriers are not good. */
static int check_others(repair *r, bool *marked, bool *again, error *e) {
  *again = false;
  for (size_t i = 0; i < r->kernel_count; i++) marked[i] = !is_active(&r->kernels[i]);
  if (!repair_changes(r) || search_is_late(r)) return 0;
  if (search_ask(r, r->flags, marked, e) < 0) return -1;
  for (size_t i = 0; i < r->kernel_count; i++) {
    const repair_kernel *k = &r->kernels[i];
    const bool worse = marked[i] && k->last.kind == FLAW_DIVERGENCE && k->first.kind != FLAW_DIVERGENCE;
    const bool raced = marked[i] && k->last.kind == FLAW_RACE && k->first.kind == FLAW_NONE;
    const char *why = NULL;
    if ((worse || raced) && learn(r, i, r->flags, &why) == REPAIR_DONE)
      *again = true;
    else if (worse || raced) /* better no repair than one that breaks another kernel */
      give_up_wrong(r, REPAIR_NO_PLACE, why);
  }
  return 0;
}

static int settle_all(repair *r, bool *marked, error *e) {
  for (bool again = true; again;) {
    if (settle(r, marked, e) != 0 || check_others(r, marked, &again, e) != 0) return -1;
    double cost = 0;
    if (again && !hitting_set_solve(&r->set, r->flags, &cost)) {
      give_up_wrong(r, REPAIR_NO_PLACE, "the barriers that it needs make another kernel of the source wrong");
      memcpy(r->flags, r->set.existing, r->spots->count * sizeof *r->flags);
      return 0;
    }
    if (again && mark_active(r, marked) > 0 && search_ask(r, r->flags, marked, e) < 0) return -1;
  }
  return 0;
}

/* --- between groups ------------------------------------------------------------------------------------------------ */

static bool is_asked_for(const repair *r, size_t kernel) {
  bool any = false;
  for (size_t i = 0; i < r->set.count; i++)
    any = any || (r->set.clauses[i].kernel == kernel && r->set.clauses[i].count > 0);
  for (size_t i = 0; i < r->spots->count; i++) any = any || r->set.banned[i] == kernel + 1;
  return any;
}

/* Where no barrier helps inside of groups: whether there is a race between groups, too, which says why. */
static int look_apart(repair *r, bool *marked, error *e) {
  for (size_t i = 0; i < r->kernel_count; i++) {
    repair_kernel *k = &r->kernels[i];
    marked[i] = k->outcome == REPAIR_NO_PLACE && k->last.kind == FLAW_RACE && body_of(r, k->name) != PATCH_NOWHERE &&
                !search_is_late(r);
    k->scope = marked[i] ? SCOPE_APART : k->scope;
  }
  const int result = search_ask(r, r->set.existing, marked, e);
  for (size_t i = 0; i < r->kernel_count; i++) {
    repair_kernel *k = &r->kernels[i];
    if (result == 0 && marked[i] && k->last.kind == FLAW_BETWEEN)
      give_up(r, i, REPAIR_BETWEEN, learn_why_between(r, &k->last));
    k->scope = marked[i] ? SCOPE_EVERY : k->scope;
  }
  return result < 0 ? -1 : 0;
}

/* --- afterwards --------------------------------------------------------------------------------------------------- */

/* Whether all kernels are as good with other barriers. The last verdicts stay those of r->flags. */
static int is_as_good(repair *r, const unsigned *flags, bool *good, error *e) {
  flaw *kept = mem_calloc(r->kernel_count + 1, sizeof *kept);
  bool *all = mem_calloc(r->kernel_count + 1, sizeof *all);
  for (size_t i = 0; i < r->kernel_count; i++) {
    kept[i] = flaw_copy(&r->kernels[i].last);
    all[i] = true;
  }
  const int result = search_ask(r, flags, all, e);
  *good = result == 0;
  for (size_t i = 0; i < r->kernel_count; i++) {
    repair_kernel *k = &r->kernels[i];
    *good = *good && (k->last.kind == kept[i].kind || k->last.kind == FLAW_NONE);
    flaw_free(&k->last);
    k->last = kept[i];
  }
  free(kept);
  free(all);
  return result < 0 ? -1 : 0;
}

/* Drops barriers that were put in and are not needed. */
static int drop_superfluous(repair *r, error *e) {
  unsigned *flags = mem_calloc(r->spots->count + 1, sizeof *flags);
  int result = 0;
  for (size_t i = 0; i < r->spots->count && result == 0 && !search_is_late(r); i++) {
    if (r->flags[i] == 0 || r->spots->items[i].kind == SPOT_BARRIER) continue;
    bool good = false;
    memcpy(flags, r->flags, r->spots->count * sizeof *flags);
    flags[i] = 0;
    if (hitting_set_allows(&r->set, flags)) /* else a counterexample is known */
      result = is_as_good(r, flags, &good, e);
    if (good) memcpy(r->flags, flags, r->spots->count * sizeof *flags);
  }
  free(flags);
  return result;
}

/* One barrier at another place that costs the same. */
static int try_other(repair *r, size_t from, size_t to, double cost, size_t *tried, error *e) {
  unsigned *flags = mem_calloc(r->spots->count + 1, sizeof *flags);
  memcpy(flags, r->flags, r->spots->count * sizeof *flags);
  flags[to] = flags[from];
  flags[from] = 0;
  const double more = hitting_set_cost(&r->set, flags) - cost;
  bool good = false;
  int result = 0;
  if (more < 1e-9 && more > -1e-9 && hitting_set_allows(&r->set, flags)) {
    (*tried)++;
    result = is_as_good(r, flags, &good, e);
  }
  if (good)
    *ARRAY_ADD(r->others, r->other_count, r->other_capacity) = flags;
  else
    free(flags);
  return result;
}

/* At most as long as the search itself took, and two seconds more. */
static int find_others(repair *r, double began, error *e) {
  const double now = clock_now(), end = now + (now - began) + 2;
  const double cost = hitting_set_cost(&r->set, r->flags);
  size_t tried = 0;
  for (size_t from = 0; from < r->spots->count; from++) {
    if (r->flags[from] == 0 || !spots_is_place(&r->spots->items[from])) continue;
    for (size_t to = 0; to < r->spots->count; to++) {
      if (tried >= OTHERS_TRIED || r->other_count >= OTHERS_MOST || search_is_late(r) || clock_now() > end) return 0;
      if (r->flags[to] == 0 && spots_is_place(&r->spots->items[to]) && !r->spots->items[to].closed &&
          try_other(r, from, to, cost, &tried, e) != 0)
        return -1;
    }
  }
  return 0;
}

int repair_search(repair *r, error *e) {
  const double began = clock_now();
  bool *marked = mem_calloc(r->kernel_count + 1, sizeof *marked);
  int result = begin(r, marked, e);
  bool any = false;
  for (size_t i = 0; i < r->kernel_count; i++)
    any = any || (is_active(&r->kernels[i]) && is_wrong(&r->kernels[i].first));
  if (result == 0 && any) result = settle_all(r, marked, e);
  if (result == 0 && repair_changes(r)) result = drop_superfluous(r, e) != 0 || find_others(r, began, e) != 0 ? -1 : 0;
  if (result == 0 && r->optimise) result = optimise(r, e);
  if (result == 0 && any) {
    /* What has a race between groups is repaired in part, or nothing was wrong inside of groups. */
    for (size_t i = 0; i < r->kernel_count; i++) {
      repair_kernel *k = &r->kernels[i];
      if (is_active(k) && k->scope == SCOPE_WITHIN) k->outcome = is_asked_for(r, i) ? REPAIR_PART : REPAIR_BETWEEN;
    }
    result = look_apart(r, marked, e);
  }
  free(marked);
  return result;
}

/* Barriers that are not needed: each is tried without, those in the deepest loops first. */

/* --- which kernels ------------------------------------------------------------------------------------------------ */

static void enter(const tree_graph *g, const tree_graph_function *f, bool *entered) {
  if (f == NULL || entered[f - g->functions]) return;
  entered[f - g->functions] = true;
  for (size_t i = 0; i < f->calls.count; i++) enter(g, tree_graph_find(g, f->calls.items[i]->symbol), entered);
}

static bool reaches(const tree_graph *g, const tree_graph_function *from, const tree_node *function) {
  bool *entered = mem_calloc(g->count + 1, sizeof *entered), found = false;
  enter(g, from, entered);
  for (size_t i = 0; i < g->count; i++) found = found || (entered[i] && g->functions[i].function == function);
  free(entered);
  return found;
}

/* Marks the kernels that reach a function. False: one of them is not proved, or not asked about. */
static bool mark_users(const repair *r, const tree_node *function, bool *marked) {
  const tree_graph *g = &r->spots->graph;
  bool proved = true, chosen = false;
  memset(marked, 0, r->kernel_count * sizeof *marked);
  for (size_t i = 0; i < g->count; i++) {
    const tree_symbol *symbol = g->functions[i].function->symbol;
    if (!symbol->kernel || !reaches(g, &g->functions[i], function)) continue;
    size_t k = 0;
    while (k < r->kernel_count && strcmp(r->kernels[k].name, symbol->name) != 0) k++;
    proved = proved && k < r->kernel_count && r->kernels[k].last.kind == FLAW_NONE;
    if (k < r->kernel_count) {
      marked[k] = true;
      chosen = chosen || r->kernels[k].chosen;
    }
  }
  return proved && chosen;
}

/* --- trying ------------------------------------------------------------------------------------------------------- */

/* And nothing depends on the order of work-items: a barrier may be what makes atomic functions give what they do. */
static bool all_proved(const repair *r, const bool *marked) {
  for (size_t i = 0; i < r->kernel_count; i++) {
    const flaw *last = &r->kernels[i].last;
    if (marked[i] && (last->kind != FLAW_NONE || last->order_shows)) return false;
  }
  return true;
}

/* With other flags at one spot; they stay if the kernels are proved. */
static int try_flags(repair *r, size_t spot, unsigned flags, const bool *marked, bool *good, error *e) {
  const unsigned before = r->flags[spot];
  flaw *kept = mem_calloc(r->kernel_count + 1, sizeof *kept);
  for (size_t i = 0; i < r->kernel_count; i++) kept[i] = flaw_copy(&r->kernels[i].last);
  r->flags[spot] = flags;
  const int result = search_ask(r, r->flags, marked, e);
  *good = result == 0 && all_proved(r, marked);
  for (size_t i = 0; i < r->kernel_count; i++) {
    if (*good) {
      flaw_free(&kept[i]);
    } else {
      flaw_free(&r->kernels[i].last);
      r->kernels[i].last = kept[i];
    }
  }
  r->flags[spot] = *good ? flags : before;
  free(kept);
  return result < 0 ? -1 : 0;
}

static int try_barrier(repair *r, size_t i, bool *marked, error *e) {
  const repair_spot *s = &r->spots->items[i];
  bool good = false;
  if (!mark_users(r, s->function, marked)) return 0;
  if (s->statement != NULL && try_flags(r, i, 0, marked, &good, e) != 0) return -1;
  const bool both = s->wide && (r->flags[i] & FENCES) == FENCES;
  for (unsigned fence = FENCE_LOCAL; both && !good && fence <= FENCE_GLOBAL; fence++)
    if (try_flags(r, i, FENCE_THERE | fence, marked, &good, e) != 0) return -1;
  return 0;
}

int optimise(repair *r, error *e) {
  bool *marked = mem_calloc(r->kernel_count + 1, sizeof *marked);
  uint32_t deepest = 0;
  for (size_t i = 0; i < r->spots->count; i++)
    deepest = r->spots->items[i].depth > deepest ? r->spots->items[i].depth : deepest;
  int result = 0;
  for (uint32_t depth = deepest + 1; depth-- > 0;) {
    for (size_t i = 0; i < r->spots->count && result == 0 && !search_is_late(r); i++) {
      const repair_spot *s = &r->spots->items[i];
      if (s->kind == SPOT_BARRIER && s->depth == depth && r->flags[i] != 0 && !s->closed)
        result = try_barrier(r, i, marked, e);
    }
  }
  free(marked);
  return result;
}
