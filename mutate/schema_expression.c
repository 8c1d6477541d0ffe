/* Mutants inside expressions and loops as the schema has them: operators become calls of typed functions, operands stay
 * where they are, each iteration burns fuel. */
#include <stdlib.h>
#include <string.h>

#include "frontend/facts/launch.h"
#include "mutate/schema.h"

/* The context and k for the functions of schema_functions.c; also marks the place as reached. */
static char *selector(const place *p) {
  return text_of("CLTC_K(%u, %u, 0x%x)", (unsigned)p->first + 1, (unsigned)p->number / 32, 1u << (p->number % 32));
}

/* "CLTC_AT(word, bit) " of a place, to be freed. */
static char *mark_of(const place *p) {
  return text_of("CLTC_AT(%u, 0x%x) ", (unsigned)p->number / 32, 1u << (p->number % 32));
}

static char *copy_of(span tokens) {
  uint32_t length = tokens.last - tokens.first + 1;
  return text_of(EDIT_COPY, (unsigned)tokens.first, (unsigned)tokens.last, (unsigned)(length * LAYERS + LAYERS - 1));
}

/* Vectors take scalar operands, which functions would refuse; pointers are compared as numbers. */
static char *cast_to(const schema_writer *w, const tree_type *type) {
  return is_vector(type) ? text_of("(%s)(", spelled(w->functions, type)) : text_of("%s", "");
}
static const char *cast_end(const tree_type *type) { return is_vector(type) ? ")" : ""; }

static bool is_shift(const place *p) { return p->symbol == TREE_SHIFT_LEFT || p->symbol == TREE_SHIFT_RIGHT; }

/* left OP right -> function(k, left, right) */
static void edit_binary(const schema_writer *w, const place *p) {
  const tree_type *type = p->kind == PLACE_COMPARE ? p->left_type : p->type;
  const tree_type *right_type = is_shift(p) && p->right_type != NULL ? p->right_type : type;
  span both = {p->left.first, p->right.last};
  char *k = selector(p);
  char *left = cast_to(w, type);
  char *right = cast_to(w, right_type);
  put(w, both.first, EDIT_BEFORE, both, LAYER_PLACE,
      text_of("%s(%s, %s", function_of_place(w->functions, &w->u->text, p), k, left));
  put(w, p->token, EDIT_REPLACE, both, LAYER_PLACE, text_of("%s, %s", cast_end(type), right));
  put(w, both.last, EDIT_AFTER, both, LAYER_PLACE, text_of("%s)", cast_end(right_type)));
  free(k);
  free(left);
  free(right);
}

static void edit_pointer_compare(const schema_writer *w, const place *p) {
  span both = {p->left.first, p->right.last};
  char *k = selector(p);
  put(w, both.first, EDIT_BEFORE, both, LAYER_PLACE,
      text_of("%s(%s, (ulong)(", function_of_place(w->functions, &w->u->text, p), k));
  put(w, p->token, EDIT_REPLACE, both, LAYER_PLACE, text_of("), (ulong)("));
  put(w, both.last, EDIT_AFTER, both, LAYER_PLACE, text_of("))"));
  free(k);
}

/* Puts a function around tokens: its last parameter. */
static void edit_around(const schema_writer *w, const place *p, span tokens, const char *name) {
  char *k = selector(p);
  put(w, tokens.first, EDIT_BEFORE, tokens, LAYER_PLACE, text_of("%s(%s, ", name, k));
  put(w, tokens.last, EDIT_AFTER, tokens, LAYER_PLACE, text_of(")"));
  free(k);
}

/* a && b is a ? b : 0, and a || b is a ? 1 : b; with a negated by the mutant, so is the constant. */
static void edit_logical(const schema_writer *w, const place *p) {
  span both = {p->left.first, p->right.last};
  const char *is = p->symbol == TREE_LOGICAL_AND ? "CLTC_IS" : "CLTC_IS_NOT";
  char *mark = mark_of(p);
  put(w, both.first, EDIT_BEFORE, both, LAYER_PLACE, text_of("(%s((", mark));
  put(w, p->token, EDIT_REPLACE, both, LAYER_PLACE, text_of(") != 0) != %s(%u) ? (", is, (unsigned)p->first + 1));
  put(w, both.last, EDIT_AFTER, both, LAYER_PLACE, text_of(") != 0 : %s(%u))", is, (unsigned)p->first + 1));
  free(mark);
}

/* Types whose value `!` hands on when it is deleted; of others only the truth counts. */
static bool fits_int(const tree_type *t) {
  const bool number = t != NULL && (t->kind == TREE_TYPE_INTEGER || t->kind == TREE_TYPE_BOOL);
  return number && (t->size < 4 || (t->size == 4 && !t->is_unsigned));
}

