/* Statements: where control goes, and which branches and loop cases that takes. */
#include "interpret.h"

enum { STEP_LIMIT = 30000 };

void take(work_item *w, site *s, uint32_t outcome) { s->seen[w->kernel] |= 1u << outcome; }

static bool has_label(const statement *s, uint32_t label, size_t *at) {
  for (size_t i = 0; i < s->item_count; i++) {
    if (s->items[i]->kind == STATEMENT_LABEL && s->items[i]->number == label) {
      *at = i;
      return true;
    }
  }
  return false;
}

static status run_items(work_item *w, expansion *x, const statement *s, size_t first) {
  status result = RAN;
  for (size_t i = first; i < s->item_count && result == RAN; i++) {
    result = run_statement(w, x, s->items[i]);
    if (result == WENT && has_label(s, w->label, &i)) {
      result = RAN;
    }
  }
  return result;
}

static status run_if(work_item *w, expansion *x, const statement *s) {
  bool yes = evaluate(w, x, s->condition).at[0] != 0;
  take(w, s->site, yes ? OUTCOME_TRUE : OUTCOME_FALSE);
  const statement *next = yes ? s->body : s->otherwise;
  return next == NULL ? RAN : run_statement(w, x, next);
}

static status run_loop(work_item *w, expansion *x, const statement *s) {
  if (s->init != NULL) {
    (void)run_statement(w, x, s->init);
  }
  uint32_t count = 0;
  status result = RAN;
  for (;;) {
    bool test = s->condition != NULL && (s->kind != STATEMENT_DO || count > 0);
    if (test && evaluate(w, x, s->condition).at[0] == 0) {
      take(w, s->site, OUTCOME_BOUNDARY);
      break;
    }
    count++;
    result = run_statement(w, x, s->body);
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

static status run_switch(work_item *w, expansion *x, const statement *s) {
  uint32_t v = evaluate(w, x, s->condition).at[0];
  uint32_t cases = 0;
  const statement *body = s->body;
  size_t start = body->item_count;
  bool found = false;
  for (size_t i = 0; i < body->item_count; i++) {
    const statement *item = body->items[i];
    if (item->kind == STATEMENT_CASE) {
      cases++;
      if (v >= item->first && v <= item->last) {
        take(w, s->site, item->outcome);
        start = i;
        found = true;
      }
    } else if (item->kind == STATEMENT_DEFAULT && !found) {
      start = i;
    }
  }
  if (!found) {
    take(w, s->site, cases);
  }
  status result = run_items(w, x, body, start);
  return result == BROKE ? RAN : result;
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
      return run_items(w, x, s, 0);
    case STATEMENT_IF:
      return run_if(w, x, s);
    case STATEMENT_FOR:
    case STATEMENT_WHILE:
    case STATEMENT_DO:
      return run_loop(w, x, s);
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
