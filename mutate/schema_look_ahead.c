/* Knowing that a turn of a loop would be its last one: do what leads to the next turn, evaluate the condition, undo.
 * That works when all that is changed on the way are plain local variables, and when the loop's body changes nothing
 * that the condition looks at. Everything is read from tokens, and what is not understood is refused. */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "frontend/tree_builtins.h"
#include "mutate/schema.h"

static const char *const assignments[] = {"=", "+=", "-=", "*=", "/=", "%=", "<<=", ">>=", "&=", "|=", "^="};

typedef struct reader {
  const program *p;
  const function *f;
  const pp_result *text;
  uint32_t function;
  uint32_t loop;
} reader;

static bool is_assignment(const pp_result *text, uint32_t t) {
  for (size_t i = 0; i < sizeof assignments / sizeof assignments[0]; i++) {
    if (token_is(text, t, assignments[i])) {
      return true;
    }
  }
  return false;
}

static bool is_step(const pp_result *text, uint32_t t) { return token_is(text, t, "++") || token_is(text, t, "--"); }

static bool is_member(const pp_result *text, uint32_t t) {
  return t > 0 && (token_is(text, t - 1, ".") || token_is(text, t - 1, "->"));
}

static bool is_variable(const pp_result *text, uint32_t t) {
  return text->tokens[t].kind == PP_IDENTIFIER && !is_member(text, t) && !token_is(text, t + 1, "(");
}

/* --- calls ------------------------------------------------------------------------------------------------------- */

static bool is_program_function(const reader *r, uint32_t t) {
  const pp_token *token = &r->text->tokens[t];
  for (size_t i = 0; i < r->p->function_count; i++) {
    const char *name = r->p->functions[i].node->symbol->name;
    if (strlen(name) == token->end - token->begin && memcmp(name, r->text->text + token->begin, strlen(name)) == 0) {
      return true;
    }
  }
  return false;
}

/* Built-in functions that do nothing but give a value, and `sizeof`. */
static bool is_pure_call(const reader *r, uint32_t t) {
  if (is_program_function(r, t)) {
    return false;
  }
  const pp_token *token = &r->text->tokens[t];
  char *name = mem_strndup(r->text->text + token->begin, token->end - token->begin);
  const tree_builtin *found = tree_find_builtin(name);
  free(name);
  return token_is(r->text, t, "sizeof") || (found != NULL && tree_builtin_is_pure(found));
}

static bool is_keyword(const pp_result *text, uint32_t t) {
  static const char *const words[] = {"if", "for", "while", "switch", "return", "__attribute__", "_Pragma", "case"};
  for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
    if (token_is(text, t, words[i])) {
      return true;
    }
  }
  return false;
}

static bool has_impure_call(const reader *r, span tokens) {
  for (uint32_t t = tokens.first; t <= tokens.last; t++) {
    if (r->text->tokens[t].kind == PP_IDENTIFIER && token_is(r->text, t + 1, "(") && !is_keyword(r->text, t) &&
        !is_pure_call(r, t)) {
      return true;
    }
  }
  return false;
}

/* --- what an expression changes ---------------------------------------------------------------------------------- */

static bool add_variable(const reader *r, look_ahead *out, uint32_t token) {
  for (size_t i = 0; i < out->count; i++) {
    if (same_spelling(r->text, out->variables[i].token, token)) {
      return true;
    }
  }
  char *type = variable_type(r->p, r->function, token);
  if (type == NULL) {
    return false;
  }
  *ARRAY_ADD(out->variables, out->count, out->capacity) = (saved_variable){token, type};
  return true;
}

/* The plain variable that ends before `t`: `v` or `(v)`; NO_TOKEN for any other operand. `*before`: the token before
 * it. */
static uint32_t operand_before(const pp_result *text, span s, uint32_t t, uint32_t *before) {
  if (t <= s.first) {
    return NO_TOKEN;
  }
  bool wrapped = t >= s.first + 3 && token_is(text, t - 1, ")") && token_is(text, t - 3, "(");
  uint32_t name = wrapped ? t - 2 : t - 1;
  uint32_t start = wrapped ? t - 3 : t - 1;
  *before = start == s.first ? NO_TOKEN : start - 1;
  bool called = wrapped && *before != NO_TOKEN && text->tokens[*before].kind == PP_IDENTIFIER;
  return text->tokens[name].kind == PP_IDENTIFIER && !is_member(text, name) && !called ? name : NO_TOKEN;
}

/* An assignment's left side stands alone behind one of these. */
static bool starts_operand(const pp_result *text, uint32_t before) {
  static const char *const words[] = {"(", ",", "&&", "||", "?", ":"};
  if (before == NO_TOKEN || is_assignment(text, before)) {
    return true;
  }
  for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
    if (token_is(text, before, words[i])) {
      return true;
    }
  }
  return false;
}

