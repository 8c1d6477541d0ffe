/* Syntax highlighting: classes for tokens of clang, and the names that OpenCL C gives a meaning though they are no
 * keywords. */

#include <clang-c/Index.h>
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "frontend/frontend.h"

/* Names that OpenCL C gives a meaning though they are no keywords, as tables. */

/* Sorted; with a 2, 3, 4, 8 or 16 after them the names of vectors. */
static const char *const vector_types[] = {"char",  "double", "float", "half",  "int",   "long",
                                           "short", "uchar",  "uint",  "ulong", "ushort"};
/* The others, sorted. */
static const char *const types[] = {
    "atomic_double", "atomic_flag",      "atomic_float",  "atomic_int",  "atomic_intptr_t",
    "atomic_long",   "atomic_ptrdiff_t", "atomic_size_t", "atomic_uint", "atomic_ulong",
    "bool",          "clk_event_t",      "event_t",       "intptr_t",    "memory_order",
    "memory_scope",  "ndrange_t",        "ptrdiff_t",     "queue_t",     "reserve_id_t",
    "sampler_t",     "signed",           "size_t",        "uintptr_t",   "unsigned",
    "void"};

/* Families of functions, by how their names begin. */
static const char *const families[] = {"as_",   "atom_",  "atomic_",     "convert_",  "get_",
                                       "half_", "intel_", "native_",     "read_imag", "sub_group_",
                                       "vload", "vstore", "work_group_", "write_imag"};

/* Constants, by how their names begin, and others. */
static const char *const constant_families[] = {"CLK_",  "FLT_", "DBL_",   "M_E",           "M_LN",
                                                "M_LOG", "M_PI", "M_SQRT", "memory_order_", "memory_scope_"};
static const char *const constants[] = {"CHAR_BIT", "CHAR_MAX", "CHAR_MIN",  "HUGE_VALF", "INFINITY",  "INT_MAX",
                                        "INT_MIN",  "LONG_MAX", "LONG_MIN",  "MAXFLOAT",  "NAN",       "NULL",
                                        "SHRT_MAX", "SHRT_MIN", "UCHAR_MAX", "UINT_MAX",  "ULONG_MAX", "USHRT_MAX"};

#define COUNT(table) (sizeof(table) / sizeof(table)[0])
enum { LONGEST = 40 };

static bool begins(const char *name, const char *const *list, size_t count) {
  for (size_t i = 0; i < count; i++)
    if (strncmp(name, list[i], strlen(list[i])) == 0) return true;
  return false;
}

static int compare_name(const void *key, const void *item) { return strcmp(key, *(const char *const *)item); }

static bool among(const char *name, const char *const *list, size_t count) {
  return bsearch(name, list, count, sizeof *list, compare_name) != NULL;
}

/* Does the name end in a number of components? Cuts it off. */
static bool cut_components(char *name) {
  static const char *const endings[] = {"16", "2", "3", "4", "8"};
  size_t length = strlen(name);
  for (size_t i = 0; i < COUNT(endings); i++) {
    size_t n = strlen(endings[i]);
    if (length > n && strcmp(name + length - n, endings[i]) == 0) {
      name[length - n] = '\0';
      return true;
    }
  }
  return false;
}

static bool is_type(char *name) {
  size_t length = strlen(name);
  if (strncmp(name, "image", 5) == 0 && length > 7 && isdigit((unsigned char)name[5]) &&
      strcmp(name + length - 2, "_t") == 0)
    return true;
  return among(name, types, COUNT(types)) || among(name, vector_types, COUNT(vector_types)) ||
         (cut_components(name) && among(name, vector_types, COUNT(vector_types)));
}

/* HIGHLIGHT_TYPE or HIGHLIGHT_BUILTIN, or -1 for a name of the program's own. `called`: a parenthesis follows. */
static int highlight_word(const char *text, size_t length, bool called) {
  char name[LONGEST];
  if (length >= sizeof name) return -1;
  memcpy(name, text, length);
  name[length] = '\0';
  if (begins(name, constant_families, COUNT(constant_families)) || among(name, constants, COUNT(constants)) ||
      (called && (begins(name, families, COUNT(families)) || tree_find_builtin(name) != NULL)))
    return HIGHLIGHT_BUILTIN;
  return is_type(name) ? HIGHLIGHT_TYPE : -1;
}

#define NAME "highlight.cl"

/* A token's bytes in the text. */
typedef struct word {
  uint32_t begin, end;
  CXTokenKind kind;
} word;

/* Is the word the first of its line? */
static bool begins_line(const highlight_text *t, uint32_t at) {
  while (at > 0 && (t->text[at - 1] == ' ' || t->text[at - 1] == '\t')) at--;
  return at == 0 || t->text[at - 1] == '\n';
}

/* Does a parenthesis follow? */
static bool is_called(const highlight_text *t, uint32_t at) {
  while (at < t->length && (t->text[at] == ' ' || t->text[at] == '\t')) at++;
  return at < t->length && t->text[at] == '(';
}

/* -1: nothing to show. `in_directive`: the word before was the `#` of a directive. */
static int class_of(const highlight_text *t, const word *w, bool in_directive) {
  const char *text = t->text + w->begin;
  size_t length = w->end - w->begin;
  if (in_directive && (w->kind == CXToken_Identifier || w->kind == CXToken_Keyword)) return HIGHLIGHT_DIRECTIVE;
  switch (w->kind) {
    case CXToken_Comment: return HIGHLIGHT_COMMENT;
    case CXToken_Literal: return HIGHLIGHT_LITERAL;
    case CXToken_Keyword: {
      int named = highlight_word(text, length, false);
      return named == HIGHLIGHT_TYPE ? named : HIGHLIGHT_KEYWORD;
    }
    case CXToken_Identifier: return highlight_word(text, length, is_called(t, w->end));
    default: return length == 1 && *text == '#' && begins_line(t, w->begin) ? HIGHLIGHT_DIRECTIVE : -1;
  }
}

static void add_tokens(highlight_text *t, CXTranslationUnit unit, const CXToken *tokens, unsigned count) {
  size_t capacity = 0;
  bool in_directive = false;
  uint32_t after = 0;
  for (unsigned i = 0; i < count; i++) {
    CXSourceRange range = clang_getTokenExtent(unit, tokens[i]);
    unsigned begin = 0;
    unsigned end = 0;
    clang_getFileLocation(clang_getRangeStart(range), NULL, NULL, NULL, &begin);
    clang_getFileLocation(clang_getRangeEnd(range), NULL, NULL, NULL, &end);
    word w = (word){begin, end, clang_getTokenKind(tokens[i])};
    if (w.begin < after || w.end <= w.begin || w.end > t->length) continue;
    int what = class_of(t, &w, in_directive);
    in_directive = what == HIGHLIGHT_DIRECTIVE && !in_directive;
    if (what >= 0)
      *ARRAY_ADD(t->spans, t->span_count, capacity) = (highlight_span){w.begin, w.end - w.begin, (uint32_t)what};
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
