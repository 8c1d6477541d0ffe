/* Comparing with thresholds. */
#include "reports/common/threshold.h"

#include <string.h>

static double percent_of(const report_threshold *t, const coverage *c, ratio *r) {
  (void)coverage_get(c, t->metric, r);
  return r->total == 0 ? 100.0 : 100.0 * (double)r->covered / (double)r->total;
}

bool threshold_below(const report_threshold *t, const coverage *c) {
  ratio r;
  return percent_of(t, c, &r) < t->percent;
}

void threshold_say(const report_threshold *t, const coverage *c, buffer *to) {
  ratio r;
  double percent = percent_of(t, c, &r);
  buffer_printf(to, "%s %s is %.1f %% (%lu of %lu), below %g %%", t->metric, metric_noun(t->metric), percent, r.covered,
                r.total, t->percent);
}
