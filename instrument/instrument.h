/* Coverage instrumentation: OpenCL C source in; instrumented source and the model of the program out.
 *
 * Several sources are one program when they are linked (clLinkProgram). The instrumented kernels expect the hidden
 * arguments of wire/protocol.h and keep to the evidence layout described there. */
#ifndef CLTC_INSTRUMENT_INSTRUMENT_H
#define CLTC_INSTRUMENT_INSTRUMENT_H

#include "base/error.h"
#include "base/model.h"
#include "frontend/preprocess.h"
#include "wire/forms.h"

/* A question of the preprocessor (preprocess.h), for the source with index `source`. */
typedef struct instrument_question {
  uint32_t source;
  char *expression;
} instrument_question;

/* A barrier, an async call, its arguments, or a decision that guards one. For each the device compares the work-items
 * of a work-group: record r of five u32 in the flags buffer, from word `flag_words` on: claimed (0 or 1), launch,
 * linear group id, differing work-items, work-items of the group. */
typedef struct instrument_plane {
  uint32_t site;    /* of the model */
  uint32_t record;  /* number of its record in this kernel */
  uint32_t *guards; /* for barriers and async calls: numbers of the records (of this kernel) that must agree, too */
  size_t guard_count;
  bool barrier, async;
  bool arguments; /* of an async call: not how often it is made but with what */
} instrument_plane;

/* Where a kernel's own text touches what a parameter points to. */
typedef struct instrument_access {
  uint32_t file; /* of the model */
  uint32_t line;
  bool writes;
} instrument_access;

typedef struct instrument_parameter {
  char *name; /* "" if it has none */
  char *type; /* of what a pointer to global memory points to, without qualifiers and typedefs: "float", "int4", "struct
                 particle"; "" for other parameters */
  instrument_access *accesses; /* by subscript, `*`, `->`, atomic or vload/vstore function, in source order */
  size_t access_count;
  bool escapes; /* there may be more accesses: it goes where it is not followed (frontend/facts/accesses.h) */
} instrument_parameter;

/* Of a program whose accesses are checked for data races (checked.cl): what one access does. */
typedef enum check_kind {
  CHECK_READ,
  CHECK_WRITE,
  CHECK_UPDATE, /* reads and writes: `x += 1` */
  CHECK_ATOMIC,
  CHECK_ATOMIC_LOAD,
  CHECK_COPY_READ, /* by async_work_group_copy, until it is waited for */
  CHECK_COPY_WRITE
} check_kind;

typedef struct instrument_check {
  uint32_t file; /* of the model */
  uint32_t line, column, offset;
  check_kind kind;
  bool local; /* in local memory */
} instrument_check;

/* What accesses of a kernel lead to: memory of a parameter, or a __local array. */
typedef struct instrument_object {
  char *name;
  uint32_t parameter; /* its number, MODEL_NONE for an array */
  uint32_t size;      /* bytes of what a person calls an element */
  bool local, image;
  uint32_t shift; /* accesses are told apart in granules of 1 << shift bytes */
  bool writes;    /* the kernel may write to it */
  uint32_t space; /* of a kernel with bounds: tree_space */
  uint32_t plain; /* likewise: as of instrument_filled */
} instrument_object;

/* What a bit says beyond its own term: a way through a decision says how its conditions were seen. */
typedef struct instrument_implication {
  uint32_t bit;
  model_term term;
} instrument_implication;

/* The bits of a function that a kernel reaches: word w of it in the text, `cltc->fFUNCTION_w`, is bits first + 32 w and
 * on. */
typedef struct instrument_part {
  uint32_t function, first;
} instrument_part;

