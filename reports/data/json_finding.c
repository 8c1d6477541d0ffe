/* The findings of the JSON report, with places, witness and path. */
#include <stdlib.h>

#include "reports/common/json_value.h"
#include "reports/common/verification.h"

static void set_point(json_t *to, const view *v, uint32_t file, uint32_t line, uint32_t column) {
  value_set(to, "file", value_file(v, file));
  value_set(to, "line", json_integer(line));
  value_set(to, "column", json_integer(column));
}

/* "3,0,0" as a list of numbers. */
static json_t *id_of(const char *text) {
  json_t *id = json_array();
  const char *at = text;
  while (*at != '\0') {
    char *end = NULL;
    value_add(id, json_integer(strtoll(at, &end, 10)));
    at = *end == ',' ? end + 1 : "";
  }
  return id;
}

static json_t *inlined_of(const view *v, const view_place *p) {
  json_t *list = json_array();
  for (size_t i = 0; i < p->inlined_count; i++) {
    json_t *call = json_object();
    set_point(call, v, p->inlined[i].file, p->inlined[i].line, p->inlined[i].column);
    value_add(list, call);
  }
  return list;
}

static json_t *places_of(const view *v, const view_finding *f) {
  json_t *list = json_array();
  for (size_t i = 0; i < f->place_count; i++) {
    const view_place *p = &f->places[i];
    json_t *place = json_object();
    value_set(place, "role", value_string(p->role));
    set_point(place, v, p->file, p->line, p->column);
    if (p->access[0] != '\0') {
      value_set(place, "access", value_string(p->access));
    }
    if (p->local[0] != '\0') {
      value_set(place, "local", id_of(p->local));
    }
    if (p->group[0] != '\0') {
      value_set(place, "group", id_of(p->group));
    }
    if (p->condition[0] != '\0') {
      value_set(place, "condition", value_string(p->condition));
    }
    if (p->inlined_count > 0) {
      value_set(place, "inlined", inlined_of(v, p));
    }
    value_add(list, place);
  }
  return list;
}

static json_t *witness_of(const view_finding *f) {
  json_t *witness = json_array();
  for (size_t i = 0; i < f->witness_count; i++) {
    json_t *part = json_object();
    value_set(part, "what", value_string(f->witness[i].what));
    value_set(part, "value", value_string(f->witness[i].value));
    value_add(witness, part);
  }
  return witness;
}

static json_t *path_of(const view *v, const view_finding *f) {
  json_t *path = json_array();
  for (size_t i = 0; i < f->path_count; i++) {
    const view_step *s = &f->path[i];
    json_t *step = json_object();
    value_set(step, "thread", json_integer(s->thread));
    set_point(step, v, s->file, s->line, s->column);
    value_set(step, "text", value_string(s->text));
    value_add(path, step);
  }
  return path;
}

/* What only findings of proofs have. */
static void set_proof(json_t *finding, const view *v, const view_finding *f) {
  if (f->confirmed != CONFIRMED_UNKNOWN) {
    value_set(finding, "confirmed", json_string(finding_confirmed_name(f->confirmed)));
    value_set(finding, "confirmation", value_string(f->confirmation));
  }
  value_set(finding, "path", path_of(v, f));
}

/* Those that nothing suppresses. */
void value_findings(json_stream *report, const view *v, const report_options *options) {
  json_stream_array(report, "findings");
  for (size_t i = 0; i < v->finding_count; i++) {
    const view_finding *f = &v->findings[i];
    if (f->suppressed != NULL || !report_selects(options, f->kernel)) {
      continue;
    }
    json_t *finding = json_object();
    value_set(finding, "id", json_integer(f->id));
    value_set(finding, "rule", value_string(f->rule));
    value_set(finding, "kernel", value_string(f->kernel));
    value_set(finding, "file", value_file(v, f->file));
    value_set(finding, "line", f->file == MODEL_NONE ? json_null() : json_integer(f->line));
    value_set(finding, "message", value_string(f->message));
    value_set(finding, "places", places_of(v, f));
    value_set(finding, "witness", witness_of(f));
    if (verification_shows(f)) {
      value_set(finding, "definite", json_boolean(!f->possible));
    }
    if (f->proved) {
      set_proof(finding, v, f);
    }
    json_stream_item(report, finding);
  }
  json_stream_close(report);
}
