/* A program that the front end has read, for databases that are written to measure with. */
#ifndef CLTC_BENCH_WRITE_PROGRAM_H
#define CLTC_BENCH_WRITE_PROGRAM_H

#include "db/db.h"
#include "mutate/mutate.h"

/* Ends the process with the sentence, after the name of the program, unless `result` is 0. */
void must(int result, const error *e);

/* Reads a source without build options; `out` is released with mutate_free. */
void read_source(const char *name, const char *text, mutate_result *out);

#endif