static void edit_prefix(const schema_writer *w, const place *p) {
  span all = {p->token, p->right.last};
  if (p->kind == PLACE_NOT && !fits_int(p->right_type)) {
    char *mark = mark_of(p);
    put(w, p->token, EDIT_REPLACE, all, LAYER_PLACE, text_of("(%s((", mark));
    put(w, all.last, EDIT_AFTER, all, LAYER_PLACE, text_of(") != 0) == CLTC_IS(%u))", (unsigned)p->first + 1));
    free(mark);
    return;
  }
  char *k = selector(p);
  put(w, p->token, EDIT_REPLACE, all, LAYER_PLACE,
      text_of("%s(%s, ", function_of_place(w->functions, &w->u->text, p), k));
  put(w, all.last, EDIT_AFTER, all, LAYER_PLACE, text_of(")"));
  free(k);
}

/* --- ++ and -- ---------------------------------------------------------------------------------------------------- */

/* The old value of `v++` is the new one with the step taken away again: of integers and pointers. */
static void edit_postfix(const schema_writer *w, const place *p, const char *step) {
  if (!p->used) {
    put(w, p->left.first, EDIT_BEFORE, p->whole, LAYER_PLACE, text_of("("));
    put(w, p->token, EDIT_REPLACE, p->whole, LAYER_PLACE, text_of(" += %s)", step));
  } else if (p->left_type->kind == TREE_TYPE_POINTER) {
    put(w, p->left.first, EDIT_BEFORE, p->whole, LAYER_PLACE, text_of("(("));
    put(w, p->token, EDIT_REPLACE, p->whole, LAYER_PLACE, text_of(" += %s) - %s)", step, step));
  } else {
    put(w, p->left.first, EDIT_BEFORE, p->whole, LAYER_PLACE, text_of("((%s)((", spelled(w->functions, p->left_type)));
    put(w, p->token, EDIT_REPLACE, p->whole, LAYER_PLACE, text_of(" += %s) - %s))", step, step));
  }
}

/* A step of `int` and `long` is one without sign, so that the sum wraps around. */
static char *step_of(const schema_writer *w, const place *p) {
  const tree_type *t = p->left_type;
  const char *name = step_function(w->functions, p->symbol == TREE_ADD);
  const bool is_signed = t->kind == TREE_TYPE_INTEGER && !t->is_unsigned;
  char *k = selector(p);
  char *step = is_vector(t)                ? text_of("(%s)(%s(%s))", spelled(w->functions, t), name, k)
               : is_signed && t->size == 4 ? text_of("(uint)%s(%s)", name, k)
               : is_signed && t->size == 8 ? text_of("(ulong)%s(%s)", name, k)
                                           : text_of("%s(%s)", name, k);
  free(k);
  return step;
}

static void edit_increment(const schema_writer *w, const place *p) {
  char *step = step_of(w, p);
  if (p->postfix) {
    edit_postfix(w, p, step);
  } else {
    put(w, p->token, EDIT_REPLACE, p->whole, LAYER_PLACE, text_of("("));
    put(w, p->left.last, EDIT_AFTER, p->whole, LAYER_PLACE, text_of(" += %s)", step));
  }
  free(step);
}

/* left OP= right -> left = function(k, right, left) */
static void edit_assign(const schema_writer *w, const place *p) {
  if (p->left_type->kind == TREE_TYPE_POINTER) {
    edit_around(w, p, p->right, sign_function(w->functions));
    return;
  }
  const tree_type *right_type = is_shift(p) && p->right_type != NULL ? p->right_type : p->type;
  span both = {p->left.first, p->right.last};
  char *k = selector(p);
  char *copy = copy_of(p->left);
  char *right = cast_to(w, right_type);
  put(w, p->token, EDIT_REPLACE, both, LAYER_PLACE,
      text_of("= %s(%s, %s", function_of_place(w->functions, &w->u->text, p), k, right));
  put(w, both.last, EDIT_AFTER, both, LAYER_PLACE, text_of("%s, %s)", cast_end(right_type), copy));
  free(k);
  free(copy);
  free(right);
}

/* --- calls ------------------------------------------------------------------------------------------------------- */

static void edit_atomic(const schema_writer *w, const place *p) {
  char *k = selector(p);
  put(w, p->token, EDIT_REPLACE, p->whole, LAYER_PLACE, text_of("%s", function_of_place(w->functions, &w->u->text, p)));
  put(w, p->token + 1, EDIT_AFTER, p->whole, LAYER_PLACE, text_of("%s, ", k));
  free(k);
}

