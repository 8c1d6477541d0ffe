/* Loops: every turn burns fuel; and, in clones, the mutants of a loop. */
#include <stdlib.h>
#include <string.h>

#include "frontend/facts/look_ahead.h"
#include "mutate/schema.h"

typedef enum loop_mutant { LOOP_ORIGINAL, LOOP_SKIP, LOOP_LESS, LOOP_MORE } loop_mutant;

static const struct {
  const char *replacement;
  loop_mutant mutant;
} loop_mutants[] = {{"skip", LOOP_SKIP}, {"n-1", LOOP_LESS}, {"n+1", LOOP_MORE}};

/* A loop and what names of ours for it end in. */
typedef struct looped {
  const tree_node *node;
  span condition;
  unsigned number;
} looped;

static const place *place_of_loop(const schema_writer *w, const tree_node *loop) {
  for (size_t i = 0; i < w->places->count; i++) {
    const place *p = &w->places->items[i];
    if (p->kind == PLACE_LOOP && p->function == w->index && p->loop == loop) {
      return p;
    }
  }
  return NULL;
}

static loop_mutant mutant_of_loop(const schema_writer *w, const place *p) {
  uint32_t here = p == NULL ? NONE : mutant_here(w, p);
  for (size_t i = 0; i < sizeof loop_mutants / sizeof loop_mutants[0] && here != NONE; i++) {
    if (strcmp(p->replacements[here], loop_mutants[i].replacement) == 0) {
      return loop_mutants[i].mutant;
    }
  }
  return LOOP_ORIGINAL;
}

/* --- looking ahead ----------------------------------------------------------------------------------------------- */

/* The tokens again, without what is around them. */
static void append_copy(span tokens, buffer *out) {
  uint32_t length = tokens.last - tokens.first + 1;
  buffer_printf(out, EDIT_COPY, (unsigned)tokens.first, (unsigned)tokens.last,
                (unsigned)(length * LAYERS + LAYER_TURN - 1));
}

/* An expression that says whether there is another turn, and leaves everything as it was. Declares what it needs. */
static void append_look_ahead(const looped *loop, const look_ahead *l, buffer *out) {
  for (size_t i = 0; i < l->count; i++) {
    buffer_printf(out, "cltc_s%u_%zu = ", loop->number, i);
    buffer_printf(out, "%s, ", l->variables[i]->name);
  }
  if (!span_empty(l->step)) {
    buffer_puts(out, "(");
    append_copy(l->step, out);
    buffer_puts(out, "), ");
  }
  buffer_printf(out, "cltc_x%u = (uint)((", loop->number);
  append_copy(loop->condition, out);
  buffer_puts(out, ") != 0)");
  for (size_t i = 0; i < l->count; i++) {
    buffer_printf(out, ", %s = cltc_s%u_%zu", l->variables[i]->name, loop->number, i);
  }
  buffer_printf(out, ", cltc_x%u != 0u", loop->number);
}

static char *make_look_ahead(schema_writer *w, const looped *loop) {
  look_ahead l;
  buffer text = {0};
  if (find_look_ahead(&w->f->statements, loop->node, &l)) {
    append_look_ahead(loop, &l, &text);
    for (size_t i = 0; i < l.count; i++) {
      buffer_printf(&w->locals, " %s cltc_s%u_%zu;", l.variables[i]->type_text, loop->number, i);
    }
  } else {
    buffer_puts(&text, "1");
  }
  look_ahead_free(&l);
  return buffer_take(&text);
}

/* --- conditions -------------------------------------------------------------------------------------------------- */

static void wrap_statement(const schema_writer *w, const looped *loop, char *before, char *behind) {
  edit_add(w->edits, statement_tokens(loop->node).first, EDIT_BEFORE, UINT32_MAX, EDIT_BOTH, before);
  edit_add(w->edits, loop->node->tokens.last, EDIT_AFTER, UINT32_MAX, EDIT_BOTH, behind);
}

static void wrap_condition(const schema_writer *w, const looped *loop, char *before, char *behind) {
  put(w, loop->condition.first, EDIT_BEFORE, loop->condition, LAYER_TURN, before);
  put(w, loop->condition.last, EDIT_AFTER, loop->condition, LAYER_TURN, behind);
}

