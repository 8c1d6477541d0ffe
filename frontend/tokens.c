/* What tokens are. */
#include "frontend/tokens.h"

#include <string.h>

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

span token_parentheses(const pp_result *text, uint32_t name) {
  uint32_t open = name + 1;
  while (token_is(text, open, ")")) {
    open++;
  }
  const uint32_t close = token_is(text, open, "(") ? token_match(text, open) : NO_TOKEN;
  return close == NO_TOKEN ? (span){1, 0} : (span){open, close};
}

uint32_t token_semicolon(const pp_result *text, uint32_t first) {
  int depth = 0;
  uint32_t t = first;
  for (; t + 1 < text->token_count && !(depth == 0 && token_is(text, t, ";")); t++) {
    depth += token_is(text, t, "(") ? 1 : token_is(text, t, ")") ? -1 : 0;
  }
  return t;
}

uint32_t token_behind_pragma(const pp_result *text, uint32_t token) {
  if (token < text->token_count && text->tokens[token].kind == PP_PRAGMA) {
    return token + 1;
  }
  const bool operator= token_is(text, token, "_Pragma") && token_is(text, token + 1, "(");
  const uint32_t close = operator? token_match(text, token + 1) : NO_TOKEN;
  return close == NO_TOKEN ? token : close + 1;
}
