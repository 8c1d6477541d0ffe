/* Views of runs, with suppressions. */
#include "cli/loading.h"

#include "cli/configuration.h"

int load_view(db *d, const int64_t *runs, size_t run_count, const settings *s, view *out, error *e) {
  if (db_load(d, runs, run_count, out, e) != 0) {
    return -1;
  }
  if (s->configuration != NULL) {
    suppress_apply(out, s->configuration->suppressions, s->configuration->suppression_count);
  }
  return 0;
}

size_t count_findings(const view *v) {
  size_t count = 0;
  for (size_t i = 0; i < v->finding_count; i++) {
    count += v->findings[i].suppressed == NULL ? 1 : 0;
  }
  return count;
}

size_t count_suppressed_schedules(const view *v) {
  size_t count = 0;
  for (size_t i = 0; i < v->launch_count; i++) {
    for (size_t k = 0; k < v->launches[i].schedule_count; k++) {
      count += v->launches[i].schedules[k].suppressed != NULL ? 1 : 0;
    }
  }
  return count;
}
