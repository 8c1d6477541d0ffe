/* Owning what is to be proved. */
#include "proofs/sources/source.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "base/memory.h"
#include "base/names.h"
#include "base/opencl_compiler.h"

void observed_launch_free(observed_launch *l) {
  for (size_t i = 0; i < l->argument_count; i++) free(l->arguments[i].bytes);
  free(l->arguments);
  *l = (observed_launch){0};
}

static void free_kernel(asked_kernel *k) {
  for (size_t i = 0; i < k->launch_count; i++) observed_launch_free(&k->launches[i]);
  host_ways_free(k);
  free(k->launches);
  free(k->name);
}

void asked_source_init(asked_source *s, const char *text, size_t length, const char *options, const char *directory,
                       const char *root) {
  *s = (asked_source){0};
  request_of_text(&s->request, "kernel.cl", text, strnlen(text, length), options, directory, root);
}

void asked_source_on(asked_source *s, const char *device) {
  request_source *t = &s->request.sources[0];
  const bool asks = opencl_asks_device(t->text) || opencl_asks_device(t->options);
  char *defined = opencl_device_options(asks ? device : ""); /* else a proof holds on every device */
  buffer options = {0};
  buffer_printf(&options, "%s%s%s", defined, *defined == '\0' || *t->options == '\0' ? "" : " ", t->options);
  free(defined);
  free(s->request.device);
  free(s->read_options);
  s->request.device = mem_strdup(device);
  s->read_options = buffer_take(&options);
  t->input.options = s->read_options;
}

void asked_source_add_header(asked_source *s, const char *name, const char *text) {
  request_source *t = &s->request.sources[0];
  t->headers = mem_realloc(t->headers, (t->header_count + 1) * sizeof *t->headers);
  t->headers[t->header_count++] = (pp_header){mem_strdup(name), mem_strdup(text), strlen(text)};
  t->input.headers = t->headers;
  t->input.header_count = t->header_count;
}

const request_source *asked_text(const asked_source *s) { return &s->request.sources[0]; }

int asked_source_read(asked_source *s, error *e) {
  pp_input input = asked_text(s)->input;
  char *options = annotated_options(asked_text(s)->text, input.options);
  input.options = options;
  const int result = signatures_read(&input, false, &s->signatures, &s->signature_count, &s->digests, e);
  free(options);
  s->every = result != 0;
  return result;
}

void asked_source_choose(asked_source *s, const kernel_choice *which) {
  for (size_t i = 0; i < s->signature_count && !s->observed; i++) (void)asked_kernel_add(s, s->signatures[i].kernel);
  size_t kept = 0;
  for (size_t i = 0; i < s->kernel_count; i++)
    if (kernel_chosen(which, s->kernels[i].name))
      s->kernels[kept++] = s->kernels[i];
    else
      free_kernel(&s->kernels[i]);
  s->kernel_count = kept;
}

const signature *asked_signature(const asked_source *s, const char *kernel) {
  return NAMED(s->signatures, s->signature_count, kernel, kernel);
}

asked_kernel *asked_kernel_find(const asked_source *s, const char *name) {
  return NAMED(s->kernels, s->kernel_count, name, name);
}

asked_kernel *asked_kernel_add(asked_source *s, const char *name) {
  asked_kernel *k = ARRAY_ADD(s->kernels, s->kernel_count, s->kernel_capacity);
  k->name = mem_strdup(name);
  return k;
}

void asked_source_free(asked_source *s) {
  for (size_t i = 0; i < s->kernel_count; i++) free_kernel(&s->kernels[i]);
  free(s->kernels);
  signatures_free(s->signatures, s->signature_count);
  request_free(&s->request);
  free(s->read_options);
  free(s->search);
  free(s->problem);
  *s = (asked_source){0};
}

