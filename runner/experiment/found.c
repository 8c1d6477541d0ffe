/* Findings of a view that count. */
#include "runner/experiment/found.h"

#include <string.h>

bool finding_is_aside(const db_finding *f) {
  return strcmp(f->rule, "api-error") == 0 || strcmp(f->rule, "buffer-overrun") == 0;
}

static bool counts(const db_finding *f, const kernel_choice *c, bool benign) {
  const bool is_benign = strcmp(f->rule, "benign-race") == 0;
  return f->suppressed == NULL && is_benign == benign && !finding_is_aside(f) &&
         (f->kernel == NULL || kernel_chosen(c, f->kernel));
}

bool finding_counts(const db_finding *f, const kernel_choice *c) { return counts(f, c, false); }

static size_t count(const view *v, const kernel_choice *c, bool benign) {
  size_t found = 0;
  for (size_t i = 0; i < v->finding_count; i++) {
    found += counts(&v->findings[i], c, benign) ? 1 : 0;
  }
  return found;
}

size_t count_findings(const view *v, const kernel_choice *c) { return count(v, c, false); }

bool has_finding(const view *v, const char *rule) {
  bool any = false;
  for (size_t i = 0; i < v->finding_count; i++) {
    any = any || (strcmp(v->findings[i].rule, rule) == 0 && v->findings[i].suppressed == NULL);
  }
  return any;
}

bool has_benign(const view *v, const kernel_choice *c) { return count(v, c, true) > 0; }

bool leaves_no_kernel(const view *v, const kernel_choice *c) {
  for (size_t i = 0; i < v->kernel_count; i++) {
    if (kernel_chosen(c, v->kernels[i].name)) {
      return false;
    }
  }
  return v->kernel_count > 0 && c->wanted_count + c->exclude_count > 0;
}
