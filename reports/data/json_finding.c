/* The findings of the JSON report, with places, witness and path. */
#include <stdlib.h>
#include <string.h>

#include "reports/common/json_value.h"
#include "reports/common/verification.h"
#include "reports/words/finding_words.h"

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

static json_t *inlined_of(const view *v, const db_place *p) {
  json_t *list = json_array();
  for (size_t i = 0; i < p->inlined_count; i++) {
    json_t *call = json_object();
    set_point(call, v, p->inlined[i].file, p->inlined[i].line, p->inlined[i].column);
    value_add(list, call);
  }
  return list;
}

static void set_text(json_t *to, const char *key, const char *text) {
  if (text != NULL && text[0] != '\0') {
    value_set(to, key, value_string(text));
  }
}

static void set_id(json_t *to, const char *key, const char *id) {
  if (id != NULL && id[0] != '\0') {
    value_set(to, key, id_of(id));
  }
}

static json_t *places_of(const view *v, const db_finding *f) {
  json_t *list = json_array();
  for (size_t i = 0; i < f->place_count; i++) {
    const db_place *p = &f->places[i];
    json_t *place = json_object();
    value_set(place, "role", value_string(p->role));
    set_point(place, v, p->file, p->line, p->column);
    set_text(place, "how", p->how);
    set_text(place, "who", p->who);
    set_text(place, "access", p->access);
    set_id(place, "local", p->local);
    set_id(place, "group", p->group);
    set_text(place, "condition", p->condition);
    if (p->inlined_count > 0) {
      value_set(place, "inlined", inlined_of(v, p));
    }
    value_add(list, place);
  }
  return list;
}

static void add_part(void *list, finding_part_kind kind, const char *what, const char *value) {
  json_t *part = json_object();
  (void)kind;
  value_set(part, "what", value_string(what));
  value_set(part, "value", value_string(value));
  value_add(list, part);
}

static json_t *witness_of(const db_finding *f) {
  const told_finding told = finding_told(f);
  json_t *witness = json_array();
  finding_parts(&told, add_part, witness);
  return witness;
}

static json_t *message_of(const view *v, const db_finding *f) {
  buffer text = {0};
  finding_message(v, f, &text);
  json_t *message = value_string(buffer_text(&text));
  buffer_free(&text);
  return message;
}

static json_t *path_of(const view *v, const db_finding *f) {
  json_t *path = json_array();
  for (size_t i = 0; i < f->path_count; i++) {
    const db_step *s = &f->path[i];
    json_t *step = json_object();
    value_set(step, "thread", json_integer(s->thread));
    set_point(step, v, s->file, s->line, s->column);
    value_set(step, "text", value_string(s->text));
    value_add(path, step);
  }
  return path;
}

/* --- the record ------------------------------------------------------------------------------------------------- */

static void set_number(json_t *to, const char *key, db_number n) {
  if (n.known) {
    value_set(to, key, json_integer((json_int_t)n.value));
  }
}

/* The memory that it is about; null: none is known. */
static json_t *object_of(const db_detail *d) {
  if (d->space[0] == '\0' && d->object[0] == '\0') {
    return json_null();
  }
  json_t *object = json_object();
  value_set(object, "name", d->object[0] == '\0' ? json_null() : value_string(d->object));
  set_text(object, "space", d->space);
  set_number(object, "size", d->size);
  set_number(object, "element", d->element);
  set_number(object, "element_size", d->element_size);
  set_number(object, "byte", d->byte);
  set_id(object, "pixel", d->pixel);
  return object;
}

static json_t *arguments_of(const db_finding *f) {
  json_t *list = json_array();
  for (size_t i = 0; i < f->witness_count; i++) {
    const db_witness *w = &f->witness[i];
    if (strcmp(w->kind, "argument") == 0 || strcmp(w->kind, "content") == 0) {
      json_t *value = json_object();
      value_set(value, "name", value_string(w->what));
      set_number(value, "element", w->element);
      value_set(value, "value", value_string(w->value));
      value_add(list, value);
    }
  }
  return list;
}

