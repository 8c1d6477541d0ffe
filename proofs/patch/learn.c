/* Clauses from counterexamples: spots that can order two accesses, and the hitting set of least cost, by branch and
 * bound. */
#include <stdlib.h>
#include <string.h>

#include "proofs/patch/search.h"

/* How a work-item came to an access: tokens of calls, the kernel's first, and last the access. NO_TOKEN: not written in
 * the main source. */
typedef struct spot_path {
  uint32_t tokens[16];
  size_t count;
} spot_path;

/* Which spots can order two accesses. */

typedef struct marking {
  const spots *spots;
  bool *marked;
  bool *entered; /* functions that are marked */
} marking;

static void mark_function(marking *m, const tree_graph_function *f);

/* The spots of a span of a function, and those of functions that are called there. */
static void mark_span(marking *m, const tree_graph_function *f, uint32_t above, uint32_t last) {
  for (size_t i = 0; i < m->spots->count; i++) {
    const repair_spot *s = &m->spots->items[i];
    m->marked[i] = m->marked[i] || (s->function == f->function && s->token > above && s->token <= last);
  }
  for (size_t i = 0; i < f->calls.count; i++) {
    const tree_node *call = f->calls.items[i];
    if (call->token > above && call->token <= last) mark_function(m, tree_graph_find(&m->spots->graph, call->symbol));
  }
}

static void mark_function(marking *m, const tree_graph_function *f) {
  if (f != NULL && !m->entered[f - m->spots->graph.functions]) {
    m->entered[f - m->spots->graph.functions] = true;
    mark_span(m, f, f->function->tokens.first, f->function->tokens.last);
  }
}

static const tree_graph_function *function_at(const spots *s, uint32_t token) {
  for (size_t i = 0; i < s->graph.count; i++)
    if (span_has(s->graph.functions[i].function->tokens, token)) return &s->graph.functions[i];
  return NULL;
}

/* Whether code at a token runs once a turn; the first part of a `for` does not. */
static bool turns(const tree_node *loop, uint32_t token) {
  const tree_node *first = loop->kind == TREE_FOR ? loop->children[0] : NULL;
  return span_has(loop->tokens, token) && (first == NULL || !span_has(first->tokens, token));
}

/* The accesses of an assignment have tokens in another order than they are executed. */
static void mark_splits(marking *m, uint32_t a, uint32_t b) {
  for (size_t i = 0; i < m->spots->count; i++) {
    const repair_spot *s = &m->spots->items[i];
    m->marked[i] = m->marked[i] ||
                   (s->kind == SPOT_SPLIT && (span_has(s->statement->tokens, a) || span_has(s->statement->tokens, b)));
  }
}

static void mark_callees(marking *m, const spot_path *w, size_t from) {
  for (size_t i = from; i < w->count; i++)
    mark_function(m, w->tokens[i] == NO_TOKEN ? NULL : function_at(m->spots, w->tokens[i]));
}

/* Marks the spots that can lie on a way from one access to the other, through loops and functions: no other one can
 * order them. */
static void spots_between(const spots *s, const spot_path *a, const spot_path *b, bool *marked) {
  marking m = {s, marked, mem_calloc(s->graph.count + 1, sizeof *m.entered)};
  size_t level = 0;
  for (bool together = true; together && level < a->count && level < b->count; level++) {
    const uint32_t x = a->tokens[level], y = b->tokens[level];
    const tree_graph_function *f = x == NO_TOKEN ? NULL : function_at(s, x);
    if (f == NULL || y == NO_TOKEN || function_at(s, y) != f) break;
    for (size_t i = 0; i < f->loops.count; i++) {
      const tree_node *loop = f->loops.items[i];
      if (turns(loop, x) && turns(loop, y)) mark_span(&m, f, loop->tokens.first, loop->tokens.last);
    }
    together = x == y;
    if (!together) {
      mark_splits(&m, x, y);
      mark_span(&m, f, x < y ? x : y, x < y ? y : x);
    }
  }
  mark_callees(&m, a, level);
  mark_callees(&m, b, level);
  free(m.entered);
}

/* Branch and bound over the clauses: the barrier that is put in next stands at a spot of the shortest clause that is
 * not met. */