/* The variable that `++` or `--` at `t` changes. */
static uint32_t stepped(const pp_result *text, span s, uint32_t t) {
  uint32_t before = NO_TOKEN;
  uint32_t postfix = operand_before(text, s, t, &before);
  if (postfix != NO_TOKEN || (t > s.first && (token_is(text, t - 1, ")") || token_is(text, t - 1, "]")))) {
    return postfix;
  }
  bool wrapped = t + 3 <= s.last && token_is(text, t + 1, "(") && token_is(text, t + 3, ")");
  uint32_t name = wrapped ? t + 2 : t + 1;
  uint32_t behind = wrapped ? t + 4 : t + 2;
  bool plain = name <= s.last && text->tokens[name].kind == PP_IDENTIFIER && !token_is(text, behind, "[") &&
               !token_is(text, behind, ".") && !token_is(text, behind, "->") && !token_is(text, behind, "(");
  return plain ? name : NO_TOKEN;
}

/* Adds the variables that an expression changes; false when it may change anything else. */
static bool collect_changes(const reader *r, span s, look_ahead *out) {
  if (has_impure_call(r, s)) {
    return false;
  }
  for (uint32_t t = s.first; t <= s.last; t++) {
    uint32_t changed = NO_TOKEN;
    uint32_t before = NO_TOKEN;
    if (token_is(r->text, t, "{") || r->text->tokens[t].kind == PP_PRAGMA) {
      return false;
    }
    if (is_step(r->text, t)) {
      changed = stepped(r->text, s, t);
    } else if (is_assignment(r->text, t)) {
      changed = operand_before(r->text, s, t, &before);
      changed = changed != NO_TOKEN && starts_operand(r->text, before) ? changed : NO_TOKEN;
    } else {
      continue;
    }
    if (changed == NO_TOKEN || !add_variable(r, out, changed)) {
      return false;
    }
  }
  return true;
}

/* --- what a body changes ----------------------------------------------------------------------------------------- */

static uint32_t behind_suffixes(const pp_result *text, uint32_t t) {
  for (;;) {
    if (token_is(text, t, "[")) {
      uint32_t close = token_match(text, t);
      if (close == NO_TOKEN) {
        return t;
      }
      t = close + 1;
    } else if (token_is(text, t, ".") || token_is(text, t, "->")) {
      t += 2;
    } else {
      return t;
    }
  }
}

/* `&` that takes an address: nothing stands before it that it could join with. */
static bool takes_address(const pp_result *text, uint32_t t) {
  if (!token_is(text, t, "&")) {
    return false;
  }
  pp_kind before = text->tokens[t - 1].kind;
  return before == PP_PUNCTUATOR && !token_is(text, t - 1, "]") && !token_is(text, t - 1, ")");
}

/* Whether the use of a variable at `t` may change it or lets others do so. */
static bool changes_at(const pp_result *text, uint32_t t) {
  uint32_t first = t;
  uint32_t behind = behind_suffixes(text, t + 1);
  while (first > 0 && token_is(text, first - 1, "(") && token_is(text, behind, ")") &&
         (first < 2 || text->tokens[first - 2].kind != PP_IDENTIFIER)) {
    first--;
    behind = behind_suffixes(text, behind + 1);
  }
  return is_assignment(text, behind) || is_step(text, behind) || is_step(text, first - 1) ||
         takes_address(text, first - 1);
}

static bool changed_in(const reader *r, span tokens, span but, uint32_t name) {
  for (uint32_t t = tokens.first; t <= tokens.last; t++) {
    if (!span_has(but, t) && r->text->tokens[t].kind == PP_IDENTIFIER && same_spelling(r->text, t, name) &&
        !is_member(r->text, t) && changes_at(r->text, t)) {
      return true;
    }
  }
  return false;
}

static bool declared_in(const reader *r, uint32_t around, uint32_t name) {
  return declares(r->p, r->function, r->f->syntax.items[around].tokens, name);
}

static bool is_operand_end(const pp_result *text, uint32_t t) {
  return text->tokens[t].kind == PP_IDENTIFIER || text->tokens[t].kind == PP_NUMBER || token_is(text, t, ")") ||
         token_is(text, t, "]");
}

static bool reads_memory(const reader *r, span s) {
  for (uint32_t t = s.first; t <= s.last; t++) {
    if (token_is(r->text, t, "[") || token_is(r->text, t, "->") ||
        (token_is(r->text, t, "*") && (t == s.first || !is_operand_end(r->text, t - 1)))) {
      return true;
    }
  }
  return false;
}

