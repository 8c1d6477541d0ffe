/* The form of a program with bounds (memory.cl): its accesses, what their pointers were made from, and the text around
 * them. */
#ifndef CLTC_DETECTORS_MEMORY_PASS_H
#define CLTC_DETECTORS_MEMORY_PASS_H

#include "instrument/forms.h"

/* memory.cl, embedded: what holds accesses against their objects. */
extern const char instrument_memory[];

typedef enum touch_form {
  TOUCH_LVALUE, /* an lvalue that is read or written */
  TOUCH_CALL,   /* a pointer that a function of the language gets */
  TOUCH_VECTOR, /* vloadn, vstoren */
  TOUCH_COPY,   /* a side of an async copy */
  TOUCH_PIXEL   /* a pixel of an image, by integers or (no `index`) with a sampler */
} touch_form;

/* An access. */
typedef struct touch {
  uint32_t unit, function;
  touch_form form;
  const tree_node *whole;  /* around it stands the check: what is read, an assignment, a call */
  const tree_node *object; /* the lvalue, pointer or image */
  const tree_node *value;  /* that an assignment stores; else NULL */
  const tree_node *index;  /* of a vector function, or the elements of a copy, or the coordinates of a pixel */
  const tree_node *stride; /* of a strided copy on this side, else NULL */
  check_kind kind;
  uint32_t bytes;
  uint32_t step;  /* of a vector function: elements from one index to the next */
  uint32_t align; /* what the address must be a multiple of; 1: that is not asked */
} touch;

/* An array or variable, or an image that a function gets, that accesses lead to by its name. */
typedef struct named_memory {
  const tree_symbol *symbol;
} named_memory;

typedef struct memory_form {
  const program *p;
  touch *items; /* in source order: their numbers are those of instrument_result.checks */
  size_t count, capacity;
  named_memory *named;
  size_t named_count, named_capacity;
  bool left_out; /* there are accesses that are made as they stand */
  bool widens;   /* some pointer becomes one to what needs more alignment */
  bool leaves;   /* some loop may turn for ever because reads outside give 0 */
  bool looks_up; /* some pointer is found by its address */
  bool copies, pixels;
  bool copying; /* there are async copies, */
  bool vague;   /* and their events are not followed */
} memory_form;

/* pass.c: what an lvalue is part of. */
typedef struct memory_root {
  const tree_node *name;    /* of the variable that it is part of; else NULL */
  const tree_node *pointer; /* or what leads to it; both NULL: neither */
  bool fixed;               /* every step to it is a constant within its array */
  bool member;              /* a structure is on the way */
} memory_root;
memory_root root_of_lvalue(const tree_node *lvalue);
/* The array behind a pointer that is its first element; NULL: the pointer is another one. */
const tree_node *memory_decayed(const tree_node *pointer);
/* Whether it can be written twice: it changes and touches nothing, and costs little. */
bool is_plain_value(const tree_node *n);
/* Pointers and images, with which handles go. */
bool is_handled_type(const tree_type *t);
/* A pointer that is a variable of this function, or an image that it gets, whose handle goes with it. */
bool has_handle(const tree_node *owner, const tree_symbol *s);
/* Number of the parameter, NONE. */
uint32_t parameter_number(const tree_node *owner, const tree_symbol *s);

/* pass_text.c: writes one function. */
typedef struct memory_writer {
  memory_form *m;
  const function *f;
  edits *e;
  buffer declared; /* variables of ours */
  uint32_t temporaries;
  const tree_symbol **handled; /* variables with handles */
  size_t handled_count, handled_capacity;
} memory_writer;

/* pass_handles.c: the handle of what a pointer points to, as an expression without effects. */
void put_handle(memory_writer *w, const tree_node *pointer, buffer *out);
/* Whether it is a choice by a condition that is evaluated once. */
bool is_chosen_late(const tree_node *pointer);
/* Puts text into a pointer expression, so that a variable gets the handle as it is evaluated. */
void give_handle(memory_writer *w, const char *name, const tree_node *pointer);
/* Number of what has a name. */
uint32_t memory_number(memory_form *m, const tree_symbol *s);
/* Variables get handles, assignments to them those of the values. */
void write_handles(memory_writer *w);
/* Calls hand the handles on. */
void write_calls(memory_writer *w, uint32_t first_call);

/* pass_handles.c */
void find_events(const program *p, memory_form *m);
/* Whether a copy is given no event, so that it has one of its own. */
bool has_own_event(const tree_node *copy);
/* Where its event is kept, and the one that it was given: addresses, 0 where that is not known or there is none. */
void put_events(const tree_node *copy, buffer *out);
void write_waits(memory_writer *w);

/* pass_handles.c: a macro with the parts of vectors and structures that are loaded. */
void put_parts(const memory_form *m, buffer *out);

/* pass_text.c */
void memory_before(const void *state, const program *p, buffer *out);
void memory_parameters(const void *state, const pp_result *text, const tree_node *declared, edits *e);
void memory_handed(const void *state, const pp_result *text, const tree_node *declared, edits *e);
void memory_function(const void *state, const program *p, uint32_t index, edits *e);
/* Writes all functions to nowhere, so that it is known what they need. */
void memory_try(memory_form *m);
/* Whether a parameter or variable is memory that the launch hands over. */
bool is_memory_parameter(const tree_symbol *s);

#endif
