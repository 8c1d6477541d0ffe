/* Expressions that the user, or a launch, says to hold: C over arguments, sizes and numbers of elements, in 64
 * bits, or as many as unsigned numbers of 64 need.
 * Soundness: docs/verify.md, Why it is right, Preconditions. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/syntax.h"
#include "proofs/verify/proof.h"

static void said_of_value(proof *p, const object *o, formula wide);

static const char *said_buffer(const kernel *k, const char *text);

#define NAME "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_"

typedef struct parser {
  proof *p;
  const environment *variables;
  const char *text;
  const char *buffer; /* whose value `x[i]` is; NULL: there is none */
  formula content;
  unsigned bits; /* that all numbers have: more than 64 where an argument is an unsigned one of 64 */
} parser;

static formula value_of(parser *x, const syntax_node *n);

_Noreturn static void fail(const parser *x, const char *what) {
  x->p->wrong_assumption = true;
  proof_refuse(x->p, NONE, "the assumption `%s`: %s", x->text, what);
}

/* Sizes and numbers of elements are not negative. */
static formula as_number(const parser *x, formula f) { return smt_resize(&x->p->smt, f, x->bits, false); }

static formula as_truth(const parser *x, formula f) {
  return smt_bits(&x->p->smt, f) == 0 ? f
                                      : smt_differ(&x->p->smt, f, smt_number(&x->p->smt, 0, smt_bits(&x->p->smt, f)));
}

/* --- names -------------------------------------------------------------------------------------------------------- */

static uint32_t find_argument(const parser *x, const char *name, size_t length) {
  const kernel *k = x->p->kernel;
  for (uint32_t a = 0; a < k->argument_count; a++) {
    size_t known = 0;
    const char *text = LLVMGetValueName2(LLVMGetParam(k->function, a), &known);
    if (known == length && memcmp(text, name, length) == 0) return a;
  }
  return NONE;
}

/* Of a buffer: its elements. */
static bool is_unsigned(const kernel *k, uint32_t argument) {
  return module_argument_type(k->module, k->function, argument)[0] == 'u';
}

/* A type without its address space: bytes of an element. */
static unsigned element_bytes(const char *type) {
  static const struct {
    const char *name;
    unsigned bytes;
  } known[] = {{"char", 1}, {"uchar", 1}, {"short", 2}, {"ushort", 2}, {"half", 2},  {"int", 4},
               {"uint", 4}, {"float", 4}, {"long", 8},  {"ulong", 8},  {"double", 8}};
  const size_t letters = strspn(type, "abcdefghijklmnopqrstuvwxyz_");
  const char *vector = strstr(type, "vector_type("); /* as clang writes int4 */
  const unsigned lanes = vector == NULL ? 1 : (unsigned)strtoul(vector + strlen("vector_type("), NULL, 10);
  for (size_t i = 0; i < sizeof known / sizeof *known; i++)
    if (strlen(known[i].name) == letters && strncmp(known[i].name, type, letters) == 0)
      return known[i].bytes * (lanes == 3 ? 4 : lanes);
  return 0;
}

unsigned assumptions_element_bytes(const kernel *k, uint32_t argument) {
  return element_bytes(module_argument_type(k->module, k->function, argument));
}

/* The bits of a number that stands on one side of `*`; 0: none does. */
static unsigned literal_beside(const char *text, const char *star) {
  const char *left = star, *right = star + 1 + strspn(star + 1, " \t");
  while (left > text && strchr(" \tuUlL", left[-1]) != NULL) left--;
  while (left > text && strchr(NAME, left[-1]) != NULL) left--;
  const char *at = isdigit((unsigned char)*left) ? left : right;
  const unsigned long long number = isdigit((unsigned char)*at) ? strtoull(at, NULL, 0) : 0;
  return !isdigit((unsigned char)*at) ? 0 : number == 0 ? 1 : 64 - (unsigned)__builtin_clzll(number);
}

