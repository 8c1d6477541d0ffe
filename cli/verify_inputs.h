/* What the command line of `verify` names: kernel files as they are, and programs by what they launch. */
#ifndef CLTC_CLI_VERIFY_INPUTS_H
#define CLTC_CLI_VERIFY_INPUTS_H

#include "cli/settings.h"
#include "db/db.h"
#include "proofs/host/host.h"
#include "proofs/order/commands.h"
#include "proofs/sources/source.h"
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

#endif