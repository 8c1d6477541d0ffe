/* Mutants of operators: which operators there are, what replaces them, and with which types that is correct. */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "frontend/edits.h"
#include "mutate/find.h"

enum { MAX_REPLACEMENTS = 4 };

typedef struct operator_row {
  const char *token;
  mutate_operator op;
  const char *replacements[MAX_REPLACEMENTS]; /* in this order */
} operator_row;

static const operator_row binary_rows[] = {
    {"+", MUTATE_ARITH, {"-", "*", "/"}},
    {"-", MUTATE_ARITH, {"+", "*", "/"}},
    {"*", MUTATE_ARITH, {"/", "+", "-"}},
    {"/", MUTATE_ARITH, {"*", "+", "-"}},
    {"%", MUTATE_ARITH, {"*", "+", "-", "/"}},
    {"<", MUTATE_REL, {">", ">=", "<="}},
    {">", MUTATE_REL, {"<", "<=", ">="}},
    {"<=", MUTATE_REL, {">=", ">", "<"}},
    {">=", MUTATE_REL, {"<=", "<", ">"}},
    {"==", MUTATE_REL, {"!="}},
    {"!=", MUTATE_REL, {"=="}},
    {"&&", MUTATE_LOGIC, {"||"}},
    {"||", MUTATE_LOGIC, {"&&"}},
    {"&", MUTATE_BIT, {"|"}},
    {"|", MUTATE_BIT, {"&"}},
    {"^", MUTATE_BIT, {"&"}},
    {"<<", MUTATE_BIT, {">>"}},
    {">>", MUTATE_BIT, {"<<"}},
};

static const operator_row compound_rows[] = {
    {"+=", MUTATE_ASSIGN, {"-=", "*=", "/="}},
    {"-=", MUTATE_ASSIGN, {"+=", "*=", "/="}},
    {"*=", MUTATE_ASSIGN, {"/=", "+=", "-="}},
    {"/=", MUTATE_ASSIGN, {"*=", "+=", "-="}},
    {"%=", MUTATE_ASSIGN, {"*=", "+=", "-=", "/="}},
    {"<<=", MUTATE_ASSIGN, {">>="}},
    {">>=", MUTATE_ASSIGN, {"<<="}},
    {"&=", MUTATE_ASSIGN, {"|="}},
    {"|=", MUTATE_ASSIGN, {"&="}},
    {"^=", MUTATE_ASSIGN, {"&="}},
};

static const operator_row unary_rows[] = {
    {"-", MUTATE_ARITH, {""}},
    {"!", MUTATE_LOGIC, {""}},
    {"~", MUTATE_BIT, {""}},
};

static const operator_row step_rows[] = {
    {"++", MUTATE_ARITH, {"--"}},
    {"--", MUTATE_ARITH, {"++"}},
};

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static const operator_row *find_row(const finder *f, const operator_row *rows, size_t count, uint32_t token) {
  for (size_t i = 0; i < count; i++) {
    if (token_is(&f->u->text, token, rows[i].token)) {
      return &rows[i];
    }
  }
  return NULL;
}

/* --- contexts ----------------------------------------------------------------------------------------------------- */

static bool equal(span a, span b) { return a.first == b.first && a.last == b.last; }

static void note_truth(finder *f, span s) {
  if (!span_empty(s)) {
    *ARRAY_ADD(f->truths, f->truth_count, f->truth_capacity) = s;
  }
}

static bool is_truth(const finder *f, span s) {
  for (size_t i = f->truth_count; i-- > 0;) {
    if (equal(f->truths[i], s)) {
      return true;
    }
  }
  return false;
}

void note_conditions(finder *f) {
  const syntax *s = &f->program->functions[f->function].syntax;
  for (uint32_t i = 0; i < s->count; i++) {
    if (s->items[i].kind == STATEMENT_IF || is_loop(s->items[i].kind)) {
      note_truth(f, s->items[i].condition);
    }
  }
}

/* The innermost statement around a token. */
static uint32_t statement_at(const syntax *s, uint32_t token) {
  uint32_t found = 0;
  for (uint32_t i = 0; i < s->count && s->items[i].tokens.first <= token; i++) {
    found = span_has(s->items[i].tokens, token) ? i : found;
  }
  return found;
}

