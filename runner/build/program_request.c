/* Decoding requests. */
#include "runner/build/program_request.h"

#include <sha2.h>
#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "base/files.h"
#include "base/memory.h"
#include "base/names.h"
#include "capture/capture.h"
#include "runner/build/source_name.h"
#include "wire/answer.h"
#include "wire/fields.h"
#include "wire/protocol.h"

static void read_source(wire_reader *in, const program_request *r, request_source *s) {
  size_t length = 0;
  s->text = wire_string(in, &length);
  s->options = wire_string(in, NULL);
  s->header_count = wire_u32(in);
  if (s->header_count > in->left) {
    in->failed = true;
    s->header_count = 0;
  }
  s->headers = mem_calloc(s->header_count, sizeof *s->headers);
  for (size_t i = 0; i < s->header_count; i++) {
    s->headers[i].name = wire_string(in, NULL);
    s->headers[i].text = wire_string(in, &s->headers[i].length);
  }
  s->name = mem_strdup("kernel.cl");
  s->input = (pp_input){.name = s->name,
                        .text = s->text,
                        .length = length,
                        .options = s->options,
                        .directory = r->directory,
                        .root = getenv(ENV_INCLUDES),
                        .headers = s->headers,
                        .header_count = s->header_count};
}

int request_decode(wire_reader *in, program_request *out) {
  *out = (program_request){0};
  const unsigned char *start = in->at;
  out->device = wire_string(in, NULL);
  out->directory = wire_string(in, NULL);
  out->source_count = wire_u32(in);
  if (out->source_count == 0 || out->source_count > in->left) {
    out->source_count = 0;
    return -1;
  }
  out->sources = mem_calloc(out->source_count, sizeof *out->sources);
  for (size_t i = 0; i < out->source_count; i++) read_source(in, out, &out->sources[i]);
  out->linked = wire_u32(in) != 0;
  out->link_options = wire_string(in, NULL);
  out->others = wire_u32(in);
  (void)SHA256Data(start, (size_t)(in->at - start), out->key);
  uint32_t facts = wire_u32(in);
  for (uint32_t i = 0; i < facts && !in->failed; i++) {
    uint32_t source = wire_u32(in);
    char *expression = wire_string(in, NULL);
    bool value = wire_u32(in) != 0;
    if (source < out->source_count) request_add_fact(out, source, expression, value);
    free(expression);
  }
  return in->failed ? -1 : 0;
}

void request_of_text(program_request *out, const char *name, const char *text, size_t length, const char *options,
                     const char *directory, const char *root) {
  *out = (program_request){.source_count = 1};
  out->sources = mem_calloc(1, sizeof *out->sources);
  out->device = mem_strdup("");
  out->directory = mem_strdup(directory);
  out->link_options = mem_strdup("");
  request_source *s = &out->sources[0];
  s->text = mem_strndup(text, length);
  s->options = mem_strdup(options);
  s->name = mem_strdup(name);
  s->input = (pp_input){.name = s->name,
                        .text = s->text,
                        .length = length,
                        .options = s->options,
                        .directory = out->directory,
                        .root = root,
                        .alone = true};
}

void request_free(program_request *r) {
  for (size_t i = 0; i < r->source_count; i++) {
    request_source *s = &r->sources[i];
    for (size_t k = 0; k < s->header_count; k++) {
      free((char *)s->headers[k].name);
      free((char *)s->headers[k].text);
    }
    for (size_t k = 0; k < s->fact_count; k++) free((char *)s->facts[k].expression);
    free(s->headers);
    free(s->facts);
    free(s->text);
    free(s->options);
    free(s->name);
    free(s->root);
  }
  free(r->sources);
  free(r->link_options);
  free(r->device);
  free(r->directory);
  *r = (program_request){0};
}

void request_add_fact(program_request *r, size_t source, const char *expression, bool value) {
  request_source *s = &r->sources[source];
  for (size_t i = 0; i < s->fact_count; i++)
    if (strcmp(s->facts[i].expression, expression) == 0) return;
  *ARRAY_ADD(s->facts, s->fact_count, s->fact_capacity) = (pp_fact){mem_strdup(expression), value};
}

