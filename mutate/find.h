/* Inside the finder of mutants (find*.c).
 *
 * Each executed expression, call, literal or loop that an operator knows becomes a candidate with its alternatives. A
 * place in a macro's body gives a candidate a use; the place's mutants are the alternatives that all of them have. */
#ifndef CLTC_MUTATE_FIND_H
#define CLTC_MUTATE_FIND_H

#include "frontend/tree.h"
#include "mutate/place.h"

/* Where the text of a mutant needs parentheses so as to be parsed as what runs. */
enum { AROUND_LEFT = 1, AROUND_RIGHT = 2, AROUND_ALL = 4 };

/* One way to change a place. Strings are owned, NULL where there is nothing to say. */
typedef struct alternative {
  char *key;         /* the same in all uses of a macro */
  char *text;        /* for the schema: place.replacements */
  char *shown;       /* for a person: mutant.replacement */
  char *description; /* mutant.description */
  unsigned parentheses;
} alternative;

typedef struct candidate {
  place place; /* without numbers and replacements */
  uint32_t unit;
  span replaced;    /* tokens that the mutants replace in the user's file */
  bool is_argument; /* `replaced` is an argument of the call at place.token */
  alternative *items;
  size_t count, capacity;
} candidate;

typedef struct finder {
  program *program;
  unit *u;
  uint32_t unit, function;
  candidate *candidates;
  size_t count, capacity;
} finder;

/* A range of a user's file, `end` exclusive. */
typedef struct source_range {
  pp_position begin, end;
} source_range;

/* --- find.c --- */
candidate *add_candidate(finder *f, mutate_operator op, place_kind kind, uint32_t token, span whole);
/* Takes over the strings, of which `description` may be NULL. */
void add_alternative(candidate *c, char *key, char *text, char *shown, char *description);
/* The same text for all but the description. */
void add_replacement(candidate *c, const char *text);
bool is_number(const tree_type *t);
bool is_pointer(const tree_type *t);

/* --- find_source.c --- */
/* For a binary operation whose operator another one replaces. */
unsigned parentheses_for(const tree_node *x, const char *symbol);
/* For a sum in place of an expression. */
unsigned parentheses_for_sum(const tree_node *x);
/* What is replaced in the user's file and by what. Strings are for the caller to free, `description` may be NULL. */
typedef struct reading {
  source_range range;
  char *original, *replacement, *description;
} reading;
/* How the mutant of an alternative reads. `whole` is where the operation stands with its operands, NULL: not in one
 * piece. */
reading read_mutant(const pp_result *text, const candidate *c, size_t index, const source_range *whole);
source_range range_of_candidate(const pp_result *text, const candidate *c);

/* --- find_operator.c --- */
/* What one iteration more, or less, of a loop is, in the user's names where its text is of that kind: "n-1 iterations: i
 * < n - 1", else in words. The id of a mutant has the text in front of the colon alone. To be freed. */
char *describe_turns(const finder *f, const tree_node *loop, bool more);

/* --- find_operator.c: arith, rel, logic, bit, assign, local --- */
void find_operator(finder *f, const tree_node *x);
/* Whether anything uses the value of an expression. */
bool is_used(const tree_node *x);

/* --- find_call.c: barrier, image, index, fence --- */
void find_call(finder *f, const tree_node *x);
candidate *add_call(finder *f, const tree_node *x, mutate_operator op, place_kind kind);
/* Whether nothing is mutated in an argument: flags of barriers and fences, and samplers, which must be known when the
 * program is compiled. */
bool is_fixed(const tree_node *x);
/* An argument as the user wrote it; where it comes from several places, its macro-free text. To be freed. */
char *argument_text(const finder *f, span argument);

/* --- find_operator.c: const --- */
void find_literal(finder *f, const tree_node *x);

/* --- find_source.c: the user's text --- */
/* Tokens as macro-free text, white space joined; to be freed. */
char *text_of_span(const pp_result *text, span s);
/* The text as the user wrote it, without comments, white space joined; to be freed. */
char *text_of_range(const pp_result *text, source_range range);
/* Whether the characters of a token stand in a file of the user: not made by # or ##, not in a -D option. */
bool stands_in_file(const pp_result *text, uint32_t token);
/* The same for what stands between the tokens around `argument`, an argument of a call. */
bool range_of_argument(const pp_result *text, span argument, source_range *out);
/* The same for a binary operation, whose operands may be brought by macros of their own. */
bool range_of_operation(const pp_result *text, span whole, uint32_t token, source_range *out);
/* find_source.c: lines that a `cltestcheck: no-mutate` comment leaves out: true at [line], for lines up to `*count`. To be freed. */
bool *suppressed_lines(const char *text, size_t length, size_t *count);

#endif
