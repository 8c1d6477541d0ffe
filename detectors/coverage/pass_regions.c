/* Regions: the code that runs together, the sites that decide it, and the layout of the bits that kernels report. */
#include <stdlib.h>
#include <string.h>

#include "frontend/facts/launch.h"
#include "instrument/discover.h"
#include "instrument/program_internal.h"

/* --- regions --------------------------------------------------------------------------------------------------- */

uint32_t new_region(walk *w, uint32_t site, uint32_t first, uint32_t second) {
  region *r = ARRAY_ADD(w->regions, w->region_count, w->region_capacity);
  r->terms[r->count++] = (model_term){site, first};
  if (second != NONE) r->terms[r->count++] = (model_term){site, second};
  return (uint32_t)(w->region_count - 1);
}

static void paint(walk *w, span tokens, uint32_t region_index) {
  uint32_t base = w->f->body.first;
  for (uint32_t t = tokens.first; t <= tokens.last && !span_empty(tokens); t++)
    w->token_region[t - base] = region_index;
}

/* Code with a bit of its own. `begins`: the statement that it begins with, NULL for part of an expression. */
static uint32_t bit_region(walk *w, uint32_t token, uint32_t last, const tree_node *begins, span wrapped) {
  bool is_new = false;
  instance *i = add_instance(w, SITE_REGION, token, last, 1, &is_new);
  i->node = begins;
  i->wrapped = wrapped;
  if (is_new) add_outcome(w->p, i->site, OUTCOME_EXECUTED, "executed", 0);
  return new_region(w, i->site, OUTCOME_EXECUTED, NONE);
}

/* --- statements ------------------------------------------------------------------------------------------------ */

static bool is_within(const tree_node *n, const tree_node *outer) {
  while (n != NULL && n != outer) n = n->parent;
  return n != NULL;
}

/* Whether control may leave statement `s` by a jump, so that what follows it may be missed. */
static bool may_jump(const tree_node *s) {
  for (const tree_node *n = s; n != NULL; n = next_statement(s, n)) {
    if (n->kind == TREE_RETURN || n->kind == TREE_GOTO) return true;
    if (n->kind != TREE_BREAK && n->kind != TREE_CONTINUE) continue;
    const tree_node *target = statement_around(n);
    while (target != NULL && !tree_is_loop(target->kind) && !(n->kind == TREE_BREAK && target->kind == TREE_SWITCH))
      target = statement_around(target);
    if (!is_within(target, s)) return true;
  }
  return false;
}

/* Whether control may come into statement `s` past its own labels, so that what follows it may be executed without what
 * is before it. */
static bool may_be_entered(const walk *w, const tree_node *s) {
  while (s != NULL && is_label(s)) s = statement_body(s);
  return s != NULL && jumped_into(&w->f->statements, s);
}

static void walk_if(walk *w, const tree_node *s) {
  const span tokens = statement_condition(s);
  const tree_node *body = statement_body(s);
  const tree_node *otherwise = statement_otherwise(s);
  bool is_new = false;
  uint32_t outcomes = path_count(w, s, tokens) > 0 ? 0 : 2;
  instance *i = add_instance(w, SITE_IF, statement_begin(s), s->parts->close, outcomes, &is_new);
  i->node = s;
  uint32_t site = i->site;
  if (is_new) {
    add_outcome(w->p, site, OUTCOME_TRUE, "true", 0);
    add_outcome(w->p, site, OUTCOME_FALSE, "false", 0);
  }
  (void)walk_statement_at(w, body, new_region(w, site, OUTCOME_TRUE, NONE));
  if (otherwise != NULL) {
    uint32_t no = new_region(w, site, OUTCOME_FALSE, NONE);
    paint(w, (span){body->tokens.last + 1, statement_tokens(otherwise).first}, no);
    (void)walk_statement_at(w, otherwise, no);
  }
}

static const char *const loop_labels[] = {"0 iterations", "1 iteration", ">1 iterations", "boundary"};

/* The header of a loop whose body is jumped into: what is repeated of it has evidence of its own. */
static void walk_repeated_header(walk *w, const tree_node *s, uint32_t site) {
  const span tokens = statement_condition(s);
  if (s->kind == TREE_DO) return;
  if (span_empty(tokens)) { /* for (;;) */
    paint(w, (span){s->parts->ends[1], s->parts->ends[1]}, new_region(w, site, OUTCOME_MANY, NONE));
    return;
  }
  span header = s->kind == TREE_FOR ? tokens : (span){statement_begin(s), s->parts->close};
  paint(w, header, bit_region(w, tokens.first - 1, tokens.last, NULL, tokens));
}