enum { STEPS_MOST = 300000 }; /* of a search; what is the best by then is taken */

typedef struct solving {
  const hitting_set *set;
  unsigned *now, *best;
  double cost, best_cost;
  bool found;
  size_t put_in, steps;
} solving;

void hitting_set_init(hitting_set *c, const spots *s, size_t most) {
  *c = (hitting_set){.spots = s, .most = most, .turns = HITTING_SET_TURNS};
  c->banned = mem_calloc(s->count + 1, sizeof *c->banned);
  c->existing = mem_calloc(s->count + 1, sizeof *c->existing);
  for (size_t i = 0; i < s->count; i++) c->existing[i] = s->items[i].kind == SPOT_BARRIER ? s->items[i].flags : 0;
}

static hitting_clause *hitting_set_add(hitting_set *c, unsigned fence, size_t kernel) {
  hitting_clause *made = ARRAY_ADD(c->clauses, c->count, c->capacity);
  *made = (hitting_clause){.fence = fence, .kernel = kernel};
  return made;
}

static void hitting_set_allow(hitting_clause *clause, uint32_t spot) {
  *ARRAY_ADD(clause->spots, clause->count, clause->capacity) = spot;
}

void hitting_set_forget(hitting_set *c, size_t kernel) {
  size_t kept = 0;
  for (size_t i = 0; i < c->count; i++)
    if (c->clauses[i].kernel == kernel)
      free(c->clauses[i].spots);
    else
      c->clauses[kept++] = c->clauses[i];
  c->count = kept;
  for (size_t i = 0; i < c->spots->count; i++) c->banned[i] = c->banned[i] == kernel + 1 ? 0 : c->banned[i];
}

void hitting_set_free(hitting_set *c) {
  for (size_t i = 0; i < c->count; i++) free(c->clauses[i].spots);
  free(c->clauses);
  free(c->banned);
  free(c->existing);
  *c = (hitting_set){0};
}

/* --- costs -------------------------------------------------------------------------------------------------------- */

static double weight(const hitting_set *c, const repair_spot *s) {
  double w = s->executed > 0 ? s->executed : 1;
  for (uint32_t i = 0; i < s->depth && s->executed == 0; i++) w *= c->turns;
  return w;
}

/* What `flags` cost at a spot more than what is there. Barriers in branches come after others that are as cheap. */
static double spot_cost(const hitting_set *c, size_t i, unsigned flags) {
  static const double fences[] = {0, 0, 0.02, 0.05};
  const repair_spot *s = &c->spots->items[i];
  const unsigned there = c->banned[i] != 0 ? 0 : c->existing[i];
  if (flags == there) return 0;
  if (s->kind == SPOT_BARRIER || s->kind == SPOT_COUNT) return weight(c, s) * (0.1 + fences[flags & FENCES]);
  if (s->kind == SPOT_ATOMIC) return weight(c, s) * 3;
  const double split = s->kind == SPOT_SPLIT ? 1.5 : 0; /* the statement looks otherwise, too */
  return weight(c, s) * (1 + split + fences[flags & FENCES] + 0.001 * s->nesting);
}

double hitting_set_cost(const hitting_set *c, const unsigned *flags) {
  double sum = 0;
  for (size_t i = 0; i < c->spots->count; i++) sum += spot_cost(c, i, flags[i]);
  return sum;
}

/* --- search ------------------------------------------------------------------------------------------------------- */

static bool is_met(const hitting_clause *clause, const unsigned *flags) {
  for (size_t i = 0; i < clause->count; i++)
    if ((flags[clause->spots[i]] & clause->fence) != 0) return true;
  return false;
}

bool hitting_set_allows(const hitting_set *c, const unsigned *flags) {
  for (size_t i = 0; i < c->count; i++)
    if (!is_met(&c->clauses[i], flags)) return false;
  for (size_t i = 0; i < c->spots->count; i++)
    if (c->banned[i] != 0 && flags[i] != 0) return false;
  return true;
}

