/* The JSON report on repairs: `repairs` (docs/formats/json.md). */
#include "reports/common/json_value.h"
#include "reports/common/repairs.h"

static json_t *repair_of(const view *v, const db_repair *r) {
  json_t *repair = json_object(), *lines = json_array();
  const char *at = r->report, *line = NULL;
  size_t length = 0;
  while ((line = repair_line(&at, &length)) != NULL) {
    value_add(lines, value_text(line, length));
  }
  value_set(repair, "name", value_string(r->name));
  value_set(repair, "file", value_file(v, r->file));
  value_set(repair, "outcome", value_string(r->outcome));
  value_set(repair, "report", lines);
  value_set(repair, "patch", r->patch[0] == '\0' ? json_null() : value_string(r->patch));
  return repair;
}

void value_repairs(json_stream *report, const view *v) {
  if (!repairs_are(v)) {
    return;
  }
  json_stream_array(report, "repairs");
  for (size_t i = 0; i < v->repair_count; i++) {
    json_stream_item(report, repair_of(v, &v->repairs[i]));
  }
  json_stream_close(report);
}
