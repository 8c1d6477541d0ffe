/* Host code of the command line of `verify`: what it says of the launches of kernels. */
#ifndef CLTC_CLI_VERIFY_HOST_H
#define CLTC_CLI_VERIFY_HOST_H

#include "cli/settings.h"
#include "host/host.h"
#include "runner/sources/source.h"

typedef struct verify_host {
  bool given;
  host_facts facts;
  char *name;    /* "main.c", "main.c and 2 more", "compile_commands.json" */
  char *options; /* with which all kernels are built, "": none, or they are not known, or not the same */
  char **notes;  /* that all verdicts rest on */
  size_t note_count, note_capacity;
} verify_host;

/* Reads the host code that the command line names, if it names any. `built`: it gives build options, so that those of the
 * host code do not count. Release in every case. */
int verify_host_read(const proof_settings *s, bool quiet, bool built, verify_host *out, error *e);
void verify_host_free(verify_host *h);

/* Gives the kernels of a source, which has been read, what is known of their launches. */
void verify_host_apply(verify_host *h, asked_source *s);

#endif