static bool is_free(const hitting_set *c, uint32_t spot, const unsigned *flags) {
  const repair_spot *s = &c->spots->items[spot];
  return c->banned[spot] == 0 && !s->closed && (s->kind != SPOT_BARRIER || s->wide) &&
         (s->rival == PATCH_NO_SPOT || flags[s->rival] == 0);
}

static const hitting_clause *shortest_unmet(const hitting_set *c, const unsigned *flags) {
  const hitting_clause *best = NULL;
  size_t least = SIZE_MAX;
  for (size_t i = 0; i < c->count; i++) {
    if (is_met(&c->clauses[i], flags)) continue;
    size_t choices = 0;
    for (size_t k = 0; k < c->clauses[i].count; k++) choices += is_free(c, c->clauses[i].spots[k], flags) ? 1 : 0;
    if (choices < least) {
      least = choices;
      best = &c->clauses[i];
    }
  }
  return best;
}

typedef struct choice {
  uint32_t spot;
  double more;
} choice;

static int cheaper(const void *a, const void *b) {
  const choice *left = a, *right = b;
  if (left->more < right->more || left->more > right->more) return left->more < right->more ? -1 : 1;
  return left->spot > right->spot ? -1 : left->spot < right->spot ? 1 : 0; /* the later one: nearer to the second */
}

static size_t choices_of(const solving *s, const hitting_clause *clause, choice *out) {
  size_t count = 0;
  for (size_t i = 0; i < clause->count; i++) {
    const uint32_t n = clause->spots[i];
    if (is_free(s->set, n, s->now)) {
      const unsigned wider = s->now[n] | clause->fence;
      out[count++] = (choice){n, spot_cost(s->set, n, wider) - spot_cost(s->set, n, s->now[n])};
    }
  }
  qsort(out, count, sizeof *out, cheaper);
  return count;
}

static void search(solving *s) {
  const double little = 1e-9;
  if (s->steps++ > STEPS_MOST || (s->found && s->cost >= s->best_cost - little)) return;
  const hitting_clause *clause = shortest_unmet(s->set, s->now);
  if (clause == NULL) {
    s->found = true;
    s->best_cost = s->cost;
    memcpy(s->best, s->now, s->set->spots->count * sizeof *s->best);
    return;
  }
  choice *choices = mem_calloc(clause->count + 1, sizeof *choices);
  const size_t count = choices_of(s, clause, choices);
  for (size_t i = 0; i < count; i++) {
    const uint32_t n = choices[i].spot;
    const unsigned before = s->now[n];
    const double cost = s->cost;
    const size_t put_in = s->put_in;
    s->put_in += before == 0 && spots_is_place(&s->set->spots->items[n]) ? 1 : 0;
    s->now[n] = before | clause->fence;
    s->cost += choices[i].more;
    if (s->put_in <= s->set->most) search(s);
    s->now[n] = before;
    s->cost = cost;
    s->put_in = put_in;
  }
  free(choices);
}

bool hitting_set_solve(const hitting_set *c, unsigned *flags, double *cost) {
  solving s = {.set = c, .best = flags};
  s.now = mem_calloc(c->spots->count + 1, sizeof *s.now);
  for (size_t i = 0; i < c->spots->count; i++) s.now[i] = c->banned[i] != 0 ? 0 : c->existing[i];
  search(&s);
  free(s.now);
  *cost = s.best_cost;
  return s.found;
}

/* --- places ------------------------------------------------------------------------------------------------------- */

/* A place of the last text in the source; text that we have put in: its spot. */
static size_t origin_of(const repair *r, uint32_t line, uint32_t column, uint32_t *spot) {
  buffer text = {0};
  patch copy = r->patch;
  patch_apply(&copy, r->text, r->length, &text);
  const size_t offset = text_offset(buffer_text(&text), text.length, line, column);
  buffer_free(&text);
  *spot = PATCH_NO_SPOT;
  return offset == PATCH_NOWHERE ? PATCH_NOWHERE : patch_origin(&r->patch, offset, spot);
}

