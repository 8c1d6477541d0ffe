/* Loops: every turn burns fuel; and, in clones, the mutants of a loop. */
#include <stdlib.h>
#include <string.h>

#include "mutate/schema.h"

typedef enum loop_mutant { LOOP_ORIGINAL, LOOP_SKIP, LOOP_LESS, LOOP_MORE } loop_mutant;

static const struct {
  const char *replacement;
  loop_mutant mutant;
} loop_mutants[] = {{"skip", LOOP_SKIP}, {"n-1", LOOP_LESS}, {"n+1", LOOP_MORE}};

static const place *place_of_loop(const schema_writer *w, uint32_t loop) {
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

static void append_name(const schema_writer *w, uint32_t token, buffer *out) {
  const pp_result *text = &w->u->text;
  buffer_append(out, text->text + text->tokens[token].begin, text->tokens[token].end - text->tokens[token].begin);
}

/* An expression that says whether there is another turn, and leaves everything as it was. Declares what it needs. */
static void append_look_ahead(schema_writer *w, uint32_t loop, const look_ahead *l, buffer *out) {
  for (size_t i = 0; i < l->count; i++) {
    buffer_printf(out, "cltc_s%u_%zu = ", (unsigned)loop, i);
    append_name(w, l->variables[i].token, out);
    buffer_puts(out, ", ");
  }
  if (!span_empty(l->step)) {
    buffer_puts(out, "(");
    append_copy(l->step, out);
    buffer_puts(out, "), ");
  }
  buffer_printf(out, "cltc_x%u = (uint)((", (unsigned)loop);
  append_copy(w->f->syntax.items[loop].condition, out);
  buffer_puts(out, ") != 0)");
  for (size_t i = 0; i < l->count; i++) {
    buffer_puts(out, ", ");
    append_name(w, l->variables[i].token, out);
    buffer_printf(out, " = cltc_s%u_%zu", (unsigned)loop, i);
  }
  buffer_printf(out, ", cltc_x%u != 0u", (unsigned)loop);
}

static char *make_look_ahead(schema_writer *w, uint32_t loop) {
  look_ahead l;
  buffer text = {0};
  if (find_look_ahead(w->p, w->index, loop, &l)) {
    append_look_ahead(w, loop, &l, &text);
    for (size_t i = 0; i < l.count; i++) {
      buffer_printf(&w->locals, " %s cltc_s%u_%zu;", l.variables[i].type, (unsigned)loop, i);
    }
  } else {
    buffer_puts(&text, "1");
  }
  look_ahead_free(&l);
  return buffer_take(&text);
}

/* --- conditions -------------------------------------------------------------------------------------------------- */

static void wrap_statement(const schema_writer *w, const statement *s, char *before, char *behind) {
  edit_add(w->edits, s->tokens.first, EDIT_BEFORE, UINT32_MAX, EDIT_BOTH, before);
  edit_add(w->edits, s->tokens.last, EDIT_AFTER, UINT32_MAX, EDIT_BOTH, behind);
}

static void wrap_condition(const schema_writer *w, const statement *s, char *before, char *behind) {
  put(w, s->condition.first, EDIT_BEFORE, s->condition, LAYER_TURN, before);
  put(w, s->condition.last, EDIT_AFTER, s->condition, LAYER_TURN, behind);
}

/* The condition is not asked and the body of a `do` not entered. */
static void edit_skip(const schema_writer *w, const statement *s) {
  if (s->kind == STATEMENT_DO) {
    wrap_statement(w, s, text_of("{ if (0) { "), text_of(" } }"));
  }
  wrap_condition(w, s, text_of("(0 && ("), text_of("))"));
}

/* When the condition is false the loop has one more turn, behind which it is not asked. */
static void edit_more(schema_writer *w, const statement *s, uint32_t loop, const char *mark) {
  buffer_printf(&w->locals, " uint cltc_x%u = 0u;", (unsigned)loop);
  wrap_statement(w, s, text_of("{ cltc_x%u = 0u; ", (unsigned)loop), text_of(" }"));
  wrap_condition(w, s, text_of("(%scltc_turn(cltc, cltc_x%u != 0u ? 0 : (", mark, (unsigned)loop),
                 text_of(") != 0 ? 1 : (int)(cltc_x%u = 1u)))", (unsigned)loop));
}

/* A turn that would be the last one is left out. */
static void edit_less(schema_writer *w, const statement *s, uint32_t loop, const char *mark) {
  buffer_printf(&w->locals, " uint cltc_x%u = 0u;", (unsigned)loop);
  char *ahead = make_look_ahead(w, loop);
  if (s->kind == STATEMENT_DO) {
    wrap_statement(w, s, text_of("{ if (%s) { ", ahead), text_of(" } }"));
  }
  wrap_condition(w, s, text_of("(%scltc_turn(cltc, (", mark), text_of(") != 0 && (%s)))", ahead));
  free(ahead);
}

static void edit_original(const schema_writer *w, const statement *s, const place *p, const char *mark) {
  if (s->kind == STATEMENT_DO && p != NULL) {
    wrap_statement(w, s, text_of("{ CLTC_MARK(%u, 0x%x) ", (unsigned)p->number / 32, 1u << (p->number % 32)),
                   text_of(" }"));
  }
  wrap_condition(w, s, text_of("(%scltc_turn(cltc, (", s->kind == STATEMENT_DO ? "" : mark), text_of(") != 0))"));
}

static void edit_loop(schema_writer *w, uint32_t loop) {
  const statement *s = &w->f->syntax.items[loop];
  const place *p = place_of_loop(w, loop);
  char *mark = p == NULL ? text_of("%s", "") : mark_of(p);
  loop_mutant here = mutant_of_loop(w, p);
  if (span_empty(s->condition)) { /* for (;;) */
    put(w, s->for_second, EDIT_BEFORE, (span){s->for_second, s->for_second}, LAYER_TURN,
        here == LOOP_SKIP ? text_of(" 0") : text_of(" (%scltc_turn(cltc, 1))", mark));
  } else if (here == LOOP_SKIP) {
    edit_skip(w, s);
  } else if (here == LOOP_MORE) {
    edit_more(w, s, loop, mark);
  } else if (here == LOOP_LESS) {
    edit_less(w, s, loop, mark);
  } else {
    edit_original(w, s, p, mark);
  }
  free(mark);
}

/* A jump back makes a loop of its own. */
static void edit_goto(const schema_writer *w, uint32_t jump) {
  const statement *items = w->f->syntax.items;
  uint32_t target = goto_target(&w->u->text, &w->f->syntax, jump);
  if (target != NO_STATEMENT && items[target].keyword < items[jump].keyword) {
    edit_add(w->edits, items[jump].keyword, EDIT_BEFORE, UINT32_MAX, EDIT_BOTH, text_of("{ if (cltc_turn(cltc, 1)) "));
    edit_add(w->edits, items[jump].tokens.last, EDIT_AFTER, UINT32_MAX, EDIT_BOTH, text_of(" }"));
  }
}

void edit_loops(schema_writer *w) {
  for (uint32_t s = 0; s < w->f->syntax.count; s++) {
    if (is_loop(w->f->syntax.items[s].kind)) {
      edit_loop(w, s);
    } else if (w->f->syntax.items[s].kind == STATEMENT_GOTO) {
      edit_goto(w, s);
    }
  }
}