/* Whether `whole` is all of `region`, or one of the parts between its commas. */
static bool is_part(const pp_result *text, span region, span whole) {
  if (!span_has(region, whole.first) || !span_has(region, whole.last) ||
      (whole.first != region.first && !token_is(text, whole.first - 1, ",")) ||
      (whole.last != region.last && !token_is(text, whole.last + 1, ","))) {
    return false;
  }
  int depth = 0;
  for (uint32_t t = region.first; t < whole.first; t++) {
    depth += token_is(text, t, "(") || token_is(text, t, "[") || token_is(text, t, "{") ? 1 : 0;
    depth -= token_is(text, t, ")") || token_is(text, t, "]") || token_is(text, t, "}") ? 1 : 0;
  }
  return depth == 0;
}

/* Whether a statement's value is that of a statement expression: it is the last one there. */
static bool gives_value(const pp_result *text, const syntax *s, uint32_t index) {
  uint32_t block = s->items[index].parent;
  uint32_t outer = block == NO_STATEMENT ? NO_STATEMENT : s->items[block].parent;
  return outer != NO_STATEMENT && s->items[block].kind == STATEMENT_COMPOUND &&
         s->items[outer].kind == STATEMENT_SIMPLE && token_is(text, s->items[index].tokens.last + 1, "}");
}

bool is_used(const finder *f, span whole) {
  const pp_result *text = &f->u->text;
  const syntax *s = &f->program->functions[f->function].syntax;
  uint32_t index = statement_at(s, whole.first);
  const statement *st = &s->items[index];
  if (st->kind == STATEMENT_SIMPLE) {
    return gives_value(text, s, index) || !is_part(text, (span){st->keyword, st->tokens.last - 1}, whole);
  }
  if (st->kind != STATEMENT_FOR) {
    return true;
  }
  uint32_t first_end = (span_empty(st->condition) ? st->for_second : st->condition.first) - 1;
  span start = {st->keyword + 2, first_end - 1};
  return !is_part(text, start, whole) && !is_part(text, st->increment, whole);
}

/* Functions that may be called once more or less without anybody noticing; names or beginnings of names. */
static const char *const pure_functions[] = {"get_", "convert_", "as_", "min", "max", "clamp", "abs", "mul24", "mad24"};

static bool is_pure(const pp_result *text, uint32_t name) {
  const pp_token *t = &text->tokens[name];
  for (size_t i = 0; i < COUNT(pure_functions); i++) {
    size_t length = strlen(pure_functions[i]);
    if (t->end - t->begin >= length && memcmp(text->text + t->begin, pure_functions[i], length) == 0) {
      return true;
    }
  }
  return false;
}

static bool has_side_effects(const pp_result *text, span s) {
  static const char *const words[] = {"=", "++", "--", "{"};
  for (uint32_t t = s.first; t <= s.last; t++) {
    bool found = text->tokens[t].kind == PP_IDENTIFIER && t < s.last && token_is(text, t + 1, "(") && !is_pure(text, t);
    for (size_t i = 0; i < COUNT(words); i++) {
      found = found || token_is(text, t, words[i]);
    }
    for (size_t i = 0; i < COUNT(compound_rows); i++) {
      found = found || token_is(text, t, compound_rows[i].token);
    }
    if (found) {
      return true;
    }
  }
  return false;
}

/* --- candidates --------------------------------------------------------------------------------------------------- */

static char *copy(const char *s) { return s == NULL ? NULL : mem_strdup(s); }

static bool is_number(const front_type *t) { return t->class == FRONT_INTEGER || t->class == FRONT_FLOATING; }

static bool same_type(const front_type *a, const front_type *b) {
  return a->name != NULL && b->name != NULL && strcmp(a->name, b->name) == 0;
}

/* A candidate with the types and operands of an expression. */
static candidate *add_expression(finder *f, const front_expression *x, mutate_operator op, place_kind kind) {
  candidate *c = add_candidate(f, op, kind, x->token, x->whole);
  c->place.left = x->left;
  c->place.right = x->right;
  c->place.type = copy(x->type.name);
  c->place.left_type = copy(x->left_type.name);
  c->place.right_type = copy(x->right_type.name);
  return c;
}