/* Another argument than a number may name the user's variables, so the choice is made on the spot. */
static void edit_index(const schema_writer *w, const place *p) {
  bool number = p->right.first == p->right.last && w->u->text.tokens[p->right.first].kind == PP_NUMBER;
  if (number) {
    edit_around(w, p, p->whole, function_of_place(w->functions, &w->u->text, p));
    return;
  }
  char *mark = mark_of(p);
  buffer choices = {0};
  buffer_printf(&choices, "(%s", mark);
  for (uint32_t i = 0; i < p->count; i++) {
    char *value = with_calls(w, p->replacements[i]);
    buffer_printf(&choices, "CLTC_IS(%u) ? %s : ", (unsigned)(p->first + 1 + i), value);
    free(value);
  }
  put(w, p->whole.first, EDIT_BEFORE, p->whole, LAYER_PLACE, buffer_take(&choices));
  put(w, p->whole.last, EDIT_AFTER, p->whole, LAYER_PLACE, text_of(")"));
  free(mark);
}

/* Nothing is switched; only reached or not. */
static void edit_marked(const schema_writer *w, const place *p) {
  char *mark = mark_of(p);
  put(w, p->whole.first, EDIT_BEFORE, p->whole, LAYER_PLACE, text_of("(%s", mark));
  put(w, p->whole.last, EDIT_AFTER, p->whole, LAYER_PLACE, text_of(")"));
  free(mark);
}

/* In a clone the mutant's text stands there for good. */
static void edit_cloned(schema_writer *w, const place *p) {
  edit_marked(w, p);
  uint32_t here = mutant_here(w, p);
  if (here == NONE) return;
  const char *text = p->replacements[here];
  if (p->kind == PLACE_TEXT)
    replace_span(w, p->whole, with_calls(w, text));
  else if (p->kind == PLACE_FLAGS && *text != '\0')
    replace_span(w, p->right, text_of("%s", text));
  else
    replace_span(w, p->whole, text_of("((void)0)"));
}

static void edit_fixed(schema_writer *w, const place *p) {
  const uint32_t here = mutant_here(w, p);
  if (here != NONE) replace_span(w, p->whole, text_of("%s", p->replacements[here]));
}

void edit_place(schema_writer *w, const place *p) {
  switch (p->kind) {
    case PLACE_BINARY:
    case PLACE_COMPARE: edit_binary(w, p); break;
    case PLACE_POINTER_STEP: edit_around(w, p, p->right, sign_function(w->functions)); break;
    case PLACE_POINTER_COMPARE: edit_pointer_compare(w, p); break;
    case PLACE_LOGICAL: edit_logical(w, p); break;
    case PLACE_NOT:
    case PLACE_UNARY: edit_prefix(w, p); break;
    case PLACE_INCREMENT: edit_increment(w, p); break;
    case PLACE_ASSIGN: edit_assign(w, p); break;
    case PLACE_IMAGE: edit_around(w, p, p->right, function_of_place(w->functions, &w->u->text, p)); break;
    case PLACE_INDEX: edit_index(w, p); break;
    case PLACE_LITERAL: edit_around(w, p, p->whole, function_of_place(w->functions, &w->u->text, p)); break;
    case PLACE_ATOMIC: edit_atomic(w, p); break;
    case PLACE_FIXED: edit_fixed(w, p); break;
    case PLACE_LOOP: /* schema_loop.c */ break;
    default: edit_cloned(w, p); break;
  }
}

/* Loops: every turn burns fuel; and, in clones, the mutants of a loop. */

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
    if (p->kind == PLACE_LOOP && p->function == w->index && p->loop == loop) return p;
  }
  return NULL;
}

static loop_mutant mutant_of_loop(const schema_writer *w, const place *p) {
  uint32_t here = p == NULL ? NONE : mutant_here(w, p);
  for (size_t i = 0; i < sizeof loop_mutants / sizeof loop_mutants[0] && here != NONE; i++)
    if (strcmp(p->replacements[here], loop_mutants[i].replacement) == 0) return loop_mutants[i].mutant;
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
  for (size_t i = 0; i < l->count; i++)
    buffer_printf(out, ", %s = cltc_s%u_%zu", l->variables[i]->name, loop->number, i);
  buffer_printf(out, ", cltc_x%u != 0u", loop->number);
}

static char *make_look_ahead(schema_writer *w, const looped *loop) {
  look_ahead l;
  buffer text = {0};
  if (find_look_ahead(&w->f->statements, loop->node, &l)) {
    append_look_ahead(loop, &l, &text);
    for (size_t i = 0; i < l.count; i++)
      buffer_printf(&w->locals, " %s cltc_s%u_%zu;", l.variables[i]->type_text, loop->number, i);
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
  if (loop->node->kind == TREE_DO) wrap_statement(w, loop, text_of("{ if (0) { "), text_of(" } }"));
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
  if (loop->node->kind == TREE_DO) wrap_statement(w, loop, text_of("{ if (%s) { ", ahead), text_of(" } }"));
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
    if (tree_is_loop(n->kind))
      edit_loop(w, n, s);
    else if (n->kind == TREE_GOTO)
      edit_goto(w, n);
  }
}