/* So many bits are enough for all that is computed: 64, or more where numbers have that many, or are multiplied with each other. */
static unsigned bits_for(const parser *x) {
  enum { ROOM = 8 }; /* for sums */
  unsigned argument = 33, products = 0, literals = 0, unsigned_ones = 0;
  bool elements = false;
  for (const char *at = x->text; *at != '\0';) {
    const size_t length = strspn(at, NAME);
    const uint32_t a = length == 0 ? NONE : find_argument(x, at, length);
    const bool large = length > 0 && isdigit((unsigned char)*at) && strtoull(at, NULL, 0) > INT64_MAX;
    if (large || (a != NONE && assumptions_element_bytes(x->p->kernel, a) == 8)) argument = 66;
    elements = elements || (length == 8 && strncmp(at, "elements", 8) == 0);
    unsigned_ones += a != NONE && is_unsigned(x->p->kernel, a) ? 1 : 0;
    if (*at == '*') {
      const unsigned literal = literal_beside(x->text, at);
      literals += literal;
      products += literal == 0 ? 1 : 0;
    }
    at += length == 0 ? 1 : length;
  }
  if (argument < 64 && literals + argument < 64 && products == 0) return ADDRESS_BITS;
  if (argument < 64 && literals == 0 && products == 1 && unsigned_ones < 2 && !elements) return ADDRESS_BITS;
  return (elements ? 66 : argument) * (products + 1) + literals + ROOM;
}

static parser parser_of(proof *p, const environment *variables, const char *text) {
  parser x = {.p = p, .variables = variables, .text = text, .bits = ADDRESS_BITS};
  x.bits = bits_for(&x);
  return x;
}

formula assumptions_elements(proof *p, const char *buffer) {
  char name[200];
  (void)snprintf(name, sizeof name, "elements of %.160s", buffer);
  return smt_unknown(&p->smt, name, ADDRESS_BITS);
}

bool assumptions_speak_of(const char *expression, const char *function, const char *argument) {
  const size_t length = strlen(function), wanted = strlen(argument);
  for (const char *at = strstr(expression, function); at != NULL; at = strstr(at + length, function)) {
    const char *c = at + length + strspn(at + length, " \t");
    c += *c == '(' ? 1 + strspn(c + 1, " \t") : 0;
    if (strncmp(c, argument, wanted) == 0 && strchr(" \t)", c[wanted]) != NULL) return true;
  }
  return false;
}

/* `of` NULL: there is no argument. */
static formula elements_of(parser *x, const syntax_node *of) {
  const uint32_t a = of != NULL && of->kind == SYNTAX_NAME ? find_argument(x, of->text, of->length) : NONE;
  if (a == NONE || LLVMGetTypeKind(LLVMTypeOf(LLVMGetParam(x->p->kernel->function, a))) != LLVMPointerTypeKind)
    fail(x, "elements() takes the name of a pointer argument");
  const object *o = &x->p->objects[object_of(x->p, LLVMGetParam(x->p->kernel->function, a))];
  const unsigned bytes = assumptions_element_bytes(x->p->kernel, a);
  if (o->bytes > 0 && bytes > 0) return smt_number(&x->p->smt, o->bytes / bytes, ADDRESS_BITS);
  return assumptions_elements(x->p, o->name);
}

static formula power_of_two(parser *x, const syntax_node *of) {
  const smt *s = &x->p->smt;
  if (of == NULL) fail(x, "an operand is missing");
  const formula n = as_number(x, value_of(x, of));
  const formula zero = smt_number(s, 0, x->bits);
  const formula below = smt_subtract(s, n, smt_number(s, 1, x->bits));
  return smt_and(s, smt_equal(s, smt_apply_binary(s, Z3_mk_bvand, n, below), zero), smt_differ(s, n, zero));
}

