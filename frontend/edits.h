/* A list of insertions into a token sequence, kept properly nested. */
#ifndef CLTC_FRONTEND_EDITS_H
#define CLTC_FRONTEND_EDITS_H

#include "base/buffer.h"
#include "frontend/preprocess.h"

/* Tokens of a macro-free text by their numbers, and spans of them. */

#define NO_TOKEN UINT32_MAX

/* Tokens first..last, both included; empty when first > last. */
typedef struct span {
  uint32_t first, last;
} span;

static inline bool span_empty(span s) { return s.first > s.last; }
static inline bool span_has(span s, uint32_t t) { return t >= s.first && t <= s.last; }

/* A digraph is what it stands for. */
bool token_is(const pp_result *text, uint32_t token, const char *spelling);
bool same_spelling(const pp_result *text, uint32_t a, uint32_t b);
/* The parentheses after a name, which may stand in parentheses itself: `(f)(x)`. Empty if there are none. */
span token_parentheses(const pp_result *text, uint32_t name);
/* The `;` that ends what begins at a token, outside of parentheses; the last token if there is none. */
uint32_t token_semicolon(const pp_result *text, uint32_t first);
/* The token after a pragma or `_Pragma(…)` that stands at `token`; else `token` itself. */
uint32_t token_behind_pragma(const pp_result *text, uint32_t token);
/* The bracket that closes `open` ("(", "[" or "{"), NO_TOKEN if the tokens end first. */
uint32_t token_match(const pp_result *text, uint32_t open);

/* A kernel that another kernel calls is written twice: as the kernel and as a function that can be called. */
enum edit_mode { EDIT_PLAIN = 1, EDIT_TWIN = 2, EDIT_BOTH = 3 };
/* Text before, after and instead of a token is made of tokens of its own, which the renderer keeps apart from those
 * around it. A prefix and a suffix become part of the token: a name gets longer. */
enum edit_place { EDIT_BEFORE, EDIT_PREFIX, EDIT_REPLACE, EDIT_SUFFIX, EDIT_AFTER, EDIT_MOVED };

/* In the text of an edit: the tokens FIRST to LAST with those of their edits whose extent is at most LIMIT, on one
 * line. */
#define EDIT_COPY "\1%u %u %u;"
/* Its numbers, for what stands within a span; of the span's own edits, too. */
#define EDIT_SPAN(s) (unsigned)(s).first, (unsigned)(s).last, (unsigned)((s).last - (s).first + 1)
/* The same without those that are put around all of it. */
#define EDIT_INSIDE(s) (unsigned)(s).first, (unsigned)(s).last, (unsigned)((s).last - (s).first)

typedef struct edit {
  uint32_t token;
  enum edit_place place;
  uint32_t extent; /* how much the edit encloses: the larger one goes outside */
  uint32_t number;
  enum edit_mode mode;
  char *text;
} edit;

typedef struct edits {
  edit *items;
  size_t count, capacity;
} edits;

/* Takes over `text`. */
void edit_add(edits *e, uint32_t token, enum edit_place place, uint32_t extent, enum edit_mode mode, char *text);
/* A text in the place of a span and of the edits within: for what is evaluated elsewhere, where an EDIT_COPY of the span
 * has it. Around the same span others may put text, which goes with it. */
void edit_move(edits *e, span s, char *text);
/* Puts text around a span. */
void edit_wrap(edits *e, span s, char *prefix, char *suffix);
/* To be called once before edit_find. */
void edit_sort(edits *e);
/* The first edit at `token` and `place` (or after it in order); walk on while both still match. */
size_t edit_find(const edits *e, uint32_t token, enum edit_place place);
void edit_free(edits *e);

/* A formatted string of its own. */
char *text_of(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