/* A body that is jumped into: what stands before its first label has a bit of its own. */
static uint32_t walk_top_of_body(walk *w, const tree_node *body, uint32_t region_index) {
  uint32_t first = statement_begin(body);
  return is_label(body) ? region_index : bit_region(w, first, first, body, (span){1, 0});
}

/* `do { … } while (0)`: its body runs where the statement does. */
static void walk_done_once(walk *w, const tree_node *s, uint32_t region_index) {
  const tree_node *body = statement_body(s);
  (void)walk_statement_at(w, body, region_index);
  if (jumped_into(&w->f->statements, body)) {
    const span zero = statement_condition(s);
    paint(w, (span){body->tokens.last + 1, s->tokens.last}, bit_region(w, zero.first - 1, zero.last, NULL, zero));
  }
}

static uint32_t add_loop(walk *w, const tree_node *s) {
  const site_kind kind = s->kind == TREE_FOR ? SITE_FOR : s->kind == TREE_DO ? SITE_DO : SITE_WHILE;
  const uint32_t begin = statement_begin(s);
  bool is_new = false;
  instance *i = add_instance(w, kind, begin, kind == SITE_DO ? begin : s->parts->close, 4, &is_new);
  i->node = s;
  const uint32_t site = i->site;
  const bool decides = !span_empty(statement_condition(s));
  const bool jumped = jumped_into(&w->f->statements, statement_body(s));
  const int64_t turns = jumped ? -1 : turns_always(s, w->f->node);
  uint32_t *known = &w->p->out->model.sites[site].turns;
  *known = turns >= 0 && (is_new || *known == (uint32_t)turns) ? (uint32_t)turns : MODEL_NONE;
  for (uint32_t k = OUTCOME_ZERO; is_new && k <= OUTCOME_BOUNDARY; k++)
    if ((k != OUTCOME_ZERO || (decides && kind != SITE_DO)) && (k != OUTCOME_BOUNDARY || decides))
      add_outcome(w->p, site, k, loop_labels[k], 0);
  return site;
}

static void walk_loop(walk *w, const tree_node *s) {
  const uint32_t site = add_loop(w, s);
  const tree_node *loop_body = statement_body(s);
  const span step = statement_step(s);
  uint32_t body = new_region(w, site, OUTCOME_ONE, OUTCOME_MANY);
  if (!span_empty(step)) {
    const pp_token *tokens = w->u->text.tokens;
    if (shown_at(&tokens[step.first])->line != shown_at(&tokens[statement_begin(s)])->line)
      paint(w, step, bit_region(w, step.first, step.last, NULL, step));
  }
  if (s->kind == TREE_DO) paint(w, (span){loop_body->tokens.last + 1, s->tokens.last}, body);
  if (!jumped_into(&w->f->statements, loop_body)) {
    (void)walk_statement_at(w, loop_body, body);
    return;
  }
  walk_repeated_header(w, s, site);
  (void)walk_statement_at(w, loop_body, walk_top_of_body(w, loop_body, body));
  if (loop_body->kind == TREE_COMPOUND) paint(w, (span){loop_body->tokens.last, loop_body->tokens.last}, body);
}

static void name_case(walk *w, uint32_t site, uint32_t outcome, const tree_node *label) {
  const pp_result *text = &w->u->text;
  const span value = statement_condition(label);
  buffer name = {0};
  buffer_puts(&name, "case ");
  buffer_append(&name, text->text + text->tokens[value.first].begin,
                text->tokens[value.last].end - text->tokens[value.first].begin);
  add_outcome(w->p, site, outcome, buffer_text(&name), text->tokens[value.first].spelled.line);
  buffer_free(&name);
}