/* What each is in C. What only stands inside of others goes with them. */
static const struct {
  const char *name, *parameters, *is;
} annotations[] = {
    {"__requires", "(...)", "((void)0)"},
    {"__global_requires", "(...)", "((void)0)"},
    {"__ensures", "(...)", "((void)0)"},
    {"__global_ensures", "(...)", "((void)0)"},
    {"__assume", "(...)", "((void)0)"},
    {"__assert", "(...)", "((void)0)"},
    {"__global_assert", "(...)", "((void)0)"},
    {"__invariant", "(...)", "1"},
    {"__global_invariant", "(...)", "1"},
    {"__candidate_invariant", "(...)", "1"},
    {"__candidate_global_invariant", "(...)", "1"},
    {"__function_wide_invariant", "(...)", "((void)0)"},
    {"__function_wide_candidate_invariant", "(...)", "((void)0)"},
    {"__reads_from", "(...)", "((void)0)"},
    {"__reads_from_local", "(...)", "((void)0)"},
    {"__writes_to", "(...)", "((void)0)"},
    {"__writes_to_local", "(...)", "((void)0)"},
    {"__read_permission", "(...)", "((void)0)"},
    {"__write_permission", "(...)", "((void)0)"},
    {"__requires_fresh_array", "(...)", "((void)0)"},
    {"__global_requires_fresh_array", "(...)", "((void)0)"},
    {"__array_snapshot", "(...)", "((void)0)"},
    {"__non_temporal_loads_begin", "()", "((void)0)"},
    {"__non_temporal_loads_end", "()", "((void)0)"},
    {"__non_temporal_stores_begin", "()", "((void)0)"},
    {"__non_temporal_stores_end", "()", "((void)0)"},
    {"__implies", "(a,b)", "(!(a)||(b))"},
    {"__ite", "(c,a,b)", "((c)?(a):(b))"},
    {"__add_noovfl_unsigned_int", "(a,b)", "((a)+(b))"},
    {"__add_noovfl_int", "(a,b)", "((a)+(b))"},
    {"__add_noovfl", "(...)", "1"},
    {"__mod_pow2", "(a,b)", "((a)&((b)-1))"},
};

static bool is_in_name(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

/* Whether the text uses the name and does not say itself what it is. */
static bool is_used(const char *text, const char *name) {
  const size_t length = strlen(name);
  bool used = false;
  for (const char *at = strstr(text, name); at != NULL; at = strstr(at + 1, name)) {
    if (is_in_name(at[length]) || (at > text && is_in_name(at[-1]))) continue;
    const char *line = at;
    while (line > text && line[-1] != '\n') line--;
    if (strncmp(line + strspn(line, " \t"), "#", 1) == 0) return false;
    used = true;
  }
  return used;
}

char *annotated_options(const char *text, const char *options) {
  buffer out = {0};
  buffer_puts(&out, options == NULL ? "" : options);
  for (size_t i = 0; strstr(text, "__") != NULL && i < sizeof annotations / sizeof annotations[0]; i++) {
    if (is_used(text, annotations[i].name)) {
      buffer_printf(&out, "%s-D%s%s=%s", out.length == 0 ? "" : " ", annotations[i].name, annotations[i].parameters,
                    annotations[i].is);
    }
  }
  static const char barriers[] = "__barrier_invariant_";
  for (const char *at = strstr(text, barriers); at != NULL; at = strstr(at + 1, barriers)) {
    const size_t length = strspn(at, "abcdefghijklmnopqrstuvwxyz_0123456789");
    buffer_printf(&out, "%s-D%.*s(...)=((void)0)", out.length == 0 ? "" : " ", (int)length, at);
  }
  return buffer_take(&out);
}

void host_way_free(struct host_way *w) {
  for (size_t i = 0; i < w->fact_count; i++) {
    free(w->facts[i].text);
    free(w->facts[i].from);
  }
  free(w->facts);
  free(w->memory);
  free(w->unsure);
  free(w->ends);
  free(w->from);
}

void host_ways_free(asked_kernel *k) {
  for (size_t i = 0; i < k->way_count; i++) host_way_free(&k->ways[i]);
  free(k->ways);
  free(k->host);
  k->ways = NULL;
  k->host = NULL;
  k->way_count = k->way_capacity = 0;
}