static formula called(parser *x, const syntax_node *n) {
  static const char *const sizes[] = {"get_global_size", "get_local_size", "get_num_groups", "get_global_offset"};
  const formula *const known[] = {NULL, x->p->local_size, x->p->groups, x->p->global_offset};
  const syntax_node *argument = n->count == 1 ? n->parts[0] : NULL;
  const bool elements = syntax_is(n, "elements");
  size_t i = 0;
  while (i < sizeof sizes / sizeof *sizes && !syntax_is(n, sizes[i])) i++;
  if (i == sizeof sizes / sizeof *sizes && !elements && !syntax_is(n, "power_of_two"))
    fail(x, "it calls a function that is not known");
  if (n->count > 1) fail(x, "a ) is missing");
  if (elements) return elements_of(x, argument);
  if (i == sizeof sizes / sizeof *sizes) return power_of_two(x, argument);
  const unsigned d = argument == NULL ? DIMENSIONS : (unsigned)(argument->text[0] - '0');
  if (d >= DIMENSIONS || argument->kind != SYNTAX_NUMBER || argument->length != 1) fail(x, "a dimension is 0, 1 or 2");
  return known[i] != NULL ? known[i][d] : proof_global_size(x->p, d);
}

/* `x[i]`, with any name for i: a value of the buffer. */
static formula value_of_buffer(parser *x, const syntax_node *n) {
  if (n->parts[0]->kind != SYNTAX_NAME) fail(x, "in brackets stands the name of an element, as in x[i]");
  if (x->buffer == NULL || !syntax_is(n, x->buffer))
    fail(x, "it speaks of elements of several buffers, or of a buffer of which it is not known what it holds");
  const uint32_t a = find_argument(x, n->text, n->length);
  return smt_resize(&x->p->smt, x->content, x->bits, a == NONE || !is_unsigned(x->p->kernel, a));
}

static formula named(parser *x, const syntax_node *n) {
  const uint32_t a = find_argument(x, n->text, n->length);
  if (a == NONE) fail(x, "it names something that is no argument of the kernel");
  const value *v = (*x->variables)[a];
  if (v->kind != VALUE_NUMBER) fail(x, "it compares an argument that is no number");
  return smt_resize(&x->p->smt, v->number, x->bits, !is_unsigned(x->p->kernel, a));
}

static formula number(parser *x, const syntax_node *n) {
  char *end = NULL;
  const unsigned long long is = strtoull(n->text, &end, 0);
  if (end + strspn(end, "uUlL") != n->text + n->length) fail(x, "something follows its end");
  return smt_number(&x->p->smt, is, x->bits);
}

/* --- operators ---------------------------------------------------------------------------------------------------- */

/* Of two numbers whose product has 64 bits the one that the kernel's code has. */
static formula times(const parser *x, formula a, formula b) {
  const smt *s = &x->p->smt;
  const unsigned needed = smt_bits_needed(&x->p->smt, a) + smt_bits_needed(&x->p->smt, b);
  if (x->bits > ADDRESS_BITS && needed > ADDRESS_BITS) return smt_multiply(s, a, b);
  const formula made = product_of(x->p, smt_resize(s, a, ADDRESS_BITS, true), smt_resize(s, b, ADDRESS_BITS, true));
  return smt_resize(s, made, x->bits, true);
}

static formula quotient(const parser *x, smt_binary of, formula a, formula b) {
  const smt *s = &x->p->smt;
  if (smt_bits_needed(&x->p->smt, a) > ADDRESS_BITS || smt_bits_needed(&x->p->smt, b) > ADDRESS_BITS)
    return smt_apply_binary(s, of, a, b);
  const formula made =
      smt_apply_binary(s, of, smt_resize(s, a, ADDRESS_BITS, true), smt_resize(s, b, ADDRESS_BITS, true));
  return smt_resize(s, made, x->bits, true);
}

static formula shifted(const parser *x, formula a, formula b) {
  uint64_t by = 0;
  if (!smt_is_number(&x->p->smt, smt_simplify(&x->p->smt, smt_resize(&x->p->smt, b, ADDRESS_BITS, false)), &by) ||
      smt_bits_needed(&x->p->smt, a) + by > x->bits)
    fail(x, "what is shifted to the left may get too large");
  return smt_apply_binary(&x->p->smt, Z3_mk_bvshl, a, b);
}

