/* Inputs on the device: some of them in one capture, a launch each. */
#ifndef CLTC_GENERATE_BENCH_H
#define CLTC_GENERATE_BENCH_H

#include "generate/draw.h"
#include "generate/input.h"
#include "runner/amplify/trial.h"
#include "runner/plan/plan.h"

/* Something that went wrong in a launch. */
typedef struct flaw {
  size_t launch; /* of those that were given */
  char rule[32];
  char object[64];
  uint64_t element;
  bool known;   /* the element is */
  bool between; /* work-groups */
  uint32_t line;
  char *sentence;
} flaw;

typedef struct flaws {
  flaw *items;
  size_t count, capacity;
  char why[512]; /* what the device refused, or could not be built; "": nothing */
} flaws;

void flaws_free(flaws *f);

/* What was read after launches: launch by launch, and of each in the order of its arguments. */
typedef struct bench_results {
  case_capture cases;
  case_run_result ran;
} bench_results;

void bench_results_free(bench_results *r);

typedef struct bench {
  const experiment_options *base;
  const char *folder;         /* for files */
  const char *file, *options; /* of the kernel: an absolute path, and what it is built with */
  const char *kernel;
  double until;    /* clock_now() when time is over */
  double patience; /* seconds for a plain run; 0: as many as there is time for */
  unsigned failed; /* inputs left out because they crash, or do not end */
  bool ran;        /* some batch came to its end */
  bool fixed;      /* memory does not become larger */
  char why[512];   /* what the device refused, or could not be built, last; "": nothing */
  /* Gets what is wrong with an input that is left out for it; NULL: nobody does. */
  void (*left)(void *context, const flaw *f, const input *x);
  void *context;
} bench;

/* All launches plainly, in one process. `*well`: it came to its end. Release with bench_results_free in every case. */
int bench_run(const bench *b, input *const *list, size_t count, input_reads reads, bench_results *out, bool *well,
              error *e);
/* Writes a suite of one case with all these launches. */
int bench_write(const bench *b, input *const *list, size_t count, input_reads reads, const char *path, error *e);
/* The same as a capture. */
int bench_compose(const bench *b, input *const *list, size_t count, input_reads reads, const char *path, error *e);
/* The inputs whose launches stay in their memory, which may become larger for it, and come to their end come first; returns
 * how many. -1 with `e`: interrupted, or nothing can be run. What larger memory was needed is kept in `in`. */
int bench_settle(bench *b, inputs *in, input **list, size_t count, size_t *fine, error *e);
enum { COVERED_MOST = 60 };
/* Has `look` see a view in which each launch is a test case named by its number; of that many its outcomes have them all. */
int bench_cover(bench *b, input **list, size_t count, void (*look)(void *context, const view *v), void *context,
                error *e);
/* The same of the launches of a capture. */
int bench_cover_capture(bench *b, const char *path, void (*look)(void *context, const view *v), void *context,
                        error *e);
/* What goes wrong in launches, by accesses outside (else by races and divergence). `*well`: they came to their end. */
int bench_look(bench *b, bool races, input *const *list, size_t count, flaws *out, bool *well, error *e);
/* The inputs in which no accesses race and no barriers diverge come first, as bench_settle. */
int bench_races(bench *b, input **list, size_t count, size_t *fine, error *e);

#endif
