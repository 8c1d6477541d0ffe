/* Directives: a table of their names, conditionals and their conditions, #include, and questions to the device. */
#include <inttypes.h>
#include <stdlib.h>

#include "base/syntax.h"
#include "frontend/preprocess_internal.h"
#include "frontend/tree_internal.h"

/* --- expressions -------------------------------------------------------------------------------------------------- */

/* Value of the expression of an #if or #elif (C11 6.10.1), macros being expanded. Names that are left may be macros of
 * the device: a value that depends on one is unknown. */

typedef struct value {
  uint64_t bits;
  bool is_unsigned;
  bool known;
} value;

/* How an operand matters: its value counts; it counts if the device says so; it is not evaluated at all. */
typedef enum liveness { LIVE, PERHAPS, DEAD } liveness;

static value number(uint64_t bits) { return (value){bits, false, true}; }

static const value unknown = {0, false, false};

/* Whether what follows the digits is a suffix of an integer: u, l, ll in either order and case. */
static bool is_suffix(const char *s, uint32_t length, bool *is_unsigned) {
  uint32_t us = 0, ls = 0;
  for (uint32_t i = 0; i < length; i++) {
    char c = (char)(s[i] | 0x20);
    us += c == 'u' ? 1 : 0;
    ls += c == 'l' ? 1 : 0;
  }
  *is_unsigned = us > 0;
  return us + ls == length && us <= 1 && ls <= 2;
}

/* Appends the number as one without base and L; false: it is no integer. */
static bool write_number(const token *t, buffer *out) {
  const char *s = t->text;
  uint32_t i = 0, length = t->length;
  int base = 10;
  if (length > 2 && s[0] == '0' && ((s[1] | 0x20) == 'x' || (s[1] | 0x20) == 'b')) {
    base = (s[1] | 0x20) == 'x' ? 16 : 2;
    i = 2;
  } else if (s[0] == '0') {
    base = 8;
  }
  uint32_t first = i;
  uint64_t bits = 0;
  for (; i < length && (unsigned)hex_digit(s[i]) < (unsigned)base; i++)
    bits = bits * (uint64_t)base + (uint64_t)hex_digit(s[i]);
  bool is_unsigned = false;
  if (i == first || !is_suffix(s + i, length - i, &is_unsigned)) return false;
  buffer_printf(out, "%" PRIu64 "%s ", bits, is_unsigned || bits > INT64_MAX ? "u" : "");
  return true;
}

/* The value of an escape sequence after its backslash; `*s` moves after it. */
static uint32_t escape(const char **s, const char *end) {
  static const char letters[] = "abfnrtve", codes[] = "\a\b\f\n\r\t\v\033";
  char c = *(*s)++;
  uint32_t code = 0;
  if (c == 'x') {
    for (; *s < end && (unsigned)hex_digit(**s) < 16; (*s)++) code = code * 16 + (uint32_t)hex_digit(**s);
    return code;
  }
  if ((unsigned)hex_digit(c) < 8) {
    code = (uint32_t)hex_digit(c);
    for (int n = 1; n < 3 && *s < end && (unsigned)hex_digit(**s) < 8; n++, (*s)++)
      code = code * 8 + (uint32_t)hex_digit(**s);
    return code;
  }
  const char *letter = c == '\0' ? NULL : strchr(letters, c);
  return letter == NULL ? (unsigned char)c : (unsigned char)codes[letter - letters];
}

/* Appends the character's number; false: it has no end, or is empty. */
static bool write_character(const token *t, buffer *out) {
  bool wide = t->text[0] == 'L';
  const char *s = t->text + (wide ? 2 : 1), *end = t->text + t->length - 1;
  if (t->unterminated || s >= end) return false;
  uint32_t bits = 0;
  size_t count = 0;
  for (; s < end; count++) {
    uint32_t code = (unsigned char)*s++;
    if (code == '\\' && s < end) code = escape(&s, end);
    bits = wide ? code : (bits << 8) | (code & 0xff);
  }
  buffer_printf(out, "(%d) ", count == 1 && !wide ? (int8_t)bits : (int32_t)bits);
  return true;
}

