/* Regions: the code that runs together, and the sites that decide it: statements, `?:`, right operands, barriers. */
#include <stdlib.h>

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

/* Code with a bit of its own. */
static uint32_t bit_region(walk *w, uint32_t token, uint32_t last, uint32_t owner, span wrapped) {
  bool is_new = false;
  instance *i = add_instance(w, SITE_REGION, token, last, 1, &is_new);
  i->statement = owner;
  i->wrapped = wrapped;
  if (is_new) {
    add_outcome(w->p, i->site, OUTCOME_EXECUTED, "executed", 0);
  }
  return new_region(w, i->site, OUTCOME_EXECUTED, NONE);
}

/* --- statements ------------------------------------------------------------------------------------------------ */

static const statement *at(const walk *w, uint32_t s) { return &w->f->syntax.items[s]; }

/* The if, switch or loop in the tree. */
static const tree_node *node_of(const walk *w, uint32_t s) { return w->nodes[at(w, s)->keyword - w->f->body.first]; }

static bool is_label(const walk *w, uint32_t s) {
  return at(w, s)->kind == STATEMENT_CASE || at(w, s)->kind == STATEMENT_LABEL;
}

/* Whether control may leave statement `s` by a jump, so that what follows it may be missed. */
static bool may_jump(const walk *w, uint32_t s) {
  for (uint32_t i = s; i < w->f->syntax.count && at(w, i)->tokens.first <= at(w, s)->tokens.last; i++) {
    statement_kind kind = at(w, i)->kind;
    if (kind == STATEMENT_RETURN || kind == STATEMENT_GOTO) {
      return true;
    }
    if (kind != STATEMENT_BREAK && kind != STATEMENT_CONTINUE) {
      continue;
    }
    uint32_t target = i;
    do {
      target = at(w, target)->parent;
    } while (target != NO_STATEMENT && !is_loop(at(w, target)->kind) &&
             !(kind == STATEMENT_BREAK && at(w, target)->kind == STATEMENT_SWITCH));
    if (target == NO_STATEMENT || target < s) {
      return true;
    }
  }
  return false;
}

/* Whether control may come into statement `s` past its own labels, so that what follows it may be executed without what
 * is before it. */
static bool may_be_entered(const walk *w, uint32_t s) {
  while (s != NO_STATEMENT && is_label(w, s)) {
    s = at(w, s)->body;
  }
  return s != NO_STATEMENT && jumped_into(&w->f->syntax, s);
}

static void walk_if(walk *w, uint32_t s, uint32_t region_index) {
  const statement *st = at(w, s);
  bool is_new = false;
  uint32_t outcomes = path_count(w, node_of(w, s), st->condition) > 0 ? 0 : 2;
  instance *i = add_instance(w, SITE_IF, st->keyword, st->condition.last + 1, outcomes, &is_new);
  i->statement = s;
  i->node = node_of(w, s);
  uint32_t site = i->site;
  if (is_new) {
    add_outcome(w->p, site, OUTCOME_TRUE, "true", 0);
    add_outcome(w->p, site, OUTCOME_FALSE, "false", 0);
  }
  (void)region_index;
  (void)walk_statement_at(w, st->body, new_region(w, site, OUTCOME_TRUE, NONE));
  if (st->otherwise != NO_STATEMENT) {
    uint32_t no = new_region(w, site, OUTCOME_FALSE, NONE);
    paint(w, (span){at(w, st->body)->tokens.last + 1, at(w, st->otherwise)->tokens.first}, no);
    (void)walk_statement_at(w, st->otherwise, no);
  }
}

static const char *const loop_labels[] = {"0 iterations", "1 iteration", ">1 iterations", "boundary"};

/* The header of a loop whose body is jumped into: what is repeated of it has evidence of its own. */
static void walk_repeated_header(walk *w, uint32_t s, uint32_t site) {
  const statement *st = at(w, s);
  span tokens = st->condition;
  if (st->kind == STATEMENT_DO) {
    return;
  }
  if (span_empty(tokens)) { /* for (;;) */
    paint(w, (span){st->for_second, st->for_second}, new_region(w, site, OUTCOME_MANY, NONE));
    return;
  }
  span header = st->kind == STATEMENT_FOR ? tokens : (span){st->keyword, tokens.last + 1};
  paint(w, header, bit_region(w, tokens.first - 1, tokens.last, NONE, tokens));
}

/* A body that is jumped into: what stands before its first label has a bit of its own. */
static uint32_t walk_top_of_body(walk *w, uint32_t body, uint32_t region_index) {
  uint32_t first = at(w, body)->keyword;
  return is_label(w, body) ? region_index : bit_region(w, first, first, body, (span){1, 0});
}

