/* Where the name of a variable is declared, and of which type it is: read from tokens, since a save slot only needs the
 * type as the user wrote it. */
#include <string.h>

#include "base/buffer.h"
#include "mutate/schema.h"

bool same_text(const pp_result *text, uint32_t a, uint32_t b) {
  const pp_token *left = &text->tokens[a];
  const pp_token *right = &text->tokens[b];
  return left->end - left->begin == right->end - right->begin &&
         memcmp(text->text + left->begin, text->text + right->begin, left->end - left->begin) == 0;
}

static bool is_one_of(const pp_result *text, uint32_t token, const char *const *words, size_t count) {
  for (size_t i = 0; i < count; i++) {
    if (token_is(text, token, words[i])) {
      return true;
    }
  }
  return false;
}

static const char *const qualifiers[] = {
    "const",   "volatile", "restrict",   "__restrict",   "__restrict__", "__private", "private",   "__global", "global",
    "__local", "local",    "__constant", "__volatile__", "__const",      "constant",  "__generic", "generic"};
static const char *const shared_storage[] = {"__local",    "local",    "__global", "global", "static",
                                             "__constant", "constant", "extern",   "typedef"};

static bool is_name(const pp_result *text, uint32_t t) { return text->tokens[t].kind == PP_IDENTIFIER; }

/* The first token of the first declarator: names follow one another up to it. `tokens.first` if there is no type. */
static uint32_t end_of_specifiers(const pp_result *text, span tokens) {
  uint32_t t = tokens.first;
  while (t < tokens.last && is_name(text, t) && (is_name(text, t + 1) || token_is(text, t + 1, "*"))) {
    t++;
  }
  return t;
}

/* Behind the declarator that begins at `t`: its comma, or the end. */
static uint32_t end_of_declarator(const pp_result *text, uint32_t t, uint32_t last) {
  int depth = 0;
  for (; t <= last; t++) {
    if (token_is(text, t, "(") || token_is(text, t, "[") || token_is(text, t, "{")) {
      depth++;
    } else if (token_is(text, t, ")") || token_is(text, t, "]") || token_is(text, t, "}")) {
      depth--;
    } else if (depth == 0 && token_is(text, t, ",")) {
      return t;
    }
  }
  return t;
}

/* The declared name's token in a declaration, NO_TOKEN if this declares no such name. `*stars` of its declarator. */
static uint32_t find_declarator(const pp_result *text, span tokens, uint32_t name, uint32_t *stars) {
  uint32_t t = span_empty(tokens) ? tokens.first : end_of_specifiers(text, tokens);
  if (span_empty(tokens) || t == tokens.first) {
    return NO_TOKEN;
  }
  for (; t <= tokens.last; t = end_of_declarator(text, t, tokens.last) + 1) {
    *stars = 0;
    while (t < tokens.last &&
           (token_is(text, t, "*") || is_one_of(text, t, qualifiers, sizeof qualifiers / sizeof qualifiers[0]))) {
      *stars += token_is(text, t, "*") ? 1 : 0;
      t++;
    }
    if (same_text(text, t, name)) {
      return t;
    }
  }
  return NO_TOKEN;
}

/* The type as written; NULL for what cannot be saved by assignment or belongs to others too. */
static char *declared_type(const pp_result *text, span tokens, uint32_t declared, uint32_t stars) {
  if (token_is(text, declared + 1, "[") || token_is(text, declared + 1, "(")) {
    return NULL;
  }
  buffer type = {0};
  uint32_t end = end_of_specifiers(text, tokens);
  for (uint32_t t = tokens.first; t < end; t++) {
    if (stars == 0 && is_one_of(text, t, shared_storage, sizeof shared_storage / sizeof shared_storage[0])) {
      buffer_free(&type);
      return NULL;
    }
    buffer_append(&type, text->text + text->tokens[t].begin, text->tokens[t].end - text->tokens[t].begin);
    buffer_putc(&type, ' ');
  }
  for (uint32_t i = 0; i < stars; i++) {
    buffer_putc(&type, '*');
  }
  return buffer_take(&type);
}

bool declares(const pp_result *text, span tokens, uint32_t token) {
  uint32_t stars = 0;
  return find_declarator(text, tokens, token, &stars) != NO_TOKEN;
}

/* The first part of a `for` header. */
static span initialisation(const pp_result *text, const statement *s) {
  uint32_t first = s->keyword + 2;
  uint32_t t = first;
  for (int depth = 0; t < s->for_second && !(depth == 0 && token_is(text, t, ";")); t++) {
    depth += token_is(text, t, "(") ? 1 : token_is(text, t, ")") ? -1 : 0;
  }
  return (span){first, t == first ? first - 1 : t - 1};
}

/* The declaration of a name among those in scope at statement `s`, as seen from its direct parent `around`. */
static span declaration_in(const pp_result *text, const syntax *s, uint32_t around, uint32_t at, uint32_t name) {
  uint32_t stars = 0;
  if (s->items[around].kind == STATEMENT_FOR) {
    span init = initialisation(text, &s->items[around]);
    return find_declarator(text, init, name, &stars) == NO_TOKEN ? (span){1, 0} : init;
  }
  span found = {1, 0};
  for (uint32_t i = around + 1; i < s->count && s->items[i].tokens.first < s->items[at].tokens.first; i++) {
    const statement *st = &s->items[i];
    if (st->parent == around && st->kind == STATEMENT_SIMPLE &&
        find_declarator(text, st->tokens, name, &stars) != NO_TOKEN) {
      found = st->tokens;
    }
  }
  return found;
}

static span parameter(const pp_result *text, const front_function *front, uint32_t name) {
  uint32_t stars = 0;
  for (uint32_t t = front->open + 1; t < front->close;) {
    uint32_t end = end_of_declarator(text, t, front->close - 1);
    if (find_declarator(text, (span){t, end - 1}, name, &stars) != NO_TOKEN) {
      return (span){t, end - 1};
    }
    t = end + 1;
  }
  return (span){1, 0};
}

char *variable_type(const program *p, uint32_t function_index, uint32_t at, uint32_t token) {
  const function *f = &p->functions[function_index];
  const pp_result *text = &p->units[f->unit].text;
  span declaration = {1, 0};
  for (uint32_t s = at; s != NO_STATEMENT && span_empty(declaration); s = f->syntax.items[s].parent) {
    declaration = declaration_in(text, &f->syntax, s, at, token);
  }
  if (span_empty(declaration)) {
    declaration = parameter(text, f->front, token);
  }
  uint32_t stars = 0;
  uint32_t declared = find_declarator(text, declaration, token, &stars);
  return declared == NO_TOKEN ? NULL : declared_type(text, declaration, declared, stars);
}