/* After a name that the user does not define: the arguments that it may have as a macro of the device. NULL: they have
 * no end. */
static const token *skip_arguments(const token *t) {
  size_t depth = 0;
  if (!pp_is(t, "(")) return t;
  do {
    depth += pp_is(t, "(") ? 1 : 0;
    depth -= pp_is(t, ")") ? 1 : 0;
    if (t++->kind == TOKEN_END) return NULL;
  } while (depth > 0);
  return t;
}

static bool is_operator(const token *t) {
  c_operator op = OP_ADD;
  while (op < OP_BINARY_END && !pp_is(t, c_operators[op].text)) op++;
  return op < OP_BINARY_END;
}

/* The tokens up to a TOKEN_END as an expression whose names are what is unknown. NULL, or what is wrong with them. */
static const char *write_expression(const token *t, buffer *out) {
  while (t->kind != TOKEN_END) {
    const token *at = t++;
    if (at->kind == TOKEN_NUMBER) {
      if (!write_number(at, out)) return "a number that is no integer";
    } else if (at->kind == TOKEN_CHARACTER) {
      if (!write_character(at, out)) return "a character constant without an end or empty";
    } else if (at->kind == TOKEN_IDENTIFIER || at->kind == TOKEN_UNKNOWN) {
      if (at->kind == TOKEN_IDENTIFIER && (t = skip_arguments(t)) == NULL) return "a missing )";
      buffer_puts(out, "(x) ");
    } else {
      const bool fits = (at->length == 1 && strchr("()?:,!~", at->text[0]) != NULL) || is_operator(at);
      buffer_append(out, fits ? at->text : "$", fits ? at->length : 1);
      buffer_puts(out, " ");
    }
  }
  return NULL;
}

/* Shifts by more than the width, and by negative amounts, push every bit out. */
static uint64_t shift(const value *a, const value *b, bool left) {
  if (left) return b->bits > 63 ? 0 : a->bits << b->bits;
  uint64_t amount = b->bits > 63 ? 63 : b->bits;
  if (a->is_unsigned || a->bits <= INT64_MAX) return b->bits > 63 ? 0 : a->bits >> amount;
  return ~(~a->bits >> amount);
}

static bool is_logical(c_operator op) { return op == OP_LOGICAL_AND || op == OP_LOGICAL_OR; }

/* What overflows wraps around; the divisor is not 0. */
static value compute(c_operator op, const value *a, const value *b) {
  if (op == OP_SHIFT_LEFT || op == OP_SHIFT_RIGHT)
    return (value){shift(a, b, op == OP_SHIFT_LEFT), a->is_unsigned, true};
  const bool is_unsigned = a->is_unsigned || b->is_unsigned;
  const bool truth = (op >= OP_LESS && op <= OP_NOT_EQUAL) || is_logical(op);
  int64_t result = 0;
  (void)integer_compute(op, (int64_t)a->bits, (int64_t)b->bits, (integer_type){64, is_unsigned}, &result);
  return (value){(uint64_t)result, is_unsigned && !truth, true};
}

static value evaluate(const syntax_node *n, liveness live, const char **complaint);

static value evaluate_unary(const syntax_node *n, liveness live, const char **complaint) {
  value v = evaluate(n->parts[0], live, complaint);
  switch (*n->text) {
    case '!': return (value){v.bits == 0, false, v.known};
    case '-': v.bits = 0 - v.bits; return v;
    case '~': v.bits = ~v.bits; return v;
    default: return v;
  }
}

static value evaluate_binary(const syntax_node *n, liveness live, const char **complaint) {
  const bool logical = is_logical(n->op), both = n->op == OP_LOGICAL_AND;
  const value a = evaluate(n->parts[0], live, complaint);
  liveness right = live;
  if (logical && live != DEAD) right = !a.known ? PERHAPS : (a.bits != 0) == both ? live : DEAD;
  const value b = evaluate(n->parts[1], right, complaint);
  if (logical && ((a.known && (a.bits != 0) != both) || (b.known && (b.bits != 0) != both))) return number(!both);
  if (!a.known || !b.known) return unknown;
  if ((n->op == OP_DIVIDE || n->op == OP_REMAINDER) && b.bits == 0) {
    if (live == LIVE) *complaint = "a division by zero";
    return live == PERHAPS ? unknown : number(0);
  }
  return compute(n->op, &a, &b);
}

