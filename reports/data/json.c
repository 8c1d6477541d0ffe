/* The JSON report: a stable contract (docs/schema.json). */
#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "reports/common/json_stream.h"
#include "reports/common/json_value.h"
#include "reports/common/mcdc.h"
#include "reports/common/writers.h"

#define SCHEMA 1

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
    {"condition", NULL, "condition"},
    {"mcdc", NULL, "mcdc"},
    {"loop-zero", "loop", "zero"},
    {"loop-one", "loop", "one"},
    {"loop-many", "loop", "many"},
    {"loop-boundary", "loop", "boundary"},
    {"barrier", NULL, "barrier"},
};

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
        value_set(object, places[i].group, in);
      }
    }
    value_set(in, places[i].key, value_ratio(&r));
  }
  return object;
}

/* --- the parts of the report -------------------------------------------------------------------------------- */

static json_t *tool_of(const view *v) {
  json_t *tool = json_object();
  value_set(tool, "name", json_string("cltestcheck"));
  value_set(tool, "version", value_string(v->version));
  return tool;
}

static json_t *run_of(const view *v, const report_options *options) {
  json_t *run = json_object();
  value_set(run, "id", json_integer(v->run));
  value_set(run, "command", value_string(v->command));
  value_set(run, "device", value_string(v->device));
  value_set(run, "exit", json_integer(options->exit));
  value_set(run, "started", value_string(v->started));
  json_t *ids = json_array();
  for (size_t i = 0; i < v->run_count; i++) {
    value_add(ids, json_integer(v->runs[i].id));
  }
  value_set(run, "runs", ids);
  return run;
}

static void write_kernels(json_stream *to, const view *v, const report_options *options) {
  bool covered = report_covered(v);
  json_stream_array(to, "kernels");
  for (size_t i = 0; i < v->kernel_count; i++) {
    const view_kernel *k = &v->kernels[i];
    if (!report_selects(options, k->name)) {
      continue;
    }
    coverage c;
    coverage_kernel(v, k, &c);
    json_t *kernel = json_object();
    value_set(kernel, "name", value_string(k->name));
    value_set(kernel, "file", value_file(v, v->functions[k->function].file));
    value_set(kernel, "line", json_integer(v->functions[k->function].line));
    value_set(kernel, "launches", covered ? json_integer((json_int_t)k->launches) : json_null());
    value_set(kernel, "test_cases", covered ? json_integer(k->tests) : json_null());
    value_set(kernel, "coverage", covered ? coverage_of(&c) : json_null());
    json_stream_item(to, kernel);
  }
  json_stream_close(to);
}

static json_t *pattern_of(const char *pattern) { return pattern == NULL ? json_null() : value_string(pattern); }

static void write_suppressions(json_stream *to, const view *v) {
  json_stream_array(to, "suppressions");
  for (size_t i = 0; i < v->suppression_count; i++) {
    const view_suppression *s = &v->suppressions[i];
    json_t *suppression = json_object();
    value_set(suppression, "rule", pattern_of(s->rule));
    value_set(suppression, "kernel", pattern_of(s->kernel));
    value_set(suppression, "line", pattern_of(s->line));
    value_set(suppression, "reason", value_string(s->reason == NULL ? "" : s->reason));
    value_set(suppression, "count", json_integer((json_int_t)s->count));
    json_stream_item(to, suppression);
  }
  json_stream_close(to);
}

static json_t *refused_of(const view *v) {
  json_t *refused = json_array();
  for (size_t i = 0; i < v->refused_count; i++) {
    const db_refused *r = &v->refused[i];
    json_t *call = json_object();
    value_set(call, "call", value_string(r->call));
    value_set(call, "kernel", value_string(r->kernel));
    value_set(call, "error", value_string(r->error));
    value_set(call, "detail", value_string(r->detail));
    value_set(call, "count", json_integer((json_int_t)r->count));
    value_add(refused, call);
  }
  return refused;
}

static json_t *skipped_of(const view *v) {
  json_t *skipped = json_array();
  for (size_t i = 0; i < v->skipped_count; i++) {
    json_t *program = json_object();
    value_set(program, "program", value_string(v->skipped[i].program));
    value_set(program, "reason", value_string(v->skipped[i].reason));
    value_add(skipped, program);
  }
  return skipped;
}

