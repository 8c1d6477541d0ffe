/* The form of a program whose accesses to memory are checked for data races (checked.cl): which accesses there are, to
 * which objects of a kernel they lead, and the text that checks them. */
#ifndef CLTC_INSTRUMENT_CHECKED_H
#define CLTC_INSTRUMENT_CHECKED_H

#include "frontend/facts/accesses.h"
#include "instrument/forms.h"

/* checked.cl, embedded: shadow memory, and what finds races in it. */
extern const char instrument_checked[];

/* How the text around an access is written. */
typedef enum access_form {
  ACCESS_LVALUE,  /* `x` becomes *(T *)check(&x) */
  ACCESS_ARROW,   /* components: `p->x` becomes ((T *)check(p))->x */
  ACCESS_POINTER, /* `p`, an argument, becomes (T *)check(p) */
  ACCESS_VECTOR,  /* vloadn, vstoren: check(p + n * i), vloadn(i, p) */
  ACCESS_COPY,    /* async copies: check(p, n), async_work_group_copy(…) */
  ACCESS_PIXEL    /* images: check(x, y, z), write_imagef(…) */
} access_form;

/* Bytes `first` to `first + bytes` of an lvalue, or of what a pointer points to. */
typedef struct access {
  uint32_t unit, function;
  access_form form;
  const tree_node *whole;  /* the assignment or call that accesses; NULL of a value that is read */
  const tree_node *object; /* the lvalue or pointer; around it the text goes */
  check_kind kind;
  bool local;
  bool apart;             /* a read through a parameter that nothing writes through */
  bool ordered, of_group; /* atomics: with a memory order of their own; for the work-group alone */
  uint32_t first, bytes;
  uint32_t root;           /* number among the kernel's objects of its memory; NONE: found when it runs */
  const tree_node *index;  /* of a vector function, or how many elements a copy has, or the coordinates of a pixel */
  const tree_node *stride; /* of a strided copy on this side, else NULL */
  uint32_t step;           /* of a vector function: elements from one index to the next */
} access;

typedef struct accesses_found {
  access *items; /* in source order: their numbers are those of instrument_result.checks */
  size_t count, capacity;
  bool left_out;   /* there are accesses that are not checked */
  bool sub_groups; /* there are barriers of sub-groups */
  bool elsewhere;  /* there are accesses by pointers or indices to private or constant memory */
  bool ordered;    /* there are calls whose results depend on the order of work-items */
} accesses_found;

/* pass_find.c: what a kernel's accesses can lead to. */
typedef struct kernel_object {
  const tree_symbol *symbol; /* a parameter, or a __local array */
  uint32_t parameter;        /* NONE: an array */
  bool local, image;
  uint32_t shift;      /* logarithm of a granule's bytes */
  bool writes;         /* the kernel may write to it */
  uint32_t first_cell; /* of an array: in the group's area */
} kernel_object;

typedef struct kernel_objects {
  kernel_object *items; /* those in global memory first */
  size_t count, capacity;
  uint32_t globals;
  uint32_t area; /* cells of the arrays */
} kernel_objects;

typedef struct checked {
  const program *p;
  accesses_found found;
  kernel_objects *kernels; /* one a function of the program; empty but for kernels */
} checked;

/* pass_find.c */
void find_accesses(const program *p, checked *c);
/* pass_find.c: whether results depend on the order of work-items, though nothing races. */
void find_order(const program *p, checked *c);
/* Whether an expression can be written twice: it changes nothing. */
bool can_repeat(const tree_node *n);
/* pass_find.c: the objects of every kernel, and the roots of accesses in it. */
void find_objects(const program *p, checked *c);
/* pass_find.c: after find_objects. */
void find_apart(checked *c);
/* Number among the objects of their memory. */
uint32_t object_number(const kernel_objects *k, const kernel_object *o);

#endif