/* The condition is not asked and the body of a `do` not entered. */
static void edit_skip(const schema_writer *w, const looped *loop) {
  if (loop->node->kind == TREE_DO) {
    wrap_statement(w, loop, text_of("{ if (0) { "), text_of(" } }"));
  }
  wrap_condition(w, loop, text_of("(0 && ("), text_of("))"));
}

/* When the condition is false the loop has one more turn, after which it is not asked. */
static void edit_more(schema_writer *w, const looped *loop, const char *mark) {
  buffer_printf(&w->locals, " uint cltc_x%u = 0u;", loop->number);
  wrap_statement(w, loop, text_of("{ cltc_x%u = 0u; ", loop->number), text_of(" }"));
  wrap_condition(w, loop, text_of("(%scltc_turn(cltc, cltc_x%u != 0u ? 0 : (", mark, loop->number),
                 text_of(") != 0 ? 1 : (int)(cltc_x%u = 1u)))", loop->number));
}

/* A turn that would be the last one is left out. */
static void edit_less(schema_writer *w, const looped *loop, const char *mark) {
  buffer_printf(&w->locals, " uint cltc_x%u = 0u;", loop->number);
  char *ahead = make_look_ahead(w, loop);
  if (loop->node->kind == TREE_DO) {
    wrap_statement(w, loop, text_of("{ if (%s) { ", ahead), text_of(" } }"));
  }
  wrap_condition(w, loop, text_of("(%scltc_turn(cltc, (", mark), text_of(") != 0 && (%s)))", ahead));
  free(ahead);
}

static void edit_original(const schema_writer *w, const looped *loop, const place *p, const char *mark) {
  if (loop->node->kind == TREE_DO && p != NULL) {
    wrap_statement(w, loop, text_of("{ CLTC_MARK(%u, 0x%x) ", (unsigned)p->number / 32, 1u << (p->number % 32)),
                   text_of(" }"));
  }
  wrap_condition(w, loop, text_of("(%scltc_turn(cltc, (", loop->node->kind == TREE_DO ? "" : mark),
                 text_of(") != 0))"));
}

static void edit_loop(schema_writer *w, const tree_node *n, uint32_t number) {
  const looped own = {.node = n, .condition = statement_condition(n), .number = number};
  const place *p = place_of_loop(w, n);
  char *mark = p == NULL ? text_of("%s", "") : mark_of(p);
  loop_mutant here = mutant_of_loop(w, p);
  if (span_empty(own.condition)) { /* for (;;) */
    const uint32_t second = n->parts->ends[1];
    put(w, second, EDIT_BEFORE, (span){second, second}, LAYER_TURN,
        here == LOOP_SKIP ? text_of(" 0") : text_of(" (%scltc_turn(cltc, 1))", mark));
  } else if (here == LOOP_SKIP) {
    edit_skip(w, &own);
  } else if (here == LOOP_MORE) {
    edit_more(w, &own, mark);
  } else if (here == LOOP_LESS) {
    edit_less(w, &own, mark);
  } else {
    edit_original(w, &own, p, mark);
  }
  free(mark);
}

/* A jump back makes a loop of its own. */
static void edit_goto(const schema_writer *w, const tree_node *jump) {
  const tree_node *target = goto_target(jump);
  if (target != NULL && statement_begin(target) < statement_begin(jump)) {
    edit_add(w->edits, statement_begin(jump), EDIT_BEFORE, UINT32_MAX, EDIT_BOTH,
             text_of("{ if (cltc_turn(cltc, 1)) "));
    edit_add(w->edits, jump->tokens.last, EDIT_AFTER, UINT32_MAX, EDIT_BOTH, text_of(" }"));
  }
}

void edit_loops(schema_writer *w) {
  for (uint32_t s = 0; s < w->f->statements.count; s++) {
    const tree_node *n = w->f->statements.items[s];
    if (tree_is_loop(n->kind)) {
      edit_loop(w, n, s);
    } else if (n->kind == TREE_GOTO) {
      edit_goto(w, n);
    }
  }
}