/* `do { … } while (0)`: its body runs where the statement does. */
static void walk_done_once(walk *w, uint32_t s, uint32_t region_index) {
  const statement *st = at(w, s);
  const uint32_t body = st->body;
  (void)walk_statement_at(w, body, region_index);
  if (jumped_into(&w->f->syntax, body)) {
    const span zero = st->condition;
    paint(w, (span){at(w, body)->tokens.last + 1, st->tokens.last},
          bit_region(w, zero.first - 1, zero.last, NONE, zero));
  }
}

static void walk_loop(walk *w, uint32_t s) {
  const statement *st = at(w, s);
  site_kind kind = st->kind == STATEMENT_FOR ? SITE_FOR : st->kind == STATEMENT_DO ? SITE_DO : SITE_WHILE;
  uint32_t last = st->kind == STATEMENT_FOR ? st->for_close : st->condition.last + 1;
  bool is_new = false;
  instance *i = add_instance(w, kind, st->keyword, kind == SITE_DO ? st->keyword : last, 4, &is_new);
  i->statement = s;
  i->node = node_of(w, s);
  uint32_t site = i->site;
  bool decides = !span_empty(st->condition);
  for (uint32_t k = OUTCOME_ZERO; is_new && k <= OUTCOME_BOUNDARY; k++) {
    if ((k != OUTCOME_ZERO || (decides && kind != SITE_DO)) && (k != OUTCOME_BOUNDARY || decides)) {
      add_outcome(w->p, site, k, loop_labels[k], 0);
    }
  }
  uint32_t body = new_region(w, site, OUTCOME_ONE, OUTCOME_MANY);
  if (!span_empty(st->increment)) {
    const pp_token *tokens = w->u->text.tokens;
    if (shown_at(&tokens[st->increment.first])->line != shown_at(&tokens[st->keyword])->line) {
      paint(w, st->increment, bit_region(w, st->increment.first, st->increment.last, NONE, st->increment));
    }
  }
  st = at(w, s);
  if (st->kind == STATEMENT_DO) {
    paint(w, (span){at(w, st->body)->tokens.last + 1, st->tokens.last}, body);
  }
  if (!jumped_into(&w->f->syntax, st->body)) {
    (void)walk_statement_at(w, st->body, body);
    return;
  }
  walk_repeated_header(w, s, site);
  (void)walk_statement_at(w, st->body, walk_top_of_body(w, st->body, body));
  if (at(w, st->body)->kind == STATEMENT_COMPOUND) {
    paint(w, (span){at(w, st->body)->tokens.last, at(w, st->body)->tokens.last}, body);
  }
}

/* The case labels of switch `s`, in source order: those whose nearest switch is `s`. `*fallback`: its default, if it
 * has one. */
static uint32_t *case_labels(const walk *w, uint32_t s, size_t *count, uint32_t *fallback) {
  uint32_t *labels = NULL;
  size_t capacity = 0;
  *count = 0;
  *fallback = NO_STATEMENT;
  for (uint32_t i = s + 1; i < w->f->syntax.count && at(w, i)->tokens.first <= at(w, s)->tokens.last; i++) {
    if (at(w, i)->kind != STATEMENT_CASE) {
      continue;
    }
    uint32_t owner = switch_of_case(&w->f->syntax, i);
    if (owner == s && span_empty(at(w, i)->condition)) {
      *fallback = i;
    } else if (owner == s) {
      *ARRAY_ADD(labels, *count, capacity) = i;
    }
  }
  return labels;
}

static void name_cases(walk *w, uint32_t site, const uint32_t *labels, size_t count) {
  const pp_result *text = &w->u->text;
  for (size_t k = 0; k < count; k++) {
    span value = at(w, labels[k])->condition;
    buffer label = {0};
    buffer_puts(&label, "case ");
    buffer_append(&label, text->text + text->tokens[value.first].begin,
                  text->tokens[value.last].end - text->tokens[value.first].begin);
    add_outcome(w->p, site, (uint32_t)k, buffer_text(&label), text->tokens[value.first].spelled.line);
    buffer_free(&label);
  }
  add_outcome(w->p, site, (uint32_t)count, "default", 0);
}

static void walk_switch(walk *w, uint32_t s, uint32_t region_index) {
  const statement *st = at(w, s);
  size_t count = 0;
  uint32_t fallback = NO_STATEMENT;
  uint32_t *labels = case_labels(w, s, &count, &fallback);
  bool is_new = false;
  instance *i = add_instance(w, SITE_SWITCH, st->keyword, st->condition.last + 1, (uint32_t)count + 1, &is_new);
  i->statement = s;
  i->node = node_of(w, s);
  if (is_new) {
    name_cases(w, i->site, labels, count);
  }
  for (size_t k = 0; k < count; k++) {
    w->selected[labels[k]] = (model_term){i->site, (uint32_t)k};
  }
  if (fallback != NO_STATEMENT) {
    w->selected[fallback] = (model_term){i->site, (uint32_t)count};
  }
  free(labels);
  (void)walk_statement_at(w, st->body, region_index);
}