typedef struct instrument_kernel {
  model_term *bits; /* what each bit of the flags says; site MODEL_NONE for padding */
  size_t bit_count;
  instrument_part *parts; /* in order of bits */
  size_t part_count, part_capacity;
  instrument_implication *implied; /* in order of bits */
  size_t implied_count;
  uint32_t plane_bit;  /* bits before this one come from work-items, the others from comparing them */
  uint32_t item_bytes; /* 1, 2, or 4 n: evidence of one work-item */
  uint32_t flag_words;
  uint32_t total_words;
  instrument_plane *planes;
  size_t plane_count;
  bool planes_in_slots;             /* work-items are compared by what they leave in the slots */
  instrument_parameter *parameters; /* the user's, in order; with a gate, and filled */
  size_t parameter_count;
  bool atomics;               /* it has atomic functions, or a function that is no kernel has; only with a gate */
  instrument_object *objects; /* of a checked kernel; those in global memory first, then parameters, then arrays */
  size_t object_count;
  uint32_t area;     /* cells that the arrays of one work-group need */
  uint32_t *written; /* parameters by their numbers that it may write memory through: global and not const, images */
  size_t written_count;
} instrument_kernel;

/* A variable that begins without a value. */
typedef struct instrument_filled {
  char *name, *function;
  uint32_t plain;              /* bytes of an element that hold data: less of a vector of three; 0: a structure */
  bool local;                  /* in local memory */
  uint32_t file, line, column; /* where its value is read first, in the order of the source */
} instrument_filled;

typedef struct instrument_result {
  instrument_question *questions; /* when there are any, nothing else is set */
  size_t question_count;
  model model;
  instrument_kernel *kernels; /* one per model.kernels */
  char **texts;               /* one per source */
  char **options;             /* for the device's compiler: the user's without -D -U -I -Werror */
  size_t source_count;
  instrument_check *checks; /* of a checked program, or one with bounds, by the numbers in its records */
  size_t check_count;
  instrument_object *arrays; /* of a program with bounds: arrays and variables, by their numbers */
  size_t array_count;
  instrument_check *calls; /* and its calls of functions of its own, likewise; only their places count */
  size_t call_count;
  instrument_filled *filled; /* of a program with fillings, by their numbers */
  size_t filled_count;
  bool left_out;  /* a checked program has accesses that are not checked */
  bool ordered;   /* or calls whose results depend on the order of work-items even where nothing races */
  bool unbounded; /* or accesses of which OPTION_BOUNDS does not say whether they lie in their objects */
} instrument_result;

/* Instruments `sources` (facts in each) so that their kernels have this form (wire/forms.h): KERNEL_COUNTED, KERNEL_GATED or
 * KERNEL_CHECKED (checked.cl), KERNEL_MEMORY (memory.cl). Of KERNEL_GATED, `gate` (else NULL) is OpenCL C (schedamp/schedule.h has it) that stands before the definition of cltc_context and defines macros:
 *   CLTC_GATE_FIELDS               members of the context
 *   CLTC_GATE_ENTER                statements at the beginning of every kernel, before there is a context:
 *                                  `cltc_gate` is its __local uint[CLTC_GATE_LOCALS]
 *   CLTC_GATE_BEGIN                statements after the context's initialisation, which fill its members
 *   CLTC_GATE_LEAVE                statements at its one end, where all work-items of a group meet every barrier that
 *                                  the kernel has
 *   CLTC_GATE_LEAVE_EVENLY         the same where they may not: nothing may branch or wait (detectors/coverage/pass_text.c says why).
 *                                  Such kernels have planes; built with -DCLTC_BARE their memory is free,
 *                                  else word 3
 *   CLTC_GATE_SEEN(site)           an operand and a comma, or nothing: evaluated with each look at a loop's
 *                                  condition and before each barrier
 *   cltc_get_group_id(cltc, d), cltc_get_global_id(cltc, d), cltc_get_global_linear_id(cltc)
 *                                  what the calls of the functions without the prefix become
 * A gated text always works as with -DCLTC_DIRECT. Returns 0, or -1 with a sentence: why this program must stay as it
 * is. Release `*out` in every case. */
int instrument_program(const pp_input *sources, size_t source_count, kernel_form form, const char *gate,
                       instrument_result *out, error *e);
void instrument_free(instrument_result *r);

#endif
