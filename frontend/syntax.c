/* Reading statements from tokens: recursive descent over the statement grammar of C99. */
#include "frontend/syntax.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

enum { MAX_DEPTH = 2000 };

typedef struct reader {
  const pp_result *text;
  syntax *out;
  uint32_t at;
  int depth;
  bool failed;
} reader;

static const struct {
  char digraph[3];
  char meaning;
} digraphs[] = {{"<%", '{'}, {"%>", '}'}, {"<:", '['}, {":>", ']'}};

bool token_is(const pp_result *text, uint32_t token, const char *spelling) {
  if (token >= text->token_count) {
    return false;
  }
  const pp_token *t = &text->tokens[token];
  const char *own = text->text + t->begin;
  size_t length = strlen(spelling);
  if (t->end - t->begin == length && memcmp(own, spelling, length) == 0) {
    return true;
  }
  for (size_t i = 0; i < sizeof digraphs / sizeof digraphs[0] && length == 1 && t->end - t->begin == 2; i++) {
    if (spelling[0] == digraphs[i].meaning && memcmp(own, digraphs[i].digraph, 2) == 0) {
      return true;
    }
  }
  return false;
}

bool same_spelling(const pp_result *text, uint32_t a, uint32_t b) {
  const pp_token *left = &text->tokens[a];
  const pp_token *right = &text->tokens[b];
  return left->end - left->begin == right->end - right->begin &&
         memcmp(text->text + left->begin, text->text + right->begin, left->end - left->begin) == 0;
}

static bool opens(const pp_result *text, uint32_t token) {
  return token_is(text, token, "(") || token_is(text, token, "[") || token_is(text, token, "{");
}

static bool closes(const pp_result *text, uint32_t token) {
  return token_is(text, token, ")") || token_is(text, token, "]") || token_is(text, token, "}");
}

uint32_t token_match(const pp_result *text, uint32_t open) {
  int depth = 0;
  for (uint32_t t = open; t < text->token_count; t++) {
    if (opens(text, t)) {
      depth++;
    } else if (closes(text, t) && --depth == 0) {
      return t;
    }
  }
  return NO_TOKEN;
}

static uint32_t read_statement(reader *r, uint32_t parent);

static bool is(const reader *r, const char *spelling) { return token_is(r->text, r->at, spelling); }

static uint32_t new_statement(reader *r, statement_kind kind, uint32_t parent, uint32_t first) {
  statement *s = ARRAY_ADD(r->out->items, r->out->count, r->out->capacity);
  s->kind = kind;
  s->parent = parent;
  s->tokens = (span){first, first};
  s->keyword = r->at;
  s->condition = s->increment = (span){1, 0};
  s->for_close = s->for_second = s->colon = NO_TOKEN;
  s->body = s->otherwise = NO_STATEMENT;
  return (uint32_t)(r->out->count - 1);
}

static statement *get(const reader *r, uint32_t index) { return &r->out->items[index]; }

/* The span strictly between two tokens. */
static span between(uint32_t open, uint32_t close) {
  return open + 1 >= close ? (span){1, 0} : (span){open + 1, close - 1};
}

/* At "(": returns the span inside and moves behind ")". */
static span read_parentheses(reader *r) {
  uint32_t open = r->at;
  uint32_t close = token_match(r->text, open);
  if (close == NO_TOKEN || !is(r, "(")) {
    r->failed = true;
    return (span){1, 0};
  }
  r->at = close + 1;
  return between(open, close);
}

static uint32_t read_compound(reader *r, uint32_t parent, uint32_t first) {
  uint32_t self = new_statement(r, STATEMENT_COMPOUND, parent, first);
  r->at++;
  while (!r->failed && r->at < r->text->token_count && !is(r, "}")) {
    (void)read_statement(r, self);
  }
  r->failed = r->failed || !is(r, "}");
  get(r, self)->tokens.last = r->at++;
  return self;
}