static formula combine(const parser *x, c_operator op, formula a, formula b) {
  const smt *s = &x->p->smt;
  if (op == OP_LOGICAL_OR || op == OP_LOGICAL_AND)
    return (op == OP_LOGICAL_OR ? smt_or : smt_and)(s, as_truth(x, a), as_truth(x, b));
  a = as_number(x, a);
  b = as_number(x, b);
  if (op >= OP_LESS && op <= OP_NOT_EQUAL && smt_bits_needed(&x->p->smt, a) <= ADDRESS_BITS &&
      smt_bits_needed(&x->p->smt, b) <= ADDRESS_BITS) {
    a = smt_simplify(s, smt_resize(s, a, ADDRESS_BITS, true));
    b = smt_simplify(s, smt_resize(s, b, ADDRESS_BITS, true));
  }
  switch (op) {
    case OP_EQUAL: return smt_equal(s, a, b);
    case OP_NOT_EQUAL: return smt_differ(s, a, b);
    case OP_LESS_EQUAL: return Z3_mk_bvsle(s->z3, a, b);
    case OP_GREATER_EQUAL: return Z3_mk_bvsge(s->z3, a, b);
    case OP_LESS: return Z3_mk_bvslt(s->z3, a, b);
    case OP_GREATER: return Z3_mk_bvsgt(s->z3, a, b);
    case OP_OR: return smt_apply_binary(s, Z3_mk_bvor, a, b);
    case OP_XOR: return smt_apply_binary(s, Z3_mk_bvxor, a, b);
    case OP_AND: return smt_apply_binary(s, Z3_mk_bvand, a, b);
    case OP_SHIFT_LEFT: return shifted(x, a, b);
    case OP_SHIFT_RIGHT: return smt_apply_binary(s, Z3_mk_bvashr, a, b);
    case OP_ADD: return smt_add(s, a, b);
    case OP_SUBTRACT: return smt_subtract(s, a, b);
    case OP_MULTIPLY: return times(x, a, b);
    case OP_DIVIDE: return quotient(x, Z3_mk_bvsdiv, a, b);
    default: return quotient(x, Z3_mk_bvsrem, a, b);
  }
}

/* What does not fit into the type of a cast is cut off; size_t is a type of 64 bits without a sign. */
static formula cast(parser *x, const syntax_node *n) {
  const smt *s = &x->p->smt;
  const unsigned bytes = element_bytes(n->text), bits = bytes == 0 ? 64 : 8 * bytes;
  const formula narrow = smt_simplify(s, smt_resize(s, as_number(x, value_of(x, n->parts[0])), bits, false));
  return smt_resize(s, narrow, x->bits, bytes > 0 && n->text[0] != 'u');
}

static formula value_of(parser *x, const syntax_node *n) {
  const smt *s = &x->p->smt;
  switch (n->kind) {
    case SYNTAX_NUMBER: return number(x, n);
    case SYNTAX_NAME: return named(x, n);
    case SYNTAX_CALL: return called(x, n);
    case SYNTAX_INDEX: return value_of_buffer(x, n);
    case SYNTAX_CAST: return cast(x, n);
    case SYNTAX_UNARY: {
      const formula a = value_of(x, n->parts[0]);
      return *n->text == '!' ? smt_not(s, as_truth(x, a)) : smt_subtract(s, smt_number(s, 0, x->bits), as_number(x, a));
    }
    case SYNTAX_CHOICE: {
      const formula condition = value_of(x, n->parts[0]), yes = value_of(x, n->parts[1]);
      const formula no = value_of(x, n->parts[2]);
      return smt_if(s, as_truth(x, condition), as_number(x, yes), as_number(x, no));
    }
    default: {
      const formula left = value_of(x, n->parts[0]);
      return combine(x, n->op, left, value_of(x, n->parts[1]));
    }
  }
}

