/* The JSON report: a stable contract (docs/schema.json). */
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "reports/utf8.h"
#include "reports/writers.h"

#define SCHEMA 1

/* A JSON string; what is not UTF-8 becomes U+FFFD, as JSON cannot hold it. */
static json_t *string_of(const char *text) {
  buffer clean = {0};
  utf8_clean(&clean, text, strlen(text));
  json_t *s = json_stringn(buffer_text(&clean), clean.length);
  buffer_free(&clean);
  return s;
}

static void set(json_t *object, const char *key, json_t *value) { (void)json_object_set_new(object, key, value); }

static void append(json_t *array, json_t *value) { (void)json_array_append_new(array, value); }

/* A file's name, null for none. */
static json_t *file_of(const view *v, uint32_t file) {
  return file == MODEL_NONE ? json_null() : string_of(v->files[file].name);
}

/* --- coverage ----------------------------------------------------------------------------------------------- */

/* Where each metric stands: in the object itself or in one of two objects inside. */
static const struct {
  const char *metric, *group, *key;
} places[] = {
    {"kernel", NULL, "kernel"},
    {"function", NULL, "function"},
    {"line", NULL, "line"},
    {"branch", NULL, "branch"},
    {"if", "branch_by", "if"},
    {"switch", "branch_by", "switch"},
    {"conditional", "branch_by", "conditional"},
    {"loop-zero", "loop", "zero"},
    {"loop-one", "loop", "one"},
    {"loop-many", "loop", "many"},
    {"loop-boundary", "loop", "boundary"},
    {"barrier", NULL, "barrier"},
};

static json_t *ratio_of(const ratio *r) {
  json_t *object = json_object();
  set(object, "covered", json_integer((json_int_t)r->covered));
  set(object, "total", json_integer((json_int_t)r->total));
  return object;
}

static json_t *coverage_of(const coverage *c) {
  json_t *object = json_object();
  for (size_t i = 0; i < sizeof places / sizeof places[0]; i++) {
    ratio r;
    (void)coverage_get(c, places[i].metric, &r);
    json_t *in = object;
    if (places[i].group != NULL) {
      in = json_object_get(object, places[i].group);
      if (in == NULL) {
        in = json_object();
        set(object, places[i].group, in);
      }
    }
    set(in, places[i].key, ratio_of(&r));
  }
  return object;
}

/* --- the parts of the report -------------------------------------------------------------------------------- */

static json_t *tool_of(const view *v) {
  json_t *tool = json_object();
  set(tool, "name", json_string("cltestcheck"));
  set(tool, "version", string_of(v->version));
  return tool;
}

static json_t *run_of(const view *v, const report_options *options) {
  json_t *run = json_object();
  set(run, "id", json_integer(v->run));
  set(run, "command", string_of(v->command));
  set(run, "device", string_of(v->device));
  set(run, "exit", json_integer(options->exit));
  set(run, "started", string_of(v->started));
  return run;
}

static json_t *kernels_of(const view *v, const report_options *options) {
  json_t *kernels = json_array();
  for (size_t i = 0; i < v->kernel_count; i++) {
    const view_kernel *k = &v->kernels[i];
    if (!report_selects(options, k->name)) {
      continue;
    }
    coverage c;
    coverage_kernel(v, k, &c);
    json_t *kernel = json_object();
    set(kernel, "name", string_of(k->name));
    set(kernel, "file", file_of(v, v->functions[k->function].file));
    set(kernel, "line", json_integer(v->functions[k->function].line));
    set(kernel, "launches", json_integer((json_int_t)k->launches));
    set(kernel, "test_cases", json_integer(k->tests));
    set(kernel, "coverage", coverage_of(&c));
    append(kernels, kernel);
  }
  return kernels;
}

static json_t *findings_of(const view *v, const report_options *options) {
  json_t *findings = json_array();
  for (size_t i = 0; i < v->finding_count; i++) {
    const view_finding *f = &v->findings[i];
    if (!report_selects(options, f->kernel)) {
      continue;
    }
    json_t *finding = json_object();
    set(finding, "rule", string_of(f->rule));
    set(finding, "kernel", string_of(f->kernel));
    set(finding, "file", file_of(v, f->file));
    set(finding, "line", f->file == MODEL_NONE ? json_null() : json_integer(f->line));
    set(finding, "message", string_of(f->message));
    append(findings, finding);
  }
  return findings;
}

static json_t *skipped_of(const view *v) {
  json_t *skipped = json_array();
  for (size_t i = 0; i < v->skipped_count; i++) {
    json_t *program = json_object();
    set(program, "program", string_of(v->skipped[i].program));
    set(program, "reason", string_of(v->skipped[i].reason));
    append(skipped, program);
  }
  return skipped;
}

static json_t *test_cases_of(const view *v) {
  json_t *test_cases = json_array();
  for (size_t i = 0; i < v->test_case_count; i++) {
    const view_test_case *t = &v->test_cases[i];
    json_t *test_case = json_object();
    set(test_case, "suite", string_of(t->suite));
    set(test_case, "name", string_of(t->name));
    set(test_case, "command", string_of(t->command_line));
    set(test_case, "exit", t->status < 0 ? json_null() : json_integer(t->status));
    set(test_case, "timed_out", json_boolean(t->timed_out));
    append(test_cases, test_case);
  }
  return test_cases;
}

static json_t *missed_item(const view *v, uint32_t file, uint32_t line, const char *kind, const char *outcome) {
  json_t *item = json_object();
  set(item, "file", file_of(v, file));
  set(item, "line", json_integer(line));
  set(item, "kind", json_string(kind));
  set(item, "outcome", string_of(outcome));
  return item;
}

/* Every outcome of a site that was not taken, then every line that was not executed. */
static json_t *missed_of(const view *v, const report_options *options) {
  json_t *missed = json_array();
  bool *reported = report_functions(v, options);
  bool everything = report_everything(options);
  for (size_t i = 0; i < v->site_count; i++) {
    const view_site *s = &v->sites[i];
    bool counts = s->kind != SITE_REGION && report_has(reported, everything, s->function);
    for (size_t k = 0; counts && k < s->outcome_count; k++) {
      if (s->outcomes[k].tests == 0) {
        json_t *item = missed_item(v, s->file, s->line, site_kind_name(s->kind), s->outcomes[k].label);
        set(item, "column", json_integer(s->column));
        append(missed, item);
      }
    }
  }
  for (size_t i = 0; i < v->line_count; i++) {
    const view_line *l = &v->lines[i];
    if (l->tests == 0 && report_has(reported, everything, l->function)) {
      append(missed, missed_item(v, l->file, l->line, "line", "executed"));
    }
  }
  free(reported);
  return missed;
}

int json_write(const view *v, const report_options *options, FILE *out, error *e) {
  coverage total;
  coverage_total(v, options, &total);
  json_t *report = json_object();
  set(report, "schema", json_integer(SCHEMA));
  set(report, "tool", tool_of(v));
  set(report, "run", run_of(v, options));
  set(report, "coverage", coverage_of(&total));
  set(report, "kernels", kernels_of(v, options));
  set(report, "findings", findings_of(v, options));
  set(report, "skipped", skipped_of(v));
  set(report, "test_cases", test_cases_of(v));
  set(report, "missed", missed_of(v, options));
  int result = json_dumpf(report, out, JSON_INDENT(2) | JSON_PRESERVE_ORDER);
  json_decref(report);
  if (result != 0 || fputc('\n', out) == EOF) {
    return error_set(e, EXIT_INTERNAL, "the JSON report could not be written; check that there is room where it goes");
  }
  return report_written(out, e);
}