static void read_for_header(reader *r, uint32_t self) {
  uint32_t open = r->at;
  uint32_t close = token_match(r->text, open);
  uint32_t semicolon[2] = {NO_TOKEN, NO_TOKEN};
  int found = 0;
  int depth = 0;
  for (uint32_t t = open; close != NO_TOKEN && t < close && found < 2; t++) {
    depth += opens(r->text, t) ? 1 : closes(r->text, t) ? -1 : 0;
    if (depth == 1 && token_is(r->text, t, ";")) {
      semicolon[found++] = t;
    }
  }
  if (found < 2) {
    r->failed = true;
    return;
  }
  statement *s = get(r, self);
  s->condition = between(semicolon[0], semicolon[1]);
  s->increment = between(semicolon[1], close);
  s->for_second = semicolon[1];
  s->for_close = close;
  r->at = close + 1;
}

/* `if`, `for`, `while`, `switch`: a header in parentheses and a body. */
static uint32_t read_headed(reader *r, statement_kind kind, uint32_t parent, uint32_t first) {
  uint32_t self = new_statement(r, kind, parent, first);
  r->at++;
  if (kind == STATEMENT_FOR) {
    read_for_header(r, self);
  } else {
    span condition = read_parentheses(r);
    get(r, self)->condition = condition;
  }
  uint32_t body = r->failed ? NO_STATEMENT : read_statement(r, self);
  get(r, self)->body = body;
  if (kind == STATEMENT_IF && !r->failed && is(r, "else")) {
    r->at++;
    uint32_t otherwise = read_statement(r, self);
    get(r, self)->otherwise = otherwise;
  }
  get(r, self)->tokens.last = r->at - 1;
  return self;
}

static uint32_t read_do(reader *r, uint32_t parent, uint32_t first) {
  uint32_t self = new_statement(r, STATEMENT_DO, parent, first);
  r->at++;
  uint32_t body = read_statement(r, self);
  get(r, self)->body = body;
  if (!r->failed && is(r, "while")) {
    r->at++;
    span condition = read_parentheses(r);
    get(r, self)->condition = condition;
  } else {
    r->failed = true;
  }
  if (is(r, ";")) {
    r->at++;
  }
  get(r, self)->tokens.last = r->at - 1;
  return self;
}

/* The labelled statement; a label before `}` labels nothing. */
static void read_labelled(reader *r, uint32_t self) {
  get(r, self)->colon = r->at++;
  if (!is(r, "}")) {
    uint32_t body = read_statement(r, self);
    get(r, self)->body = body;
  }
  get(r, self)->tokens.last = r->at - 1;
}

static uint32_t read_case(reader *r, uint32_t parent, uint32_t first) {
  uint32_t self = new_statement(r, STATEMENT_CASE, parent, first);
  uint32_t start = r->at++;
  int depth = 0;
  int questions = 0;
  for (; r->at < r->text->token_count; r->at++) {
    depth += opens(r->text, r->at) ? 1 : closes(r->text, r->at) ? -1 : 0;
    if (depth == 0 && is(r, "?")) {
      questions++;
    } else if (depth == 0 && is(r, ":") && questions-- == 0) {
      break;
    }
  }
  get(r, self)->condition = between(start, r->at);
  read_labelled(r, self);
  return self;
}

/* To the `;` that ends an expression or a declaration; statement expressions inside are read as statements. */
static uint32_t read_simple(reader *r, statement_kind kind, uint32_t parent, uint32_t first) {
  uint32_t self = new_statement(r, kind, parent, first);
  int depth = 0;
  for (; r->at < r->text->token_count; r->at++) {
    if (is(r, "(") && token_is(r->text, r->at + 1, "{")) {
      depth++;
      r->at++;
      (void)read_compound(r, self, r->at);
      r->at--;
      continue;
    }
    depth += opens(r->text, r->at) ? 1 : closes(r->text, r->at) ? -1 : 0;
    if (depth < 0) {
      break;
    }
    if (depth == 0 && is(r, ";")) {
      get(r, self)->tokens.last = r->at++;
      return self;
    }
  }
  r->failed = true;
  return self;
}

/* Pragmas, `_Pragma(…)` and attributes stand in front of a statement and belong to it. */
static void skip_prefix(reader *r) {
  for (;;) {
    if (r->at < r->text->token_count && r->text->tokens[r->at].kind == PP_PRAGMA) {
      r->at++;
    } else if ((is(r, "__attribute__") || is(r, "_Pragma")) && token_is(r->text, r->at + 1, "(")) {
      uint32_t close = token_match(r->text, r->at + 1);
      if (close == NO_TOKEN) {
        r->failed = true;
        return;
      }
      r->at = close + 1;
    } else {
      return;
    }
  }
}

