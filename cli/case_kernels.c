/* From the signatures that verify reads to those of cases. */
#include "cli/case_kernels.h"

#include <string.h>

#include "base/memory.h"
#include "runner/verify/signature.h"

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
                                         .kind = kind_of(p),
                                         .size = p->size,
                                         .read_only = p->read_only};
  }
}

int case_kernels_read(const pp_input *in, case_kernels *out, error *e) {
  signature *found = NULL;
  size_t count = 0;
  source_digests ignored;
  error why = {0};
  if (signatures_read(in, &found, &count, &ignored, &why) != 0) {
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
