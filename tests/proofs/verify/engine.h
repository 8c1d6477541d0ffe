/* Runs cltestcheck-verify on a request and collects its answers. */
#ifndef CLTC_TESTS_VERIFY_ENGINE_H
#define CLTC_TESTS_VERIFY_ENGINE_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

typedef struct engine_run {
  json_t *answers; /* an array: a line of its output each; a line that is no JSON is a string */
  int code;        /* exit status; -1: it was killed, or is too late */
  double seconds;
} engine_run;

/* `program` is its path. The request is written to its standard input. To be freed. */
engine_run engine_ask(const char *program, const char *request, size_t length, double limit);
engine_run engine_ask_json(const char *program, const json_t *request, double limit);
void engine_free(engine_run *run);

/* The answer of a kernel, lent; NULL: it has none. */
json_t *engine_answer(const engine_run *run, const char *kernel);
/* What is wrong with the form of an answer: a text to be freed; NULL: nothing. */
char *engine_malformed(const json_t *answer);

#endif
