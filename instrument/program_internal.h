/* Inside the instrumenter: the stages of a program being instrumented, from sites to text. */
#ifndef CLTC_INSTRUMENT_PROGRAM_INTERNAL_H
#define CLTC_INSTRUMENT_PROGRAM_INTERNAL_H

#include "instrument/program.h"

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

typedef struct plane {
  uint32_t function, instance;
  bool arguments; /* of an async call */
} plane;

/* discover.c: finds functions, sites and lines; fills the model. */
int discover(program *p, error *e);
/* Room for `count` bits that do not straddle a word if they fit into one. */
uint32_t take_bits(function *f, uint32_t count);
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

/* The name of the field that holds a bit of a function, e.g. "cltc->f3_0"; `text` of at least 32 bytes. */
void bit_field(uint32_t function_index, uint32_t bit, char *text);

#endif