static spot_path way_of(const repair *r, const flaw_path *w) {
  spot_path way = {.count = w->count};
  for (size_t i = 0; i < w->count; i++) {
    uint32_t spot = PATCH_NO_SPOT;
    const size_t offset =
        w->steps[i].line == 0 ? PATCH_NOWHERE : origin_of(r, w->steps[i].line, w->steps[i].column, &spot);
    const repair_spot *split = spot == PATCH_NO_SPOT ? NULL : &r->spots->items[spot];
    way.tokens[i] = offset == PATCH_NOWHERE ? NO_TOKEN
                    : split == NULL         ? spots_token(r->spots, offset)
                    : split->kind == SPOT_SPLIT || split->kind == SPOT_ATOMIC /* what it stores to */ ? split->token
                                                                                                      : NO_TOKEN;
  }
  return way;
}

void learn_lines(const repair *r, const flaw *f, uint32_t lines[2]) {
  for (size_t i = 0; i < 2; i++) {
    const flaw_path *w = &f->ways[i];
    uint32_t spot = PATCH_NO_SPOT;
    const size_t last = w->count == 0 ? 0 : w->count - 1;
    const size_t offset = w->count == 0 || w->steps[last].line == 0
                              ? PATCH_NOWHERE
                              : origin_of(r, w->steps[last].line, w->steps[last].column, &spot);
    lines[i] = offset == PATCH_NOWHERE ? 0 : line_at(r->text, offset);
  }
}

/* --- races -------------------------------------------------------------------------------------------------------- */

/* Those that are closed are none to try, but it is said that they are there. */
typedef struct places {
  const repair *repair;
  hitting_clause *clause;
  bool closed;
} places;

static void allow(places *p, uint32_t spot) {
  if (p->repair->spots->items[spot].closed)
    p->closed = true;
  else
    hitting_set_allow(p->clause, spot);
}

static const char *const outside = "what could be changed is not in the lines of --lines";

static uint32_t last_of(const spot_path *w) { return w->count == 0 ? NO_TOKEN : w->tokens[w->count - 1]; }

static void allow_updates(const repair *r, const uint32_t tokens[2], const unsigned *flags, places *p) {
  for (uint32_t i = 0; i < r->spots->count; i++) {
    const repair_spot *s = &r->spots->items[i];
    const bool one = s->kind == SPOT_ATOMIC && flags[i] == 0;
    if (one && ((tokens[0] != NO_TOKEN && span_has(s->statement->tokens, tokens[0])) ||
                (tokens[1] != NO_TOKEN && span_has(s->statement->tokens, tokens[1]))))
      allow(p, i);
  }
}

/* Waits for the copy that has one token, in front of the other one if that stands after it in the block. */
static void allow_waits(const repair *r, uint32_t token, uint32_t other, const unsigned *flags, places *p) {
  for (uint32_t i = 0; i < r->spots->count; i++) {
    const repair_spot *s = &r->spots->items[i];
    if (s->kind != SPOT_WAIT || token == NO_TOKEN || !span_has(s->copy->tokens, token) || flags[i] != 0) continue;
    const bool behind = other != NO_TOKEN && other > s->copy->tokens.last && span_has(s->copy->parent->tokens, other);
    if (!behind || s->token <= other) allow(p, i);
  }
}

/* A wait for too few events between the copy that has one token and the other one. */
static void allow_counts(const repair *r, uint32_t token, uint32_t other, const unsigned *flags, places *p) {
  const tree_node *n = token == NO_TOKEN ? NULL : tree_statement_of(tree_innermost(r->spots->tree, token));
  for (uint32_t i = 0; i < r->spots->count && n != NULL && wait_is_copy(r->spots->text, n); i++) {
    const repair_spot *s = &r->spots->items[i];
    if (s->kind == SPOT_COUNT && flags[i] == 0 && s->token > token && s->token < other && wait_has(n, s->statement))
      allow(p, i);
  }
}

/* The first token of a copy among two; NO_TOKEN: neither is one. */
static uint32_t copy_among(const repair *r, const uint32_t tokens[2]) {
  for (size_t k = 0; k < 2; k++) {
    const tree_node *n = tokens[k] == NO_TOKEN ? NULL : tree_statement_of(tree_innermost(r->spots->tree, tokens[k]));
    if (n != NULL && wait_is_copy(r->spots->text, n)) return n->tokens.first;
  }
  return NO_TOKEN;
}