/* The expression with another operator, as text: operands keep what they are by parentheses. */
static char *written_out(const finder *f, const front_expression *x, const char *operator_text) {
  char *left = text_of_span(&f->u->text, x->left);
  char *right = text_of_span(&f->u->text, x->right);
  char *text = span_empty(x->left)    ? text_of("(%s(%s))", operator_text, right)
               : span_empty(x->right) ? text_of("((%s)%s)", left, operator_text)
                                      : text_of("((%s) %s (%s))", left, operator_text, right);
  free(left);
  free(right);
  return text;
}

static void add_rows(finder *f, candidate *c, const front_expression *x, const char *const *replacements) {
  for (size_t i = 0; i < MAX_REPLACEMENTS && replacements[i] != NULL; i++) {
    char *text = c->place.kind == PLACE_TEXT ? written_out(f, x, replacements[i]) : mem_strdup(replacements[i]);
    add_alternative(c, mem_strdup(replacements[i]), text, mem_strdup(replacements[i]), NULL);
    c->items[i].parentheses = x->kind == FRONT_BINARY ? parentheses_for(f, x, replacements[i]) : 0;
  }
}

/* A use of an operator with which none of its mutants is type-correct: they are made nowhere, should it be in a macro.
 */
static void add_none(finder *f, const front_expression *x, mutate_operator op) {
  (void)add_candidate(f, op, PLACE_TEXT, x->token, x->whole);
}

static void find_pointer_binary(finder *f, const front_expression *x, const operator_row *row) {
  static const char *const steps[][MAX_REPLACEMENTS] = {{"-"}, {"+"}};
  bool plus = token_is(&f->u->text, x->token, "+");
  if (row->op == MUTATE_REL) {
    add_rows(f, add_expression(f, x, row->op, PLACE_POINTER_COMPARE), x, row->replacements);
  } else if (row->op == MUTATE_LOGIC) {
    add_rows(f, add_expression(f, x, row->op, PLACE_LOGICAL), x, row->replacements);
  } else if (x->left_type.class == FRONT_POINTER && x->right_type.class == FRONT_INTEGER) {
    add_rows(f, add_expression(f, x, row->op, PLACE_POINTER_STEP), x, steps[plus ? 0 : 1]);
  } else {
    add_none(f, x, row->op); /* pointer - pointer, integer + pointer */
  }
}

static place_kind binary_kind(const front_expression *x, mutate_operator op) {
  bool scalar = x->type.components == 1;
  return op == MUTATE_REL ? PLACE_COMPARE : op != MUTATE_LOGIC ? PLACE_BINARY : scalar ? PLACE_LOGICAL : PLACE_TEXT;
}

static void find_binary(finder *f, const front_expression *x) {
  const operator_row *row = find_row(f, binary_rows, COUNT(binary_rows), x->token);
  if (row == NULL) {
    return;
  }
  if (row->op == MUTATE_LOGIC && x->type.components == 1) {
    note_truth(f, x->left);
    note_truth(f, x->right);
  }
  if (x->left_type.class == FRONT_POINTER || x->right_type.class == FRONT_POINTER) {
    find_pointer_binary(f, x, row);
  } else if (is_number(&x->left_type) && is_number(&x->right_type)) {
    add_rows(f, add_expression(f, x, row->op, binary_kind(x, row->op)), x, row->replacements);
  }
}

/* The type that a compound assignment computes in: clang converts the right operand to it, but not that of a shift. */
static char *computed_type(const finder *f, const front_expression *x) {
  bool shift = token_is(&f->u->text, x->token, "<<=") || token_is(&f->u->text, x->token, ">>=");
  if (x->left_type.class == FRONT_POINTER) {
    return copy(x->left_type.name);
  }
  if (!shift) {
    return copy(x->right_type.name);
  }
  return copy(x->left_type.components == 1 && x->left_type.size < 4 ? "int" : x->left_type.name);
}

static void find_compound(finder *f, const front_expression *x) {
  const operator_row *row = find_row(f, compound_rows, COUNT(compound_rows), x->token);
  if (row == NULL || x->left_type.class == FRONT_OTHER) {
    return;
  }
  static const char *const steps[][MAX_REPLACEMENTS] = {{"-="}, {"+="}};
  bool pointer = x->left_type.class == FRONT_POINTER;
  bool plus = token_is(&f->u->text, x->token, "+=");
  place_kind kind = has_side_effects(&f->u->text, x->left) ? PLACE_TEXT : PLACE_ASSIGN;
  candidate *c = add_expression(f, x, row->op, kind);
  free(c->place.type);
  c->place.type = computed_type(f, x);
  c->place.used = is_used(f, x->whole);
  add_rows(f, c, x, pointer ? steps[plus ? 0 : 1] : row->replacements);
}

