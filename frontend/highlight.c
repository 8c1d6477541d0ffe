/* Tokens of clang to classes. */
#include "frontend/highlight.h"

#include <clang-c/Index.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "frontend/highlight_words.h"

#define NAME "highlight.cl"

/* A token's bytes in the text. */
typedef struct word {
  uint32_t begin, end;
  CXTokenKind kind;
} word;

static word word_of(CXTranslationUnit unit, CXToken token) {
  CXSourceRange range = clang_getTokenExtent(unit, token);
  unsigned begin = 0;
  unsigned end = 0;
  clang_getFileLocation(clang_getRangeStart(range), NULL, NULL, NULL, &begin);
  clang_getFileLocation(clang_getRangeEnd(range), NULL, NULL, NULL, &end);
  return (word){begin, end, clang_getTokenKind(token)};
}

/* Is the word the first of its line? */
static bool begins_line(const highlight_text *t, uint32_t at) {
  while (at > 0 && (t->text[at - 1] == ' ' || t->text[at - 1] == '\t')) {
    at--;
  }
  return at == 0 || t->text[at - 1] == '\n';
}

/* Does a parenthesis follow? */
static bool is_called(const highlight_text *t, uint32_t at) {
  while (at < t->length && (t->text[at] == ' ' || t->text[at] == '\t')) {
    at++;
  }
  return at < t->length && t->text[at] == '(';
}

/* -1: nothing to show. `in_directive`: the word before was the `#` of a directive. */
static int class_of(const highlight_text *t, const word *w, bool in_directive) {
  const char *text = t->text + w->begin;
  size_t length = w->end - w->begin;
  if (in_directive && (w->kind == CXToken_Identifier || w->kind == CXToken_Keyword)) {
    return HIGHLIGHT_DIRECTIVE;
  }
  switch (w->kind) {
    case CXToken_Comment:
      return HIGHLIGHT_COMMENT;
    case CXToken_Literal:
      return HIGHLIGHT_LITERAL;
    case CXToken_Keyword: {
      int named = highlight_word(text, length, false);
      return named == HIGHLIGHT_TYPE ? named : HIGHLIGHT_KEYWORD;
    }
    case CXToken_Identifier:
      return highlight_word(text, length, is_called(t, w->end));
    default:
      return length == 1 && *text == '#' && begins_line(t, w->begin) ? HIGHLIGHT_DIRECTIVE : -1;
  }
}

static void add_tokens(highlight_text *t, CXTranslationUnit unit, const CXToken *tokens, unsigned count) {
  size_t capacity = 0;
  bool in_directive = false;
  uint32_t after = 0;
  for (unsigned i = 0; i < count; i++) {
    word w = word_of(unit, tokens[i]);
    if (w.begin < after || w.end <= w.begin || w.end > t->length) {
      continue;
    }
    int what = class_of(t, &w, in_directive);
    in_directive = what == HIGHLIGHT_DIRECTIVE && !in_directive;
    if (what >= 0) {
      *ARRAY_ADD(t->spans, t->span_count, capacity) = (highlight_span){w.begin, w.end - w.begin, (uint32_t)what};
    }
    after = w.end;
  }
}

/* Headers are not opened, and what follows from their absence is not our concern: only words are asked for. */
int highlight(highlight_text *t, error *e) {
  static const char *const arguments[] = {"-x", "cl", "-cl-std=CL2.0", "-w", "-fno-spell-checking"};
  CXIndex index = clang_createIndex(0, 0);
  struct CXUnsavedFile file = {NAME, t->text, t->length};
  CXTranslationUnit unit = clang_parseTranslationUnit(
      index, NAME, arguments, sizeof arguments / sizeof arguments[0], &file, 1,
      CXTranslationUnit_SingleFileParse | CXTranslationUnit_SkipFunctionBodies | CXTranslationUnit_KeepGoing);
  int result = 0;
  if (unit == NULL) {
    result = error_set(e, EXIT_INTERNAL, "the front end (libclang) cannot read the source to highlight it");
  } else {
    CXFile main_file = clang_getFile(unit, NAME);
    CXSourceRange all = clang_getRange(clang_getLocationForOffset(unit, main_file, 0),
                                       clang_getLocationForOffset(unit, main_file, (unsigned)t->length));
    CXToken *tokens = NULL;
    unsigned count = 0;
    clang_tokenize(unit, all, &tokens, &count);
    add_tokens(t, unit, tokens, count);
    clang_disposeTokens(unit, tokens, count);
    clang_disposeTranslationUnit(unit);
  }
  clang_disposeIndex(index);
  return result;
}
