/* From the signatures that verify reads to those of cases. */
#include "runner/plan/case_kernels.h"

#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "base/say.h"
#include "runner/build/program_request.h"
#include "runner/sources/signature.h"

static case_parameter_kind kind_of(const parameter *p) {
  static const case_parameter_kind kinds[] = {[PARAMETER_GLOBAL] = CASE_MEMORY,
                                              [PARAMETER_LOCAL] = CASE_LOCAL,
                                              [PARAMETER_VALUE] = CASE_VALUE,
                                              [PARAMETER_IMAGE] = CASE_IMAGE,
                                              [PARAMETER_OTHER] = CASE_OTHER};
  return p->kind == PARAMETER_OTHER && strcmp(p->type, "sampler_t") == 0 ? CASE_SAMPLER : kinds[p->kind];
}

static void copy(const signature *from, case_kernel *to) {
  to->name = mem_strdup(from->kernel);
  to->dimensions = from->dimensions;
  to->parameters = mem_calloc(from->count + 1, sizeof *to->parameters);
  to->count = from->count;
  for (size_t i = 0; i < from->count; i++) {
    const parameter *p = &from->parameters[i];
    to->parameters[i] = (case_parameter){.name = mem_strdup(p->name),
                                         .type = mem_strdup(p->type),
                                         .written = mem_strdup(p->written),
                                         .kind = kind_of(p),
                                         .size = p->size,
                                         .atomic = p->atomic,
                                         .reach = p->reach,
                                         .read_only = p->read_only};
  }
}

static int read_kernels(const pp_input *in, bool reach, case_kernels *out, error *e) {
  signature *found = NULL;
  size_t count = 0;
  source_digests ignored;
  error why = {0};
  if (signatures_read(in, reach, &found, &count, &ignored, &why) != 0) {
    signatures_free(found, count);
    return error_set(e, EXIT_USAGE, "the kernels of %s cannot be read: %s", in->name, why.text);
  }
  *out = (case_kernels){mem_calloc(count + 1, sizeof(case_kernel)), count};
  for (size_t i = 0; i < count; i++) {
    copy(&found[i], &out->items[i]);
  }
  signatures_free(found, count);
  return 0;
}

int case_kernels_read(const pp_input *in, case_kernels *out, error *e) { return read_kernels(in, false, out, e); }

int case_kernels_show(const char *path, const char *verb, error *e) {
  program_request file;
  case_kernels kernels = {0};
  buffer text = {0};
  int result =
      request_of_file(&file, path, NULL, e) != 0 || read_kernels(&file.sources[0].input, true, &kernels, e) != 0 ? -1
                                                                                                                 : 0;
  if (result == 0 && kernels.count == 0) {
    result = error_set(e, EXIT_USAGE, "%s has no kernels", path);
  }
  if (result == 0) {
    case_skeleton(path, &kernels, &text);
    say(stdout, "%s", buffer_text(&text));
    result = error_set(e, EXIT_USAGE,
                       "\"%s\" is a kernel file, and nothing launches its kernels: put what stands on standard output "
                       "into a suite.yaml, change sizes and contents, and then: cltestcheck %s suite.yaml; or put a "
                       "program that launches them after --",
                       path, verb);
  }
  case_kernels_free(&kernels);
  buffer_free(&text);
  request_free(&file);
  return result;
}
