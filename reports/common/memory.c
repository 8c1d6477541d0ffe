/* Counting findings of `cltestcheck memory`. */
#include "reports/common/memory.h"

#include <string.h>

bool memory_is(const view *v) { return report_has_run(v, "memory"); }

bool memory_knows(const char *rule) {
  const memory_rule_row *r = memory_rule_find(rule, strlen(rule));
  return r != NULL && r->member != NULL;
}

bool memory_saw(const db_finding *f) {
  return !f->proved && f->place_count == 1 && strcmp(f->places[0].role, "access") == 0;
}

static bool is_of(const db_finding *f, const char *rule) {
  return rule == NULL ? memory_knows(f->rule) : strcmp(rule, f->rule) == 0;
}

size_t memory_count(const view *v, const report_options *options, const char *kernel, const char *rule) {
  size_t count = 0;
  for (size_t i = 0; i < v->finding_count; i++) {
    const db_finding *f = &v->findings[i];
    const bool meant = kernel == NULL ? report_selects(options, f->kernel) : strcmp(kernel, f->kernel) == 0;
    count += meant && f->suppressed == NULL && !f->proved && is_of(f, rule) ? 1 : 0;
  }
  return count;
}
