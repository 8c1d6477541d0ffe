/* What is asked and found out about a program before it is rewritten: facts of the device's compiler, names of files.
 */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/names.h"
#include "base/project.h"
#include "runner/build/program_request.h"
#include "runner/build/source_name.h"
#include "wire/protocol.h"

typedef struct recalling {
  program_request *request;
  size_t source;
} recalling;

static void take_fact(void *context, const char *expression, bool value) {
  const recalling *r = context;
  request_add_fact(r->request, r->source, expression, value);
}

int request_recall(program_request *r, db *d, error *e) {
  int result = 0;
  for (size_t i = 0; i < r->source_count && result == 0; i++) {
    char *key = request_fact_key(r, i);
    result = db_each_fact(d, key, take_fact, &(recalling){r, i}, e);
    free(key);
  }
  return result;
}

int request_remember(const program_request *r, db *d, error *e) {
  int result = 0;
  for (size_t n = 0; n < r->source_count && result == 0; n++) {
    char *key = request_fact_key(r, n);
    for (size_t i = 0; i < r->sources[n].fact_count && result == 0; i++) {
      result = db_put_fact(d, key, r->sources[n].facts[i].expression, r->sources[n].facts[i].value, e);
    }
    free(key);
  }
  return result;
}

void request_ask(const instrument_question *questions, size_t count, buffer *answer) {
  wire_begin(answer, MESSAGE_INSTRUMENTED);
  wire_put_u32(answer, INSTRUMENTED_QUESTIONS);
  wire_put_u32(answer, (uint32_t)count);
  for (size_t i = 0; i < count; i++) {
    wire_put_u32(answer, questions[i].source);
    wire_put_string(answer, questions[i].expression, strlen(questions[i].expression));
  }
  wire_end(answer);
}

/* For a source that is in no file of its own: it has no root then. */
static void find_home(request_source *s, size_t length) {
  if (s->root[0] != '\0' || s->name[0] == '/') {
    return;
  }
  s->home = home_of(s->text, length);
  if (s->home->count > 0 && s->home->length != length) {
    free(s->text);
    s->text = mem_strndup(s->home->text, s->home->length);
    s->input.text = s->text;
    s->input.length = s->home->length;
  } else if (s->home->count > 0) {
    memcpy(s->text, s->home->text, length);
  }
}

void request_name_sources(program_request *r, const char *const *directories, size_t count) {
  const char **all = mem_calloc(count + 1, sizeof *all);
  all[0] = r->directory;
  for (size_t i = 0; i < count; i++) {
    all[i + 1] = directories[i];
  }
  for (size_t i = 0; i < r->source_count; i++) {
    const pp_input *in = &r->sources[i].input;
    size_t length = in->length;
    while (length > 0 && in->text[length - 1] == '\0') {
      length--;
    }
    free(r->sources[i].name);
    free(r->sources[i].root);
    r->sources[i].name = source_name(in->text, length, all, count + 1, &r->sources[i].root);
    r->sources[i].input.name = r->sources[i].name;
    find_home(&r->sources[i], length);
  }
  free(all);
}

char *request_title(const program_request *r) {
  const request_source *s = &r->sources[0];
  char *title = s->home == NULL ? NULL : home_title(s->home);
  return title == NULL ? mem_strdup(s->name) : title;
}

/* The request's source of this name, NULL if it has none. */
static const request_source *source_called(const program_request *r, const char *name) {
  return NAMED(r->sources, r->source_count, name, name);
}

/* A source that a mutant was put into is another text. */
static void copy_homes(model_file *f, const home_found *found) {
  bool same = found != NULL && found->count > 0 && f->length >= found->length &&
              memcmp(f->text, found->text, found->length) == 0;
  for (size_t i = 0; same && i < found->count; i++) {
    const model_home *from = &found->homes[i];
    model_home *to = ARRAY_ADD(f->homes, f->home_count, f->home_capacity);
    *to = (model_home){.name = mem_strdup(from->name),
                       .root = mem_strdup(from->root),
                       .text = mem_strndup(from->text, from->length),
                       .length = from->length,
                       .span_count = from->span_count};
    memcpy(to->sha256, from->sha256, sizeof to->sha256);
    to->spans = mem_calloc(from->span_count + 1, sizeof *to->spans);
    memcpy(to->spans, from->spans, from->span_count * sizeof *to->spans);
  }
}

void request_name_files(const program_request *r, model *m) {
  for (size_t i = 0; i < m->file_count; i++) {
    model_file *f = &m->files[i];
    const request_source *source = source_called(r, f->name);
    if (source != NULL) {
      f->root = mem_strdup(source->root == NULL ? "" : source->root);
      copy_homes(f, source->home);
    } else if (f->name[0] == '/') {
      char *path = f->name;
      f->name = project_name(path, &f->root);
      free(path);
    }
  }
}
