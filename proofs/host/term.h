/* Values of the host program as terms over symbols. A symbol is a number that is not known, and is always the same one.
 * Terms are simplified when they are made, and equal ones are one pointer. */
#ifndef CLTC_HOST_TERM_H
#define CLTC_HOST_TERM_H

#include "proofs/host/tree.h"

typedef enum host_term_kind {
  TERM_NUMBER,   /* `value`; with 0 bits: the null pointer */
  TERM_REAL,     /* `real` */
  TERM_SYMBOL,   /* anything: also a pointer that nothing is known of */
  TERM_BINARY,   /* a, b */
  TERM_UNARY,    /* a */
  TERM_CAST,     /* a, to an integer of `bits` */
  TERM_CHOICE,   /* a ? b : c */
  TERM_ADDRESS,  /* of `place` */
  TERM_TEXT,     /* a string that begins at `text` */
  TERM_FORMAT,   /* `text` of printf with the values that follow: TERM_PAIR or NULL in a */
  TERM_PAIR,     /* a, and the next pair in b */
  TERM_FUNCTION, /* `decl` */
  TERM_APPLY,    /* what the function `text` of a and b is, which depends on nothing else */
  TERM_UNSET     /* never written: nothing may depend on it */
} host_term_kind;

typedef struct host_term {
  host_term_kind kind;
  host_op op;
  unsigned bits; /* of an integer; 0 for all else */
  bool is_signed;
  unsigned weight; /* how many terms it is made of */
  int64_t value;
  double real;
  const struct host_term *a, *b, *c;
  const struct host_place *place;
  const host_decl *decl;
  const char *text;
  /* of a symbol: */
  bool real_number; /* a floating-point number */
  bool given;       /* the user of the program gives it: it may be any number */
} host_term;

typedef struct host_terms {
  host_pool *pool;
  host_map map;
  int64_t symbols;
} host_terms;

const host_term *term_number(host_terms *t, int64_t value, unsigned bits, bool is_signed);
const host_term *term_null(host_terms *t);
const host_term *term_real(host_terms *t, double value);
const host_term *term_unset(host_terms *t);
const host_term *term_address(host_terms *t, const struct host_place *place);
const host_term *term_text(host_terms *t, const char *text);
const host_term *term_format(host_terms *t, const char *text, const host_term *values);
const host_term *term_pair(host_terms *t, const host_term *first, const host_term *rest);
const host_term *term_function(host_terms *t, const host_decl *decl);
/* A new symbol of a type. */
const host_term *term_symbol(host_terms *t, const host_type *type);
/* The same of what the user of the program gives. */
const host_term *term_given(host_terms *t, const host_type *type);
/* The symbol of a place at a time, one and the same for the same two. */
const host_term *term_symbol_of(host_terms *t, const host_type *type, const struct host_place *place,
                                const host_term *time);
const host_term *term_apply(host_terms *t, const char *function, const host_term *a, const host_term *b,
                            const host_type *type);
/* The two have the type in which C computes them, but for shifts. */
const host_term *term_binary(host_terms *t, host_op op, const host_term *a, const host_term *b);
const host_term *term_unary(host_terms *t, host_op op, const host_term *a);
const host_term *term_cast(host_terms *t, const host_term *a, unsigned bits, bool is_signed);
const host_term *term_choice(host_terms *t, const host_term *condition, const host_term *yes, const host_term *no);
/* 1 where a value is not 0, as a condition. */
const host_term *term_truth(host_terms *t, const host_term *a);

static inline bool term_is_number(const host_term *a) { return a->kind == TERM_NUMBER && a->bits > 0; }
static inline bool term_is_null(const host_term *a) { return a->kind == TERM_NUMBER && a->bits == 0; }
static inline bool term_is_integer(const host_term *a) { return a->bits > 0; }
bool term_is(const host_term *a, int64_t value);
/* What C computes it with: wrapped to `bits`. */
int64_t term_wrap(int64_t value, unsigned bits, bool is_signed);
/* An operation on two numbers of a type, still to be wrapped to it; the second of a shift is of any. False: C does not
 * define it. */
bool term_compute(host_op op, int64_t a, int64_t b, unsigned bits, bool is_signed, int64_t *result);
/* One holds exactly where the other does not, by how they are written. */
bool term_is_opposite(const host_term *a, const host_term *b);
/* Whether it is made of numbers and of what the user of the program gives alone, by what C computes with integers. */
bool term_is_followed(const host_term *a);
/* Whether a symbol of `a` is among those of `b`. */
bool term_share_symbol(const host_term *a, const host_term *b);
/* Whether a cast leaves a value as it is, where the result is no negative number and, of 64 bits, no size that is larger
 * than any memory. */
bool term_keeps_size(const host_term *cast);

#endif
