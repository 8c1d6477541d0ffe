/* Owning what is to be proved. */
#include "runner/sources/source.h"

#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "base/memory.h"
#include "base/names.h"
#include "base/opencl_compiler.h"
#include "runner/sources/annotated.h"
#include "runner/sources/host_way.h"

void observed_launch_free(observed_launch *l) {
  for (size_t i = 0; i < l->argument_count; i++) {
    free(l->arguments[i].bytes);
  }
  free(l->arguments);
  *l = (observed_launch){0};
}

static void free_kernel(asked_kernel *k) {
  for (size_t i = 0; i < k->launch_count; i++) {
    observed_launch_free(&k->launches[i]);
  }
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

void asked_source_choose(asked_source *s, const char *const *wanted, size_t wanted_count, const char *const *exclude,
                         size_t exclude_count) {
  for (size_t i = 0; i < s->signature_count && !s->observed; i++) {
    (void)asked_kernel_add(s, s->signatures[i].kernel);
  }
  size_t kept = 0;
  for (size_t i = 0; i < s->kernel_count; i++) {
    if (globs_select(wanted, wanted_count, exclude, exclude_count, s->kernels[i].name)) {
      s->kernels[kept++] = s->kernels[i];
    } else {
      free_kernel(&s->kernels[i]);
    }
  }
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
  for (size_t i = 0; i < s->kernel_count; i++) {
    free_kernel(&s->kernels[i]);
  }
  free(s->kernels);
  signatures_free(s->signatures, s->signature_count);
  request_free(&s->request);
  free(s->read_options);
  free(s->search);
  free(s->problem);
  *s = (asked_source){0};
}
