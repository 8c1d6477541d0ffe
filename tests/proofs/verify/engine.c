/* Runs cltestcheck-verify on a request and collects its answers. */
#include "tests/proofs/verify/engine.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/buffer.h"
#include "base/clock.h"
#include "base/subprocess.h"

typedef struct work {
  const char *program;
  int request;
} work;

static void run(void *context, int out) {
  const work *w = context;
  (void)dup2(w->request, STDIN_FILENO);
  (void)dup2(out, STDOUT_FILENO);
  (void)execl(w->program, w->program, (char *)NULL);
  _exit(SUBPROCESS_NO_PROGRAM);
}

static json_t *lines_of(const buffer *text) {
  json_t *lines = json_array();
  for (const char *at = buffer_text(text); *at != '\0';) {
    const size_t length = strcspn(at, "\n");
    json_t *line = json_loadb(at, length, JSON_DECODE_ANY, NULL);
    json_array_append_new(lines, line != NULL ? line : json_stringn_nocheck(at, length));
    at += length + (at[length] == '\n' ? 1 : 0);
  }
  return lines;
}

engine_run engine_ask(const char *program, const char *request, size_t length, double limit) {
  engine_run result = {.code = -1};
  const double began = clock_now();
  const int fd = memfd_create("request", MFD_CLOEXEC);
  if (fd >= 0 && subprocess_write(fd, request, length) && lseek(fd, 0, SEEK_SET) == 0) {
    buffer out = {0};
    error e = {0};
    work w = {program, fd};
    const subprocess s = {.work = run, .context = &w, .deadline = clock_now() + limit};
    subprocess_end end = SUBPROCESS_ENDED;
    int status = 0;
    if (subprocess_read(&s, &out, &end, &status, &e) == 0 && end == SUBPROCESS_ENDED && WIFEXITED(status))
      result.code = WEXITSTATUS(status);
    result.answers = lines_of(&out);
    buffer_free(&out);
  }
  if (fd >= 0) close(fd);
  result.answers = result.answers == NULL ? json_array() : result.answers;
  result.seconds = clock_now() - began;
  return result;
}

engine_run engine_ask_json(const char *program, const json_t *request, double limit) {
  char *text = json_dumps(request, JSON_COMPACT);
  const engine_run result = engine_ask(program, text, strlen(text), limit);
  free(text);
  return result;
}

void engine_free(engine_run *run) {
  json_decref(run->answers);
  *run = (engine_run){0};
}

json_t *engine_answer(const engine_run *run, const char *kernel) {
  size_t i = 0;
  json_t *answer = NULL;
  json_array_foreach(run->answers, i, answer) {
    const char *name = json_string_value(json_object_get(answer, "kernel"));
    if (name != NULL && strcmp(name, kernel) == 0) return answer;
  }
  return NULL;
}

/* --- the form of an answer ---------------------------------------------------------------------------------------- */

static char *say(const char *what, const json_t *about) {
  char *text = json_dumps(about, JSON_COMPACT | JSON_ENCODE_ANY);
  buffer b = {0};
  buffer_printf(&b, "%s: %s", what, text == NULL ? "nothing" : text);
  free(text);
  return buffer_take(&b);
}

typedef struct verdict_form {
  const char *verdict;
  const char *rule; /* of its finding; NULL: it has none */
  bool definite;
  bool reasoned; /* says why */
} verdict_form;

static const verdict_form forms[] = {
    {"verified", NULL, false, false},
    {"unknown", NULL, false, true},
    {"unsupported", NULL, false, true},
    {"race", "data-race", true, false},
    {"divergence", "barrier-divergence", true, false},
    {"out-of-bounds", "out-of-bounds", true, false},
    {"possible-race", "data-race", false, false},
    {"possible-divergence", "barrier-divergence", false, false},
};

