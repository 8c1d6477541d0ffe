/* Regions: the code that runs together, and the sites that decide it: statements, `?:`, right operands, barriers. */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "instrument/conditions.h"
#include "instrument/discover.h"

/* --- regions --------------------------------------------------------------------------------------------------- */

uint32_t new_region(walk *w, uint32_t site, uint32_t first, uint32_t second) {
  region *r = ARRAY_ADD(w->regions, w->region_count, w->region_capacity);
  r->terms[r->count++] = (model_term){site, first};
  if (second != NONE) {
    r->terms[r->count++] = (model_term){site, second};
  }
  return (uint32_t)(w->region_count - 1);
}

static void paint(walk *w, span tokens, uint32_t region_index) {
  uint32_t base = w->f->body.first;
  for (uint32_t t = tokens.first; t <= tokens.last && !span_empty(tokens); t++) {
    w->token_region[t - base] = region_index;
  }
}

/* Code with a bit of its own. `begins`: the statement that it begins with, NULL for part of an expression. */
static uint32_t bit_region(walk *w, uint32_t token, uint32_t last, const tree_node *begins, span wrapped) {
  bool is_new = false;
  instance *i = add_instance(w, SITE_REGION, token, last, 1, &is_new);
  i->node = begins;
  i->wrapped = wrapped;
  if (is_new) {
    add_outcome(w->p, i->site, OUTCOME_EXECUTED, "executed", 0);
  }
  return new_region(w, i->site, OUTCOME_EXECUTED, NONE);
}

/* --- statements ------------------------------------------------------------------------------------------------ */

static bool is_within(const tree_node *n, const tree_node *outer) {
  while (n != NULL && n != outer) {
    n = n->parent;
  }
  return n != NULL;
}

/* Whether control may leave statement `s` by a jump, so that what follows it may be missed. */
static bool may_jump(const tree_node *s) {
  for (const tree_node *n = s; n != NULL; n = next_statement(s, n)) {
    if (n->kind == TREE_RETURN || n->kind == TREE_GOTO) {
      return true;
    }
    if (n->kind != TREE_BREAK && n->kind != TREE_CONTINUE) {
      continue;
    }
    const tree_node *target = statement_around(n);
    while (target != NULL && !tree_is_loop(target->kind) && !(n->kind == TREE_BREAK && target->kind == TREE_SWITCH)) {
      target = statement_around(target);
    }
    if (!is_within(target, s)) {
      return true;
    }
  }
  return false;
}

/* Whether control may come into statement `s` past its own labels, so that what follows it may be executed without what
 * is before it. */
static bool may_be_entered(const walk *w, const tree_node *s) {
  while (s != NULL && is_label(s)) {
    s = statement_body(s);
  }
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
  if (s->kind == TREE_DO) {
    return;
  }
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
  for (uint32_t k = OUTCOME_ZERO; is_new && k <= OUTCOME_BOUNDARY; k++) {
    if ((k != OUTCOME_ZERO || (decides && kind != SITE_DO)) && (k != OUTCOME_BOUNDARY || decides)) {
      add_outcome(w->p, site, k, loop_labels[k], 0);
    }
  }
  return site;
}

static void walk_loop(walk *w, const tree_node *s) {
  const uint32_t site = add_loop(w, s);
  const tree_node *loop_body = statement_body(s);
  const span step = statement_step(s);
  uint32_t body = new_region(w, site, OUTCOME_ONE, OUTCOME_MANY);
  if (!span_empty(step)) {
    const pp_token *tokens = w->u->text.tokens;
    if (shown_at(&tokens[step.first])->line != shown_at(&tokens[statement_begin(s)])->line) {
      paint(w, step, bit_region(w, step.first, step.last, NULL, step));
    }
  }
  if (s->kind == TREE_DO) {
    paint(w, (span){loop_body->tokens.last + 1, s->tokens.last}, body);
  }
  if (!jumped_into(&w->f->statements, loop_body)) {
    (void)walk_statement_at(w, loop_body, body);
    return;
  }
  walk_repeated_header(w, s, site);
  (void)walk_statement_at(w, loop_body, walk_top_of_body(w, loop_body, body));
  if (loop_body->kind == TREE_COMPOUND) {
    paint(w, (span){loop_body->tokens.last, loop_body->tokens.last}, body);
  }
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
  for (size_t k = 0; k < count; k++) {
    outcomes += labels[k]->kind == TREE_CASE ? 1 : 0;
  }
  bool is_new = false;
  instance *i = add_instance(w, SITE_SWITCH, statement_begin(s), s->parts->close, outcomes, &is_new);
  i->node = s;
  const uint32_t site = i->site;
  uint32_t outcome = 0;
  for (size_t k = 0; k < count; k++) {
    const bool fallback = labels[k]->kind == TREE_DEFAULT;
    w->selected[statement_begin(labels[k]) - w->f->body.first] = (model_term){site, fallback ? outcomes - 1 : outcome};
    if (!fallback && is_new) {
      name_case(w, site, outcome, labels[k]);
    }
    outcome += fallback ? 0 : 1;
  }
  if (is_new) {
    add_outcome(w->p, site, outcomes - 1, "default", 0);
  }
  free(labels);
  (void)walk_statement_at(w, statement_body(s), region_index);
}

/* Whether a statement always ends in a jump, so that nothing gets from it to the next one. */
static bool jumps_away(const tree_node *s) {
  while (is_label(s) && statement_body(s) != NULL) {
    s = statement_body(s);
  }
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
  while (is_label(inner->parent)) {
    inner = inner->parent;
  }
  if (inner->parent->kind == TREE_COMPOUND || needs_braces(&w->f->statements, inner)) {
    region_index = bit_region(w, statement_begin(s), s->parts->colon, s, (span){1, 0});
    paint(w, statement_tokens(s), region_index);
  }
  const tree_node *body = statement_body(s);
  return body == NULL ? region_index : walk_statement_at(w, body, region_index);
}

/* A part of `s` after `before`; returns the region that follows it. */
static uint32_t walk_child(walk *w, const tree_node *n, const tree_node *before, uint32_t region_index) {
  if (!only_selected(n, before)) {
    return walk_statement_at(w, n, region_index);
  }
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
    if (statement_around(n) != s) {
      continue;
    }
    if (missed && !is_label(n)) {
      region_index = bit_region(w, statement_begin(n), statement_begin(n), n, (span){1, 0});
    }
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
    case TREE_IF:
      walk_if(w, s);
      break;
    case TREE_FOR:
    case TREE_WHILE:
    case TREE_DO:
      if (is_done_once(s)) {
        walk_done_once(w, s, region_index);
      } else {
        walk_loop(w, s);
      }
      break;
    case TREE_SWITCH:
      walk_switch(w, s, region_index);
      break;
    case TREE_CASE:
    case TREE_DEFAULT:
    case TREE_LABEL:
      return walk_label(w, s, region_index);
    default:
      walk_children(w, s, region_index);
      break;
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
      if (c.kept == NULL) {
        paint(w, (span){c.question, c.yes.last}, new_region(w, site, OUTCOME_TRUE, NONE));
      }
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
      if (shown_at(&tokens[token])->line == shown_at(&tokens[right.first])->line) {
        paint(w, (span){token, token}, r);
      }
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
      if (is_new) {
        add_outcome(w->p, i->site, OUTCOME_COVERED, "executed by every work-item of a work-group", 0);
      }
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
