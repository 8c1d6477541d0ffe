/* The names that formulas and placeholders of a kernel case know, and formulas. */
#ifndef CLTC_CASES_SCOPE_H
#define CLTC_CASES_SCOPE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buffer.h"
#include "base/syntax.h"
#include "capture/number.h"

/* The value of a formula: of 64 bits, with or without a sign. */
typedef struct formula_value {
  bool real; /* `number`, else `integer` */
  number_wide integer;
  double number;
} formula_value;

double formula_real(formula_value v);

typedef enum scope_kind { SCOPE_NUMBER, SCOPE_WORD, SCOPE_ARRAY } scope_kind;

typedef struct scope_name {
  char *name;
  scope_kind kind;
  formula_value value;
  char *word; /* "float", for placeholders */
  /* An array: what a buffer holds before the first launch; the bytes are lent. NULL: nobody has written it. */
  const unsigned char *bytes;
  uint32_t number; /* capture_number */
  size_t count;    /* of numbers */
  size_t used, of; /* so many numbers of so many in a row are among them: of a float3 3 of 4; 0: all */
} scope_name;

typedef struct scope {
  scope_name *names;
  size_t count, capacity;
  /* The value of a name or call, in place of all names and functions; false: it has none. NULL: these are as they are. */
  bool (*value)(const void *context, const syntax_node *n, number_wide *out);
  const void *context;
} scope;

/* Adds a name, which must not be there. */
scope_name *scope_add(scope *s, const char *name);
const scope_name *scope_find(const scope *s, const char *name, size_t length);
/* Whether it can be the name of something in a case: letters, digits and _, and no word of formulas or `null`. */
bool scope_name_right(const char *name);
void scope_copy(const scope *from, scope *to);
void scope_free(scope *s);
/* Appends the text with the values of names in place of `{name}`; `{{` is a brace. Returns the offset of a placeholder
 * that is no name, -1: all are. */
long scope_fill(const scope *s, const char *text, buffer *out);

/* Formulas: C expressions in 64 bits. Integers stay integers until a number with a point takes part. */

typedef struct formula formula;

typedef struct formula_error {
  size_t offset;  /* in the text */
  char text[200]; /* the end of a sentence: "there is no name x" */
} formula_error;

/* Reads a formula over the names of a scope. `elements`: for how many it is computed, which may use `i`, the number of
 * each; 0: for none. NULL with `e` set: it is none. */
formula *formula_read(const char *text, const scope *names, uint64_t elements, formula_error *e);
void formula_free(formula *f);

/* Its value at element `i`; -1 with `e` set: there is none (a division by zero, beyond 64 bits, beyond an array). */
int formula_at(formula *f, int64_t i, formula_value *out, formula_error *e);

/* Whether a word has a meaning in formulas: `i`, functions, `inf`, `nan`. */
bool formula_knows(const char *word);

#endif
