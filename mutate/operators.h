/* The mutation operators: names, sets, and what replaces what. */
#ifndef CLTC_MUTATE_OPERATORS_H
#define CLTC_MUTATE_OPERATORS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

typedef enum mutate_operator {
  MUTATE_ARITH, /* the paper's set */
  MUTATE_REL,
  MUTATE_LOGIC,
  MUTATE_BIT,
  MUTATE_ASSIGN,
  MUTATE_BARRIER,
  MUTATE_IMAGE,
  MUTATE_LOOP,
  MUTATE_INDEX, /* the gpu set */
  MUTATE_ATOMIC,
  MUTATE_FENCE,
  MUTATE_LOCAL,
  MUTATE_CONST,
  MUTATE_DIMENSIONS, /* the launch set, of launches: no source has them */
  MUTATE_GROUPS,
  MUTATE_LOCAL_SIZE,
  MUTATE_OFFSET,
  MUTATE_ARGUMENT,
  MUTATE_OPERATORS
} mutate_operator;

typedef struct mutate_operator_info {
  const char *name;    /* "arith", … */
  const char *set;     /* "paper", "gpu" or "launch" */
  const char *summary; /* one line for help */
} mutate_operator_info;

extern const mutate_operator_info mutate_operators[MUTATE_OPERATORS];

/* Reads "paper,gpu,arith,-rel": names of sets and operators, a leading `-` takes away; sets `selected`. Returns -1 with
 * a sentence that names the word that is unknown and lists the known ones. */
int mutate_select_operators(const char *list, bool selected[MUTATE_OPERATORS], error *e);

#endif