/* Whether a statement always ends in a jump, so that nothing gets from it to the next one. */
static bool jumps_away(const walk *w, uint32_t s) {
  while (is_label(w, s) && at(w, s)->body != NO_STATEMENT) {
    s = at(w, s)->body;
  }
  const statement_kind kind = at(w, s)->kind;
  return kind == STATEMENT_BREAK || kind == STATEMENT_RETURN || kind == STATEMENT_GOTO || kind == STATEMENT_CONTINUE;
}

/* Whether the code of the case label `s` is executed when its switch selects it and not else: it stands at the top of
 * the switch's body, and `before`, the statement that stands before it there, does not lead to it. */
static bool only_selected(const walk *w, uint32_t s, uint32_t before) {
  const uint32_t outer = at(w, s)->parent;
  return at(w, s)->kind == STATEMENT_CASE && at(w, outer)->kind == STATEMENT_COMPOUND &&
         at(w, at(w, outer)->parent)->kind == STATEMENT_SWITCH && (before == NO_STATEMENT || jumps_away(w, before));
}

/* A label's code has a bit of its own if a statement can be put behind the colon. Returns the region behind it. */
static uint32_t walk_label(walk *w, uint32_t s, uint32_t region_index) {
  uint32_t inner = s;
  uint32_t outer = at(w, s)->parent;
  while (is_label(w, outer)) {
    inner = outer;
    outer = at(w, outer)->parent;
  }
  if (at(w, outer)->kind == STATEMENT_COMPOUND || needs_braces(&w->f->syntax, inner)) {
    region_index = bit_region(w, at(w, s)->keyword, at(w, s)->colon, s, (span){1, 0});
    paint(w, at(w, s)->tokens, region_index);
  }
  uint32_t body = at(w, s)->body;
  return body == NO_STATEMENT ? region_index : walk_statement_at(w, body, region_index);
}

static void walk_children(walk *w, uint32_t s, uint32_t region_index) {
  bool missed = false;
  uint32_t before = NO_STATEMENT;
  for (uint32_t i = s + 1; i < w->f->syntax.count && at(w, i)->tokens.first <= at(w, s)->tokens.last; i++) {
    if (at(w, i)->parent != s) {
      continue;
    }
    if (missed && !is_label(w, i)) {
      region_index = bit_region(w, at(w, i)->keyword, at(w, i)->keyword, i, (span){1, 0});
    }
    if (only_selected(w, i, before)) {
      region_index = new_region(w, w->selected[i].site, w->selected[i].outcome, NONE);
      paint(w, at(w, i)->tokens, region_index);
      region_index = at(w, i)->body == NO_STATEMENT ? region_index : walk_statement_at(w, at(w, i)->body, region_index);
    } else {
      region_index = walk_statement_at(w, i, region_index);
    }
    before = i;
    missed = may_jump(w, i) || may_be_entered(w, i);
  }
  uint32_t first = w->token_region[at(w, s)->tokens.first - w->f->body.first];
  /* what was jumped into is left, too, and nothing can be put in front of the bracket */
  const bool entered = before != NO_STATEMENT && may_be_entered(w, before) && !may_jump(w, before);
  uint32_t last = jumped_into(&w->f->syntax, s) && !entered ? region_index : first;
  paint(w, (span){at(w, s)->tokens.last, at(w, s)->tokens.last}, last);
}

uint32_t walk_statement_at(walk *w, uint32_t s, uint32_t region_index) {
  paint(w, at(w, s)->tokens, region_index);
  switch (at(w, s)->kind) {
    case STATEMENT_COMPOUND:
    case STATEMENT_SIMPLE:
      walk_children(w, s, region_index);
      break;
    case STATEMENT_IF:
      walk_if(w, s, region_index);
      break;
    case STATEMENT_FOR:
    case STATEMENT_WHILE:
    case STATEMENT_DO:
      if (is_done_once(node_of(w, s))) {
        walk_done_once(w, s, region_index);
      } else {
        walk_loop(w, s);
      }
      break;
    case STATEMENT_SWITCH:
      walk_switch(w, s, region_index);
      break;
    case STATEMENT_CASE:
    case STATEMENT_LABEL:
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
      uint32_t r = bit_region(w, right.first, right.last, NONE, right);
      paint(w, right, r);
      if (shown_at(&tokens[token])->line == shown_at(&tokens[right.first])->line) {
        paint(w, (span){token, token}, r);
      }
    }
  }
}

void walk_barriers(walk *w) {
  const pp_result *text = &w->u->text;
  for (uint32_t t = w->f->body.first; t < w->f->body.last; t++) {
    if ((token_is(text, t, "barrier") || token_is(text, t, "work_group_barrier")) && token_is(text, t + 1, "(") &&
        !token_is(text, t - 1, ".") && !token_is(text, t - 1, "->")) {
      bool is_new = false;
      instance *i = add_instance(w, SITE_BARRIER, t, token_match(text, t + 1), 0, &is_new);
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