static const verdict_form *form_of(const char *verdict) {
  for (size_t i = 0; verdict != NULL && i < sizeof forms / sizeof *forms; i++)
    if (strcmp(forms[i].verdict, verdict) == 0) return &forms[i];
  return NULL;
}

static bool is_text(const json_t *in, const char *key, const char *expected) {
  const char *text = json_string_value(json_object_get(in, key));
  return text != NULL && (expected == NULL || strcmp(text, expected) == 0);
}

/* Ids are below sizes, in each dimension. */
static bool ids_below(const json_t *ids, const json_t *sizes) {
  for (size_t d = 0; d < 3; d++) {
    const json_t *id = json_array_get(ids, d), *size = json_array_get(sizes, d);
    if (!json_is_integer(id) || !json_is_integer(size) || json_integer_value(id) < 0 ||
        json_integer_value(id) >= json_integer_value(size))
      return false;
  }
  return true;
}

static char *place_malformed(const json_t *finding, const json_t *place) {
  const bool placed = is_text(place, "role", NULL) && json_integer_value(json_object_get(place, "line")) > 0 &&
                      is_text(place, "file", NULL);
  if (!placed) return say("a place without role, file or line", place);
  const bool decision = is_text(place, "role", "decision");
  if (decision ? !is_text(place, "condition", NULL)
               : !ids_below(json_object_get(place, "local"), json_object_get(finding, "local_size")) ||
                     !ids_below(json_object_get(place, "group"), json_object_get(finding, "groups")))
    return say("a place of a work-item that is not in the launch, or a decision without condition", finding);
  return NULL;
}

/* The two sides of a race: other work-items, or a copy beside which the only one of a group goes on, and not both only read. Atomics race where their scope is too small. */
static char *race_malformed(const json_t *finding, const json_t *places) {
  const json_t *first = json_array_get(places, 0), *second = json_array_get(places, 1);
  if (json_array_size(places) != 2 || !is_text(first, "role", "first") || !is_text(second, "role", "second"))
    return say("a race without first and second place", finding);
  if (json_object_get(first, "copy") == NULL &&
      json_equal(json_object_get(first, "local"), json_object_get(second, "local")) != 0 &&
      json_equal(json_object_get(first, "group"), json_object_get(second, "group")) != 0)
    return say("a race of a work-item with itself", finding);
  if (is_text(first, "access", "read") && is_text(second, "access", "read")) return say("a race of two reads", finding);
  return NULL;
}

static char *finding_malformed(const json_t *finding, const verdict_form *form) {
  if (!is_text(finding, "rule", form->rule) || json_is_true(json_object_get(finding, "definite")) != form->definite)
    return say("a finding that does not fit its verdict", finding);
  size_t i = 0;
  json_t *place = NULL;
  const json_t *places = json_object_get(finding, "places");
  json_array_foreach(places, i, place) {
    char *wrong = place_malformed(finding, place);
    if (wrong != NULL) return wrong;
  }
  return strcmp(form->rule, "data-race") == 0 ? race_malformed(finding, places)
         : json_array_size(places) == 0       ? say("a finding without place", finding)
                                              : NULL;
}

char *engine_malformed(const json_t *answer) {
  const verdict_form *form = form_of(json_string_value(json_object_get(answer, "verdict")));
  const char *reason = json_string_value(json_object_get(answer, "reason"));
  const json_t *findings = json_object_get(answer, "findings");
  if (form == NULL || !is_text(answer, "kernel", NULL) || !is_text(answer, "file", NULL) || reason == NULL ||
      !json_is_array(findings) || !json_is_array(json_object_get(answer, "preconditions")) ||
      !json_is_integer(json_object_get(answer, "line")))
    return say("an answer without its parts", answer);
  if ((*reason != '\0') != form->reasoned) return say("a verdict with or without reason", answer);
  if ((json_array_size(findings) > 0) != (form->rule != NULL)) return say("a verdict with or without finding", answer);
  return form->rule == NULL ? NULL : finding_malformed(json_array_get(findings, 0), form);
}
