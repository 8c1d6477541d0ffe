/* Decoding requests. */
#include "runner/build/program_request.h"

#include <sha2.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "capture/capture.h"

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
  for (size_t i = 0; i < out->source_count; i++) {
    read_source(in, out, &out->sources[i]);
  }
  out->linked = wire_u32(in) != 0;
  out->link_options = wire_string(in, NULL);
  out->others = wire_u32(in);
  (void)SHA256Data(start, (size_t)(in->at - start), out->key);
  uint32_t facts = wire_u32(in);
  for (uint32_t i = 0; i < facts && !in->failed; i++) {
    uint32_t source = wire_u32(in);
    char *expression = wire_string(in, NULL);
    bool value = wire_u32(in) != 0;
    if (source < out->source_count) {
      request_add_fact(out, source, expression, value);
    }
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
    for (size_t k = 0; k < s->fact_count; k++) {
      free((char *)s->facts[k].expression);
    }
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
  for (size_t i = 0; i < s->fact_count; i++) {
    if (strcmp(s->facts[i].expression, expression) == 0) {
      return;
    }
  }
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