static value evaluate_choice(const syntax_node *n, liveness live, const char **complaint) {
  const value condition = evaluate(n->parts[0], live, complaint);
  const bool known = condition.known, chosen = condition.bits != 0;
  const liveness uncertain = live == LIVE && !known ? PERHAPS : live;
  const value first = evaluate(n->parts[1], known && !chosen ? DEAD : uncertain, complaint);
  const value second = evaluate(n->parts[2], known && chosen ? DEAD : uncertain, complaint);
  value result = chosen ? first : second;
  result.is_unsigned = first.is_unsigned || second.is_unsigned;
  return known ? result : unknown;
}

static value evaluate(const syntax_node *n, liveness live, const char **complaint) {
  char *end = NULL;
  switch (n->kind) {
    case SYNTAX_NUMBER: {
      const uint64_t bits = strtoull(n->text, &end, 10);
      return (value){bits, *end == 'u', true};
    }
    case SYNTAX_UNARY: return evaluate_unary(n, live, complaint);
    case SYNTAX_BINARY: return evaluate_binary(n, live, complaint);
    case SYNTAX_CHOICE: return evaluate_choice(n, live, complaint);
    case SYNTAX_COMMA: (void)evaluate(n->parts[0], live, complaint); return evaluate(n->parts[1], live, complaint);
    default: return unknown;
  }
}

/* What is wrong with an expression. */
static const char *complaint_of(const syntax_error *e) {
  switch (e->fault) {
    case SYNTAX_TOO_DEEP: return "too deep nesting";
    case SYNTAX_NO_OPERAND:
      return *e->at == '\0' ? "a missing operand" : "something that is no integer constant expression";
    case SYNTAX_MISSING: return e->wanted == ')' ? "a missing )" : "a ? without :";
    default: return "something after its end";
  }
}

/* Evaluates tokens up to a TOKEN_END. Returns NULL, or what is wrong with them ("a missing operand"). */
static const char *pp_evaluate(const token *tokens, bool *is_known, bool *result) {
  static const syntax_rules rules = {.signs = "!-~+", .commas = true};
  mem_arena memory = {0};
  buffer text = {0};
  syntax_error e;
  const char *complaint = write_expression(tokens, &text);
  const syntax_node *n = complaint == NULL ? syntax_read(buffer_text(&text), &rules, &memory, &e) : NULL;
  if (complaint == NULL && n == NULL) complaint = complaint_of(&e);
  const value v = n == NULL ? unknown : evaluate(n, LIVE, &complaint);
  *is_known = v.known;
  *result = v.bits != 0;
  mem_arena_free(&memory);
  buffer_free(&text);
  return complaint;
}

/* --- directives --------------------------------------------------------------------------------------------------- */

typedef struct directive {
  const char *name;
  void (*obey)(preprocessor *pp, const token *hash);
  bool conditional; /* is looked at in skipped text as well */
} directive;

static void lex(preprocessor *pp, token *t) { pp_lex(pp, &pp_top(pp)->lexer, t); }

static bool ends_line(const token *t) { return t->kind == TOKEN_NEWLINE || t->kind == TOKEN_END; }

/* Reads the name that #ifdef, #undef and the like want. */
static symbol *read_name(preprocessor *pp, const token *hash, const char *name) {
  token t;
  lex(pp, &t);
  if (t.kind != TOKEN_IDENTIFIER) {
    (void)pp_fail(pp, hash->spelled, "#%s wants the name of a macro", name);
    return NULL;
  }
  return t.symbol;
}

