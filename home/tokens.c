/* Splitting text into tokens. */
#include "home/tokens.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/memory.h"

typedef struct splitter {
  const char *s;
  size_t count;
  home_tokens out;
  bool directive, line_begins;
} splitter;

static bool is_word(char c) { return isalnum((unsigned char)c) != 0 || c == '_' || (unsigned char)c >= 0x80; }

static char next(const splitter *t, size_t i) { return i < t->count ? t->s[i] : '\0'; }

static uint32_t hash_of(const char *s, size_t length) {
  const uint64_t hash = hash_more(HASH_EMPTY, s, length);
  return (uint32_t)(hash ^ (hash >> 32));
}

/* After a comment over several lines, whose text begins at i. One that a break cuts off ends there. */
static size_t skip_block(const splitter *t, size_t i) {
  size_t cut = 0;
  for (; i < t->count; i++) {
    if (t->s[i] == '*' && next(t, i + 1) == '/') {
      return i + 2;
    }
    if (cut > 0 && t->s[i] == '/' && next(t, i + 1) == '*') {
      return cut;
    }
    cut = cut == 0 && t->s[i] == DECODED_BREAK ? i : cut;
  }
  return cut == 0 ? i : cut;
}

/* After a comment at i; i: there is none. */
static size_t skip_comment(const splitter *t, size_t i) {
  if (t->s[i] != '/' || (next(t, i + 1) != '/' && next(t, i + 1) != '*')) {
    return i;
  }
  if (t->s[i + 1] == '*') {
    return skip_block(t, i + 2);
  }
  while (i < t->count && t->s[i] != '\n' && t->s[i] != DECODED_BREAK) {
    i++;
  }
  return i;
}

/* After a string or character constant. */
static size_t skip_string(const splitter *t, size_t i, bool *hole) {
  char quote = t->s[i];
  size_t k = i + 1;
  while (k < t->count && t->s[k] != quote && t->s[k] != '\n' && t->s[k] != DECODED_BREAK) {
    *hole = *hole || t->s[k] == DECODED_HOLE || t->s[k] == DECODED_VALUE;
    k += t->s[k] == '\\' && k + 1 < t->count && t->s[k + 1] != '\n' ? 2 : 1;
  }
  return next(t, k) == quote ? k + 1 : i + 1;
}

/* A hole takes in the words that it touches. */
static void add(splitter *t, home_token token) {
  home_token *last = t->out.count == 0 ? NULL : &t->out.items[t->out.count - 1];
  bool touches = last != NULL && last->end == token.begin;
  bool into_last = touches && last->kind == HOME_HOLE && (token.kind == HOME_WORD || token.kind == HOME_HOLE);
  if (into_last || (touches && last->kind == HOME_WORD && token.kind == HOME_HOLE)) {
    last->kind = HOME_HOLE;
    last->end = token.end;
    return;
  }
  *ARRAY_ADD(t->out.items, t->out.count, t->out.capacity) = token;
}

static size_t take_token(splitter *t, size_t i) {
  home_token token = {.begin = (uint32_t)i, .kind = HOME_OTHER};
  size_t end = i + 1;
  bool hole = t->s[i] == DECODED_HOLE || t->s[i] == DECODED_VALUE;
  if (is_word(t->s[i])) {
    token.kind = HOME_WORD;
    while (end < t->count && is_word(t->s[end])) {
      end++;
    }
  } else if (t->s[i] == '"' || t->s[i] == '\'') {
    end = skip_string(t, i, &hole);
  }
  token.kind = hole ? HOME_HOLE : t->s[i] == DECODED_BREAK ? HOME_BREAK : token.kind;
  t->directive = t->directive || (t->line_begins && t->s[i] == '#');
  t->line_begins = false;
  token.directive = t->directive;
  token.end = (uint32_t)end;
  token.hash = hash_of(t->s + i, end - i);
  add(t, token);
  return end;
}

home_tokens home_tokens_of(const decoded *d) {
  splitter t = {.s = d->text, .count = d->count, .line_begins = true};
  for (size_t i = 0; i < t.count;) {
    size_t behind = skip_comment(&t, i);
    bool continued =
        t.s[i] == '\\' && (next(&t, i + 1) == '\n' || (next(&t, i + 1) == '\r' && next(&t, i + 2) == '\n'));
    if (behind > i) {
      i = behind;
    } else if (continued) {
      i += next(&t, i + 1) == '\n' ? 2 : 3;
    } else if (t.s[i] == '\n') {
      t.directive = false;
      t.line_begins = true;
      i++;
    } else if (isspace((unsigned char)t.s[i]) != 0 || t.s[i] == '\0') {
      i++;
    } else {
      i = take_token(&t, i);
    }
  }
  return t.out;
}

void home_tokens_free(home_tokens *t) {
  free(t->items);
  *t = (home_tokens){0};
}

bool home_token_same(const decoded *a, const home_token *x, const decoded *b, const home_token *y) {
  return x->hash == y->hash && x->end - x->begin == y->end - y->begin &&
         memcmp(a->text + x->begin, b->text + y->begin, x->end - x->begin) == 0;
}
