/* One mutant as a source text: textual substitution at its place, by rules of their own. Nothing here knows how the
 * schema is made.
 *
 * The operands of a binary operator are found by precedence and put in parentheses, so that the mutant changes the
 * operator and not what it applies to. A loop that shall make one turn less or more first counts its turns with a copy
 * of its header; where the step is in the body, `turns` below says by hand how many there are. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "reference.h"

enum { MAX_TOKENS = 8192 };

typedef struct token {
  size_t begin, end;
} token;

typedef struct source {
  const char *text;
  token tokens[MAX_TOKENS];
  size_t count;
} source;

/* Turns of loops whose step is in the body, as an expression before the loop. */
static const struct {
  const char *suite;
  unsigned line;
  const char *turns;
} turns[] = {
    {"reduction", 41, "(count > 2 ? count - 1 : 1)"}, /* i = 1, 2, … while below count, at least once */
    {"scan", 40, "block"},                            /* counts down to 0 */
    {"stencil", 27, "4"},                             /* sides 0 to 3 */
    {"stencil", 17, "0"},                             /* of boundary.h: nothing calls `mirrored` */
};

/* --- tokens ---------------------------------------------------------------------------------------------------------
 */

static bool is_word(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

static const char *const long_operators[] = {"<<=", ">>=", "<<", ">>", "<=", ">=", "==", "!=", "&&", "||", "++",
                                             "--",  "+=",  "-=", "*=", "/=", "%=", "&=", "|=", "^=", "->"};

static size_t token_length(const char *at) {
  if (is_word(*at)) { /* names and numbers; a point belongs to a number that it follows */
    size_t n = 0;
    while (is_word(at[n]) || (at[n] == '.' && *at >= '0' && *at <= '9')) n++;
    return n;
  }
  if (*at == '"' || *at == '\'') {
    size_t n = 1;
    while (at[n] != '\0' && at[n] != *at) n += at[n] == '\\' ? 2 : 1;
    return n + 1;
  }
  for (size_t i = 0; i < sizeof long_operators / sizeof *long_operators; i++)
    if (strncmp(at, long_operators[i], strlen(long_operators[i])) == 0) return strlen(long_operators[i]);
  return 1;
}

static size_t skip_blanks(const char *text, size_t at) {
  for (;;) {
    if (strncmp(text + at, "/*", 2) == 0) {
      const char *end = strstr(text + at, "*/");
      at = end == NULL ? strlen(text) : (size_t)(end + 2 - text);
    } else if (strncmp(text + at, "//", 2) == 0) {
      at += strcspn(text + at, "\n");
    } else if (text[at] != '\0' && strchr(" \t\n\r\\", text[at]) != NULL) {
      at++;
    } else {
      return at;
    }
  }
}

static source *read_tokens(const char *text) {
  source *s = calloc(1, sizeof *s);
  if (s == NULL) reference_fail("out of memory");
  s->text = text;
  for (size_t at = skip_blanks(text, 0); text[at] != '\0'; at = skip_blanks(text, at)) {
    if (s->count == MAX_TOKENS) reference_fail("a kernel file is too long for the reference");
    token *t = &s->tokens[s->count++];
    *t = (token){at, at + token_length(text + at)};
    at = t->end;
  }
  return s;
}

static bool is(const source *s, size_t t, const char *word) {
  const size_t length = strlen(word);
  return t < s->count && s->tokens[t].end - s->tokens[t].begin == length &&
         memcmp(s->text + s->tokens[t].begin, word, length) == 0;
}

static size_t token_at(const source *s, size_t offset) {
  for (size_t t = 0; t < s->count; t++)
    if (s->tokens[t].begin == offset) return t;
  reference_fail("there is no token at byte %zu of a kernel file", offset);
}

/* The bracket that belongs to the one at `t`. */
static size_t partner(const source *s, size_t t) {
  static const char *const pairs[][2] = {{"(", ")"}, {"[", "]"}, {"{", "}"}};
  for (size_t i = 0; i < 3; i++) {
    for (int way = 0; way < 2; way++) {
      if (!is(s, t, pairs[i][way])) continue;
      for (int depth = 0;; t += way == 0 ? 1 : (size_t)-1) {
        depth += is(s, t, pairs[i][way]) ? 1 : is(s, t, pairs[i][1 - way]) ? -1 : 0;
        if (depth == 0) return t;
        if (t == 0 || t >= s->count) reference_fail("a bracket has no partner");
      }
    }
  }
  return t;
}

static bool opens(const source *s, size_t t) { return is(s, t, "(") || is(s, t, "[") || is(s, t, "{"); }
static bool closes(const source *s, size_t t) { return is(s, t, ")") || is(s, t, "]") || is(s, t, "}"); }

/* --- operands -------------------------------------------------------------------------------------------------------
 */

/* 0: no binary operator, so that an operand ends there or goes on (see `is_part`). */
static int precedence_of(const source *s, size_t t) {
  static const char *const levels[][5] = {
      {"||"},       {"&&"},     {"|"},          {"^"}, {"&"}, {"==", "!="}, {"<", ">", "<=", ">="},
      {"<<", ">>"}, {"+", "-"}, {"*", "/", "%"}};
  for (size_t level = 0; level < sizeof levels / sizeof *levels; level++) {
    for (size_t i = 0; i < 5 && levels[level][i] != NULL; i++)
      if (is(s, t, levels[level][i])) return (int)level + 1;
  }
  return 0;
}

/* Whether an operand may end in this token. */
static bool ends_operand(const source *s, size_t t) {
  static const char *const words[] = {"return", "case", "else", "do"};
  for (size_t i = 0; i < sizeof words / sizeof *words; i++)
    if (is(s, t, words[i])) return false;
  const char first = s->text[s->tokens[t].begin];
  return is_word(first) || first == '\'' || is(s, t, ")") || is(s, t, "]") || is(s, t, "++") || is(s, t, "--");
}

static bool is_binary(const source *s, size_t t) { return precedence_of(s, t) > 0 && t > 0 && ends_operand(s, t - 1); }

/* Names, numbers, brackets, and operators that have one operand. */
static bool is_part(const source *s, size_t t) {
  static const char *const signs[] = {"(", "[", ")", "]", ".", "->", "++", "--", "!", "~"};
  for (size_t i = 0; i < sizeof signs / sizeof *signs; i++)
    if (is(s, t, signs[i])) return true;
  return ends_operand(s, t) || (precedence_of(s, t) > 0 && !is_binary(s, t));
}

static size_t left_operand(const source *s, size_t op) {
  const int level = precedence_of(s, op);
  size_t first = op;
  for (size_t t = op; t-- > 0;) {
    if (opens(s, t) || (is_binary(s, t) ? precedence_of(s, t) < level : !is_part(s, t))) break;
    t = closes(s, t) ? partner(s, t) : t;
    first = t;
  }
  return first;
}

static size_t right_operand(const source *s, size_t op) {
  const int level = precedence_of(s, op);
  size_t last = op;
  for (size_t t = op + 1; t < s->count; t++) {
    if (closes(s, t) || (is_binary(s, t) ? precedence_of(s, t) <= level : !is_part(s, t))) break;
    t = opens(s, t) ? partner(s, t) : t;
    last = t;
  }
  return last;
}

/* --- writing --------------------------------------------------------------------------------------------------------
 */

/* The text with [begin, end) replaced. */
static char *replaced(const char *text, size_t begin, size_t end, const char *by) {
  const size_t size = strlen(text) + strlen(by) + 1;
  char *out = malloc(size);
  if (out == NULL) reference_fail("out of memory");
  (void)snprintf(out, size, "%.*s%s%s", (int)begin, text, by, text + end);
  return out;
}

static char *change_binary(const source *s, size_t op, const char *replacement) {
  const size_t left = s->tokens[left_operand(s, op)].begin;
  const size_t right = s->tokens[right_operand(s, op)].end;
  const token *t = &s->tokens[op];
  char *by = NULL;
  if (asprintf(&by, "((%.*s) %s (%.*s))", (int)(t->begin - left), s->text + left, replacement, (int)(right - t->end),
               s->text + t->end) < 0)
    reference_fail("out of memory");
  char *out = replaced(s->text, left, right, by);
  free(by);
  return out;
}

/* --- loops ----------------------------------------------------------------------------------------------------------
 */

typedef enum change { SKIP = 0, LESS = -1, MORE = 1 } change;

static change change_of(const reference_mutant *m) {
  if (strcmp(m->description, "loop skipped") == 0) return SKIP;
  if (strcmp(m->description, "n-1 iterations") != 0 && strcmp(m->description, "n+1 iterations") != 0)
    reference_fail("there is no rule for \"%s\"", m->description);
  return strcmp(m->description, "n-1 iterations") == 0 ? LESS : MORE;
}

static const char *turns_of(const reference_mutant *m) {
  for (size_t i = 0; i < sizeof turns / sizeof *turns; i++)
    if (strcmp(turns[i].suite, m->suite) == 0 && turns[i].line == m->line) return turns[i].turns;
  reference_fail("%s: nobody has said how many turns the loop on line %u makes", m->suite, m->line);
}

/* for (INIT; CONDITION; STEP) */
static char *change_for(const source *s, size_t keyword, change c) {
  const size_t close = partner(s, keyword + 1);
  size_t semicolons[2] = {0};
  for (size_t t = keyword + 2, found = 0; t < close && found < 2; t++) {
    if (is(s, t, ";")) semicolons[found++] = t;
    t = opens(s, t) ? partner(s, t) : t;
  }
  const token *first = &s->tokens[semicolons[0]], *second = &s->tokens[semicolons[1]];
  const size_t begin = s->tokens[keyword + 1].end, end = s->tokens[close].begin;
  const int init = (int)(first->begin - begin), step = (int)(end - second->end);
  const char *header = s->text + begin;
  char *by = NULL;
  const int made =
      c == SKIP
          ? asprintf(&by, "%.*s; 0; %.*s", init, header, step, s->text + second->end)
          : asprintf(&by,
                     "%.*s, ref_n = ({ int ref_k = 0; for (%.*s) ref_k++; ref_k; }) + %d; ref_n > 0; %.*s, ref_n--",
                     init, header, (int)(end - begin), header, (int)c, step, s->text + second->end);
  if (made < 0) reference_fail("out of memory");
  char *out = replaced(s->text, begin, end, by);
  free(by);
  return out;
}

/* while (CONDITION) */
static char *change_while(const source *s, size_t keyword, const reference_mutant *m) {
  const size_t close = partner(s, keyword + 1);
  const size_t begin = s->tokens[keyword].begin, end = s->tokens[close].end, inside = s->tokens[keyword + 1].end;
  const char *condition = s->text + inside;
  const int length = (int)(s->tokens[close].begin - inside);
  char *by = NULL;
  const change c = change_of(m);
  const int made = c == SKIP   ? asprintf(&by, "while (0)")
                   : c == LESS ? asprintf(&by, "for (int ref_n = (%s) - 1; ref_n > 0; ref_n--)", turns_of(m))
                               : asprintf(&by, "for (int ref_last = 0; !ref_last && ((%.*s) || (ref_last = 1));)",
                                          length, condition);
  if (made < 0) reference_fail("out of memory");
  char *out = replaced(s->text, begin, end, by);
  free(by);
  return out;
}

/* do { BODY } while (CONDITION); */
static char *change_do(const source *s, size_t keyword, const reference_mutant *m) {
  const size_t close = partner(s, keyword + 1), open = close + 2, last = partner(s, open);
  if (!is(s, close + 1, "while") || !is(s, last + 1, ";"))
    reference_fail("the reference wants braces around the body of a do");
  const size_t body = s->tokens[keyword].end;
  const int body_length = (int)(s->tokens[close].end - body);
  const int length = (int)(s->tokens[last].begin - s->tokens[open].end);
  const char *text = s->text + body, *condition = s->text + s->tokens[open].end;
  char *by = NULL;
  const change c = change_of(m);
  const int made =
      c == SKIP   ? asprintf(&by, "if (0)%.*s", body_length, text)
      : c == LESS ? asprintf(&by, "for (int ref_n = (%s) - 1; ref_n > 0; ref_n--)%.*s", turns_of(m), body_length, text)
                  : asprintf(&by, "{ int ref_last = 0; do%.*s while (!ref_last && ((%.*s) || (ref_last = 1))); }",
                             body_length, text, length, condition);
  if (made < 0) reference_fail("out of memory");
  char *out = replaced(s->text, s->tokens[keyword].begin, s->tokens[last + 1].end, by);
  free(by);
  return out;
}

/* --- all ------------------------------------------------------------------------------------------------------------
 */

static size_t offset_of(const char *text, unsigned line, unsigned column) {
  size_t at = 0;
  for (unsigned l = 1; l < line && text[at] != '\0'; l++) at += strcspn(text + at, "\n") + 1;
  return at + column - 1;
}

char *reference_substitute(const char *text, const reference_mutant *m) {
  source *s = read_tokens(text);
  const size_t begin = offset_of(text, m->line, m->column), end = offset_of(text, m->end_line, m->end_column);
  const size_t t = token_at(s, begin);
  char *out = NULL;
  if (strcmp(m->op, "loop") == 0) {
    out = is(s, t, "for")     ? change_for(s, t, change_of(m))
          : is(s, t, "while") ? change_while(s, t, m)
                              : change_do(s, t, m);
  } else if (is_binary(s, t) && m->replacement[0] != '\0') {
    out = change_binary(s, t, m->replacement);
  } else {
    out = replaced(text, begin, end, m->replacement); /* a word for a word, or nothing in place of a call */
  }
  free(s);
  return out;
}
