/* Which memory may a kernel touch through its parameters? Expressions of its own body are followed, into built-in
 * functions, too; what is copied into a variable or handed to a function of the program escapes. */
#ifndef CLTC_FRONTEND_FACTS_ACCESSES_H
#define CLTC_FRONTEND_FACTS_ACCESSES_H

#include "frontend/tree.h"

typedef struct parameter_access {
  uint32_t parameter;    /* its number among the kernel's */
  const tree_node *name; /* where the parameter's name is used */
  bool writes;           /* else it reads; what does both is there twice */
} parameter_access;

typedef struct parameter_accesses {
  parameter_access *items; /* in source order */
  size_t count, capacity;
  bool *escapes; /* one a parameter: there may be more accesses. Of a number: its value is used */
} parameter_accesses;

/* `kernel`: its definition. */
parameter_accesses read_accesses(const tree_node *kernel);
void accesses_free(parameter_accesses *a);

#endif
