/* Statements: where control goes, and which branches and loop cases that takes. */
#include "interpret.h"

enum { STEP_LIMIT = 30000 };

void take(work_item *w, site *s, uint32_t outcome) { s->seen[w->kernel] |= 1u << outcome; }

/* --- jumps ---------------------------------------------------------------------------------------------------------
 */

static status enter_statement(work_item *w, expansion *x, const statement *s);

/* The statements in a statement that run as part of it, one after another; NULL: no more. */
static const statement *part_of(const statement *s, size_t i) {
  switch (s->kind) {
    case STATEMENT_BLOCK:
    case STATEMENT_SEQUENCE:
      return i < s->item_count ? s->items[i] : NULL;
    case STATEMENT_IF:
      return i == 0 ? s->body : i == 1 ? s->otherwise : NULL;
    case STATEMENT_FOR:
    case STATEMENT_WHILE:
    case STATEMENT_DO:
    case STATEMENT_SWITCH:
      return i == 0 ? s->body : NULL;
    case STATEMENT_CHOICE:
      return i == 0 ? (s->first_kept ? s->body : s->otherwise) : NULL;
    default:
      return NULL;
  }
}

static bool is_target(const work_item *w, const statement *s) {
  return w->chosen != NULL ? s == w->chosen : s->kind == STATEMENT_LABEL && s->number == w->label;
}

/* The part of a statement that the target is in, or is. */
static bool find_target(const work_item *w, const statement *s, size_t *at) {
  const statement *part = NULL;
  for (size_t i = 0; (part = part_of(s, i)) != NULL; i++) {
    size_t deeper = 0;
    if (is_target(w, part) || find_target(w, part, &deeper)) {
      *at = i;
      return true;
    }
  }
  return false;
}

/* `jumped`: from the target on. */
static status run_items(work_item *w, expansion *x, const statement *s, bool jumped) {
  status result = jumped ? WENT : RAN;
  size_t i = 0;
  for (;;) {
    if (result == WENT && find_target(w, s, &i)) {
      result = enter_statement(w, x, s->items[i++]);
    } else if (result == RAN && i < s->item_count) {
      result = run_statement(w, x, s->items[i++]);
    } else {
      return result;
    }
  }
}

/* --- branches and loops ------------------------------------------------------------------------------------------ */

static status run_if(work_item *w, expansion *x, const statement *s) {
  bool yes = condition_truth(w, x, s->condition);
  take(w, s->site, yes ? OUTCOME_TRUE : OUTCOME_FALSE);
  const statement *next = yes ? s->body : s->otherwise;
  return next == NULL ? RAN : run_statement(w, x, next);
}

/* `jumped`: into the body. Nothing is counted of it. */
static status run_done_once(work_item *w, expansion *x, const statement *s, bool jumped) {
  size_t part = 0;
  status result = jumped ? enter_statement(w, x, s->body) : run_statement(w, x, s->body);
  while (result == WENT && find_target(w, s, &part)) {
    result = enter_statement(w, x, s->body);
  }
  return result == BROKE || result == CONTINUED ? RAN : result;
}

/* `jumped`: into the body, whose rest is the first turn. */
static status run_loop(work_item *w, expansion *x, const statement *s, bool jumped) {
  if (s->site == NULL) {
    return run_done_once(w, x, s, jumped);
  }
  if (s->init != NULL && !jumped) {
    (void)run_statement(w, x, s->init);
  }
  uint32_t count = 0;
  status result = RAN;
  size_t part = 0;
  for (;; jumped = false) {
    bool test = !jumped && s->condition != NULL && (s->kind != STATEMENT_DO || count > 0);
    if (test && !condition_truth(w, x, s->condition)) {
      take(w, s->site, OUTCOME_BOUNDARY);
      break;
    }
    count++;
    result = jumped ? enter_statement(w, x, s->body) : run_statement(w, x, s->body);
    while (result == WENT && find_target(w, s, &part)) {
      result = enter_statement(w, x, s->body);
    }
    if (result != RAN && result != CONTINUED) {
      break;
    }
    if (s->step != NULL) {
      (void)evaluate(w, x, s->step);
    }
  }
  take(w, s->site, count == 0 ? OUTCOME_ZERO : count == 1 ? OUTCOME_ONE : OUTCOME_MANY);
  return result == BROKE || result == CONTINUED ? RAN : result;
}

/* The label for a value among those of a switch: they stand in its body but not in switches there. `cases` counts. */
static const statement *find_case(const statement *s, uint32_t v, uint32_t *cases) {
  const statement *found = NULL;
  const statement *part = NULL;
  for (size_t i = 0; (part = part_of(s, i)) != NULL; i++) {
    const statement *here = NULL;
    if (part->kind == STATEMENT_CASE) {
      (*cases)++;
      here = v >= part->first && v <= part->last ? part : NULL;
    } else if (part->kind == STATEMENT_DEFAULT) {
      here = part;
    } else if (part->kind != STATEMENT_SWITCH) {
      here = find_case(part, v, cases);
    }
    bool better = found == NULL || found->kind == STATEMENT_DEFAULT;
    found = here != NULL && better ? here : found;
  }
  return found;
}