/* What is known about whether a name is a macro: 1, 0, or -1 when only the device knows. */
static int pp_is_defined(const symbol *s) {
  if (s->macro != NULL) return 1;
  return s->undefined ? 0 : -1;
}

/* The answer to a question; a new one is noted and counts as false. */
static bool pp_ask(preprocessor *pp, const char *text, size_t length) {
  symbol *question = pp_intern(pp, text, (uint32_t)length);
  if (question->answer == ANSWER_NONE && pp->input->alone) {
    char *expression = mem_strndup(text, length);
    question->answer = front_answer(expression, pp->input->options) ? ANSWER_TRUE : ANSWER_FALSE;
    free(expression);
  } else if (question->answer == ANSWER_NONE) {
    question->answer = ANSWER_ASKED;
    *ARRAY_ADD(pp->questions, pp->question_count, pp->question_capacity) = mem_strndup(text, length);
  }
  return question->answer == ANSWER_TRUE;
}

static bool is_defined(preprocessor *pp, const symbol *s) {
  int known = pp_is_defined(s);
  if (known >= 0) return known == 1;
  buffer question = {0};
  buffer_puts(&question, "defined(");
  buffer_append(&question, s->name, s->length);
  buffer_putc(&question, ')');
  bool holds = pp_ask(pp, question.data, question.length);
  buffer_free(&question);
  return holds;
}

bool pp_skipping(const preprocessor *pp) {
  return pp->conditional_count > 0 && pp->conditionals[pp->conditional_count - 1].branch != BRANCH_ACTIVE;
}

/* Starts a conditional; in skipped text none of its branches will be taken. */
static conditional *push_conditional(preprocessor *pp, const token *hash) {
  branch start = pp_skipping(pp) ? BRANCH_DONE : BRANCH_WAITING;
  conditional *c = ARRAY_ADD(pp->conditionals, pp->conditional_count, pp->conditional_capacity);
  *c = (conditional){hash->spelled, start, false};
  return c;
}

/* The innermost conditional of this file, or NULL after an error. */
static conditional *top_conditional(preprocessor *pp, const token *hash, const char *name) {
  if (pp->conditional_count <= pp_top(pp)->conditional_base) {
    (void)pp_fail(pp, hash->spelled, "#%s without #if", name);
    return NULL;
  }
  return &pp->conditionals[pp->conditional_count - 1];
}

/* The value of an #if or #elif whose tokens are the rest of the line. */
static bool pp_condition(preprocessor *pp, const token *hash);

static void obey_if(preprocessor *pp, const token *hash) {
  size_t index = pp->conditional_count;
  if (push_conditional(pp, hash)->branch == BRANCH_WAITING && pp_condition(pp, hash))
    pp->conditionals[index].branch = BRANCH_ACTIVE;
}

static void if_defined(preprocessor *pp, const token *hash, bool wanted) {
  conditional *c = push_conditional(pp, hash);
  if (c->branch == BRANCH_WAITING) {
    const symbol *s = read_name(pp, hash, wanted ? "ifdef" : "ifndef");
    if (s != NULL && is_defined(pp, s) == wanted) c->branch = BRANCH_ACTIVE;
  }
}

static void obey_ifdef(preprocessor *pp, const token *hash) { if_defined(pp, hash, true); }

static void obey_ifndef(preprocessor *pp, const token *hash) { if_defined(pp, hash, false); }

/* Ends the branch before an #elif; true if the #elif's condition decides about the next one. */
static bool next_branch(preprocessor *pp, const token *hash, const char *name) {
  conditional *c = top_conditional(pp, hash, name);
  if (c == NULL) return false;
  if (c->has_else) return pp_fail(pp, hash->spelled, "#%s after #else", name);
  if (c->branch == BRANCH_ACTIVE) c->branch = BRANCH_DONE;
  return c->branch == BRANCH_WAITING;
}

static void obey_elif(preprocessor *pp, const token *hash) {
  if (next_branch(pp, hash, "elif") && pp_condition(pp, hash))
    pp->conditionals[pp->conditional_count - 1].branch = BRANCH_ACTIVE;
}

