/* Tokens of a source, and insertions into them. */
#include "frontend/edits.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

char *text_of(const char *format, ...) {
  va_list args;
  va_start(args, format);
  int length = vsnprintf(NULL, 0, format, args);
  va_end(args);
  char *text = mem_calloc((size_t)(length < 0 ? 0 : length) + 1, 1);
  va_start(args, format);
  (void)vsnprintf(text, (size_t)(length < 0 ? 0 : length) + 1, format, args);
  va_end(args);
  return text;
}

void edit_add(edits *e, uint32_t token, enum edit_place place, uint32_t extent, enum edit_mode mode, char *text) {
  edit *added = ARRAY_ADD(e->items, e->count, e->capacity);
  *added = (edit){token, place, extent, (uint32_t)e->count, mode, text};
}

void edit_wrap(edits *e, span s, char *prefix, char *suffix) {
  uint32_t extent = s.last - s.first + 1;
  edit_add(e, s.first, EDIT_BEFORE, extent, EDIT_BOTH, prefix);
  edit_add(e, s.last, EDIT_AFTER, extent, EDIT_BOTH, suffix);
}

void edit_move(edits *e, span s, char *text) {
  edit_add(e, s.first, EDIT_MOVED, s.last - s.first + 1, EDIT_BOTH, text);
}

/* Before a token the outer edit comes first, after it the inner one. */
static int compare(const void *a, const void *b) {
  const edit *left = a;
  const edit *right = b;
  if (left->token != right->token) return left->token < right->token ? -1 : 1;
  if (left->place != right->place) return left->place < right->place ? -1 : 1;
  int outer = left->place == EDIT_AFTER || left->place == EDIT_SUFFIX ? 1 : -1;
  if (left->extent != right->extent) return left->extent > right->extent ? outer : -outer;
  return left->number < right->number ? outer : -outer;
}

void edit_sort(edits *e) {
  if (e->count > 1) qsort(e->items, e->count, sizeof *e->items, compare);
}

size_t edit_find(const edits *e, uint32_t token, enum edit_place place) {
  size_t low = 0;
  size_t high = e->count;
  while (low < high) {
    size_t middle = (low + high) / 2;
    const edit *item = &e->items[middle];
    if (item->token < token || (item->token == token && item->place < place))
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

void edit_free(edits *e) {
  for (size_t i = 0; i < e->count; i++) free(e->items[i].text);
  free(e->items);
  *e = (edits){0};
}

/* What tokens are. */

static const struct {
  char digraph[3];
  char meaning;
} digraphs[] = {{"<%", '{'}, {"%>", '}'}, {"<:", '['}, {":>", ']'}};

bool token_is(const pp_result *text, uint32_t token, const char *spelling) {
  if (token >= text->token_count) return false;
  const pp_token *t = &text->tokens[token];
  const char *own = text->text + t->begin;
  size_t length = strlen(spelling);
  if (t->end - t->begin == length && memcmp(own, spelling, length) == 0) return true;
  for (size_t i = 0; i < sizeof digraphs / sizeof digraphs[0] && length == 1 && t->end - t->begin == 2; i++)
    if (spelling[0] == digraphs[i].meaning && memcmp(own, digraphs[i].digraph, 2) == 0) return true;
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
  for (uint32_t t = open; t < text->token_count; t++)
    if (opens(text, t))
      depth++;
    else if (closes(text, t) && --depth == 0)
      return t;
  return NO_TOKEN;
}

span token_parentheses(const pp_result *text, uint32_t name) {
  uint32_t open = name + 1;
  while (token_is(text, open, ")")) open++;
  const uint32_t close = token_is(text, open, "(") ? token_match(text, open) : NO_TOKEN;
  return close == NO_TOKEN ? (span){1, 0} : (span){open, close};
}

uint32_t token_semicolon(const pp_result *text, uint32_t first) {
  int depth = 0;
  uint32_t t = first;
  for (; t + 1 < text->token_count && !(depth == 0 && token_is(text, t, ";")); t++)
    depth += token_is(text, t, "(") ? 1 : token_is(text, t, ")") ? -1 : 0;
  return t;
}

uint32_t token_behind_pragma(const pp_result *text, uint32_t token) {
  if (token < text->token_count && text->tokens[token].kind == PP_PRAGMA) return token + 1;
  const bool operator= token_is(text, token, "_Pragma") && token_is(text, token + 1, "(");
  const uint32_t close = operator? token_match(text, token + 1) : NO_TOKEN;
  return close == NO_TOKEN ? token : close + 1;
}