static void walk_switch(walk *w, const tree_node *s, uint32_t region_index) {
  size_t count = 0;
  const tree_node **labels = cases_of_switch(&w->f->statements, s, &count);
  uint32_t outcomes = 1;
  for (size_t k = 0; k < count; k++) outcomes += labels[k]->kind == TREE_CASE ? 1 : 0;
  bool is_new = false;
  instance *i = add_instance(w, SITE_SWITCH, statement_begin(s), s->parts->close, outcomes, &is_new);
  i->node = s;
  const uint32_t site = i->site;
  uint32_t outcome = 0;
  for (size_t k = 0; k < count; k++) {
    const bool fallback = labels[k]->kind == TREE_DEFAULT;
    w->selected[statement_begin(labels[k]) - w->f->body.first] = (model_term){site, fallback ? outcomes - 1 : outcome};
    if (!fallback && is_new) name_case(w, site, outcome, labels[k]);
    outcome += fallback ? 0 : 1;
  }
  if (is_new) add_outcome(w->p, site, outcomes - 1, "default", 0);
  free(labels);
  (void)walk_statement_at(w, statement_body(s), region_index);
}

/* Whether a statement always ends in a jump, so that nothing gets from it to the next one. */
static bool jumps_away(const tree_node *s) {
  while (is_label(s) && statement_body(s) != NULL) s = statement_body(s);
  return s->kind == TREE_BREAK || s->kind == TREE_RETURN || s->kind == TREE_GOTO || s->kind == TREE_CONTINUE;
}

/* Whether the code of the case label `s` is executed when its switch selects it and not else: it stands at the top of
 * the switch's body, and `before`, the statement that stands before it there, does not lead to it. */
static bool only_selected(const tree_node *s, const tree_node *before) {
  return is_case(s) && s->parent->kind == TREE_COMPOUND && s->parent->parent->kind == TREE_SWITCH &&
         (before == NULL || jumps_away(before));
}

/* A label's code has a bit of its own if a statement can be put after the colon. Returns the region after it. */
static uint32_t walk_label(walk *w, const tree_node *s, uint32_t region_index) {
  const tree_node *inner = s;
  while (is_label(inner->parent)) inner = inner->parent;
  if (inner->parent->kind == TREE_COMPOUND || needs_braces(&w->f->statements, inner)) {
    region_index = bit_region(w, statement_begin(s), s->parts->colon, s, (span){1, 0});
    paint(w, statement_tokens(s), region_index);
  }
  const tree_node *body = statement_body(s);
  return body == NULL ? region_index : walk_statement_at(w, body, region_index);
}

/* A part of `s` after `before`; returns the region that follows it. */
static uint32_t walk_child(walk *w, const tree_node *n, const tree_node *before, uint32_t region_index) {
  if (!only_selected(n, before)) return walk_statement_at(w, n, region_index);
  const model_term selected = w->selected[statement_begin(n) - w->f->body.first];
  const tree_node *body = statement_body(n);
  region_index = new_region(w, selected.site, selected.outcome, NONE);
  paint(w, statement_tokens(n), region_index);
  return body == NULL ? region_index : walk_statement_at(w, body, region_index);
}

static void walk_children(walk *w, const tree_node *s, uint32_t region_index) {
  bool missed = false;
  const tree_node *before = NULL;
  for (const tree_node *n = next_statement(s, s); n != NULL; n = next_statement(s, n)) {
    if (statement_around(n) != s) continue;
    if (missed && !is_label(n)) region_index = bit_region(w, statement_begin(n), statement_begin(n), n, (span){1, 0});
    region_index = walk_child(w, n, before, region_index);
    before = n;
    missed = may_jump(n) || may_be_entered(w, n);
  }
  const span tokens = statement_tokens(s);
  uint32_t first = w->token_region[tokens.first - w->f->body.first];
  /* what was jumped into is left, too, and nothing can be put in front of the bracket */
  const bool entered = before != NULL && may_be_entered(w, before) && !may_jump(before);
  uint32_t last = jumped_into(&w->f->statements, s) && !entered ? region_index : first;
  paint(w, (span){tokens.last, tokens.last}, last);
}

uint32_t walk_statement_at(walk *w, const tree_node *s, uint32_t region_index) {
  paint(w, statement_tokens(s), region_index);
  switch (s->kind) {
    case TREE_IF: walk_if(w, s); break;
    case TREE_FOR:
    case TREE_WHILE:
    case TREE_DO:
      if (is_done_once(s))
        walk_done_once(w, s, region_index);
      else
        walk_loop(w, s);
      break;
    case TREE_SWITCH: walk_switch(w, s, region_index); break;
    case TREE_CASE:
    case TREE_DEFAULT:
    case TREE_LABEL: return walk_label(w, s, region_index);
    default: walk_children(w, s, region_index); break;
  }
  return region_index;
}

