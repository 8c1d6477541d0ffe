/* Cutting files into runs. */
#include "home/stream.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

#define NO_HOLE UINT32_MAX

static bool is(const stream *s, size_t token, char c) {
  const home_token *t = &s->tokens.items[token];
  return t->end == t->begin + 1 && s->text.text[t->begin] == c;
}

static bool is_word(const stream *s, size_t token, const char *word) {
  const home_token *t = &s->tokens.items[token];
  return t->end - t->begin == strlen(word) && memcmp(s->text.text + t->begin, word, strlen(word)) == 0;
}

static void add_run(stream *s, size_t first, size_t end, uint32_t hole) {
  if (end > first) {
    *ARRAY_ADD(s->runs, s->run_count, s->run_capacity) =
        (home_run){.first = (uint32_t)first, .count = (uint32_t)(end - first), .hole = hole};
  }
}

static bool is_in_format(const stream *s, size_t i) {
  const home_token *t = &s->tokens.items[i];
  return t->kind == HOME_HOLE && memchr(s->text.text + t->begin, DECODED_VALUE, t->end - t->begin) == NULL;
}

/* Holes and breaks end runs. */
static void cut_at_holes(stream *s) {
  size_t first = 0;
  uint32_t hole = NO_HOLE;
  bool joined = false;
  for (size_t i = 0; i <= s->tokens.count; i++) {
    bool end = i == s->tokens.count;
    home_token_kind kind = end ? HOME_BREAK : s->tokens.items[i].kind;
    if (kind != HOME_HOLE && kind != HOME_BREAK) {
      continue;
    }
    if (i > first) {
      add_run(s, first, i, hole);
      s->runs[s->run_count - 1].joined = joined;
      joined = true;
    }
    joined = joined && !end && is_in_format(s, i);
    hole = kind == HOME_HOLE ? (uint32_t)i : NO_HOLE;
    first = i + 1;
  }
}

/* --- sources ----------------------------------------------------------------------------------------------------- */

static bool is_include(const stream *s, size_t i) {
  return is(s, i, '#') && s->tokens.items[i].directive && i + 1 < s->tokens.count && is_word(s, i + 1, "include");
}

/* Tokens of one directive are on one line; another directive begins with its #. */
static size_t directive_end(const stream *s, size_t i) {
  for (i++; i < s->tokens.count && s->tokens.items[i].directive && !is(s, i, '#'); i++) {
  }
  return i;
}

static void cut_at_includes(stream *s) {
  size_t first = 0;
  for (size_t i = 0; i < s->tokens.count; i++) {
    if (is_include(s, i)) {
      add_run(s, first, i, NO_HOLE);
      first = directive_end(s, i);
      i = first - 1;
    }
  }
  add_run(s, first, s->tokens.count, NO_HOLE);
}

/* A declaration ends with a semicolon or a closing brace outside of all others. */
static void cut_at_declarations(stream *s) {
  size_t first = 0;
  int depth = 0;
  for (size_t i = 0; i < s->tokens.count; i++) {
    if (s->tokens.items[i].directive && is(s, i, '#') && depth == 0) {
      add_run(s, first, i, NO_HOLE);
      first = directive_end(s, i);
      add_run(s, i, first, NO_HOLE);
      i = first - 1;
      continue;
    }
    depth += is(s, i, '{') ? 1 : is(s, i, '}') ? -1 : 0;
    bool body = is(s, i, '}') && !(i + 1 < s->tokens.count && is(s, i + 1, ';'));
    if (depth <= 0 && (is(s, i, ';') || body)) {
      add_run(s, first, i + 1, NO_HOLE);
      first = i + 1;
      depth = 0;
    }
  }
  add_run(s, first, s->tokens.count, NO_HOLE);
}

/* --- macros ------------------------------------------------------------------------------------------------------ */

/* Arguments of ordinary calls hold neither statements nor blocks. */
static void add_arguments(stream *s, size_t first, size_t end) {
  for (size_t i = first; i < end; i++) {
    if (is(s, i, ';') || is(s, i, '{')) {
      add_run(s, first, end, NO_HOLE);
      return;
    }
  }
}

/* NAME(arguments): all of them, and what is after the first one. Macros in macros are looked at as well. */
static void cut_at_calls(stream *s) {
  s->apart = true;
  size_t *open = NULL;
  size_t *comma = NULL;
  size_t depth = 0;
  size_t capacity = 0;
  size_t comma_capacity = 0;
  for (size_t i = 0; i < s->tokens.count; i++) {
    if (is(s, i, '(')) {
      size_t count = depth;
      *ARRAY_ADD(comma, count, comma_capacity) = 0;
      *ARRAY_ADD(open, depth, capacity) = i;
    } else if (is(s, i, ',') && depth > 0 && comma[depth - 1] == 0) {
      comma[depth - 1] = i;
    } else if (is(s, i, ')') && depth > 0) {
      size_t first = open[--depth];
      bool called = first > 0 && s->tokens.items[first - 1].kind == HOME_WORD && !is_word(s, first - 1, "for");
      if (called) {
        add_arguments(s, first + 1, i);
        add_arguments(s, comma[depth] == 0 ? i : comma[depth] + 1, i);
      }
    }
  }
  free(open);
  free(comma);
}

/* --- kinds ------------------------------------------------------------------------------------------------------- */

static decoded decode(stream_kind kind, const char *text, size_t length, const language *l) {
  if (kind == STREAM_STRINGS || kind == STREAM_PERCENTS || kind == STREAM_BRACES) {
    return decode_literals(text, length, l,
                           kind == STREAM_PERCENTS ? DECODE_PERCENTS
                           : kind == STREAM_BRACES ? DECODE_BRACES
                                                   : DECODE_PLAIN);
  }
  return kind == STREAM_MACROS ? decode_arguments(text, length) : decode_nothing(text, length);
}

static bool makes_sense(stream_kind kind, const language *l) {
  if (kind == STREAM_INCLUDES || kind == STREAM_PARTS) {
    return l->kernels;
  }
  return kind != STREAM_MACROS || l->macros;
}

bool stream_make(stream_kind kind, const char *text, size_t length, const language *l, stream *out) {
  *out = (stream){0};
  if (!makes_sense(kind, l)) {
    return false;
  }
  out->text = decode(kind, text, length, l);
  bool differs = kind == STREAM_PERCENTS ? out->text.percents : kind != STREAM_BRACES || out->text.braces;
  out->tokens = differs ? home_tokens_of(&out->text) : (home_tokens){0};
  switch (kind) {
    case STREAM_INCLUDES:
      cut_at_includes(out);
      break;
    case STREAM_PARTS:
      cut_at_declarations(out);
      break;
    case STREAM_MACROS:
      cut_at_calls(out);
      break;
    default:
      cut_at_holes(out);
  }
  if (!differs || out->run_count == 0) {
    stream_free(out);
    return false;
  }
  return true;
}

void stream_free(stream *s) {
  decoded_free(&s->text);
  home_tokens_free(&s->tokens);
  free(s->runs);
  *s = (stream){0};
}
