/* Counting findings of `cltestcheck races`. */
#include "reports/common/races.h"

#include <string.h>

bool races_are(const view *v) { return report_has_run(v, "races"); }

bool races_is_benign(const db_finding *f) { return strcmp(f->rule, "benign-race") == 0; }

bool races_saw(const db_finding *f) {
  return !f->proved && f->place_count > 0 && (strcmp(f->rule, "data-race") == 0 || races_is_benign(f));
}

race_counts races_count(const view *v, const report_options *options, const char *kernel) {
  race_counts n = {0};
  for (size_t i = 0; i < v->finding_count; i++) {
    const db_finding *f = &v->findings[i];
    const bool meant = kernel == NULL ? report_selects(options, f->kernel) : strcmp(kernel, f->kernel) == 0;
    if (!meant || f->suppressed != NULL || f->proved) {
      continue;
    }
    n.race += strcmp(f->rule, "data-race") == 0 ? 1 : 0;
    n.benign += races_is_benign(f) ? 1 : 0;
    n.divergence += strstr(f->rule, "divergence") != NULL ? 1 : 0;
  }
  return n;
}
