/* The JSON report on races that were seen: `races` (docs/formats/json.md). */
#include "reports/common/json_value.h"
#include "reports/common/races.h"

void value_races(json_stream *report, const view *v, const report_options *options) {
  if (!races_are(v)) {
    return;
  }
  uint64_t launches = 0;
  json_int_t checked = 0;
  for (size_t i = 0; i < v->kernel_count; i++) {
    if (report_selects(options, v->kernels[i].name)) {
      launches += v->kernels[i].launches;
      checked += v->kernels[i].launches > 0 ? 1 : 0;
    }
  }
  const race_counts n = races_count(v, options, NULL);
  json_stream_value(report, "races",
                    json_pack("{sIsIsIsIsI}", "launches", (json_int_t)launches, "kernels", checked, "race",
                              (json_int_t)n.race, "benign", (json_int_t)n.benign, "divergence",
                              (json_int_t)n.divergence));
}