/* Whether the body, its step apart, leaves alone all that the tokens look at. */
static bool body_leaves(const reader *r, span looked_at, span step) {
  const statement *loop = &r->f->syntax.items[r->loop];
  span body = r->f->syntax.items[loop->body].tokens;
  for (uint32_t t = looked_at.first; t <= looked_at.last; t++) {
    if (is_variable(r->text, t) && (changed_in(r, body, step, t) || declared_in(r, loop->body, t))) {
      return false;
    }
  }
  return !reads_memory(r, looked_at) || !has_impure_call(r, body);
}

/* --- the step ---------------------------------------------------------------------------------------------------- */

static bool mentions(const reader *r, span s, uint32_t name) {
  for (uint32_t t = s.first; t <= s.last; t++) {
    if (is_variable(r->text, t) && same_spelling(r->text, t, name)) {
      return true;
    }
  }
  return false;
}

/* Whether a statement of the body changes a variable of the condition. */
static bool moves(const reader *r, uint32_t s, span condition) {
  for (uint32_t t = condition.first; t <= condition.last; t++) {
    if (is_variable(r->text, t) && changed_in(r, r->f->syntax.items[s].tokens, (span){1, 0}, t)) {
      return true;
    }
  }
  return false;
}

static bool continues(const reader *r) {
  const syntax *s = &r->f->syntax;
  for (uint32_t i = r->loop + 1; i < s->count && s->items[i].tokens.first <= s->items[r->loop].tokens.last; i++) {
    if (s->items[i].kind == STATEMENT_CONTINUE) {
      uint32_t around = s->items[i].parent;
      while (!is_loop(s->items[around].kind)) {
        around = s->items[around].parent;
      }
      if (around == r->loop) {
        return true;
      }
    }
  }
  return false;
}

/* The one statement at the top of the body that changes what the condition looks at; empty if there is none. */
static span step_in_body(const reader *r) {
  const syntax *s = &r->f->syntax;
  const statement *loop = &s->items[r->loop];
  uint32_t body = loop->body;
  bool block = s->items[body].kind == STATEMENT_COMPOUND;
  for (uint32_t i = body; i < s->count && s->items[i].tokens.first <= s->items[body].tokens.last; i++) {
    const statement *st = &s->items[i];
    bool top = block ? st->parent == body : i == body;
    if (top && st->kind == STATEMENT_SIMPLE && st->tokens.last > st->tokens.first && moves(r, i, loop->condition)) {
      return (span){st->tokens.first, st->tokens.last - 1};
    }
  }
  return (span){1, 0};
}

static bool has_labels(const reader *r) {
  const syntax *s = &r->f->syntax;
  for (uint32_t i = r->loop + 1; i < s->count && s->items[i].tokens.first <= s->items[r->loop].tokens.last; i++) {
    if (s->items[i].kind == STATEMENT_LABEL) {
      return true;
    }
  }
  return jumped_into(s, r->loop);
}

static bool changes_condition(const reader *r, span condition, const look_ahead *l) {
  for (size_t i = 0; i < l->count; i++) {
    if (mentions(r, condition, l->variables[i].token)) {
      return true;
    }
  }
  return false;
}

bool find_look_ahead(const program *p, uint32_t function_index, uint32_t index, look_ahead *out) {
  *out = (look_ahead){.step = {1, 0}};
  const function *f = &p->functions[function_index];
  reader r = {p, f, &p->units[f->unit].text, function_index, index};
  const statement *loop = &f->syntax.items[index];
  if (!is_loop(loop->kind) || span_empty(loop->condition) || loop->body == NO_STATEMENT || has_labels(&r) ||
      !collect_changes(&r, loop->condition, out)) {
    return false;
  }
  span in_body = {1, 0};
  if (!span_empty(loop->increment)) {
    out->step = loop->increment;
  } else if (out->count == 0) {
    out->step = in_body = step_in_body(&r);
    if (span_empty(in_body) || continues(&r)) {
      return false;
    }
  }
  return (span_empty(out->step) || (collect_changes(&r, out->step, out) && body_leaves(&r, out->step, in_body))) &&
         changes_condition(&r, loop->condition, out) && body_leaves(&r, loop->condition, in_body);
}

bool schema_can_look_ahead(const program *p, uint32_t function_index, uint32_t statement_index) {
  look_ahead l;
  bool can = find_look_ahead(p, function_index, statement_index, &l);
  look_ahead_free(&l);
  return can;
}

void look_ahead_free(look_ahead *l) {
  for (size_t i = 0; i < l->count; i++) {
    free(l->variables[i].type);
  }
  free(l->variables);
  *l = (look_ahead){0};
}