static status run_switch(work_item *w, expansion *x, const statement *s) {
  uint32_t v = evaluate(w, x, s->condition).at[0];
  uint32_t cases = 0;
  const statement *found = find_case(s, v, &cases);
  take(w, s->site, found != NULL && found->kind == STATEMENT_CASE ? found->outcome : cases);
  if (found == NULL) {
    return RAN;
  }
  w->chosen = found;
  return enter_statement(w, x, s);
}

/* Runs a statement from the target on, which is in it or the statement itself. */
static status enter_statement(work_item *w, expansion *x, const statement *s) {
  size_t part = 0;
  if (is_target(w, s)) {
    return RAN;
  }
  (void)find_target(w, s, &part);
  switch (s->kind) {
    case STATEMENT_BLOCK:
    case STATEMENT_SEQUENCE:
      return run_items(w, x, s, true);
    case STATEMENT_FOR:
    case STATEMENT_WHILE:
    case STATEMENT_DO:
      return run_loop(w, x, s, true);
    case STATEMENT_SWITCH: {
      status result = enter_statement(w, x, s->body);
      return result == BROKE ? RAN : result;
    }
    default: /* a branch: its condition is not asked */
      return enter_statement(w, x, part_of(s, part));
  }
}

static status run_macro(work_item *w, expansion *x, const statement *s) {
  expansion inner = {.arguments = s->arguments, .holes = s->holes, .outer = x};
  return run_statement(w, &inner, s->macro->body);
}

static void declare(work_item *w, expansion *x, const statement *s) {
  for (size_t i = 0; i < s->variable_count; i++) {
    const variable *v = s->variables[i];
    for (uint32_t k = 0; k < v->length; k++) {
      w->frame->cells[v->cell + k] = (value){{0}};
    }
    if (v->length == 0) {
      value initial = evaluate(w, x, s->values[i]);
      if (v->storage == STORE_MACRO) {
        x->cells[v->cell] = initial;
      } else if (v->storage == STORE_PARAMETER) { /* of a loop header, which is used in functions only */
        w->frame->cells[x->arguments[v->cell]->variable->cell] = initial;
      } else {
        w->frame->cells[v->cell] = initial;
      }
    }
  }
}

static status run_hole(work_item *w, expansion *x, const statement *s) {
  const statement *hole = x->holes[s->number];
  return hole == NULL ? RAN : run_statement(w, x->outer, hole);
}

static status run_choice(work_item *w, expansion *x, const statement *s) {
  const statement *kept = s->first_kept ? s->body : s->otherwise;
  return kept == NULL ? RAN : run_statement(w, x, kept);
}

static void prologue(work_item *w, const statement *s) {
  w->frame->cells[s->variables[0]->cell] = (value){{(uint32_t)w->id}};
}

static status run_jump(work_item *w, expansion *x, const statement *s) {
  switch (s->kind) {
    case STATEMENT_BREAK:
      return BROKE;
    case STATEMENT_CONTINUE:
      return CONTINUED;
    case STATEMENT_GOTO:
      w->label = s->number;
      w->chosen = NULL;
      return WENT;
    case STATEMENT_RETURN:
      if (s->condition != NULL) {
        w->frame->result = evaluate(w, x, s->condition);
      }
      return RETURNED;
    default:
      return RAN;
  }
}

status run_statement(work_item *w, expansion *x, const statement *s) {
  if (++w->steps > STEP_LIMIT) {
    w->exhausted = true;
    return RETURNED;
  }
  switch (s->kind) {
    case STATEMENT_EXPRESSION:
      (void)evaluate(w, x, s->condition);
      return RAN;
    case STATEMENT_DECLARE:
      declare(w, x, s);
      return RAN;
    case STATEMENT_BLOCK:
    case STATEMENT_SEQUENCE:
      return run_items(w, x, s, false);
    case STATEMENT_IF:
      return run_if(w, x, s);
    case STATEMENT_FOR:
    case STATEMENT_WHILE:
    case STATEMENT_DO:
      return run_loop(w, x, s, false);
    case STATEMENT_SWITCH:
      return run_switch(w, x, s);
    case STATEMENT_MACRO:
      return run_macro(w, x, s);
    case STATEMENT_HOLE:
      return run_hole(w, x, s);
    case STATEMENT_CHOICE:
      return run_choice(w, x, s);
    case STATEMENT_PROLOGUE:
      prologue(w, s);
      return RAN;
    default:
      return run_jump(w, x, s);
  }
}

value call_function(work_item *w, expansion *x, const expression *call) {
  const function *f = call->function;
  frame inner = {.result = {{0}}};
  for (size_t i = 0; i < call->operand_count; i++) {
    const expression *argument = call->operands[i];
    if (argument->kind == EXPRESSION_ADDRESS) {
      const variable *v = argument->variable;
      inner.pointers[f->parameters[i]->cell] =
          v->storage == STORE_POINTER ? w->frame->pointers[v->cell] : &w->frame->cells[v->cell];
    } else {
      inner.cells[f->parameters[i]->cell] = evaluate(w, x, argument);
    }
  }
  if (f->kernel) {
    inner.cells[f->extra->cell].at[0] = w->launch->n;
  }
  frame *outer = w->frame;
  w->frame = &inner;
  take(w, f->site, OUTCOME_ENTERED);
  (void)run_statement(w, NULL, f->body);
  w->frame = outer;
  return inner.result;
}

void run_kernel(work_item *w, function *kernel) {
  expression call = {.kind = EXPRESSION_CALL, .function = kernel};
  (void)call_function(w, NULL, &call);
}
