/* The JSON report on errors with memory: `memory` (docs/formats/json.md). */
#include "reports/common/json_value.h"
#include "reports/common/memory.h"

void value_memory(json_stream *report, const view *v, const report_options *options) {
  if (!memory_is(v)) {
    return;
  }
  uint64_t launches = 0;
  json_int_t kernels = 0;
  for (size_t i = 0; i < v->kernel_count; i++) {
    if (report_selects(options, v->kernels[i].name)) {
      launches += v->kernels[i].launches;
      kernels += v->kernels[i].launches > 0 ? 1 : 0;
    }
  }
  json_t *all = json_pack("{sIsIsI}", "launches", (json_int_t)launches, "kernels", kernels, "errors",
                          (json_int_t)memory_count(v, options, NULL, NULL));
  for (const memory_rule_row *r = memory_rules; r->member != NULL; r++) {
    value_set(all, r->member, json_integer((json_int_t)memory_count(v, options, NULL, r->name)));
  }
  json_stream_value(report, "memory", all);
}
