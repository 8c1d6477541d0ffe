/* Runs the proof engine on one source and prints a line a kernel, for bench/verify.
 *   verify-cost ENGINE FILE TIMEOUT OPTIONS LOCAL GROUPS
 * A line has processor seconds, MiB, questions, verdict, kernel and file, between tabs; or "-" and why there are none. Kernels are
 * proved one by one, each with a run of the engine of its own, so that the system counts the time of each. */
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "base/memory.h"
#include "tests/proofs/verify/engine.h"

static char *read_text(const char *path) {
  FILE *f = fopen(path, "rb");
  size_t length = 0, capacity = 1 << 20;
  char *text = mem_calloc(capacity + 1, 1);
  while (f != NULL && (length += fread(text + length, 1, capacity - length, f)) == capacity) {
    text = mem_realloc(text, capacity * 2 + 1);
    capacity *= 2;
  }
  text[length] = '\0';
  if (f != NULL) (void)fclose(f);
  return text;
}

static double used(void) {
  struct rusage u;
  (void)getrusage(RUSAGE_CHILDREN, &u);
  return (double)(u.ru_utime.tv_sec + u.ru_stime.tv_sec) + (double)(u.ru_utime.tv_usec + u.ru_stime.tv_usec) / 1e6;
}

/* "16,8" as a list; NULL: nothing is said. */
static json_t *sizes_of(const char *text) {
  json_t *list = *text == '\0' ? NULL : json_array();
  for (char *end = NULL; list != NULL && *text != '\0'; text = *end == ',' ? end + 1 : "")
    json_array_append_new(list, json_integer(strtoll(text, &end, 10)));
  return list;
}

static json_t *request_of(char **argv, const char *source, const char *kernel) {
  json_t *asked = json_object(), *local = sizes_of(argv[5]), *groups = sizes_of(argv[6]);
  if (kernel != NULL) json_object_set_new(asked, "kernel", json_string(kernel));
  if (local != NULL) json_object_set_new(asked, "local", local);
  if (groups != NULL) json_object_set_new(asked, "groups", groups);
  /* the first question only names the kernels: no time for any */
  const double timeout = kernel == NULL ? 0 : strtod(argv[3], NULL);
  json_t *request =
      json_pack("{s:s,s:s,s:s,s:f}", "source", source, "file", argv[2], "options", argv[4], "timeout", timeout);
  json_t *kernels = json_array();
  if (request != NULL && kernel != NULL) json_array_append(kernels, asked);
  if (request != NULL) json_object_set(request, "kernels", kernels);
  json_decref(kernels);
  json_decref(asked);
  return request;
}

static void prove(char **argv, const char *source, const char *kernel) {
  json_t *request = request_of(argv, source, kernel);
  const double before = used();
  engine_run run = engine_ask_json(argv[1], request, strtod(argv[3], NULL) + 120);
  const double seconds = used() - before;
  const json_t *answer = engine_answer(&run, kernel);
  const char *verdict = json_string_value(json_object_get(answer, "verdict"));
  (void)printf("%.3f\t%lld\t%lld\t%s\t%s\t%s\n", seconds,
               (long long)json_integer_value(json_object_get(answer, "memory")) >> 20,
               (long long)json_integer_value(json_object_get(answer, "queries")),
               verdict == NULL ? "no answer" : verdict, kernel, argv[2]);
  engine_free(&run);
  json_decref(request);
}

int main(int argc, char **argv) {
  if (argc != 7) {
    (void)fprintf(stderr, "usage: verify-cost ENGINE FILE TIMEOUT OPTIONS LOCAL GROUPS\n");
    return 1;
  }
  char *source = read_text(argv[2]);
  json_t *request = request_of(argv, source, NULL);
  if (request == NULL) {
    (void)printf("-\t%s is not UTF-8\n", argv[2]);
    free(source);
    return 0;
  }
  engine_run names = engine_ask_json(argv[1], request, 120);
  const char *error = json_string_value(json_object_get(json_array_get(names.answers, 0), "error"));
  if (error != NULL) (void)printf("-\t%s\n", error);
  size_t i = 0;
  json_t *answer = NULL;
  json_array_foreach(names.answers, i, answer) {
    const char *kernel = json_string_value(json_object_get(answer, "kernel"));
    if (kernel != NULL) prove(argv, source, kernel);
  }
  engine_free(&names);
  json_decref(request);
  free(source);
  return 0;
}