/* How it is known: seen in a launch, or proved, with what both need to be seen again. */
static json_t *evidence_of(const view *v, const db_finding *f) {
  const db_detail *d = &f->detail;
  json_t *evidence = json_object();
  value_set(evidence, "kind", json_string(f->proved ? "proved" : "seen"));
  value_set(evidence, "id", json_integer(f->id));
  set_number(evidence, "launch", d->launch);
  set_number(evidence, "launches", d->launches);
  set_number(evidence, "count", d->count);
  set_number(evidence, "barriers", d->barriers);
  set_number(evidence, "value_size", d->value_size);
  set_number(evidence, "value_before", d->value_before);
  set_number(evidence, "value_after", d->value_after);
  set_number(evidence, "differing", d->differing);
  set_number(evidence, "items", d->items);
  set_id(evidence, "local_size", d->local_size);
  set_id(evidence, "groups", d->groups);
  set_id(evidence, "offset", d->offset);
  for (size_t i = 0; i < f->place_count; i++) {
    set_text(evidence, "decision", f->places[i].construct);
  }
  set_text(evidence, "call", d->call);
  set_text(evidence, "cause", d->cause);
  if (f->proved) {
    value_set(evidence, "definite", json_boolean(!f->possible));
    value_set(evidence, "values", arguments_of(f));
    value_set(evidence, "proof", f->proof == MODEL_NONE ? json_null() : value_string(v->proofs[f->proof].name));
  }
  return evidence;
}

static void set_record(json_t *finding, const view *v, const db_finding *f) {
  const db_finding *twin = verification_twin(v, f);
  json_t *evidence = json_array();
  value_add(evidence, evidence_of(v, f));
  if (twin != NULL) {
    value_add(evidence, evidence_of(v, twin));
  }
  value_set(finding, "object", object_of(&f->detail));
  value_set(finding, "evidence", evidence);
}

/* What only findings of proofs have. */
static void set_proof(json_t *finding, const view *v, const db_finding *f) {
  if (f->confirmed != CONFIRMED_UNKNOWN) {
    value_set(finding, "confirmed", json_string(finding_confirmed_name(f->confirmed)));
    value_set(finding, "confirmation", value_string(f->confirmation));
  }
  value_set(finding, "path", path_of(v, f));
}

/* The two commands of a race between commands. */
static json_t *commands_of(const db_finding *f) {
  json_t *list = json_array();
  for (size_t i = 0; i < f->command_count; i++) {
    const db_command *c = &f->commands[i];
    json_t *command = json_object();
    value_set(command, "function", value_string(c->function));
    set_text(command, "kernel", c->kernel);
    value_set(command, "number", json_integer(c->number));
    value_set(command, "queue", json_integer(c->queue));
    value_set(command, "in_order", json_boolean(c->in_order));
    value_set(command, "thread", c->thread == 0 ? json_null() : json_integer(c->thread));
    value_set(command, "memory", json_integer(c->memory));
    value_set(command, "access", value_string(c->access));
    set_text(command, "parameter", c->parameter);
    value_set(command, "mapped", json_boolean(c->mapped));
    value_set(command, "sure", json_boolean(c->sure));
    value_add(list, command);
  }
  return list;
}

static json_t *finding_of(const view *v, const db_finding *f) {
  const db_finding *proof = verification_proof(v, f);
  json_t *finding = json_object();
  value_set(finding, "id", json_integer(f->id));
  value_set(finding, "rule", value_string(f->rule));
  value_set(finding, "kernel", value_string(f->kernel));
  value_set(finding, "file", value_file(v, f->file));
  value_set(finding, "line", f->file == MODEL_NONE ? json_null() : json_integer(f->line));
  value_set(finding, "message", message_of(v, f));
  value_set(finding, "places", places_of(v, f));
  value_set(finding, "witness", witness_of(f));
  if (f->command_count > 0) {
    value_set(finding, "commands", commands_of(f));
  }
  set_record(finding, v, f);
  if (verification_shows(f)) {
    value_set(finding, "definite", json_boolean(!f->possible));
  }
  if (proof != NULL) {
    set_proof(finding, v, proof);
  }
  return finding;
}

/* Those that nothing suppresses; a race that was seen and proved is one. */
void value_findings(json_stream *report, const view *v, const report_options *options) {
  json_stream_array(report, "findings");
  for (size_t i = 0; i < v->finding_count; i++) {
    const db_finding *f = &v->findings[i];
    if (f->suppressed == NULL && report_selects(options, f->kernel) && verification_told_with(v, f) == NULL) {
      json_stream_item(report, finding_of(v, f));
    }
  }
  json_stream_close(report);
}
