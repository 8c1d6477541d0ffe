/* What the preprocessor's files share. The parts, in the order a character takes: _source (files, line splices),
 * _lex (tokens), preprocess.c (files), _directive and _define, _condition and _expression (#if), _macro and
 * _substitute (expansion), _output (layout of the result). _options reads build options, _symbol keeps names. */
#ifndef CLTC_FRONTEND_PREPROCESS_INTERNAL_H
#define CLTC_FRONTEND_PREPROCESS_INTERNAL_H

#include <string.h>

#include "base/buffer.h"
#include "base/memory.h"
#include "frontend/preprocess.h"

/* Limits that keep hostile input from taking all time or memory. */
enum {
  LIMIT_INCLUDE_DEPTH = 200,
  LIMIT_NESTING = 1000,            /* macro invocations within arguments, parentheses within #if */
  LIMIT_STEPS = 64 << 20,          /* tokens that macro bodies and arguments bring, all in all */
  LIMIT_LIVE_TOKENS = 2 << 20,     /* tokens of unfinished expansions at one time */
  LIMIT_MADE_BYTES = 64 << 20,     /* characters made by # and ## */
  LIMIT_INCLUDED_BYTES = 64 << 20, /* sum over all inclusions */
  LIMIT_OUTPUT_BYTES = 64 << 20,
  LIMIT_OUTPUT_TOKENS = 8 << 20,
  LIMIT_FILE_BYTES = 256 << 20
};

typedef enum token_kind {
  TOKEN_IDENTIFIER = PP_IDENTIFIER,
  TOKEN_NUMBER = PP_NUMBER,
  TOKEN_STRING = PP_STRING,
  TOKEN_CHARACTER = PP_CHARACTER,
  TOKEN_PUNCTUATOR = PP_PUNCTUATOR,
  TOKEN_PRAGMA = PP_PRAGMA,
  TOKEN_NEWLINE,
  TOKEN_UNKNOWN, /* in an #if: `defined(X)` or `__has_…(…)` that only the device can answer */
  TOKEN_END      /* of the file, or of the tokens at hand */
} token_kind;

typedef struct symbol symbol;
typedef struct macro macro;

typedef struct token {
  const char *text; /* without line splices; lives as long as the preprocessor */
  symbol *symbol;   /* of an identifier */
  uint32_t length;
  uint32_t spelled_length;
  pp_position spelled, expanded;
  uint32_t end_line;  /* where the outermost macro use ends: what __LINE__ says */
  uint32_t parameter; /* in a macro body: number of the parameter, from 1; else 0 */
  token_kind kind;
  bool line_start, space_before;
  bool in_macro_body;
  bool painted;      /* must not be expanded any more (C11 6.10.3.4p2) */
  bool made;         /* by #, ## or a built-in macro: its characters stand nowhere */
  bool unterminated; /* a literal without closing quote: holds the rest of its line */
  bool pasted;       /* in a macro body: ## stood before it */
  bool stringified;  /* in a macro body: a parameter after # */
} token;

typedef struct token_list {
  token *items;
  size_t count, capacity;
} token_list;

typedef enum builtin_kind { BUILTIN_NONE, BUILTIN_LINE, BUILTIN_FILE, BUILTIN_COUNTER, BUILTIN_LEVEL } builtin_kind;

struct macro {
  token *body; /* without # and ##, which are flags of the tokens */
  size_t count;
  uint32_t parameter_count;
  size_t uses; /* by its symbol and by expansions under way; freed at 0 */
  builtin_kind builtin;
  bool function_like, variadic;
  bool substitutes; /* the body has a parameter or ## */
  bool disabled;    /* is being expanded */
};

typedef enum answer { ANSWER_NONE, ANSWER_ASKED, ANSWER_FALSE, ANSWER_TRUE } answer;

/* An identifier, or the text of a question. */
struct symbol {
  const char *name;
  uint32_t length, hash;
  uint32_t parameter; /* while a #define is read: number of the parameter of this name */
  macro *macro;       /* NULL: not defined by the user */
  bool undefined;     /* the user said #undef: known not to be defined while `macro` is NULL */
  answer answer;
};

/* A file as the lexer sees it: `clean` is the text without backslash-newlines, and with characters for trigraphs. */
typedef struct splice {
  uint32_t clean_offset; /* of the first character after it */
  uint32_t removed;      /* bytes removed up to there */
} splice;

typedef struct source {
  char *name, *path, *text;
  char *told; /* of a header on disk: what __FILE__ says there, its directory as the options name it */
  uint32_t length;
  char *clean; /* `text` itself when there are no splices and trigraphs */
  uint32_t clean_length;
  splice *splices;
  size_t splice_count, splice_capacity;
  uint32_t *lines; /* offset of each line's first byte */
  size_t line_count, line_capacity;
  unsigned long long device, inode; /* identity of a header on disk */
  bool in_memory, once;
  long line_shift;       /* what #line adds to the numbers of the lines after it */
  const char *line_name; /* the name that #line gave, NULL: none */
} source;

typedef struct lexer {
  source *source;
  uint32_t file; /* its number */
  uint32_t at;   /* in source->clean */
  bool line_start;
} lexer;

/* Tokens waiting to be read: a macro's expansion, or (barrier) a closed list that is expanded on its own. */
typedef struct stream {
  const token *tokens;
  size_t count, at;
  token_list owned; /* where `tokens` lie, unless in a macro's body */
  macro *macro;     /* enabled again at the end; NULL for a barrier */
  pp_position expanded;
  uint32_t end_line;
  bool space_before; /* of the macro's name */
} stream;

