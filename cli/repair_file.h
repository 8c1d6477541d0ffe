/* A kernel file that is repaired. */
#ifndef CLTC_CLI_REPAIR_FILE_H
#define CLTC_CLI_REPAIR_FILE_H

#include "cli/offline.h"
#include "cli/repair_engine.h"
#include "repair/search.h"

typedef struct repair_file {
  const char *path;            /* as it was given */
  const verify_source *source; /* lent */
  offline reader;
  pp_result text;
  tree *tree;
  spots spots;
  repair_engine engine;
  const char **kernels;
  repair repair;
  buffer result; /* the text with its barriers */
  char *built;   /* the device that has built it, NULL: none was asked */
} repair_file;

/* Reads the file. `engine` says what program to ask, and with what. */
int repair_file_open(repair_file *f, const settings *s, const char *path, const verify_source *source,
                     const prover *engine, error *e);
/* Searches, and writes `result`. */
int repair_file_search(repair_file *f, error *e);
/* Has the front end read `result` and the device build it. -1 with `e`: one of them refuses it. */
int repair_file_check(repair_file *f, const settings *s, error *e);
void repair_file_close(repair_file *f);

/* Puts a text in place of a file, as a whole or not at all. */
int repair_file_replace(const char *path, const buffer *text, error *e);

#endif