static void obey_else(preprocessor *pp, const token *hash) {
  bool active = next_branch(pp, hash, "else");
  if (pp->failed) return;
  conditional *c = &pp->conditionals[pp->conditional_count - 1];
  c->has_else = true;
  c->branch = active ? BRANCH_ACTIVE : BRANCH_DONE;
}

static void obey_endif(preprocessor *pp, const token *hash) {
  if (top_conditional(pp, hash, "endif") != NULL) pp->conditional_count--;
}

static void obey_undef(preprocessor *pp, const token *hash) {
  symbol *s = read_name(pp, hash, "undef");
  if (s != NULL) pp_set_macro(s, NULL);
}

static void obey_error(preprocessor *pp, const token *hash) {
  buffer message = {0};
  token t, last = {0};
  for (lex(pp, &t); !ends_line(&t); lex(pp, &t)) {
    pp_join(&message, last.length == 0 ? NULL : &last, &t);
    last = t;
  }
  (void)pp_fail_if_certain(pp, hash->spelled, "the source says #error %s", buffer_text(&message));
  buffer_free(&message);
}

static void obey_nothing(preprocessor *pp, const token *hash) {
  (void)pp;
  (void)hash;
}

static bool reads(const token *t, const char *word) {
  return t->length == strlen(word) && memcmp(t->text, word, t->length) == 0;
}

/* The rest of a #pragma line. Clang expands macros after `unroll`, so we do: their definitions do not go along. */
static void read_pragma(preprocessor *pp, token_list *words, uint32_t *end) {
  token_list line = {0};
  token t;
  for (lex(pp, &t); !ends_line(&t); lex(pp, &t)) {
    *end = t.spelled.offset + t.spelled_length;
    bool name = words->count == 0 || !reads(&words->items[0], "unroll");
    pp_list_add(pp, name ? words : &line, &t);
  }
  pp_begin_list(pp, &line);
  for (pp_next_expanded(pp, &t); t.kind != TOKEN_END; pp_next_expanded(pp, &t)) pp_list_add(pp, words, &t);
  pp_end_list(pp);
}

/* A pragma goes to the output as one token; #pragma once is ours. */
static void obey_pragma(preprocessor *pp, const token *hash) {
  token_list words = {0};
  uint32_t end = hash->spelled.offset + hash->spelled_length;
  read_pragma(pp, &words, &end);
  if (words.count == 1 && reads(&words.items[0], "once")) {
    pp_top(pp)->lexer.source->once = true;
    pp_list_free(pp, &words);
    return;
  }
  buffer line = {0};
  buffer_puts(&line, "#pragma");
  token last = {.text = "#pragma", .length = 7, .kind = TOKEN_IDENTIFIER, .made = true};
  for (size_t i = 0; i < words.count; i++) {
    pp_join(&line, &last, &words.items[i]);
    last = words.items[i];
  }
  while (line.data[line.length - 1] == '\\' || line.data[line.length - 1] == ' ')
    line.length--; /* a backslash would join the next line */
  char *text = pp_allocate(pp, line.length + 1);
  memcpy(text, line.data, line.length);
  token pragma = *hash;
  pragma.kind = TOKEN_PRAGMA;
  pragma.text = text;
  pragma.length = (uint32_t)line.length;
  pragma.spelled_length = end - hash->spelled.offset;
  pp_put(pp, &pragma);
  pp_list_free(pp, &words);
  buffer_free(&line);
}

/* The rest of an #include line, macros expanded, as "name" or <name> with its quotes; false when it is neither. */
static bool read_header_name(preprocessor *pp, buffer *name) {
  token t, last = {0};
  if (pp_lex_header_name(pp, &pp_top(pp)->lexer, &t)) {
    buffer_append(name, t.text, t.length);
    return true;
  }
  token_list line = {0};
  for (lex(pp, &t); !ends_line(&t); lex(pp, &t)) pp_list_add(pp, &line, &t);
  pp_begin_list(pp, &line);
  for (pp_next_expanded(pp, &t); t.kind != TOKEN_END; pp_next_expanded(pp, &t)) {
    if (last.length > 0 && t.space_before) buffer_putc(name, ' ');
    buffer_append(name, t.text, t.length);
    last = t;
  }
  pp_end_list(pp);
  const char *text = buffer_text(name);
  const char *close = text[0] == '<' ? strchr(text, '>') : text[0] == '"' ? strchr(text + 1, '"') : NULL;
  if (close == NULL) return false;
  name->length = (size_t)(close - text) + 1;
  return true;
}