static const struct {
  const char *word;
  statement_kind kind;
} keywords[] = {
    {"if", STATEMENT_IF},         {"for", STATEMENT_FOR},           {"while", STATEMENT_WHILE},
    {"do", STATEMENT_DO},         {"switch", STATEMENT_SWITCH},     {"case", STATEMENT_CASE},
    {"default", STATEMENT_CASE},  {"goto", STATEMENT_GOTO},         {"break", STATEMENT_BREAK},
    {"return", STATEMENT_RETURN}, {"continue", STATEMENT_CONTINUE},
};

static statement_kind kind_here(const reader *r) {
  if (is(r, "{")) {
    return STATEMENT_COMPOUND;
  }
  for (size_t i = 0; i < sizeof keywords / sizeof keywords[0]; i++) {
    if (is(r, keywords[i].word)) {
      return keywords[i].kind;
    }
  }
  bool label =
      r->at < r->text->token_count && r->text->tokens[r->at].kind == PP_IDENTIFIER && token_is(r->text, r->at + 1, ":");
  return label ? STATEMENT_LABEL : STATEMENT_SIMPLE;
}

static uint32_t read_of_kind(reader *r, statement_kind kind, uint32_t parent, uint32_t first) {
  switch (kind) {
    case STATEMENT_COMPOUND:
      return read_compound(r, parent, first);
    case STATEMENT_IF:
    case STATEMENT_FOR:
    case STATEMENT_WHILE:
    case STATEMENT_SWITCH:
      return read_headed(r, kind, parent, first);
    case STATEMENT_DO:
      return read_do(r, parent, first);
    case STATEMENT_CASE:
      return read_case(r, parent, first);
    case STATEMENT_LABEL: {
      uint32_t self = new_statement(r, kind, parent, first);
      r->at++;
      read_labelled(r, self);
      return self;
    }
    default:
      return read_simple(r, kind, parent, first);
  }
}

static uint32_t read_statement(reader *r, uint32_t parent) {
  uint32_t first = r->at;
  skip_prefix(r);
  if (r->failed || ++r->depth > MAX_DEPTH || r->at >= r->text->token_count) {
    r->failed = true;
    return NO_STATEMENT;
  }
  uint32_t self;
  if (is(r, "}")) { /* a pragma with nothing behind it */
    self = new_statement(r, STATEMENT_SIMPLE, parent, first);
    get(r, self)->tokens.last = r->at - 1;
    get(r, self)->keyword = first;
  } else {
    self = read_of_kind(r, kind_here(r), parent, first);
  }
  r->depth--;
  return self;
}

int syntax_read(const pp_result *text, uint32_t open, syntax *out) {
  reader r = {.text = text, .out = out, .at = open};
  (void)read_compound(&r, NO_STATEMENT, open);
  if (r.failed) {
    return -1;
  }
  list_jumps(text, out);
  return 0;
}

bool is_loop(statement_kind kind) { return kind == STATEMENT_FOR || kind == STATEMENT_WHILE || kind == STATEMENT_DO; }

uint32_t goto_target(const pp_result *text, const syntax *s, uint32_t jump) {
  const pp_token *name = &text->tokens[s->items[jump].keyword + 1];
  for (uint32_t i = 0; i < s->count; i++) {
    const pp_token *label = &text->tokens[s->items[i].keyword];
    if (s->items[i].kind == STATEMENT_LABEL && label->end - label->begin == name->end - name->begin &&
        memcmp(text->text + label->begin, text->text + name->begin, name->end - name->begin) == 0) {
      return i;
    }
  }
  return NO_STATEMENT;
}

uint32_t switch_of_case(const syntax *s, uint32_t label) {
  uint32_t owner = s->items[label].parent;
  while (s->items[owner].kind != STATEMENT_SWITCH) {
    owner = s->items[owner].parent;
  }
  return owner;
}

void syntax_free(syntax *s) {
  free(s->items);
  free(s->jumps);
  *s = (syntax){0};
}