/* What else is in the way where there is nothing to try. */
static const char *refusal_of(const repair *r, const uint32_t tokens[2], const char *otherwise) {
  for (size_t k = 0; k < 2 && r->atomics; k++) {
    const tree_node *n = tokens[k] == NO_TOKEN ? NULL : tree_statement_of(tree_innermost(r->spots->tree, tokens[k]));
    update ignored;
    const char *why = NULL;
    if (n != NULL && !update_find(r->spots->text, n, &ignored, &why) && why != NULL) return why;
  }
  return otherwise;
}

static repair_outcome learn_race(repair *r, size_t kernel, const unsigned *flags, const char **why) {
  const flaw *f = &r->kernels[kernel].last;
  if (f->fence == 0) {
    *why = "the accesses are to memory that the fences of a barrier do not order";
    return REPAIR_NO_PLACE;
  }
  const spot_path a = way_of(r, &f->ways[0]), b = way_of(r, &f->ways[1]);
  const uint32_t tokens[2] = {last_of(&a), last_of(&b)};
  const uint32_t copy = copy_among(r, tokens); /* only what is in front of it can be ordered by a barrier */
  bool *marked = mem_calloc(r->spots->count + 1, sizeof *marked);
  spots_between(r->spots, &a, &b, marked);
  places p = {r, hitting_set_add(&r->set, f->fence, kernel), false};
  for (uint32_t i = 0; i < r->spots->count; i++) {
    const repair_spot *s = &r->spots->items[i];
    if (marked[i] && (flags[i] & f->fence) == 0 && (spots_is_place(s) || s->kind == SPOT_BARRIER) &&
        (copy == NO_TOKEN || s->token <= copy))
      allow(&p, i);
  }
  free(marked);
  allow_updates(r, tokens, flags, &p);
  allow_waits(r, tokens[0], tokens[1], flags, &p);
  allow_waits(r, tokens[1], tokens[0], flags, &p);
  allow_counts(r, tokens[0], tokens[1], flags, &p);
  allow_counts(r, tokens[1], tokens[0], flags, &p);
  if (p.clause->count == 0) {
    static const char between[] =
        "no statement stands between the two accesses in front of which a barrier of the file can be";
    static const char same[] = "both accesses are of one statement, and no barrier can come between them";
    *why = p.closed ? outside : refusal_of(r, tokens, tokens[0] == tokens[1] ? same : between);
    return REPAIR_NO_PLACE;
  }
  return REPAIR_DONE;
}

const char *learn_why_between(const repair *r, const flaw *f) {
  const spot_path a = way_of(r, &f->ways[0]), b = way_of(r, &f->ways[1]);
  const uint32_t tokens[2] = {last_of(&a), last_of(&b)};
  return refusal_of(r, tokens, "no barrier orders work-items of different groups");
}

/* Between groups only atomic functions help. */
static repair_outcome learn_between(repair *r, size_t kernel, const unsigned *flags, const char **why) {
  const flaw *f = &r->kernels[kernel].last;
  const spot_path a = way_of(r, &f->ways[0]), b = way_of(r, &f->ways[1]);
  const uint32_t tokens[2] = {last_of(&a), last_of(&b)};
  places p = {r, hitting_set_add(&r->set, FENCE_GLOBAL, kernel), false};
  allow_updates(r, tokens, flags, &p);
  *why = p.closed ? outside : learn_why_between(r, f);
  if (p.clause->count > 0) return REPAIR_DONE;
  r->set.count--; /* nothing to choose from: what is wrong inside of groups is looked at without it */
  return REPAIR_BETWEEN;
}

/* --- divergence --------------------------------------------------------------------------------------------------- */

static bool has_jump(const tree_node *n, uint32_t until) {
  for (const tree_node *c = n; c != NULL; c = tree_next(n, c)) {
    const bool jump =
        c->kind == TREE_RETURN || c->kind == TREE_BREAK || c->kind == TREE_CONTINUE || c->kind == TREE_GOTO;
    if (jump && c->token < until) return true;
  }
  return false;
}

/* Where not all work-items come to a place, they do not come to those that follow on it either; in a branch without
 * jumps they do not come to any other. */
