/* What the proof engine says of a kernel, read from a line of JSON of which nothing is trusted. */
#ifndef CLTC_RUNNER_ENGINE_ANSWER_H
#define CLTC_RUNNER_ENGINE_ANSWER_H

#include "base/buffer.h"
#include "base/memory.h"
#include "db/db.h"
#include "proofs/sources/source.h"

typedef enum verify_verdict {
  ANSWER_VERIFIED,
  ANSWER_RACE,
  ANSWER_DIVERGENCE,
  ANSWER_OUT_OF_BOUNDS,
  ANSWER_POSSIBLE_RACE,
  ANSWER_POSSIBLE_DIVERGENCE,
  ANSWER_UNKNOWN,
  ANSWER_UNSUPPORTED,
  VERIFY_VERDICTS
} verify_verdict;

/* "verified", "possible-race", …; -1 for another word. */
const char *verify_verdict_name(verify_verdict v);

typedef struct answer_words {
  const char **items;
  size_t count;
} answer_words;

/* What kind of a thing a proof rests on (proofs/verify/weaken.c has the words). */
typedef enum premise_kind {
  PREMISE_EXPRESSION, /* of C, over arguments and sizes */
  PREMISE_CONTENTS,   /* what a buffer holds */
  PREMISE_EVEN,       /* all work-groups have the same size */
  PREMISE_AS_SEEN,    /* an argument has the value that it was seen with, is null, or in one memory with another */
  PREMISE_INSIDE,     /* accesses stay inside of their memory */
  PREMISE_OVERFLOW,   /* nothing with a sign overflows */
  PREMISE_DIVISION,   /* nothing is divided by 0 */
  PREMISE_SIZES,      /* products of sizes do not overflow */
  PREMISE_WAITS,      /* loops end in which work-items wait for others */
  PREMISE_OTHER       /* a sentence for people */
} premise_kind;

typedef struct premise {
  premise_kind kind;
  const char *text;
  const char *buffer;      /* of PREMISE_CONTENTS; else NULL */
  contents_facts contents; /* of it */
} premise;

typedef struct premises {
  premise *items;
  size_t count;
} premises;

bool premises_have(const premises *p, premise_kind kind);

/* A number in a buffer, as one of an array of numbers of that size. */
typedef struct answer_cell {
  uint64_t element;
  int64_t value;
  uint32_t size; /* bytes, 1 to 8 */
} answer_cell;

typedef struct answer_contents {
  const char *buffer;
  answer_cell *cells;
  size_t count;
} answer_contents;

typedef struct answer_finding {
  db_finding row;            /* but for its ids; numbers of files are those of `files`, column 0: not known */
  const answer_words *files; /* that the engine names */
  bool has_launch;
  uint64_t launch; /* of those that were asked about, from 0 */
  bool seen;       /* a run has shown it, and no proof */
  bool copies;     /* one of its places is an asynchronous copy */
  bool has_sizes;
  uint64_t local_size[3], groups[3], offset[3];
  answer_contents *contents;
  size_t contents_count;
} answer_finding;

typedef struct verify_answer {
  mem_arena texts; /* all that it points to */
  const char *kernel, *file;
  uint32_t line;
  verify_verdict verdict;
  const char *reason;
  premises preconditions, assumptions;
  const char *host;       /* the host code for all of whose runs it is: "main.c"; NULL: of none */
  answer_words facts;     /* of that code that it rests on: "n == get_global_size(0) (main.c:31)" */
  uint64_t given, proved; /* launches */
  bool order_shows;       /* the kernel may have atomics whose order shows in what it computes */
  bool wrong_assumption;  /* one that was given is no expression of the kernel, as the reason says */
  bool conditional;       /* the engine assumes something beyond the preconditions */
  double seconds;
  uint64_t queries, memory;
  uint64_t opinion;    /* launches that did not contradict it, once (proofs/opinion); 0: none were made */
  answer_words *files; /* that the engine names: invariants and barriers have numbers of these */
  db_proof_part *invariants, *barriers; /* the text of a barrier: "needed", "redundant", "undecided" */
  size_t invariant_count, barrier_count;
  answer_finding *findings;
  size_t finding_count;
} verify_answer;

/* Reads a line. -1 with `e` set: it is no answer, or it says that the whole source cannot be worked on, with the code of
 * that. Free with answer_free in every case. */
int answer_read(const char *line, size_t length, verify_answer *out, error *e);
void answer_free(verify_answer *a);

/* An answer of ours for a kernel of which the engine says nothing: unknown, with the reason. */
void answer_unknown(const char *kernel, const char *file, const char *reason, verify_answer *out);

/* Makes an answer one that decides nothing, with the reason. */
void answer_undecided(verify_answer *a, const char *reason);

/* The text of an answer with such launches in it; to be freed. */
char *answer_with_opinion(const char *text, uint64_t launches);

/* The finding depends on this, too, which is copied. */
void answer_doubt(verify_answer *a, answer_finding *f, const char *text);
/* The proof uses this fact of host code. */
void answer_use(verify_answer *a, const char *fact);
/* The proof holds where this does, too, which is copied. */
void answer_require(verify_answer *a, const premise *p);
/* The same of a C expression. */
void answer_require_expression(verify_answer *a, const char *text);
/* The verdict rests on this, too, which is copied; and the same of a sentence of no kind. */
void answer_take(verify_answer *a, const premise *p);
void answer_assume(verify_answer *a, const char *text);

/* The number of a file that the engine names, of those that rows refer to; MODEL_NONE: it is none of them. */
typedef uint32_t record_file(const void *context, const char *name);

/* The finding with such numbers, all in `memory` or lent by `f`. Places in files that are none are left out. `of`: of its kernel,
 * NULL where it is not known. */
db_finding record_make(mem_arena *memory, const answer_finding *f, const signature *of, record_file *file,
                       const void *context);

/* What stands of an argument that is no integer in the value of its witness, "bytes 0000803f"; NULL: it is an integer. */
const char *answer_bytes(const char *value);

/* The sentence that reports have for it. */
void record_sentence(const answer_finding *f, buffer *to);

/* What became of a counterexample when it was run. */

typedef struct confirmation {
  finding_confirmed how;
  char *why; /* a sentence; NULL: nothing is to be said */
} confirmation;

#endif
