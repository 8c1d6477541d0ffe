/* Totals into the database. */
#include "cli/totals.h"

#include <string.h>

#include "reports/common/report.h"

enum { METRICS = 32 };

int keep_totals(db *d, int64_t run, view *v, error *e) {
  db_total totals[METRICS];
  size_t count = 0;
  bool covered = strcmp(v->command, "coverage") == 0 || report_launched(v);
  coverage all;
  coverage_total(v, NULL, &all);
  for (size_t i = 0; coverage_metrics[i].name != NULL && count < METRICS; i++) {
    const char *name = coverage_metrics[i].name;
    bool always = strcmp(name, "mutation") == 0 || metric_of_proofs(name);
    ratio r = {0};
    (void)coverage_get(&all, name, &r);
    if (r.total > 0 && (always || covered)) {
      totals[count++] = (db_total){name, r.covered, r.total};
    }
  }
  return db_put_totals(d, run, totals, count, e) != 0 || db_commit(d, e) != 0 ? -1 : db_load_trend(d, v, e);
}
