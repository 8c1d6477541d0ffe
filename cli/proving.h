/* What commands that ask the proof engine share: sources with their launches, and second opinions. */
#ifndef CLTC_CLI_PROVING_H
#define CLTC_CLI_PROVING_H

#include "cli/experiment.h"
#include "proofs/host/host.h"
#include "proofs/order/commands.h"

/* What the settings ask of a proof, with limits that they leave out. */
prove_options prove_options_of(const settings *s);

typedef struct verify_host {
  bool given;
  host_facts facts;
  char *name;    /* "main.c", "main.c and 2 more", "compile_commands.json" */
  char *options; /* with which all kernels are built, "": none, or they are not known, or not the same */
  char **notes;  /* that all verdicts rest on */
  size_t note_count, note_capacity;
} verify_host;

typedef struct verify_inputs {
  asked_source *sources;
  size_t count, capacity;
  char *scratch;   /* folder with captures and with files that captured kernels include; NULL: none was needed */
  bool observed;   /* they come from launches */
  char **captures; /* files with these launches: those that were given, and with `keep` those of programs */
  size_t capture_count, capture_capacity;
  bool keep;
  overlaps overlaps; /* commands of programs that race; not looked for with `keep` */
  view *found;       /* a view for each program that was run: what the layer has found meanwhile */
  size_t found_count, found_capacity;
  verify_host host;
  bool failed; /* a program failed by itself; what it did before counts */
} verify_inputs;

/* Reads files, and runs programs once. EXIT_USAGE for words that are no input. Release in every case. With `keep` the
 * captures of programs stay until then, and what programs print goes to standard error. */
int verify_inputs_gather(const settings *s, bool keep, verify_inputs *out, error *e);
void verify_inputs_free(verify_inputs *in);
/* Puts what was found while programs ran into a run of the database. */
int verify_inputs_keep(const verify_inputs *in, db *d, int64_t run, error *e);
/* Says it on standard error. */
void verify_inputs_say(const verify_inputs *in);

/* Gives the kernels of a source, which has been read, what is known of their launches. */
void verify_host_apply(verify_host *h, asked_source *s);

/* `verify --second-opinion`: proofs are held against runs on a device, and what comes of it is said. */

typedef struct second_opinion {
  const device_settings *device;
  const char *kept;  /* folder of --emit-cases, NULL: none */
  unsigned launches; /* a kernel; 0: none */
  bool begun, none;  /* `none`: there is no device to run them on */
  experiment_options experiments;
  prove_options verify;
  char *scratch;                        /* folder */
  size_t agreed, earlier, contradicted; /* kernels; `earlier`: in the run that their proof is taken over from */
  uint64_t made, made_earlier;          /* launches that contradict nothing */
  char *const *captures;                /* of launches that were seen, lent */
  size_t capture_count;
  word_list without; /* notes of kernels that none is made of, owned */
  void (*note)(void *context, const char *text);
  void *context;
} second_opinion;

/* `o` is zeroed but for note and context. */
void second_opinion_begin(second_opinion *o, const settings *s);
/* Of a verified kernel. A contradiction makes it undecided and is said. -1 with `e`: interrupted (130). */
int second_opinion_give(second_opinion *o, const asked_source *s, proved_kernel *k, error *e);
/* For confirm_options: launches of counterexamples. */
int second_opinion_confirm(void *opinion, const replica *launches, size_t count, double seconds, confirmation *out);
/* Says what was run, and what was not and why. */
void second_opinion_say(second_opinion *o);
void second_opinion_end(second_opinion *o);

#endif
