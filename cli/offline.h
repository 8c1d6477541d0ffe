/* Working on a kernel file without a program and without a device. */
#ifndef CLTC_CLI_OFFLINE_H
#define CLTC_CLI_OFFLINE_H

#include "base/buffer.h"
#include "base/error.h"
#include "frontend/preprocess.h"
#include "frontend/tree.h"

/* A file as the preprocessor's input, with the build options behind `--` (NULL: none). Release with offline_close. */
typedef struct offline {
  buffer text;
  char *options;
  pp_input input;
  pp_fact *facts;
  size_t fact_count, fact_capacity;
} offline;

/* EXIT_USAGE when the file cannot be read. */
int offline_open(const char *path, char **options, offline *out, error *e);
/* Has libclang answer a question of the preprocessor in the place of a device. */
void offline_answer(offline *o, const char *expression);
/* Preprocesses the file and builds its tree; both are the caller's to free in every case. */
int offline_read(offline *o, pp_result *text, tree **t, error *e);
void offline_close(offline *o);

#endif