/* --- expressions ------------------------------------------------------------------------------------------------- */

void walk_conditionals(walk *w) {
  for (size_t n = 0; n < w->conditional_count; n++) {
    const tree_node *node = w->conditionals[n];
    const conditional c = read_conditional(node);
    bool is_new = false;
    uint32_t outcomes = c.kept == NULL && c.components == 1 && path_count(w, node, c.condition) > 0 ? 0 : 2;
    instance *i = add_instance(w, SITE_CONDITIONAL, c.question, c.no.last, outcomes, &is_new);
    i->node = node;
    if (is_new) {
      add_outcome(w->p, i->site, OUTCOME_TRUE, "true", 0);
      add_outcome(w->p, i->site, OUTCOME_FALSE, "false", 0);
    }
    if (c.components == 1) {
      uint32_t site = i->site;
      if (c.kept == NULL) paint(w, (span){c.question, c.yes.last}, new_region(w, site, OUTCOME_TRUE, NONE));
      paint(w, (span){c.colon, c.no.last}, new_region(w, site, OUTCOME_FALSE, NONE));
    }
  }
}

void walk_right_operands(walk *w) {
  const pp_token *tokens = w->u->text.tokens;
  for (size_t d = 0; d < w->f->decision_count; d++) {
    const uint32_t token = w->f->decisions[d]->token;
    const span right = right_operand(w->f->decisions[d]);
    if (shown_at(&tokens[right.first])->line != shown_at(&tokens[token - 1])->line) {
      uint32_t r = bit_region(w, right.first, right.last, NULL, right);
      paint(w, right, r);
      if (shown_at(&tokens[token])->line == shown_at(&tokens[right.first])->line) paint(w, (span){token, token}, r);
    }
  }
}

/* Barriers of a sub-group are not looked at. */
static bool is_group_barrier(const tree_node *n) {
  return n->kind == TREE_CALL && n->builtin != NULL && n->builtin->kind == TREE_BARRIER &&
         strcmp(n->symbol->name, "sub_group_barrier") != 0;
}

void walk_barriers(walk *w) {
  for (const tree_node *n = w->f->node; n != NULL; n = tree_next(w->f->node, n)) {
    const span around = is_group_barrier(n) ? token_parentheses(&w->u->text, n->token) : (span){1, 0};
    if (!span_empty(around)) {
      bool is_new = false;
      instance *i = add_instance(w, SITE_BARRIER, n->token, around.last, 0, &is_new);
      i->node = n;
      if (is_new) add_outcome(w->p, i->site, OUTCOME_COVERED, "executed by every work-item of a work-group", 0);
    }
  }
}

void walk_async_calls(walk *w) {
  for (const tree_node *n = w->f->node; n != NULL; n = tree_next(w->f->node, n)) {
    if (n->kind == TREE_CALL && !n->not_executed && n->builtin != NULL &&
        (n->builtin->kind == TREE_ASYNC_COPY || n->builtin->kind == TREE_ASYNC_WAIT)) {
      bool is_new = false;
      add_instance(w, SITE_ASYNC, n->token, n->tokens.last, 0, &is_new)->node = n;
    }
  }
}

/* What each kernel reports: the bits of all functions that it reaches, one bit a barrier (covered) and one a plane
 * (diverged), and the records of divergence. */

/* The outcome that bit `offset` of an instance stands for. */
static uint32_t outcome_of(const instance *i, uint32_t offset) {
  if (i->kind == SITE_DECISION) return i->paths[offset];
  return i->kind == SITE_FUNCTION || i->kind == SITE_REGION ? 0 : offset;
}

static void add_function_bits(const program *p, uint32_t function_index, instrument_kernel *k) {
  const function *f = &p->functions[function_index];
  size_t base = k->bit_count;
  *ARRAY_ADD(k->parts, k->part_count, k->part_capacity) = (instrument_part){function_index, (uint32_t)base};
  k->bits = mem_realloc(k->bits, (base + f->bits) * sizeof *k->bits);
  k->bit_count += f->bits;
  for (size_t b = base; b < k->bit_count; b++) k->bits[b] = (model_term){MODEL_NONE, 0};
  for (size_t i = 0; i < f->instance_count; i++) {
    const instance *in = &f->instances[i];
    const bool silent = in->in_slots && is_meeting(in->kind); /* executed by one is not covered */
    for (uint32_t b = 0; b < in->outcomes && !silent; b++)
      k->bits[base + in->bit + b] = (model_term){in->site, outcome_of(in, b)};
  }
  k->implied = mem_realloc(k->implied, (k->implied_count + f->implied_count) * sizeof *k->implied);
  for (size_t i = 0; i < f->implied_count; i++)
    k->implied[k->implied_count++] = (instrument_implication){(uint32_t)base + f->implied[i].bit, f->implied[i].term};
}

