/* Inside the instrumenter: a program being instrumented, from sites to edits. */
#ifndef CLTC_INSTRUMENT_PROGRAM_H
#define CLTC_INSTRUMENT_PROGRAM_H

#include "base/buffer.h"
#include "frontend/facts/stores.h"
#include "frontend/frontend.h"
#include "frontend/preprocess.h"
#include "frontend/statements.h"
#include "frontend/tree.h"
#include "frontend/tree_graph.h"
#include "instrument/instrument.h"

#define NONE UINT32_MAX

/* One occurrence of a site in a function: a site in a macro body has one a use. */
typedef struct instance {
  site_kind kind;
  uint32_t site;         /* in the model */
  uint32_t bit;          /* first of its bits among the function's */
  uint32_t outcomes;     /* number of bits; loops have four, in the order of OUTCOME_…; none where others imply it */
  const tree_node *node; /* if, switch, loop, conditional, decision, async call; of a region the statement that begins
                            it; NULL for others */
  uint32_t token;        /* keyword or operator; for regions the first token of the code */
  span wrapped;          /* regions inside expressions: the operand; decisions, conditions: all of it; else empty */
  uint32_t plane;        /* number in program.planes, NONE if it takes no part in barriers, or needs no comparing */
  uint32_t arguments;    /* of an async call: another plane for its arguments, NONE if they are surely alike */
  bool uniform;          /* a decision on which a barrier depends: all work-items of a group take it alike */
  bool in_slots;         /* has a plane, but its bits say all that work-items are compared by (settled.c) */
  bool splits;           /* of these: a decision that work-items may take differently */
  uint32_t owner;        /* decisions: the instance whose condition it is, NONE if it stands elsewhere */
  uint32_t *paths;       /* decisions: outcome of each bit */
  uint32_t yes;          /* decisions: the bits, from `bit` on, of ways through it that end true */
} instance;

/* An atomic condition of a decision that keeps the way taken through it: seen true, the way's number grows by `by`. */
typedef struct leaf {
  uint32_t decision; /* an instance */
  span tokens;
  uint32_t by;
} leaf;

/* A point where a barrier or async call is executed, directly or in a called function. */
typedef struct barrier_point {
  uint32_t token;
  uint32_t instance; /* of the barrier or async call, NONE for a call of a function */
  uint32_t callee;   /* function index, NONE for a barrier or async call */
  uint32_t *guards;  /* planes of the decisions that it depends on, but for uniform ones */
  size_t guard_count, guard_capacity;
  bool uniform; /* all work-items of a group that enter the function get here equally often */
} barrier_point;

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
  leaf *leaves;
  size_t leaf_count, leaf_capacity;
  instrument_implication *implied; /* by the function's bits */
  size_t implied_count, implied_capacity;
  call *calls;
  size_t call_count, call_capacity;
  barrier_point *points;
  size_t point_count, point_capacity;
} function;

typedef struct unit {
  pp_result text;
  tree *tree;
  tree_graph graph;
  stores stores;
  uint32_t *files; /* pp file -> model file */
} unit;

typedef struct plane {
  uint32_t function, instance;
  bool arguments; /* of an async call */
} plane;

typedef struct program {
  unit *units;
  size_t unit_count;
  function *functions;
  size_t function_count, function_capacity;
  plane *planes;
  size_t plane_count, plane_capacity;
  uint32_t *kernel_functions; /* model kernel -> function */
  size_t kernel_count, kernel_capacity;
  instrument_result *out;
  const char *gate;              /* text of the gate, NULL for the other forms */
  const struct checked *checked; /* of INSTRUMENT_WITH_CHECKS, else NULL */
  void *index;                   /* of model sites by identity, used while discovering */
} program;

/* instrument.c: preprocesses, parses, discovers. Returns 0, or -1 with a sentence; when `out` has questions, nothing
 * else is set. Release `*p` with program_free and `*out` with instrument_free in every case. */
int program_prepare(program *p, const pp_input *sources, size_t source_count, instrument_result *out, error *e);
void program_free(program *p);
/* discover.c: finds functions, sites and lines; fills the model. */
int discover(program *p, error *e);
/* Room for `count` bits that do not straddle a word if they fit into one. */
uint32_t take_bits(function *f, uint32_t count);
/* The model's number of a file of a unit; the file joins the model if it is not there. */
uint32_t file_of(program *p, unit *u, uint32_t file);
/* A call that all work-items of a group must make alike. */
static inline bool is_meeting(site_kind kind) { return kind == SITE_BARRIER || kind == SITE_ASYNC; }
/* guards.c: barrier points, the decisions that guard them, planes. */
void find_guards(program *p);
/* The instances of a function whose decisions, as written, lead to the code at a token or past it; to be freed. */
uint32_t *guards_of(const program *p, const function *f, uint32_t token, size_t *count);
/* uniform.c: marks those of these decisions of a function, `guards`, that are uniform. */
void find_uniform(program *p, function *f, const uint32_t *guards, size_t count);
/* Whether nothing but the guards of a token decides whether its code runs. */
bool guards_are_all(const program *p, const function *f, uint32_t token);
/* Whether instance `wanted`, a decision or a barrier, would be uniform if these decisions were (`assumed`, by number of
 * the instance). Those of them that it depends on are added to `used`. */
bool uniform_under(const program *p, const function *f, uint32_t wanted, const bool *assumed, bool *used);
/* Whether all work-items of a group that come to this expression of integers compute the same there. */
bool expression_is_uniform(const program *p, const function *f, const tree_node *expression);
/* settled.c: kernels whose planes need no records of their own. */
void find_settled(program *p);
/* arguments.c: whether an async call surely has the same arguments for all work-items of a group that make it. */
bool arguments_are_alike(const program *p, const function *f, const tree_node *call);
/* layout.c: which bits and planes each kernel reports. */
void lay_out_kernels(program *p);
/* rewrite.c: the instrumented text of a unit. */
char *rewrite_unit(const program *p, uint32_t unit_index);
/* Whether the labels of a switch are so many that they are kept apart from the other bits: see rewrite.c. */
bool is_wide_switch(const instance *i);
/* emit.c: text that we add. */
void emit_preamble(const program *p, buffer *out);
/* Where a kernel keeps the labels of wide switches, its own and those of the functions that it calls. */
void emit_wide_switches(const program *p, uint32_t kernel, buffer *out);
void emit_kernel_exit(const program *p, uint32_t kernel, buffer *out);
/* The kernel "cltc_judge_NAME" that compares the work-items of each group; nothing for a kernel without barriers. */
void emit_judge(const program *p, uint32_t kernel, buffer *out);

/* gate.c: whether the gate can be put into the program. Returns 0, or -1 with a sentence. */
int check_gate(const program *p, error *e);
/* parameters.c: the parameters of the kernels and where they are used, for a gated program. */
void list_parameters(program *p);

/* Functions reachable from `from`, itself first: an array of function indices, to be freed. */
uint32_t *reachable_functions(const program *p, uint32_t from, size_t *count);
/* The name of the field that holds a bit of a function, e.g. "cltc->f3_0"; `text` of at least 32 bytes. */
void bit_field(uint32_t function_index, uint32_t bit, char *text);

#endif
