/* Counterexamples to clauses and to places where no barrier may stand. */
#include "repair/learn.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "repair/wait.h"

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
    lines[i] = offset == PATCH_NOWHERE ? 0 : text_line(r->text, offset);
  }
}

/* --- races -------------------------------------------------------------------------------------------------------- */

/* Those that are closed are none to try, but it is said that they are there. */
typedef struct places {
  const repair *repair;
  cover_clause *clause;
  bool closed;
} places;

static void allow(places *p, uint32_t spot) {
  if (p->repair->spots->items[spot].closed) {
    p->closed = true;
  } else {
    cover_allow(p->clause, spot);
  }
}

static const char *const outside = "what could be changed is not in the lines of --lines";

static uint32_t last_of(const spot_path *w) { return w->count == 0 ? NO_TOKEN : w->tokens[w->count - 1]; }

static void allow_updates(const repair *r, const uint32_t tokens[2], const unsigned *flags, places *p) {
  for (uint32_t i = 0; i < r->spots->count; i++) {
    const repair_spot *s = &r->spots->items[i];
    const bool one = s->kind == SPOT_ATOMIC && flags[i] == 0;
    if (one && ((tokens[0] != NO_TOKEN && span_has(s->statement->tokens, tokens[0])) ||
                (tokens[1] != NO_TOKEN && span_has(s->statement->tokens, tokens[1])))) {
      allow(p, i);
    }
  }
}

/* Waits for the copy that has one token, in front of the other one if that stands after it in the block. */
static void allow_waits(const repair *r, uint32_t token, uint32_t other, const unsigned *flags, places *p) {
  for (uint32_t i = 0; i < r->spots->count; i++) {
    const repair_spot *s = &r->spots->items[i];
    if (s->kind != SPOT_WAIT || token == NO_TOKEN || !span_has(s->copy->tokens, token) || flags[i] != 0) {
      continue;
    }
    const bool behind = other != NO_TOKEN && other > s->copy->tokens.last && span_has(s->copy->parent->tokens, other);
    if (!behind || s->token <= other) {
      allow(p, i);
    }
  }
}

/* A wait for too few events between the copy that has one token and the other one. */
static void allow_counts(const repair *r, uint32_t token, uint32_t other, const unsigned *flags, places *p) {
  const tree_node *n = token == NO_TOKEN ? NULL : tree_statement_of(tree_innermost(r->spots->tree, token));
  for (uint32_t i = 0; i < r->spots->count && n != NULL && wait_is_copy(r->spots->text, n); i++) {
    const repair_spot *s = &r->spots->items[i];
    if (s->kind == SPOT_COUNT && flags[i] == 0 && s->token > token && s->token < other && wait_has(n, s->statement)) {
      allow(p, i);
    }
  }
}

/* The first token of a copy among two; NO_TOKEN: neither is one. */
static uint32_t copy_among(const repair *r, const uint32_t tokens[2]) {
  for (size_t k = 0; k < 2; k++) {
    const tree_node *n = tokens[k] == NO_TOKEN ? NULL : tree_statement_of(tree_innermost(r->spots->tree, tokens[k]));
    if (n != NULL && wait_is_copy(r->spots->text, n)) {
      return n->tokens.first;
    }
  }
  return NO_TOKEN;
}

/* What else is in the way where there is nothing to try. */
static const char *refusal_of(const repair *r, const uint32_t tokens[2], const char *otherwise) {
  for (size_t k = 0; k < 2 && r->atomics; k++) {
    const tree_node *n = tokens[k] == NO_TOKEN ? NULL : tree_statement_of(tree_innermost(r->spots->tree, tokens[k]));
    update ignored;
    const char *why = NULL;
    if (n != NULL && !update_find(r->spots->text, n, &ignored, &why) && why != NULL) {
      return why;
    }
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
  places p = {r, cover_add(&r->cover, f->fence, kernel), false};
  for (uint32_t i = 0; i < r->spots->count; i++) {
    const repair_spot *s = &r->spots->items[i];
    if (marked[i] && (flags[i] & f->fence) == 0 && (spots_is_place(s) || s->kind == SPOT_BARRIER) &&
        (copy == NO_TOKEN || s->token <= copy)) {
      allow(&p, i);
    }
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
  places p = {r, cover_add(&r->cover, FENCE_GLOBAL, kernel), false};
  allow_updates(r, tokens, flags, &p);
  *why = p.closed ? outside : learn_why_between(r, f);
  if (p.clause->count > 0) {
    return REPAIR_DONE;
  }
  r->cover.count--; /* nothing to choose from: what is wrong inside of groups is looked at without it */
  return REPAIR_BETWEEN;
}

/* --- divergence --------------------------------------------------------------------------------------------------- */

static bool has_jump(const tree_node *n, uint32_t until) {
  for (const tree_node *c = n; c != NULL; c = tree_next(n, c)) {
    const bool jump =
        c->kind == TREE_RETURN || c->kind == TREE_BREAK || c->kind == TREE_CONTINUE || c->kind == TREE_GOTO;
    if (jump && c->token < until) {
      return true;
    }
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
        r->cover.banned[i] == 0) {
      r->cover.banned[i] = kernel + 1;
    }
  }
}

/* A wait of the user that can go after the `if` around it. False: there is none at the token. */
static bool move_wait(repair *r, uint32_t token, size_t kernel) {
  for (uint32_t i = 0; i < r->spots->count; i++) {
    const repair_spot *s = &r->spots->items[i];
    if (s->kind == SPOT_MOVED && !s->closed && span_has(s->statement->tokens, token)) {
      cover_allow(cover_add(&r->cover, FENCES, kernel), i);
      return true;
    }
  }
  return false;
}

static repair_outcome learn_divergence(repair *r, size_t kernel, const char **why) {
  const flaw_path *w = &r->kernels[kernel].last.ways[0];
  uint32_t spot = PATCH_NO_SPOT;
  size_t offset = PATCH_NOWHERE;
  for (size_t i = w->count; i-- > 0 && offset == PATCH_NOWHERE;) {
    offset = w->steps[i].line == 0 ? PATCH_NOWHERE : origin_of(r, w->steps[i].line, w->steps[i].column, &spot);
  }
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
  if (spot == PATCH_NO_SPOT && token != NO_TOKEN && move_wait(r, token, kernel)) {
    return REPAIR_DONE;
  }
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
  if (r->cover.banned[barrier] != 0) {
    *why = "the barrier cannot be taken out";
    return REPAIR_NO_PLACE;
  }
  r->cover.banned[barrier] = kernel + 1;
  return REPAIR_DONE;
}

repair_outcome learn(repair *r, size_t kernel, const unsigned *flags, const char **why) {
  switch (r->kernels[kernel].last.kind) {
    case FLAW_RACE:
      return learn_race(r, kernel, flags, why);
    case FLAW_DIVERGENCE:
      return learn_divergence(r, kernel, why);
    case FLAW_BETWEEN:
      return learn_between(r, kernel, flags, why);
    default:
      *why = "the engine cannot decide it with the barriers that were tried";
      return REPAIR_UNDECIDED;
  }
}