static int compare_implications(const void *a, const void *b) {
  const uint32_t left = ((const instrument_implication *)a)->bit;
  const uint32_t right = ((const instrument_implication *)b)->bit;
  return (left > right) - (left < right);
}

/* Adds the guards of every call of `callee` within the kernel's functions, and of calls of its callers in turn. */
static void add_call_guards(const program *p, const uint32_t *reach, size_t reach_count, uint32_t callee, bool *planes,
                            bool *visited) {
  if (visited[callee]) return;
  visited[callee] = true;
  for (size_t i = 0; i < reach_count; i++) {
    const function *f = &p->functions[reach[i]];
    for (size_t k = 0; k < f->point_count; k++) {
      if (f->points[k].callee == callee) {
        for (size_t g = 0; g < f->points[k].guard_count; g++) planes[f->points[k].guards[g]] = true;
        add_call_guards(p, reach, reach_count, reach[i], planes, visited);
      }
    }
  }
}

static void set_guards(const program *p, const uint32_t *reach, size_t reach_count, uint32_t function_index,
                       uint32_t instance_index, instrument_plane *barrier) {
  bool *planes = mem_calloc(p->plane_count, sizeof *planes);
  bool *visited = mem_calloc(p->function_count, sizeof *visited);
  const function *f = &p->functions[function_index];
  for (size_t i = 0; i < f->point_count; i++)
    for (size_t g = 0; f->points[i].instance == instance_index && g < f->points[i].guard_count; g++)
      planes[f->points[i].guards[g]] = true;
  add_call_guards(p, reach, reach_count, function_index, planes, visited);
  size_t capacity = 0;
  uint32_t record = 0;
  for (size_t i = 0; i < p->plane_count; i++) {
    bool reached = false;
    for (size_t r = 0; r < reach_count; r++) reached = reached || reach[r] == p->planes[i].function;
    if (reached && planes[i]) *ARRAY_ADD(barrier->guards, barrier->guard_count, capacity) = record;
    record += reached ? 1 : 0;
  }
  free(planes);
  free(visited);
}

static void add_planes(const program *p, const uint32_t *reach, size_t reach_count, instrument_kernel *k) {
  size_t capacity = 0;
  for (size_t i = 0; i < p->plane_count; i++) {
    bool reached = false;
    for (size_t r = 0; r < reach_count; r++) reached = reached || reach[r] == p->planes[i].function;
    if (!reached) continue;
    const instance *in = &p->functions[p->planes[i].function].instances[p->planes[i].instance];
    instrument_plane *added = ARRAY_ADD(k->planes, k->plane_count, capacity);
    added->site = in->site;
    added->record = (uint32_t)(k->plane_count - 1);
    added->barrier = in->kind == SITE_BARRIER;
    added->async = in->kind == SITE_ASYNC;
    added->arguments = p->planes[i].arguments;
    if (is_meeting(in->kind)) set_guards(p, reach, reach_count, p->planes[i].function, p->planes[i].instance, added);
  }
}