static json_t *test_cases_of(const view *v) {
  bool covered = report_covered(v);
  json_t *test_cases = json_array();
  for (size_t i = 0; i < v->test_case_count; i++) {
    const view_test_case *t = &v->test_cases[i];
    json_t *test_case = json_object();
    value_set(test_case, "suite", value_string(t->suite));
    value_set(test_case, "name", value_string(t->name));
    value_set(test_case, "command", value_string(t->command_line));
    value_set(test_case, "exit", t->status < 0 ? json_null() : json_integer(t->status));
    value_set(test_case, "timed_out", json_boolean(t->timed_out));
    value_set(test_case, "launches", covered ? json_integer((json_int_t)t->launches) : json_null());
    value_set(test_case, "lines", covered ? json_integer(t->lines) : json_null());
    value_set(test_case, "branches", covered ? json_integer(t->branches) : json_null());
    value_add(test_cases, test_case);
  }
  return test_cases;
}

static json_t *missed_item(const view *v, uint32_t file, uint32_t line, const char *kind, const char *outcome) {
  json_t *item = json_object();
  value_set(item, "file", value_file(v, file));
  value_set(item, "line", json_integer(line));
  value_set(item, "kind", json_string(kind));
  value_set(item, "outcome", value_string(outcome));
  return item;
}

static void add_missed(const view *v, const model_site *s, const char *kind, const char *outcome, json_stream *to) {
  json_t *item = missed_item(v, s->file, s->line, kind, outcome);
  value_set(item, "column", json_integer(s->column));
  json_stream_item(to, item);
}

/* Of a decision not the ways through it count but the conditions. */
static void add_missed_conditions(const view *v, const model_site *s, json_stream *to) {
  mcdc m;
  mcdc_read(s, &m);
  for (size_t i = 0; i < m.count; i++) {
    if (!m.conditions[i].shown) {
      buffer outcome = {0};
      buffer_printf(&outcome, "condition %zu of %zu: ", i + 1, m.count);
      mcdc_needs(&m, &m.conditions[i], &outcome);
      add_missed(v, s, "mcdc", buffer_text(&outcome), to);
      buffer_free(&outcome);
    }
  }
}

/* Every outcome of a site that was not taken, then every line that was not executed. */
static void write_missed(json_stream *to, const view *v, const report_options *options) {
  json_stream_array(to, "missed");
  bool *reported = report_functions(v, options);
  bool everything = report_everything(options);
  bool covered = report_covered(v);
  for (size_t i = 0; covered && i < v->site_count; i++) {
    const model_site *s = &v->sites[i];
    bool counts = s->kind != SITE_REGION && report_has(reported, everything, s->function);
    if (counts && s->kind == SITE_DECISION) {
      add_missed_conditions(v, s, to);
      continue;
    }
    for (size_t k = 0; counts && k < s->outcome_count; k++) {
      if (s->outcomes[k].tests == 0) {
        add_missed(v, s, site_kind_name(s->kind), s->outcomes[k].label, to);
      }
    }
  }
  for (size_t i = 0; covered && i < v->line_count; i++) {
    const view_line *l = &v->lines[i];
    if (l->tests == 0 && report_has(reported, everything, l->function)) {
      json_stream_item(to, missed_item(v, l->file, l->line, "line", "executed"));
    }
  }
  json_stream_close(to);
  free(reported);
}

int json_write(const view *v, const report_options *options, FILE *out, error *e) {
  coverage total;
  coverage_total(v, options, &total);
  json_stream report;
  json_stream_begin(&report, out);
  json_stream_value(&report, "schema", json_integer(SCHEMA));
  json_stream_value(&report, "tool", tool_of(v));
  json_stream_value(&report, "run", run_of(v, options));
  json_stream_value(&report, "coverage", report_covered(v) ? coverage_of(&total) : json_null());
  write_kernels(&report, v, options);
  value_findings(&report, v, options);
  write_suppressions(&report, v);
  json_stream_value(&report, "skipped", skipped_of(v));
  json_stream_value(&report, "refused", refused_of(v));
  json_stream_value(&report, "test_cases", test_cases_of(v));
  write_missed(&report, v, options);
  value_mutation(&report, v, options);
  value_amplification(&report, v, options);
  value_races(&report, v, options);
  value_memory(&report, v, options);
  value_verification(&report, v, options);
  value_repairs(&report, v);
  return json_stream_end(&report, e);
}