typedef enum branch { BRANCH_ACTIVE, BRANCH_WAITING, BRANCH_DONE } branch;

typedef struct conditional {
  pp_position position;
  branch branch; /* active; none taken yet; one was taken, or the whole conditional lies in skipped text */
  bool has_else;
} conditional;

typedef struct open_file {
  lexer lexer;
  size_t conditional_base;
} open_file;

typedef struct preprocessor {
  const pp_input *input;
  error *error;
  bool failed;

  source **sources;
  size_t source_count, source_capacity;
  char **include_directories;
  size_t directory_count, directory_capacity;
  open_file *open;
  size_t open_count, open_capacity;
  conditional *conditionals;
  size_t conditional_count, conditional_capacity;

  symbol **symbols; /* hash table, a power of two */
  size_t symbol_count, symbol_capacity;
  mem_arena memory; /* of the run */

  stream *streams;
  size_t stream_count, stream_capacity;
  size_t collecting; /* > 0 while the arguments of a macro are read: no file may end then */
  size_t nesting;
  bool pending_space; /* a macro with a space before it expanded to nothing */
  uint64_t counter;
  size_t steps, live_tokens, made_bytes, included_bytes;

  buffer text;
  pp_token *tokens;
  size_t token_count, token_capacity;
  pp_position *conditions;
  size_t condition_count, condition_capacity;
  token last; /* of the output */
  bool fresh_line;
  bool own_name; /* __FILE__ of the main source was left */
  char **questions;
  size_t question_count, question_capacity;
} preprocessor;

/* preprocess.c */

/* Notes the first error, "file:line: …"; from then on every read gives TOKEN_END. Always returns false. */
bool pp_fail(preprocessor *pp, pp_position at, const char *format, ...) __attribute__((format(printf, 3, 4)));
/* The same unless questions are open: then the run is repeated anyway, and the fault may come from a wrong branch. */
bool pp_fail_if_certain(preprocessor *pp, pp_position at, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* Opens a file: its tokens come next. */
void pp_enter(preprocessor *pp, uint32_t file);
/* Next token of the open files, not expanded; obeys directives. */
void pp_next_file_token(preprocessor *pp, token *t);
/* Whether the next token of the innermost file, on whatever line, is `(`. */
bool pp_file_parenthesis_follows(preprocessor *pp);
static inline open_file *pp_top(preprocessor *pp) { return &pp->open[pp->open_count - 1]; }

/* preprocess_lex.c */

symbol *pp_intern(preprocessor *pp, const char *name, uint32_t length);
/* Memory that lives as long as the preprocessor. */
void *pp_allocate(preprocessor *pp, size_t size);
void pp_free_symbols(preprocessor *pp);
void pp_release_macro(macro *m);
/* Makes `m` (or, when NULL, nothing) the meaning of a name; takes `m`. */
void pp_set_macro(symbol *s, macro *m);

/* preprocess_lex.c */

/* Adds a file; takes none of its arguments. Returns its number, or PP_NONE when it is too large. */
uint32_t pp_add_source(preprocessor *pp, const char *name, const char *path, const char *text, size_t length);
/* Number of the header's file, or PP_NONE when it is not found. */
uint32_t pp_find_header(preprocessor *pp, const char *name, bool quoted);
void pp_free_source(source *s);

/* preprocess_lex.c */

void pp_lex(preprocessor *pp, lexer *l, token *t);
/* The rest of an #include line if it is "name" or <name>: fills `t` (with quotes), else leaves the lexer alone. */
bool pp_lex_header_name(preprocessor *pp, lexer *l, token *t);
/* Length of the token that the characters start with; they start with no white space. */
uint32_t pp_scan(const char *s, const char *end, token_kind *kind, bool *unterminated);
/* Whether two tokens written without a space between them could be read as something else. */
bool pp_would_glue(const token *left, const token *right);
static inline bool pp_is(const token *t, const char *punctuator) {
  return t->kind == TOKEN_PUNCTUATOR && t->length == strlen(punctuator) && memcmp(t->text, punctuator, t->length) == 0;
}
bool pp_is_hash(const token *t);
bool pp_is_paste(const token *t);

/* preprocess_directive.c */

void pp_directive(preprocessor *pp, const token *hash);
bool pp_skipping(const preprocessor *pp);

/* preprocess_macro.c */

void pp_define(preprocessor *pp, const token *hash);

/* preprocess_directive.c */

/* preprocess_directive.c */

/* preprocess_macro.c */

void pp_list_add(preprocessor *pp, token_list *list, const token *t);
void pp_list_free(preprocessor *pp, token_list *list);
/* Starts to read from `list` (which is taken), expanding it without regard to what follows; pp_end_list ends that. */
void pp_begin_list(preprocessor *pp, token_list *list);
void pp_end_list(preprocessor *pp);
void pp_next(preprocessor *pp, token *t);
void pp_next_expanded(preprocessor *pp, token *t);
void pp_define_builtins(preprocessor *pp);
void pp_free_streams(preprocessor *pp);

/* preprocess_macro.c */

/* Gives a token characters that stand in no file. False after too many of them. */
bool pp_make_text(preprocessor *pp, token *t, const buffer *text);

/* preprocess.c */

/* preprocess.c */

void pp_put(preprocessor *pp, const token *t);
/* Appends a token to a line of text, with a space where one is needed. `last` is the token before it or NULL. */
void pp_join(buffer *line, const token *last, const token *t);

#endif