static void find_step(finder *f, const front_expression *x, const operator_row *row) {
  bool postfix = x->kind == FRONT_POSTFIX;
  front_expression y = *x; /* the operand is always `left` */
  y.left = postfix ? x->left : x->right;
  y.left_type = postfix ? x->left_type : x->right_type;
  y.right = (span){1, 0};
  y.right_type = (front_type){0};
  if (y.left_type.class == FRONT_OTHER) {
    return;
  }
  bool used = is_used(f, x->whole);
  bool plain = y.left_type.class == FRONT_POINTER ||
               (y.left_type.class == FRONT_INTEGER && y.left_type.components == 1) || !used || !postfix;
  place_kind kind = plain && !has_side_effects(&f->u->text, y.left) ? PLACE_INCREMENT : PLACE_TEXT;
  candidate *c = add_expression(f, &y, row->op, kind);
  c->place.postfix = postfix;
  c->place.used = used;
  add_rows(f, c, kind == PLACE_TEXT ? x : &y, row->replacements);
}

/* Scalars that convert to int, which is the type of `!x`, without another value. */
static bool fits_int(const front_type *t) {
  return t->class == FRONT_INTEGER && (t->size < 4 || (t->size == 4 && !t->is_unsigned));
}

static void find_not(finder *f, const front_expression *x, const operator_row *row) {
  bool truth = is_truth(f, x->whole);
  note_truth(f, x->right);
  const front_type *t = &x->right_type;
  if (t->components > 1 ? !same_type(t, &x->type) : !truth && !is_number(t)) {
    add_none(f, x, row->op); /* another vector, or a pointer where a number stood */
    return;
  }
  place_kind kind = t->components == 1 && (truth || fits_int(t)) ? PLACE_NOT : PLACE_TEXT;
  add_rows(f, add_expression(f, x, row->op, kind), x, row->replacements);
}

static void find_prefix(finder *f, const front_expression *x) {
  const operator_row *step = find_row(f, step_rows, COUNT(step_rows), x->token);
  const operator_row *row = find_row(f, unary_rows, COUNT(unary_rows), x->token);
  if (step != NULL) {
    find_step(f, x, step);
  } else if (row != NULL && row->op == MUTATE_LOGIC) {
    find_not(f, x, row);
  } else if (row != NULL && is_number(&x->right_type)) {
    add_rows(f, add_expression(f, x, row->op, PLACE_UNARY), x, row->replacements);
  }
}

/* A plain assignment statement to something in __local memory whose right side reads nothing there: what it assigns
 * comes from outside, so it is how the work-group's memory gets its first values. */
static void find_local(finder *f, const front_expression *x) {
  const syntax *s = &f->program->functions[f->function].syntax;
  const statement *st = &s->items[statement_at(s, x->token)];
  if (!x->to_local || x->reads_local || st->kind != STATEMENT_SIMPLE || st->keyword != x->whole.first ||
      st->tokens.last != x->whole.last + 1 || is_used(f, x->whole)) {
    return;
  }
  candidate *c = add_expression(f, x, MUTATE_LOCAL, PLACE_LOCAL);
  c->replaced = x->whole;
  add_replacement(c, "");
}

void find_operator(finder *f, const front_expression *x) {
  const operator_row *step = NULL;
  switch (x->kind) {
    case FRONT_BINARY:
      find_binary(f, x);
      break;
    case FRONT_COMPOUND:
      find_compound(f, x);
      break;
    case FRONT_ASSIGN:
      find_local(f, x);
      break;
    case FRONT_PREFIX:
      find_prefix(f, x);
      break;
    case FRONT_POSTFIX:
      step = find_row(f, step_rows, COUNT(step_rows), x->token);
      if (step != NULL) {
        find_step(f, x, step);
      }
      break;
    case FRONT_CONDITIONAL:
      note_truth(f, x->left);
      break;
    case FRONT_PARENTHESES:
      if (is_truth(f, x->whole)) {
        note_truth(f, x->right);
      }
      break;
    default:
      break;
  }
}