void lay_out_kernels(program *p) {
  for (size_t n = 0; n < p->kernel_count; n++) {
    instrument_kernel *k = &p->out->kernels[n];
    size_t count = 0;
    uint32_t *reach = reachable_functions(p, p->kernel_functions[n], &count);
    for (size_t i = 0; i < count; i++) add_function_bits(p, reach[i], k);
    if (k->implied_count > 1) qsort(k->implied, k->implied_count, sizeof *k->implied, compare_implications);
    add_planes(p, reach, count, k);
    k->planes_in_slots = p->functions[reach[0]].in_slots;
    k->plane_bit = (uint32_t)k->bit_count;
    /* After the functions' bits: per plane one bit (diverged), then per barrier one (covered). */
    k->bits = mem_realloc(k->bits, (k->bit_count + 2 * k->plane_count + 1) * sizeof *k->bits);
    for (size_t i = 0; i < k->plane_count; i++)
      k->bits[k->bit_count++] = (model_term){k->planes[i].site, OUTCOME_DIVERGED};
    for (size_t i = 0; i < k->plane_count; i++)
      if (k->planes[i].barrier) k->bits[k->bit_count++] = (model_term){k->planes[i].site, OUTCOME_COVERED};
    free(reach);
    k->flag_words = (uint32_t)((k->bit_count + 31) / 32);
    k->item_bytes = k->plane_bit <= 8 ? 1 : k->plane_bit <= 16 ? 2 : 4 * ((k->plane_bit + 31) / 32);
    k->total_words = k->flag_words + 5 * (uint32_t)k->plane_count;
  }
}

/* Kernels whose work-items can be compared by the bits that they leave anyway, with neither hashes nor counts.
 *
 * A decision outside of loops is taken at most once: its two bits say which way. Where work-items go apart at such
 * decisions alone, all that come to another decision or a barrier of the kernel may be known to have taken them the
 * same way, as after `if (i >= n) return;` or within `if (i < n) { … }`. If it would be uniform but for them, all of
 * these work-items execute it alike, and the others not at all: that it has a bit says all that a hash or a count
 * would. */

static bool splits(const instance *i) {
  return i->plane != NONE && i->kind == SITE_IF && tree_loop_depth(i->node) == 0;
}

static bool follows_from(const uniform_scope *scope, const tree_node *wanted, const tree_node_list *splitting) {
  bool *used = mem_calloc(splitting->count + 1, sizeof *used);
  bool follows = uniform_under(scope, wanted, splitting, used);
  for (size_t i = 0; i < splitting->count && follows; i++)
    follows = !used[i] || took_alike(splitting->items[i], wanted);
  free(used);
  return follows;
}

static bool is_barrier(const instance *i) { return is_meeting(i->kind); }

/* Bits of one word; a barrier gets one that says that it was executed, a decision that has none gets two. */
static bool has_bits(const instance *i) { return is_barrier(i) || i->outcomes == 0 || i->bit % 32 + i->outcomes <= 32; }

static bool all_in_bits(const program *p, const function *f) {
  const uniform_scope scope = scope_of(p, f);
  /* The decisions at which work-items go apart; free() the items. */
  tree_node_list splitting = {0};
  for (size_t i = 0; i < f->instance_count; i++)
    if (splits(&f->instances[i]))
      *ARRAY_ADD(splitting.items, splitting.count, splitting.capacity) = (tree_node *)f->instances[i].node;
  bool all = true;
  for (uint32_t i = 0; i < f->instance_count && all; i++) {
    const instance *in = &f->instances[i];
    all = in->arguments == NONE &&
          (in->plane == NONE || (has_bits(in) && (splits(in) || (guards_are_all(&scope, in->node) &&
                                                                 follows_from(&scope, in->node, &splitting)))));
  }
  free(splitting.items);
  return all;
}

static void give_bits(function *f) {
  f->in_slots = true;
  for (size_t i = 0; i < f->instance_count; i++) {
    instance *in = &f->instances[i];
    if (in->plane == NONE) continue;
    in->in_slots = true;
    in->splits = splits(in);
    if (in->outcomes == 0) {
      in->outcomes = is_barrier(in) ? 1 : 2;
      in->bit = take_bits(f, in->outcomes);
    }
  }
}

/* Whether there are planes, and all that a kernel can reach are its own. */
static bool owns_planes(const program *p, uint32_t kernel) {
  bool any = false;
  bool own = true;
  size_t count = 0;
  uint32_t *reach = reachable_functions(p, kernel, &count);
  for (size_t i = 0; i < p->plane_count; i++) {
    any = any || p->planes[i].function == kernel;
    for (size_t k = 1; k < count; k++) own = own && p->planes[i].function != reach[k];
  }
  free(reach);
  return any && own;
}

void find_settled(program *p) {
  for (uint32_t n = 0; n < p->kernel_count; n++) {
    function *f = &p->functions[p->kernel_functions[n]];
    if (f->called || !owns_planes(p, p->kernel_functions[n])) continue;
    if (all_in_bits(p, f)) give_bits(f);
  }
}
