/* A recursive descent parser with the precedences of C (C11 6.5). */
#include "base/syntax.h"

#include <ctype.h>
#include <string.h>

/* Brackets and the like in each other, two for each; operators in all: who goes through a tree needs no deep stack. */
enum { DEEPEST = 2000, OPERATORS_MOST = 5000 };

#define WORD "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789"

typedef struct reader {
  const char *at;
  const syntax_rules *rules;
  mem_arena *memory;
  unsigned depth, operators;
  syntax_error *e;
} reader;

static syntax_node *expression(reader *r);
static syntax_node *choice(reader *r);

static bool failed(const reader *r) { return r->e->fault != SYNTAX_FINE; }

static syntax_node *fail(reader *r, syntax_fault fault, char wanted) {
  if (!failed(r)) *r->e = (syntax_error){fault, r->at, wanted};
  return NULL;
}

static syntax_node *make(reader *r, syntax_kind kind, const char *text, size_t count) {
  syntax_node *n = mem_arena_take(r->memory, sizeof *n);
  *n = (syntax_node){.kind = kind, .text = text, .count = count};
  n->parts = mem_arena_array(r->memory, count + 1, sizeof *n->parts);
  return n;
}

static bool take(reader *r, char c) {
  r->at += strspn(r->at, " \t\n");
  const bool found = *r->at == c;
  r->at += found ? 1 : 0;
  return found;
}

static bool want(reader *r, char c) {
  if (!failed(r) && !take(r, c)) (void)fail(r, SYNTAX_MISSING, c);
  return !failed(r);
}

/* A sign belongs to a number after the letter of its exponent. */
static syntax_node *number(reader *r) {
  syntax_node *n = make(r, SYNTAX_NUMBER, r->at, 0);
  const bool hexadecimal = r->at[0] == '0' && (r->at[1] | 0x20) == 'x';
  for (; *r->at == '.' || (*r->at != '\0' && strchr(WORD, *r->at) != NULL); r->at++)
    if ((r->at[0] | 0x20) == (hexadecimal ? 'p' : 'e') && (r->at[1] == '+' || r->at[1] == '-')) r->at++;
  n->length = (size_t)(r->at - n->text);
  return n;
}

static void arguments(reader *r, syntax_node *call) {
  size_t capacity = 0;
  if (take(r, ')')) return;
  do {
    if (call->count == capacity) {
      syntax_node **more = mem_arena_array(r->memory, capacity = 2 * capacity + 4, sizeof *more);
      if (call->count > 0) memcpy(more, call->parts, call->count * sizeof *more);
      call->parts = more;
    }
    syntax_node *argument = choice(r);
    if (failed(r)) return;
    r->at += strspn(r->at, " \t\n");
    argument->end = r->at;
    call->parts[call->count++] = argument;
  } while (take(r, ','));
  (void)want(r, ')');
}

static syntax_node *name(reader *r) {
  syntax_node *n = make(r, SYNTAX_NAME, r->at, 1);
  n->length = strspn(r->at, WORD);
  n->count = 0;
  r->at += n->length;
  if (take(r, '(')) {
    n->kind = SYNTAX_CALL;
    arguments(r, n);
  } else if (take(r, '[')) {
    n->kind = SYNTAX_INDEX;
    n->parts[n->count++] = expression(r);
    (void)want(r, ']');
  }
  return n;
}

static syntax_node *primary(reader *r) {
  if (isdigit((unsigned char)*r->at) || (*r->at == '.' && isdigit((unsigned char)r->at[1]))) return number(r);
  if (strspn(r->at, WORD) > 0) return name(r);
  if (!take(r, '(')) return fail(r, SYNTAX_NO_OPERAND, 0);
  syntax_node *n = expression(r);
  return want(r, ')') ? n : NULL;
}

/* A type of the rules in brackets, which is read; NULL: there is none. */
static const char *cast(reader *r) {
  for (const char *const *type = r->rules->casts; type != NULL && *type != NULL && *r->at == '('; type++) {
    const size_t length = strlen(*type);
    if (strncmp(r->at + 1, *type, length) == 0 && r->at[1 + length] == ')') {
      r->at += length + 2;
      return *type;
    }
  }
  return NULL;
}

static syntax_node *unary(reader *r) {
  r->at += strspn(r->at, " \t\n");
  if (++r->depth > DEEPEST) return fail(r, SYNTAX_TOO_DEEP, 0);
  const char *sign = *r->at == '\0' ? NULL : strchr(r->rules->signs, *r->at), *begin = r->at, *type = cast(r);
  syntax_node *n = NULL;
  if (sign != NULL || type != NULL) {
    n = make(r, sign != NULL ? SYNTAX_UNARY : SYNTAX_CAST, sign != NULL ? begin : type, 1);
    n->length = sign != NULL ? 1 : strlen(type);
    r->at += sign != NULL ? 1 : 0;
    n->parts[0] = unary(r);
  } else {
    n = primary(r);
  }
  r->depth--;
  return n;
}

static syntax_node *binary(reader *r, unsigned level) {
  syntax_node *left = unary(r);
  while (!failed(r)) {
    r->at += strspn(r->at, " \t\n");
    const c_operator op = c_operator_at(r->at);
    if (c_operators[op].level < level) return left;
    if (++r->operators > OPERATORS_MOST) return fail(r, SYNTAX_TOO_DEEP, 0);
    syntax_node *n = make(r, SYNTAX_BINARY, r->at, 2);
    n->op = op;
    r->at += strlen(c_operators[op].text);
    n->parts[0] = left;
    n->parts[1] = binary(r, c_operators[op].level + 1);
    left = n;
  }
  return left;
}

static syntax_node *choice(reader *r) {
  if (++r->depth > DEEPEST) return fail(r, SYNTAX_TOO_DEEP, 0);
  syntax_node *n = binary(r, 1);
  if (!failed(r) && take(r, '?')) {
    syntax_node *outer = make(r, SYNTAX_CHOICE, r->at - 1, 3);
    outer->parts[0] = n;
    outer->parts[1] = expression(r);
    outer->parts[2] = want(r, ':') ? choice(r) : NULL;
    n = outer;
  }
  r->depth--;
  return n;
}

static syntax_node *expression(reader *r) {
  syntax_node *n = choice(r);
  while (r->rules->commas && !failed(r) && take(r, ',')) {
    syntax_node *outer = make(r, SYNTAX_COMMA, r->at - 1, 2);
    outer->parts[0] = n;
    outer->parts[1] = choice(r);
    n = outer;
  }
  return n;
}

syntax_node *syntax_read(const char *text, const syntax_rules *rules, mem_arena *memory, syntax_error *e) {
  reader r = {.at = text, .rules = rules, .memory = memory, .e = e};
  *e = (syntax_error){SYNTAX_FINE, text, 0};
  syntax_node *n = expression(&r);
  r.at += strspn(r.at, " \t\n");
  if (!failed(&r) && *r.at != '\0') (void)fail(&r, SYNTAX_REST, 0);
  return failed(&r) ? NULL : n;
}

bool syntax_is(const syntax_node *n, const char *word) {
  return strlen(word) == n->length && strncmp(n->text, word, n->length) == 0;
}
