/* How good a share is: against --fail-under, or against what is usual. */
#include <string.h>

#include "reports/html/page.h"

/* By the beginning of a metric's name, the first that fits. */
static const struct {
  const char *metric;
  double percent;
} usual[] = {
    {"mutation", 60}, /* as Stryker's viewer has it */
    {"revealed", 60},
    {"loop", 50}, /* a loop is seldom run 0 times and once, too */
    {"", 75},     /* as genhtml has it */
};

double page_least(const page *p, const char *metric) {
  for (size_t i = 0; i < p->options->threshold_count; i++) {
    if (strcmp(p->options->thresholds[i].metric, metric) == 0) {
      return p->options->thresholds[i].percent;
    }
  }
  size_t i = 0;
  while (strncmp(metric, usual[i].metric, strlen(usual[i].metric)) != 0) {
    i++;
  }
  return usual[i].percent;
}

const char *page_level(const page *p, const char *metric, const ratio *r) {
  if (r->total == 0) {
    return "";
  }
  const double least = page_least(p, metric);
  const double percent = 100.0 * (double)r->covered / (double)r->total;
  return percent < least ? "lo" : percent < (least + 100) / 2 ? "mid" : "hi";
}
