/* Inside the instrumenter: the stages of a program being instrumented, from sites to text. */
#ifndef CLTC_INSTRUMENT_PROGRAM_INTERNAL_H
#define CLTC_INSTRUMENT_PROGRAM_INTERNAL_H

#include "frontend/facts/uniform.h"
#include "instrument/program.h"

/* A point where a barrier or async call is executed, directly or in a called function. */
typedef struct barrier_point {
  const tree_node *node; /* the call */
  uint32_t instance;     /* of the barrier or async call, NONE for a call of a function */
  uint32_t callee;       /* function index, NONE for a barrier or async call */
  uint32_t *guards;      /* planes of the decisions that it depends on, but for uniform ones */
  size_t guard_count, guard_capacity;
  bool uniform; /* all work-items of a group that enter the function get here equally often */
} barrier_point;

/* An atomic condition of a decision that keeps the way taken through it: seen true, the way's number grows by `by`. */
typedef struct leaf {
  uint32_t decision; /* an instance */
  span tokens;
  uint32_t by;
} leaf;

typedef struct plane {
  uint32_t function, instance;
  bool arguments; /* of an async call */
} plane;

/* The line a person sees a token on: that of the macro's use for a token out of a macro body. */
static inline const pp_position *shown_at(const pp_token *t) { return t->in_macro_body ? &t->expanded : &t->spelled; }

/* discover.c: finds functions, sites and lines; fills the model. */
int discover(program *p, error *e);
/* Room for `count` bits that do not straddle a word if they fit into one. */
uint32_t take_bits(function *f, uint32_t count);
/* A call that all work-items of a group must make alike. */
static inline bool is_meeting(site_kind kind) { return kind == SITE_BARRIER || kind == SITE_ASYNC; }
/* detectors/coverage/pass_decisions.c: barrier points, the decisions that guard them, planes. */
void find_guards(program *p);
/* What facts/uniform.h wants to know of a function. */
uniform_scope scope_of(const program *p, const function *f);
/* detectors/coverage/pass_regions.c: kernels whose planes need no records of their own. */
void find_settled(program *p);
/* detectors/coverage/pass_regions.c: which bits and planes each kernel reports. */
void lay_out_kernels(program *p);
/* detectors/gates/pass.c: the parameters of the kernels and where they are used. */
void list_parameters(program *p);
/* edit.c: appends the text of a unit with its edits. */
void render_unit(const program *p, const unit *u, const edits *e, buffer *out);
/* The name of the field that holds a bit of a function, e.g. "cltc->f3_0"; `text` of at least 32 bytes. */
void bit_field(uint32_t function_index, uint32_t bit, char *text);

#endif
