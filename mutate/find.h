/* The mutable places of a program, and the inside of their finder (find*.c).
 *
 * Each executed expression, call, literal or loop that an operator knows becomes a candidate with its alternatives. A
 * place in a macro's body gives a candidate a use; the place's mutants are the alternatives that all of them have. */
#ifndef CLTC_MUTATE_FIND_H
#define CLTC_MUTATE_FIND_H

#include "base/digest.h"
#include "frontend/tree.h"
#include "instrument/program.h"
#include "mutate/mutate.h"

/* ---- places: what is known between finding them and writing the schema (schema*.c) ---- */

/* What the source has at a place, and so how the schema switches it; see schema.c. The replacements of a place are in
 * the order of the operator tables of docs/mutation.md. What they are:
 * - BINARY to ASSIGN: the operator; "" for NOT and UNARY
 * - BARRIER, FENCE, LOCAL: ""
 * - IMAGE: what comes after the coordinate in parentheses: " + (int2)(1, 0)", ".yx"
 * - LOOP: "skip", "n-1", "n+1"
 * - INDEX: the whole expression: "get_local_id(0)", "get_global_id(1)", "(get_global_id(0) + 1)"
 * - ATOMIC: the update: "add", "sub", "xchg", "inc", "dec", "cmpxchg", "min", "max", "and", "or", "xor", of OpenCL
 * C 2.0 also "compare_exchange", "store", "set" and "clear"
 * - FLAGS: the flags argument
 * - LITERAL: the literal, "(-1)" when it is negative
 * - TEXT: the whole expression, in parentheses
 * - FIXED: the token
 *
 * Whether a mutant is switched says mutant.form: a macro's operator that is PLACE_TEXT in one use is cloned in all. */
typedef enum place_kind {
  PLACE_BINARY,       /* left OP right; arith, bit: both converted to `type` (shifts: right keeps right_type) */
  PLACE_COMPARE,      /* left OP right; both converted to left_type; result `type` (int, or a vector for vectors) */
  PLACE_POINTER_STEP, /* pointer + integer or pointer - integer: `right` is the integer operand (its type right_type) */
  PLACE_POINTER_COMPARE,
  PLACE_LOGICAL,   /* scalar && || */
  PLACE_NOT,       /* !right, scalar, where only its truth counts or right_type is int or smaller */
  PLACE_UNARY,     /* -right, ~right: deleted */
  PLACE_INCREMENT, /* ++ -- on `left` of type left_type; `postfix`, `used` */
  PLACE_ASSIGN,    /* left OP= right, left without side effects; left_type, right_type; computed in `type`, which
                      for a pointer += or -= is left_type */
  PLACE_BARRIER,   /* call deleted */
  PLACE_IMAGE,     /* read_image*, write_image*: `right` is the coordinate argument, of right_type; `dimensions` */
  PLACE_LOOP,      /* skip, n-1, n+1; see place.loop */
  PLACE_INDEX,     /* get_global_id(d) …: `right` is the argument */
  PLACE_ATOMIC, /* atomic_OP(left, right): `left` is the pointer of left_type, `right` the other arguments with their commas, if there are any, the first of
                      right_type; what the call gives is of `type` */
  PLACE_FLAGS,  /* fence flags of a barrier or fence: `right` is the flags argument: LOCAL <-> GLOBAL */
  PLACE_FENCE,  /* mem_fence family: call deleted */
  PLACE_LOCAL,  /* an assignment to __local memory that initialises it: deleted */
  PLACE_LITERAL, /* integer or float constant of `type` */
  PLACE_TEXT,    /* none of the above can switch it: `replacements` are put in place as text, in clones only */
  PLACE_FIXED    /* nothing is executed there (the size of an array, a case label): another use of a macro's token,
                      replaced in clones only */
} place_kind;

/* One occurrence of a place in a function: a place in a macro's body has one a use, with the same mutants. */
typedef struct place {
  place_kind kind;
  mutate_operator op;
  uint32_t function; /* of the program */
  uint32_t token;    /* operator, name of the function called, keyword of the loop, literal */
  span whole;        /* the expression with its operands, the call with its arguments, the loop statement */
  span left, right;  /* operands, see above; empty if there are none */
  const tree_type *type, *left_type, *right_type; /* of the program's trees; NULL where there is none */
  c_operator symbol;                              /* of an operation */
  uint32_t arguments;                             /* of ATOMIC: those in `right` */
  bool postfix, used;                             /* of ++ and --: after its operand; whether its value is used */
  uint32_t dimensions;                            /* of an image: 2 or 3 */
  const tree_node *loop;                          /* NULL for other places */
  uint32_t number;                                /* in the reach record: mutant.place */
  uint32_t first, count; /* its mutants: result.mutants[first .. first + count), numbers first + 1 … */
  char **replacements;   /* `count` texts: the operators, names, literals or (PLACE_TEXT) whole texts that come in */
} place;

typedef struct places {
  program *program;
  place *items; /* in order of their first token, outer ones first */
  size_t count, capacity;
} places;

/* find.c: fills `out->items` and r->mutants from a discovered program (p->units parsed, p->functions known). */
void find_places(program *p, places *out, mutate_result *r);
void places_free(places *p);
/* schema.c: how mutants of a kind of place are switched. */
mutant_form schema_form(place_kind kind);
/* schema.c: the text of one unit; see mutate_program. */
char *schema_text(const places *p, uint32_t unit, const mutate_result *r, const uint32_t *clones, size_t clone_count);
/* Fills r->kernel_digests: for each kernel of the model all tokens, once macros are expanded, that are in no function,
 * in the kernel or in a function that it reaches, and all pragmas, in their order, with the build options. */
void digest_kernels(const program *p, mutate_result *r);
/* A token by its place in its function: source, name of the function and number among those of the name, number of the
 * token there. */
void digest_place(digester *d, const program *p, uint32_t function, uint32_t token);

/* What an atomic function does to memory. Where a person would write it, @ is the object, # and $ are further arguments,
 * [ and ] are around what is compared bit by bit, and ~ is the old value. */
typedef struct atomic_update {
  const char
      *name; /* of the functions on plain numbers atomic_NAME and atom_NAME, but for those of atomic types alone */
  const char *plain;    /* for a person; */
  const char *used;     /* the new value where the old one is used, NULL: the first will do */
  const char *operands; /* for the schema: their names after the object; e: a pointer to what is expected; */
  const char *value;    /* the new value from the old one, `a`; NULL: it is written on a condition */
  bool typed;           /* of atomic types alone */
} atomic_update;

/* find_call.c: of that name, which there is. */
const atomic_update *atomic_update_named(const char *name);

/* ---- candidates ---- */

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
/* What one iteration more, or less, of a loop is, in the user's names where its text is of that kind: "n-1 iterations:
 * i < n - 1", else in words. The id of a mutant has the text in front of the colon alone. To be freed. */
char *describe_turns(const finder *f, const tree_node *loop, bool more);

/* --- find_operator.c: arith, rel, logic, bit, assign, local --- */
void find_operator(finder *f, const tree_node *x);
/* Whether anything uses the value of an expression. */
bool is_used(const tree_node *x);

/* --- find_call.c: barrier, image, index, fence --- */
void find_call(finder *f, const tree_node *x);
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
/* find_source.c: lines that a `cltestcheck: no-mutate` comment leaves out: true at [line], for lines up to `*count`. To
 * be freed. */
bool *suppressed_lines(const char *text, size_t length, size_t *count);

#endif