static void ban_around(repair *r, uint32_t number, size_t kernel) {
  const repair_spot *s = &r->spots->items[number];
  const tree_node *around = s->statement->parent;
  const bool bare = around->kind != TREE_COMPOUND;
  const tree_node *branch = bare ? s->statement : around;
  const bool of_if = branch->parent != NULL && branch->parent->kind == TREE_IF;
  const uint32_t from = of_if && !has_jump(branch, s->token) ? branch->tokens.first : s->token;
  for (size_t i = 0; i < r->spots->count; i++) {
    const repair_spot *other = &r->spots->items[i];
    if (other->kind != SPOT_BARRIER && other->token >= from && other->token <= branch->tokens.last + (bare ? 1 : 0) &&
        r->set.banned[i] == 0)
      r->set.banned[i] = kernel + 1;
  }
}

/* A wait of the user that can go after the `if` around it. False: there is none at the token. */
static bool move_wait(repair *r, uint32_t token, size_t kernel) {
  for (uint32_t i = 0; i < r->spots->count; i++) {
    const repair_spot *s = &r->spots->items[i];
    if (s->kind == SPOT_MOVED && !s->closed && span_has(s->statement->tokens, token)) {
      hitting_set_allow(hitting_set_add(&r->set, FENCES, kernel), i);
      return true;
    }
  }
  return false;
}

static repair_outcome learn_divergence(repair *r, size_t kernel, const char **why) {
  const flaw_path *w = &r->kernels[kernel].last.ways[0];
  uint32_t spot = PATCH_NO_SPOT;
  size_t offset = PATCH_NOWHERE;
  for (size_t i = w->count; i-- > 0 && offset == PATCH_NOWHERE;)
    offset = w->steps[i].line == 0 ? PATCH_NOWHERE : origin_of(r, w->steps[i].line, w->steps[i].column, &spot);
  if (spot != PATCH_NO_SPOT && r->spots->items[spot].kind != SPOT_BARRIER && r->spots->items[spot].kind != SPOT_MOVED) {
    ban_around(r, spot, kernel);
    return REPAIR_DONE;
  }
  if (!r->kernels[kernel].last.definite) {
    *why = "whether all work-items come to it is not known, and what may be right is not taken out";
    return REPAIR_NO_PLACE;
  }
  const uint32_t token = offset == PATCH_NOWHERE ? NO_TOKEN : spots_token(r->spots, offset);
  const bool moved = spot != PATCH_NO_SPOT && r->spots->items[spot].kind == SPOT_MOVED;
  const size_t barrier = moved                   ? SIZE_MAX
                         : spot != PATCH_NO_SPOT ? spot
                         : token == NO_TOKEN     ? SIZE_MAX
                                                 : spots_barrier_at(r->spots, token);
  if (spot == PATCH_NO_SPOT && token != NO_TOKEN && move_wait(r, token, kernel)) return REPAIR_DONE;
  if (barrier == SIZE_MAX) {
    *why = "not all work-items come to it, and it is no call of barrier in this file that could be moved";
    return REPAIR_NO_PLACE;
  }
  if (r->spots->items[barrier].statement == NULL) {
    *why = "the barrier is no statement of its own, or comes from a macro";
    return REPAIR_NO_PLACE;
  }
  if (r->spots->items[barrier].closed) {
    *why = outside;
    return REPAIR_NO_PLACE;
  }
  if (r->set.banned[barrier] != 0) {
    *why = "the barrier cannot be taken out";
    return REPAIR_NO_PLACE;
  }
  r->set.banned[barrier] = kernel + 1;
  return REPAIR_DONE;
}

repair_outcome learn(repair *r, size_t kernel, const unsigned *flags, const char **why) {
  switch (r->kernels[kernel].last.kind) {
    case FLAW_RACE: return learn_race(r, kernel, flags, why);
    case FLAW_DIVERGENCE: return learn_divergence(r, kernel, why);
    case FLAW_BETWEEN: return learn_between(r, kernel, flags, why);
    default: *why = "the engine cannot decide it with the barriers that were tried"; return REPAIR_UNDECIDED;
  }
}