/* All of the text, or what follows in it. */
static formula written(parser *x, const char *text) {
  static const char *const casts[] = {"char", "uchar", "short", "ushort", "int",
                                      "uint", "long",  "ulong", "size_t", NULL};
  static const syntax_rules rules = {.signs = "!-", .casts = casts};
  syntax_error e;
  const syntax_node *n = syntax_read(text, &rules, x->p->memory, &e);
  if (n != NULL) return value_of(x, n);
  fail(x, e.fault == SYNTAX_TOO_DEEP     ? "brackets are in each other too deeply"
          : e.fault == SYNTAX_NO_OPERAND ? "an operand is missing"
          : e.fault == SYNTAX_REST       ? "something follows its end"
          : e.wanted == ')'              ? "a ) is missing"
          : e.wanted == ':'              ? "a : is missing"
                                         : "in brackets stands the name of an element, as in x[i]");
}

/* `argument == expression`: the argument is that, so that products of both are one. */
static void substitute(proof *p, environment variables, const char *text) {
  parser x = parser_of(p, &variables, text);
  text += strspn(text, " \t\n");
  const size_t length = strspn(text, NAME);
  const uint32_t a = find_argument(&x, text, length);
  const char *after = text + length + strspn(text + length, " \t\n");
  if (length == 0 || a == NONE || strncmp(after, "==", 2) != 0 || variables[a]->kind != VALUE_NUMBER ||
      strpbrk(after + 2, "=<>&|!?") != NULL)
    return;
  const unsigned bits = smt_bits(&p->smt, variables[a]->number);
  uint64_t known = 0;
  if (bits < 8 || smt_is_number(&p->smt, variables[a]->number, &known)) return;
  const formula is = smt_simplify(&p->smt, smt_resize(&p->smt, as_number(&x, written(&x, after + 2)), bits, false));
  variables[a] = value_number(&p->values, is);
}

/* Whether an expression with `x[i]` holds of a value that was read from that buffer. */
static formula assumptions_of_value(proof *p, const char *text, const char *buffer, formula content) {
  const environment variables = p->arguments;
  parser x = parser_of(p, &variables, text);
  x.buffer = buffer;
  x.content = content;
  return smt_simplify(&p->smt, as_truth(&x, written(&x, text)));
}

static formula holds(proof *p, const environment *variables, const char *text) {
  parser x = parser_of(p, variables, text);
  return smt_simplify(&p->smt, as_truth(&x, written(&x, text)));
}

void assumptions_add(proof *p, environment variables) {
  const environment known = variables;
  for (size_t i = 0; i < p->launch->assume_count; i++) substitute(p, variables, p->launch->assume[i]);
  for (size_t i = 0; i < p->launch->assume_count; i++) {
    const char *text = p->launch->assume[i], *buffer = said_buffer(p->kernel, text);
    if (strchr(text, '[') == NULL)
      proof_fact(p, holds(p, &known, text));
    else /* said of values, when they are read; here it is only looked at */
      (void)assumptions_of_value(p, text, buffer == NULL ? "" : buffer, smt_number(&p->smt, 0, ADDRESS_BITS));
  }
  p->claims = mem_arena_array(p->memory, p->claim_count + 1, sizeof *p->claims);
  for (unsigned d = 0; d < DIMENSIONS && p->claim_count > 0; d++) { /* else it would have to be found again and again */
    const formula size = product_of(p, p->local_size[d], p->groups[d]);
    proof_fact(p, Z3_mk_bvult(p->smt.z3, p->global_id[0][d], size));
  }
  for (size_t i = 0; i < p->claim_count; i++) p->claims[i] = holds(p, &known, p->claim_texts[i]);
}

/* --- expressions about buffers ------------------------------------------------------------------------------------ */

/* --- of values that are read -------------------------------------------------------------------------------------- */

/* What is known of the contents of buffers of integers that a kernel only reads: said of each value that is read.
 * Soundness: docs/verify.md, Why it is right, Contents. */

void contents_note(proof *p, uint32_t number, formula index, formula content) {
  *ARRAY_ADD(p->contents, p->content_count, p->content_capacity) = (content_read){number, index, content};
}

void contents_note_cell(proof *p, cell c) {
  if (p->turns > 0 && c.enabled != p->smt.no) *ARRAY_ADD(p->cells, p->cell_count, p->cell_capacity) = c;
}

/* What a buffer of the launch holds, if it is small: only for looking at first iterations, as launches that are like this one may
 * hold other numbers. NULL: not known. */