char *request_fact_key(const program_request *r, size_t source) {
  buffer key = {0};
  buffer_printf(&key, "%s\n%s", r->device, r->sources[source].options);
  return buffer_take(&key);
}

pp_input *request_inputs(const program_request *r) {
  pp_input *inputs = mem_calloc(r->source_count, sizeof *inputs);
  for (size_t i = 0; i < r->source_count; i++) {
    inputs[i] = r->sources[i].input;
    inputs[i].facts = r->sources[i].facts;
    inputs[i].fact_count = r->sources[i].fact_count;
  }
  return inputs;
}

/* Requests of kernel files, with build options as a command line has them. */

enum { FILE_MOST = 64 << 20 };

static char *join_options(char *const *options) {
  buffer joined = {0};
  for (size_t i = 0; options != NULL && options[i] != NULL; i++) {
    bool plain = options[i][0] != '\0' && strpbrk(options[i], " \t\n\"\\") == NULL;
    buffer_printf(&joined, "%s%s", i == 0 ? "" : " ", plain ? "" : "\"");
    for (const char *c = options[i]; *c != '\0'; c++)
      buffer_printf(&joined, "%s%c", *c == '"' || *c == '\\' ? "\\" : "", *c);
    buffer_puts(&joined, plain ? "" : "\"");
  }
  return buffer_take(&joined);
}

int request_of_file(program_request *out, const char *path, char *const *options, error *e) {
  buffer text = {0};
  *out = (program_request){0};
  const int result = file_read(path, "kernel file", FILE_MOST, &text, e);
  if (result == 0) {
    char *joined = join_options(options);
    request_of_text(out, path, buffer_text(&text), text.length, joined, ".", NULL);
    free(joined);
  }
  buffer_free(&text);
  return result;
}

/* What is asked and found out about a program before it is rewritten: facts of the device's compiler, names of files.
 */

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
    for (size_t i = 0; i < r->sources[n].fact_count && result == 0; i++)
      result = db_put_fact(d, key, r->sources[n].facts[i].expression, r->sources[n].facts[i].value, e);
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
  if (s->root[0] != '\0' || s->name[0] == '/') return;
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
  for (size_t i = 0; i < count; i++) all[i + 1] = directories[i];
  for (size_t i = 0; i < r->source_count; i++) {
    const pp_input *in = &r->sources[i].input;
    size_t length = in->length;
    while (length > 0 && in->text[length - 1] == '\0') length--;
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

/* The kernels are described by what instrumenting said of them. */

/* Those of arguments: __local arrays are part of the area. To be freed. */
static answer_object *objects_of(const instrument_kernel *k, uint32_t *count) {
  answer_object *objects = mem_calloc(k->object_count + 1, sizeof *objects);
  *count = 0;
  for (size_t i = 0; i < k->object_count; i++) {
    const instrument_object *o = &k->objects[i];
    if (o->parameter != MODEL_NONE) objects[(*count)++] = (answer_object){o->parameter, o->shift, o->local, o->writes};
  }
  return objects;
}

static void put_kernel(buffer *answer, const char *name, const instrument_kernel *k, const form_row *form) {
  const uint32_t planes = (uint32_t)k->plane_count | (k->planes_in_slots ? PLANES_IN_SLOTS : 0);
  answer_kernel said = {.name = name,
                        .form = form->kernels,
                        .flag_words = k->flag_words,
                        .total_words = k->total_words,
                        .planes = form->bare ? 0 : planes,
                        .item_bytes = k->item_bytes,
                        .area = k->area};
  answer_object *objects = objects_of(k, &said.object_count);
  said.objects = objects;
  answer_kernel_put(answer, &said);
  free(objects);
}

void program_answer(buffer *answer, uint32_t number, const instrument_result *r, const bool *left, const form_row *form,
                    const char *more) {
  buffer options = {0};
  buffer_printf(&options, "%s%s", form->options, more);
  answer_begin(answer, number, r->texts, r->options, r->source_count, buffer_text(&options));
  answer_kernels(answer, r->model.kernel_count);
  for (size_t i = 0; i < r->model.kernel_count; i++)
    put_kernel(answer, left != NULL && left[i] ? "" : r->model.kernels[i].name, &r->kernels[i], form);
  wire_end(answer);
  buffer_free(&options);
}
