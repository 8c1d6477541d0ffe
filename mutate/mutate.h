/* Mutants of an OpenCL program: OpenCL C source in; every mutant and one source that holds many of them (a schema) out.
 *
 * A mutant is one application of an operator at one place of the user's files. A place in a macro's body is one place,
 * however often the macro is used. Numbers, ids and texts depend on the source and its build options alone. */
#ifndef CLTC_MUTATE_MUTATE_H
#define CLTC_MUTATE_MUTATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buffer.h"
#include "base/error.h"
#include "base/model.h"
#include "frontend/preprocess.h"
#include "instrument/instrument.h"

/* ---- operators: names, sets, and what replaces what ---- */

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

/* ---- mutants ---- */

typedef enum mutant_form {
  MUTANT_SELECTED, /* the schema's kernels switch to it when they are launched with its number */
  MUTANT_CLONED,   /* only in clones (or a build of its own): it would slow down or endanger the others */
  MUTANT_LAUNCHED  /* a launch of the kernels as they are, otherwise than the host asks for; found by no source */
} mutant_form;

typedef struct mutant {
  uint32_t number; /* from 1 in source order, with gaps where mutants were refused: what selects it in the schema */
  uint32_t id;     /* from file contents, place, operator and replacement: the same on every machine */
  mutate_operator op;
  mutant_form form;
  uint32_t place;                            /* bit of the reach record; mutants of one place are executed together */
  uint32_t file;                             /* of the model */
  uint32_t line, column, offset;             /* of what is replaced, in the user's file, counted as in pp_position: an
                                                operator alone, or with its operands where it would else take others */
  uint32_t end_line, end_column, end_offset; /* exclusive; a single line is not assumed */
  uint32_t function;                         /* of the model: where it is (for a macro: its first use) */
  char *original;    /* the text that is replaced, as the user wrote it, white space joined: "+", "i++", "barrier(f)" */
  char *replacement; /* what stands there instead; "" when it is deleted. So changed, the file has what runs, unless
                        `description` is set */
  char *description; /* for a person where the two do not say it: "loop skipped", "n-1 iterations"; else NULL */
  uint32_t *kernels; /* of the model: those that reach it */
  size_t kernel_count;
  char *change;    /* digest of what it changes to what, and where in its functions; other functions do not count */
  bool sizes;      /* its text is also where nothing is executed: the size of an array, a case label */
  bool invalid;    /* so changed, the text does not compile: listed and counted, never run */
  bool suppressed; /* by a `cltestcheck: no-mutate` comment: listed and counted, never run */
} mutant;

/* Words of the flags buffer that the kernels of a schema write with atomics. */
enum {
  MUTATE_WORD_EVENTS, /* MUTATE_DIVIDED, MUTATE_ENDLESS */
  MUTATE_WORD_FUEL,   /* -DCLTC_REACH: most iterations of a work-item */
  MUTATE_WORD_REACHED /* -DCLTC_REACH: bit `place` from here on */
};
enum {
  MUTATE_DIVIDED = 1,    /* a mutated integer division by zero (or the overflow MIN / -1): counts as a crash */
  MUTATE_ENDLESS = 2,    /* a work-item had no fuel left: its loops ended */
  MUTATE_DIVIDED_OWN = 4 /* the same as the first of a division of the user's own: a mutant may have made its divisor */
};

typedef struct mutate_result {
  instrument_question *questions; /* as in instrument_result: when there are any, nothing else is set */
  size_t question_count;
  model model; /* the same as instrument_program makes of the same sources */
  mutant *mutants;
  size_t mutant_count;
  char **kernel_digests; /* of the model's kernels, where `clones` was NULL: of all that each is made of (digest.h) */
  size_t kernel_digest_count;
  bool prints; /* likewise: the program names `printf` */
  char **
      kernel_parameters; /* likewise: a line for each parameter, 'i' (an integer), 'f' (a number with a fraction) or '-'
                               (something else) and its name */
  size_t kernel_parameter_count;
  uint32_t place_count;
  uint32_t flag_words; /* MUTATE_WORD_REACHED + words for place_count bits */
  char **texts;        /* one per source: the schema, or the clones asked for */
  char **options;      /* for the device's compiler: the user's without -D -U -I -Werror */
  size_t source_count;
} mutate_result;

/* Finds all mutants of all operators of `sources` and writes a text:
 *
 * `clones` NULL: the schema. Every kernel keeps its name and gets the five hidden parameters of wire/protocol.h, of
 *   which it uses `flags` (flag_words words, zeroed) and `first`: number of the mutant in the low 32 bits (0: none),
 * fuel in the high 32 bits: iterations that a work-item may make in all (UINT32_MAX: no limit). -DCLTC_REACH records in
 * `flags` which places are executed and how much fuel is used. else: for each number in `clones` and each kernel K that
 * reaches that mutant a kernel `mutant_clone_name(K, number)` with the same parameters, in which the mutant is there
 * for good (0: the original, in the same form); no other kernels. `first` gives the fuel as before.
 *
 * `operators` (NULL: all): the others' mutants are in the list, with the same numbers, but not in the texts: what they
 * would switch costs time. They must not be run, nor be asked for in `clones`.
 *
 * Whatever libclang refuses of the text is left out: that mutant is not in the list, and the others keep their numbers.
 * (With `clones`, mutants that are in no schema are tried only if they are asked for.) Returns 0, or -1 with a
 * sentence: why this program must stay as it is. Release `*out` in every case. */
int mutate_program(const pp_input *sources, size_t source_count, const uint32_t *clones, size_t clone_count,
                   const bool *operators, mutate_result *out, error *e);
/* The schema of the places of some mutants alone: `texts` and `options` are of use, the rest is as above. Compilers
 * take much longer for one schema of a thousand mutants than for several of some hundreds. */
int mutate_part(const pp_input *sources, size_t source_count, const uint32_t *numbers, size_t count,
                const bool *operators, mutate_result *out, error *e);
/* Leaves out mutants, too, beside which a `cltestcheck: no-mutate` comment stands in the file that holds the source as
 * a string; once the model's files have their homes. */
void mutate_suppress_at_home(mutate_result *r);
void mutate_free(mutate_result *r);

/* The clones of a group of mutants, as mutate_program writes them for these: `texts` has nothing but texts, options and
 * source_count; NULL: the front end does not take them. */
typedef void (*mutate_clones)(void *context, size_t group, const mutate_result *texts);
/* Does that for each group of numbers in `clones`, sizes[0] of them, then sizes[1], …, but reads the program once. -1
 * with `e` set, and `each` was not called, when mutate_program would fail for any of them; also when there are
 * questions left. */
int mutate_groups(const pp_input *sources, size_t source_count, const uint32_t *clones, const size_t *sizes,
                  size_t group_count, const bool *operators, mutate_clones each, void *context, error *e);

/* In `clones`: the original, in clones of the kernels that reach mutant `number` only; their names say number 0. */
#define MUTATE_ORIGINAL_OF(number) ((number) | 0x80000000u)

/* "K__cltc_m17"; to be freed. */
#define MUTANT_CLONE_INFIX "__cltc_m"
char *mutant_clone_name(const char *kernel, uint32_t number);

void mutate_archive_write(const mutate_result *r, buffer *out);
/* Returns -1 when the bytes end early. Release `*out` in every case. */
int mutate_archive_read(const void *bytes, size_t length, mutate_result *out);

#endif
