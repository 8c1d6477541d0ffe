/* The model of a program: release. */
#include "base/model.h"

#include <stdlib.h>

void model_homes_free(model_home *homes, size_t count) {
  for (size_t i = 0; i < count; i++) {
    free(homes[i].name);
    free(homes[i].root);
    free(homes[i].text);
    free(homes[i].spans);
  }
  free(homes);
}

void model_free(model *m) {
  for (size_t i = 0; i < m->file_count; i++) {
    model_homes_free(m->files[i].homes, m->files[i].home_count);
    free(m->files[i].name);
    free(m->files[i].root);
    free(m->files[i].text);
  }
  for (size_t i = 0; i < m->function_count; i++) {
    free(m->functions[i].name);
  }
  for (size_t i = 0; i < m->site_count; i++) {
    for (size_t k = 0; k < m->sites[i].outcome_count; k++) {
      free(m->sites[i].outcomes[k].label);
    }
    free(m->sites[i].outcomes);
  }
  for (size_t i = 0; i < m->line_count; i++) {
    free(m->lines[i].terms);
  }
  for (size_t i = 0; i < m->kernel_count; i++) {
    free(m->kernels[i].name);
    free(m->kernels[i].functions);
    free(m->kernels[i].sites);
  }
  free(m->files);
  free(m->functions);
  free(m->sites);
  free(m->lines);
  free(m->kernels);
  free(m->options);
  *m = (model){0};
}