static void report_missing(preprocessor *pp, const token *hash, const char *name) {
  const char *directory = pp->input->directory;
  buffer places = {0};
  if (pp->input->header_count > 0) buffer_puts(&places, "the headers given in memory, ");
  buffer_puts(&places, directory == NULL || strcmp(directory, ".") == 0 ? "the current directory" : directory);
  for (size_t i = 0; i < pp->directory_count; i++) buffer_printf(&places, ", %s", pp->include_directories[i]);
  (void)pp_fail_if_certain(pp, hash->spelled, "header \"%s\" was not found in %s; name its directory with -I", name,
                           places.data);
  buffer_free(&places);
}

static void include(preprocessor *pp, const token *hash, const char *name, bool quoted) {
  uint32_t file = pp_find_header(pp, name, quoted);
  if (file == PP_NONE) {
    report_missing(pp, hash, name);
    return;
  }
  const source *s = pp->sources[file];
  if (s->once) return;
  pp->included_bytes += s->length + 64u;
  if (pp->open_count > LIMIT_INCLUDE_DEPTH) {
    (void)pp_fail(pp, hash->spelled, "#include is nested more than %d deep; does \"%s\" include itself?",
                  LIMIT_INCLUDE_DEPTH, name);
  } else if (pp->included_bytes > LIMIT_INCLUDED_BYTES) {
    (void)pp_fail(pp, hash->spelled, "the included files come to more than %d MiB", LIMIT_INCLUDED_BYTES >> 20);
  } else {
    pp_enter(pp, file);
  }
}

/* Drops the rest of the directive's line. */
static void skip_line(preprocessor *pp, size_t opened) {
  lexer *l = &pp->open[opened - 1].lexer;
  token t;
  while (!l->line_start && !pp->failed) {
    pp_lex(pp, l, &t);
    if (t.kind == TOKEN_END) return;
  }
}

static void obey_include(preprocessor *pp, const token *hash) {
  buffer name = {0};
  if (!read_header_name(pp, &name) || name.length < 3) {
    (void)pp_fail_if_certain(pp, hash->spelled, "#include wants \"name\" or <name>");
  } else if (pp->collecting > 0) {
    (void)pp_fail_if_certain(pp, hash->spelled, "#include within the arguments of a macro");
  } else {
    bool quoted = name.data[0] == '"';
    char *bare = mem_strndup(name.data + 1, name.length - 2);
    skip_line(pp, pp->open_count);
    include(pp, hash, bare, quoted);
    free(bare);
  }
  buffer_free(&name);
}

/* `#line N "name"`, or a preprocessor's `# N "name"` whose number is `first`: what __LINE__ and __FILE__ say after it.
 * Positions stay those of the file itself. */
static void set_line(preprocessor *pp, const token *hash, const token *first) {
  token_list line = {0};
  token t;
  if (first != NULL) pp_list_add(pp, &line, first);
  for (lex(pp, &t); !ends_line(&t); lex(pp, &t)) pp_list_add(pp, &line, &t);
  token words[2] = {{0}, {0}};
  size_t count = 0;
  pp_begin_list(pp, &line);
  for (pp_next_expanded(pp, &t); t.kind != TOKEN_END; pp_next_expanded(pp, &t))
    if (count < 2) words[count++] = t;
  pp_end_list(pp);
  if (count == 0 || words[0].kind != TOKEN_NUMBER) return;
  source *s = pp_top(pp)->lexer.source;
  s->line_shift = strtol(words[0].text, NULL, 10) - (long)hash->spelled.line - 1;
  if (count > 1 && words[1].kind == TOKEN_STRING && words[1].length >= 2) {
    char *name = pp_allocate(pp, words[1].length);
    memcpy(name, words[1].text + 1, words[1].length - 2);
    name[words[1].length - 2] = '\0';
    s->line_name = name;
  }
}

