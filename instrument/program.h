/* A program whose functions and sites are known: what the instrumenter and mutate/ write their texts from. */
#ifndef CLTC_INSTRUMENT_PROGRAM_H
#define CLTC_INSTRUMENT_PROGRAM_H

#include "base/buffer.h"
#include "frontend/facts/uniform.h"
#include "frontend/frontend.h"
#include "frontend/preprocess.h"
#include "frontend/tree.h"
#include "instrument/instrument.h"

#define NONE UINT32_MAX

enum { PASSES_MOST = 4 }; /* of a form */

/* One occurrence of a site in a function: a site in a macro body has one a use. */
typedef struct instance {
  site_kind kind;
  uint32_t site;     /* in the model */
  uint32_t bit;      /* first of its bits among the function's */
  uint32_t outcomes; /* number of bits; loops have four, in the order of OUTCOME_…; none where others imply it */
  const tree_node
      *node;      /* if, switch, loop, conditional, decision, barrier, async call; of a region the statement that begins
                            it; NULL for others */
  uint32_t token; /* keyword or operator; for regions the first token of the code */
  span wrapped;   /* regions inside expressions: the operand; decisions, conditions: all of it; else empty */
  uint32_t plane; /* number in program.planes, NONE if it takes no part in barriers, or needs no comparing */
  uint32_t arguments; /* of an async call: another plane for its arguments, NONE if they are surely alike */
  bool
      in_slots; /* has a plane, but its bits say all that work-items are compared by (detectors/coverage/pass_regions.c) */
  bool splits;     /* of these: a decision that work-items may take differently */
  uint32_t owner;  /* decisions: the instance whose condition it is, NONE if it stands elsewhere */
  uint32_t *paths; /* decisions: outcome of each bit */
  uint32_t yes;    /* decisions: the bits, from `bit` on, of ways through it that end true */
} instance;

typedef struct call {
  uint32_t token; /* of the name */
  uint32_t callee;
} call;

typedef struct function {
  uint32_t unit;
  const tree_node *node; /* its definition */
  span parameters, body; /* with their brackets */
  const tree_graph_function *graph;
  statements statements;
  const tree_node **decisions; /* && and || on scalars that are executed, in the order of their operators */
  size_t decision_count, decision_capacity;
  uint32_t model;   /* in model.functions */
  uint32_t bits;    /* bits in use; bit 0: entered */
  bool called;      /* by another function: a kernel then needs a twin that can be called */
  bool has_barrier; /* or async calls, which may wait: itself or through calls */
  bool in_slots;    /* a kernel all of whose planes are in its work-items' bits */
  instance *instances;
  size_t instance_count, instance_capacity;
  struct leaf *leaves;
  size_t leaf_count, leaf_capacity;
  instrument_implication *implied; /* by the function's bits */
  size_t implied_count, implied_capacity;
  call *calls;
  size_t call_count, call_capacity;
  struct barrier_point *points;
  size_t point_count, point_capacity;
} function;

typedef struct unit {
  pp_result text;
  tree *tree;
  tree_graph graph;
  stores stores;
  uint32_t *files; /* pp file -> model file */
} unit;

typedef struct program {
  unit *units;
  size_t unit_count;
  function *functions;
  size_t function_count, function_capacity;
  struct plane *planes;
  size_t plane_count, plane_capacity;
  uint32_t *kernel_functions; /* model kernel -> function */
  size_t kernel_count, kernel_capacity;
  instrument_result *out;
  const struct form_text *form; /* of forms.h; NULL: its text is not the instrumenter's */
  void *states[PASSES_MOST];    /* of the form's passes */
  const char *gate;             /* what instrument_program got for the gate's pass */
  void *index;                  /* of model sites by identity, used while discovering */
} program;

/* instrument.c: preprocesses, parses, discovers. Returns 0, or -1 with a sentence; when `out` has questions, nothing
 * else is set. Release `*p` with program_free and `*out` with instrument_free in every case. */
int program_prepare(program *p, const pp_input *sources, size_t source_count, instrument_result *out, error *e);
void program_free(program *p);
/* The model's number of a file of a unit; the file joins the model if it is not there. */
uint32_t file_of(program *p, unit *u, uint32_t file);
/* Functions reachable from `from`, itself first: an array of function indices, to be freed. */
uint32_t *reachable_functions(const program *p, uint32_t from, size_t *count);
/* Whether the labels of a switch are so many that they are kept apart from the other bits: see
 * detectors/coverage/pass.c. */
bool is_wide_switch(const instance *i);

#endif