const buffer_given *contents_given(const proof *p, const object *o) {
  for (size_t i = 0; i < p->launch->buffer_count && p->turns > 0 && o->kind == OBJECT_ARGUMENT; i++) {
    const buffer_given *b = &p->launch->buffers[i];
    if (b->held != NULL && o->contents == &b->contents && strcmp(b->name, o->name) == 0) return b;
  }
  return NULL;
}

/* The number of `bits` that the buffer holds there, `index` numbers further. NULL: it does not lie as numbers of that size do. */
formula contents_held(proof *p, const buffer_given *b, const offset *at, unsigned bits, size_t index) {
  const smt *s = &p->smt;
  const size_t bytes = bits / 8;
  if (offset_unit(at, (int64_t)bytes) != (int64_t)bytes) return NULL;
  const formula place = smt_add(s, offset_number(&p->values, at, (int64_t)bytes), smt_number(s, index, ADDRESS_BITS));
  formula found = NULL;
  for (size_t n = 0; (n + 1) * bytes <= b->bytes; n++) {
    uint64_t number = 0;
    memcpy(&number, b->held + n * bytes, bytes);
    const formula content = smt_number(s, number, bits);
    found = found == NULL ? content : smt_if(s, smt_equal(s, place, smt_number(s, n, ADDRESS_BITS)), content, found);
  }
  p->held = p->held || found != NULL;
  return found;
}

/* Of one value. */
static void add_one(proof *p, const content_read *r, const contents_known *c) {
  const smt *s = &p->smt;
  const formula wide = smt_resize(s, r->content, ADDRESS_BITS, !c->is_unsigned);
  if (c->identity) proof_fact(p, smt_equal(s, wide, r->index));
  said_of_value(p, &p->objects[r->object], wide);
  if (c->within) {
    proof_fact(p, Z3_mk_bvsge(s->z3, wide, smt_number(s, (uint64_t)c->low, ADDRESS_BITS)));
    proof_fact(p, Z3_mk_bvsle(s->z3, wide, smt_number(s, (uint64_t)c->high, ADDRESS_BITS)));
  }
}

static formula at_most(const smt *s, formula a, formula b, bool is_unsigned) {
  return is_unsigned ? Z3_mk_bvule(s->z3, a, b) : Z3_mk_bvsle(s->z3, a, b);
}

/* Of two values of one buffer. */
static void add_two(proof *p, const content_read *a, const content_read *b, const contents_known *c) {
  const smt *s = &p->smt;
  if (c->distinct) proof_fact(p, smt_or(s, smt_equal(s, a->index, b->index), smt_differ(s, a->content, b->content)));
  if (c->ascending) {
    const formula before = Z3_mk_bvult(s->z3, a->index, b->index), after = Z3_mk_bvult(s->z3, b->index, a->index);
    proof_fact(p, smt_implies(s, before, at_most(s, a->content, b->content, c->is_unsigned)));
    proof_fact(p, smt_implies(s, after, at_most(s, b->content, a->content, c->is_unsigned)));
  }
}

/* What is known is about numbers of the parameter's own width: of others, and of what lies across two, it says nothing. */
static bool is_whole(const proof *p, const content_read *r) {
  const object *o = &p->objects[r->object];
  const unsigned bytes = assumptions_element_bytes(p->kernel, kernel_number(p->kernel, o->value));
  return o->contents != NULL && bytes > 0 && smt_bits(&p->smt, r->content) == 8 * bytes;
}

void contents_add(proof *p) {
  for (size_t i = 0; i < p->content_count; i++) {
    const content_read *a = &p->contents[i];
    const contents_known *c = p->objects[a->object].contents;
    if (!is_whole(p, a)) continue;
    add_one(p, a, c);
    for (size_t j = i + 1; j < p->content_count; j++) {
      const content_read *b = &p->contents[j];
      if (b->object == a->object && smt_bits(&p->smt, a->content) == smt_bits(&p->smt, b->content)) add_two(p, a, b, c);
    }
  }
}