static void obey_line(preprocessor *pp, const token *hash) { set_line(pp, hash, NULL); }

static const directive directives[] = {
    {"define", pp_define, false},   {"undef", obey_undef, false},   {"if", obey_if, true},
    {"ifdef", obey_ifdef, true},    {"ifndef", obey_ifndef, true},  {"elif", obey_elif, true},
    {"else", obey_else, true},      {"endif", obey_endif, true},    {"include", obey_include, false},
    {"pragma", obey_pragma, false}, {"error", obey_error, false},   {"warning", obey_nothing, false},
    {"line", obey_line, false},     {"ident", obey_nothing, false}, {"sccs", obey_nothing, false},
};

static const directive *find_directive(const token *name) {
  for (size_t i = 0; i < sizeof directives / sizeof directives[0]; i++)
    if (strlen(directives[i].name) == name->length && memcmp(directives[i].name, name->text, name->length) == 0)
      return &directives[i];
  return NULL;
}

void pp_directive(preprocessor *pp, const token *hash) {
  size_t opened = pp->open_count;
  token name;
  lex(pp, &name);
  if (ends_line(&name)) return;
  const directive *found = name.kind == TOKEN_IDENTIFIER ? find_directive(&name) : NULL;
  if (found != NULL && (found->conditional || !pp_skipping(pp)))
    found->obey(pp, hash);
  else if (found == NULL && name.kind == TOKEN_NUMBER && !pp_skipping(pp))
    set_line(pp, hash, &name);
  else if (found == NULL && !pp_skipping(pp))
    (void)pp_fail_if_certain(pp, hash->spelled, "#%.*s is not a directive", (int)name.length, name.text);
  if (pp->open_count == opened) skip_line(pp, opened);
}

/* Conditions of #if and #elif: expands the line, resolves `defined`, and makes a question of what only the device can
 * know. */

static token made_token(preprocessor *pp, const token *at, token_kind kind, const char *text, size_t length) {
  token t = *at;
  buffer characters = {0};
  buffer_append(&characters, text, length);
  t.kind = kind;
  t.symbol = NULL;
  (void)pp_make_text(pp, &t, &characters);
  buffer_free(&characters);
  return t;
}

/* `defined X` or `defined(X)`, the word `defined` being read: 1, 0, or the question. */
static bool read_defined(preprocessor *pp, token *t) {
  token word = *t, name, close;
  pp_next(pp, &name);
  bool parenthesis = pp_is(&name, "(");
  if (parenthesis) pp_next(pp, &name);
  if (name.kind != TOKEN_IDENTIFIER) return false;
  if (parenthesis) {
    pp_next(pp, &close);
    if (!pp_is(&close, ")")) return false;
  }
  int known = pp_is_defined(name.symbol);
  if (known >= 0) {
    *t = made_token(pp, &word, TOKEN_NUMBER, known == 1 ? "1" : "0", 1);
    return true;
  }
  buffer text = {0};
  buffer_puts(&text, "defined(");
  buffer_append(&text, name.text, name.length);
  buffer_putc(&text, ')');
  *t = made_token(pp, &word, TOKEN_UNKNOWN, text.data, text.length);
  buffer_free(&text);
  return true;
}

/* For `__has_include("x")` or `__has_include(<x>)`: whether we find that header. */
static bool has_header(preprocessor *pp, const token *word, const buffer *text) {
  if (word->length != 13 || memcmp(word->text, "__has_include", 13) != 0) return false;
  const char *start = strpbrk(text->data, "\"<");
  const char *end = start == NULL ? NULL : strchr(start + 1, *start == '"' ? '"' : '>');
  if (end == NULL) return false;
  char *name = mem_strndup(start + 1, (size_t)(end - start) - 1);
  bool found = pp_find_header(pp, name, *start == '"') != PP_NONE;
  free(name);
  return found;
}

