/* Where things are, for SARIF. */
#include <string.h>

#include "base/buffer.h"
#include "reports/ci/sarif_parts.h"
#include "reports/common/place.h"

#define BASE "%SRCROOT%"

json_t *sarif_message(const char *text) {
  json_t *m = json_object();
  value_set(m, "text", value_string(text));
  return m;
}

json_t *sarif_message_of(buffer *text) {
  json_t *m = sarif_message(buffer_text(text));
  buffer_free(text);
  return m;
}

/* --- places -------------------------------------------------------------------------------------------------- */

static void percent_encode(buffer *to, const char *path) {
  for (const char *c = path; *c != '\0'; c++) {
    bool plain =
        (*c >= 'a' && *c <= 'z') || (*c >= 'A' && *c <= 'Z') || (*c >= '0' && *c <= '9') || strchr("-._~/", *c) != NULL;
    buffer_printf(to, plain ? "%c" : "%%%02X", plain ? *c : (unsigned char)*c);
  }
}

static json_t *artifact_of(const sarif *s, uint32_t file) {
  const char *path = s->paths.names[file];
  buffer uri = {0};
  buffer_puts(&uri, path[0] == '/' ? "file://" : "");
  percent_encode(&uri, path);
  json_t *artifact = json_object();
  value_set(artifact, "uri", value_string(buffer_text(&uri)));
  if (path[0] != '/') {
    value_set(artifact, "uriBaseId", json_string(BASE));
  }
  buffer_free(&uri);
  return artifact;
}

json_t *sarif_region(uint32_t line, uint32_t column, uint32_t end_line, uint32_t end_column) {
  json_t *region = json_object();
  value_set(region, "startLine", json_integer(line));
  value_set(region, "startColumn", json_integer(column));
  value_set(region, "endLine", json_integer(end_line));
  value_set(region, "endColumn", json_integer(end_column));
  return region;
}

json_t *sarif_location(const sarif *s, uint32_t file, json_t *region) {
  json_t *physical = json_object();
  value_set(physical, "artifactLocation", artifact_of(s, file));
  value_set(physical, "region", region);
  json_t *location = json_object();
  value_set(location, "physicalLocation", physical);
  return location;
}

json_t *sarif_line_location(const sarif *s, uint32_t file, uint32_t line, buffer *words) {
  uint32_t first = 1;
  uint32_t end = 1;
  line = line == 0 ? 1 : line;
  const place_line text = place_line_of(&s->v->files[file], line);
  if (text.text != NULL) {
    place_extent(&text, &first, &end);
  }
  json_t *location = sarif_location(s, file, sarif_region(line, first, line, end));
  value_set(location, "message", sarif_message_of(words));
  return location;
}

json_t *sarif_point_location(const sarif *s, uint32_t file, uint32_t line, uint32_t column, buffer *words) {
  const model_file *f = &s->v->files[file];
  const place_line text = place_line_of(f, line);
  if (text.text == NULL || column == 0 || column > text.length) {
    return sarif_line_location(s, file, line, words);
  }
  const uint32_t unit = place_column(f, column, (uint32_t)(text.text - f->text) + column - 1);
  json_t *location = sarif_location(s, file, sarif_region(line, unit, line, unit + 1));
  value_set(location, "message", sarif_message_of(words));
  return location;
}

/* --- flows --------------------------------------------------------------------------------------------------- */

json_t *sarif_step(json_t *location) {
  json_t *step = json_object();
  value_set(step, "location", location);
  return step;
}

json_t *sarif_one_flow(json_t *flows, buffer *words) {
  json_t *flow = json_object();
  value_set(flow, "message", sarif_message_of(words));
  value_set(flow, "threadFlows", flows);
  json_t *list = json_array();
  value_add(list, flow);
  return list;
}