/* "distinct(x)", and nothing else. */
static bool is_call(const char *text, const char *function, const char *argument) {
  const size_t length = strlen(function), size = strlen(argument);
  text += strspn(text, " \t");
  if (strncmp(text, function, length) != 0) return false;
  text += length + strspn(text + length, " \t");
  if (*text != '(') return false;
  text += 1 + strspn(text + 1, " \t");
  if (strncmp(text, argument, size) != 0) return false;
  text += size + strspn(text + size, " \t");
  return *text == ')' && text[1 + strspn(text + 1, " \t")] == '\0';
}

/* Whether the expression has "x[". */
static bool is_indexed(const char *text, const char *name) {
  const size_t length = strlen(name);
  for (const char *at = strstr(text, name); at != NULL; at = strstr(at + 1, name)) {
    const bool begins = at == text || strchr(NAME, at[-1]) == NULL;
    if (begins && at[length + strspn(at + length, " \t")] == '[') return true;
  }
  return false;
}

/* The buffer of whose elements an expression speaks; NULL: it speaks of none. */
static const char *said_buffer(const kernel *k, const char *text) {
  for (uint32_t a = 0; a < k->argument_count; a++) {
    const LLVMValueRef v = LLVMGetParam(k->function, a);
    const char *name = module_name(v);
    if (LLVMGetTypeKind(LLVMTypeOf(v)) == LLVMPointerTypeKind && is_indexed(text, name)) return name;
  }
  return NULL;
}

typedef struct said {
  bool elements, each;
  contents_known contents;
} said;

static said said_of(const launch *l, const char *name) {
  said s = {0};
  for (size_t i = 0; i < l->assume_count; i++) {
    s.elements = s.elements || assumptions_speak_of(l->assume[i], "elements", name);
    s.each = s.each || is_indexed(l->assume[i], name);
    s.contents.distinct = s.contents.distinct || is_call(l->assume[i], "distinct", name);
    s.contents.ascending = s.contents.ascending || is_call(l->assume[i], "ascending", name);
  }
  return s;
}

void said_take(const kernel *k, launch *l) {
  buffer_given *buffers = mem_arena_array(k->memory, k->argument_count + 1, sizeof *buffers);
  const char **assume = mem_arena_array(k->memory, l->assume_count + 1, sizeof *assume);
  if (l->assume_count > 0) memcpy(assume, l->assume, l->assume_count * sizeof *assume);
  l->assume = assume;
  l->buffers = buffers;
  l->buffer_count = 0;
  for (uint32_t a = 0; a < k->argument_count; a++) {
    const LLVMValueRef v = LLVMGetParam(k->function, a);
    const char *name = module_name(v);
    const bool pointer = LLVMGetTypeKind(LLVMTypeOf(v)) == LLVMPointerTypeKind;
    const bool local = pointer && LLVMGetPointerAddressSpace(LLVMTypeOf(v)) == SPACE_LOCAL;
    said s = said_of(l, name);
    const bool contents = !local && (s.each || s.contents.distinct || s.contents.ascending);
    if (!pointer || (!s.elements && !contents)) continue;
    const char *type = module_argument_type(k->module, k->function, a);
    s.contents.is_unsigned = type[0] == 'u';
    buffers[l->buffer_count++] = (buffer_given){
        .name = name, .memory = -1, .local = local, .counted = s.elements, .said = true, .contents = s.contents};
    /* Takes those away that are about the contents of this buffer as a whole. */
    size_t kept = 0;
    for (size_t i = 0; i < l->assume_count; i++)
      if (!is_call(l->assume[i], "distinct", name) && !is_call(l->assume[i], "ascending", name))
        l->assume[kept++] = l->assume[i];
    l->assume_count = kept;
  }
}

/* Adds, as facts, what expressions with `x[i]` say of a value that was read from x. */
static void said_of_value(proof *p, const object *o, formula wide) {
  for (size_t i = 0; i < p->launch->assume_count; i++)
    if (is_indexed(p->launch->assume[i], o->name))
      proof_fact(p, assumptions_of_value(p, p->launch->assume[i], o->name, wide));
}