/* `__has_builtin(…)` and its kind, whose arguments are no macros: one question as a whole. */
static bool read_feature_test(preprocessor *pp, token *t) {
  token word = *t, part, last = word;
  size_t depth = 0;
  buffer text = {0};
  buffer_append(&text, word.text, word.length);
  do {
    pp_next(pp, &part);
    depth += pp_is(&part, "(") ? 1 : 0;
    depth -= pp_is(&part, ")") ? 1 : 0;
    if (part.kind == TOKEN_END) {
      buffer_free(&text);
      return false;
    }
    pp_join(&text, &last, &part);
    last = part;
  } while (depth > 0);
  if (has_header(pp, &word, &text))
    *t = made_token(pp, &word, TOKEN_NUMBER, "1", 1);
  else
    *t = made_token(pp, &word, TOKEN_UNKNOWN, text.data, text.length);
  buffer_free(&text);
  return true;
}

static bool is_feature_test(preprocessor *pp, const token *t) {
  const stream *top = &pp->streams[pp->stream_count - 1];
  return t->length > 6 && memcmp(t->text, "__has_", 6) == 0 && top->at < top->count &&
         pp_is(&top->tokens[top->at], "(");
}

/* What an identifier that was not expanded means in a condition. `names` counts those that can be macros of the
 * device, with anything in them. */
static bool resolve_identifier(preprocessor *pp, token *t, size_t *names) {
  if (t->length == 7 && memcmp(t->text, "defined", 7) == 0) return read_defined(pp, t);
  if (pp_is_defined(t->symbol) >= 0) {
    *t = made_token(pp, t, TOKEN_NUMBER, "0", 1);
    return true;
  }
  if (is_feature_test(pp, t)) return read_feature_test(pp, t);
  ++*names;
  return true;
}

/* Reads and expands the rest of the line into `list`, which ends with TOKEN_END. */
static bool read_expression(preprocessor *pp, token_list *list, size_t *names) {
  token_list line = {0};
  token t;
  for (pp_lex(pp, &pp_top(pp)->lexer, &t); t.kind != TOKEN_NEWLINE && t.kind != TOKEN_END;
       pp_lex(pp, &pp_top(pp)->lexer, &t))
    pp_list_add(pp, &line, &t);
  bool fine = true;
  pp_begin_list(pp, &line);
  for (pp_next_expanded(pp, &t); fine && t.kind != TOKEN_END; pp_next_expanded(pp, &t)) {
    *ARRAY_ADD(pp->conditions, pp->condition_count, pp->condition_capacity) = t.spelled;
    fine = t.kind != TOKEN_IDENTIFIER || resolve_identifier(pp, &t, names);
    pp_list_add(pp, list, &t);
  }
  pp_end_list(pp);
  pp_list_add(pp, list, &(token){.kind = TOKEN_END, .text = ""});
  return fine;
}

static bool ask(preprocessor *pp, const token_list *list) {
  buffer question = {0};
  for (size_t i = 0; i + 1 < list->count; i++) pp_join(&question, i == 0 ? NULL : &list->items[i - 1], &list->items[i]);
  bool holds = pp_ask(pp, buffer_text(&question), question.length);
  buffer_free(&question);
  return holds;
}

static bool pp_condition(preprocessor *pp, const token *hash) {
  token_list list = {0};
  size_t names = 0;
  bool fine = read_expression(pp, &list, &names), is_known = false, result = false;
  if (!fine) {
    (void)pp_fail_if_certain(pp, hash->spelled, "the condition has a malformed `defined` or `__has_…`");
  } else if (!pp->failed) {
    const char *complaint = pp_evaluate(list.items, &is_known, &result);
    if (complaint == NULL ? !is_known : names > 0)
      result = ask(pp, &list);
    else if (complaint != NULL)
      result = pp_fail_if_certain(pp, hash->spelled, "the condition has %s", complaint);
  }
  pp_list_free(pp, &list);
  return result;
}
