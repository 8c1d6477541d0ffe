/* A comparison as text, JSON and Markdown. */
#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "base/utf8.h"
#include "reports/common/json.h"
#include "reports/common/markup.h"
#include "reports/common/report.h"
#include "reports/common/verification.h"
#include "reports/compare/diff.h"

#define SCHEMA 1
#define SHOWN 20 /* of a list */

/* --- words --------------------------------------------------------------------------------------------------- */

static const struct {
  const char *name, *plural, *worse, *better;
} words[DIFF_KINDS] = {
    [DIFF_FINDING] = {"finding", "findings", "Newly found", "No longer found"},
    [DIFF_LINE] = {"line", "lines", "Lines newly missed", "Lines newly covered"},
    [DIFF_OUTCOME] = {"outcome", "outcomes", "Outcomes newly missed", "Outcomes newly covered"},
    [DIFF_MUTANT] = {"mutant", "mutants", "Mutants newly not noticed", "Mutants newly killed"},
    [DIFF_PROOF] = {"proof", "proofs", "Kernels newly not verified", "Kernels newly verified"},
};

static double points(const ratio *r) { return r->total == 0 ? 0 : 100.0 * (double)r->covered / (double)r->total; }

/* In percentage points; false: one of the two has nothing to cover. */
static bool change_of(const diff_metric *m, double *change) {
  *change = points(&m->new) - points(&m->old);
  return m->old.total > 0 && m->new.total > 0;
}

/* ": scan: race, was verified: 30 s were not enough". */
static void proof_text(const diff_entry *e, buffer *to) {
  scoped_buffer basis = {0};
  verification_basis(e->proof, &basis);
  buffer_printf(to, "%s%s: %s", e->file == MODEL_NONE ? "" : ": ", e->proof->name,
                proof_verdict_name(proof_verdict_of(e->proof)));
  if (e->was != NULL) buffer_printf(to, ", was %s", proof_verdict_name(proof_verdict_of(e->was)));
  buffer_printf(to, "%s%s", basis.length == 0 ? "" : ": ", buffer_text(&basis));
}

/* "src/conv.cl:6: if: false", "src/conv.cl:13". */
static void entry_text(const diff_entry *e, const report_options *options, buffer *to) {
  if (e->file != MODEL_NONE) buffer_printf(to, "%s:%u", e->v->files[e->file].name, e->line);
  if (e->outcome != NULL) {
    buffer_printf(to, ": %s: %s", site_kind_name(e->site->kind), e->outcome);
  } else if (e->mutant != NULL) {
    buffer_printf(to, ": %s: ", e->mutant->operator_name);
    mutation_describe(e->mutant, to);
    buffer_printf(to, " (mutant %u, %s)", e->mutant->id, mutant_status_name(e->mutant->status));
  } else if (e->proof != NULL) {
    proof_text(e, to);
  } else if (e->issue != NULL) {
    buffer_puts(to, e->file == MODEL_NONE ? "" : ": ");
    issue_title(e->issue, to);
    buffer_puts(to, ": ");
    issue_message(e->v, options, e->issue, to);
  }
  if (e->fresh && e->issue == NULL) buffer_puts(to, " (new)");
}

/* "1 finding, 3 lines"; nothing when all are 0. */
static void count_text(const size_t *counts, buffer *to) {
  for (size_t i = 0; i < DIFF_KINDS; i++) {
    if (counts[i] > 0) {
      buffer_printf(to, "%s%zu %s", to->length == 0 ? "" : ", ", counts[i],
                    counts[i] == 1 ? words[i].name : words[i].plural);
    }
  }
}

static void summary_text(const diff *d, buffer *to) {
  scoped_buffer worse = {0}, better = {0};
  count_text(d->worse, &worse);
  count_text(d->better, &better);
  buffer_printf(to, "Worse: %s. Better: %s.", worse.length == 0 ? "nothing" : buffer_text(&worse),
                better.length == 0 ? "nothing" : buffer_text(&better));
}

/* What one of the two has not measured, or both. */
static void missing_text(const diff *d, buffer *to) {
  const struct {
    bool compared;
    const char *what;
  } parts[] = {
      {d->coverage, "coverage"},
      {d->mutation, "mutants"},
      {d->schedules, "schedules"},
      {d->verification || (!verification_is(d->old) && !verification_is(d->new)), "proofs"},
  };
  for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++)
    if (!parts[i].compared)
      buffer_printf(to, "%s%s", to->length == 0 ? "Not compared, as not both have it: " : ", ", parts[i].what);
}

/* --- text ---------------------------------------------------------------------------------------------------- */

static void put_line(report_out *out, const char *indent, const char *text) {
  scoped_buffer clean = {0};
  utf8_line(&clean, text, strlen(text));
  report_put(out, "%s%s\n", indent, buffer_text(&clean));
}

static void text_metrics(const diff *d, report_out *out) {
  report_put(out, d->metric_count > 0 ? "\nMetric              before      after   points\n" : "");
  for (size_t i = 0; i < d->metric_count; i++) {
    const diff_metric *m = &d->metrics[i];
    double change = 0;
    report_put(out, "%-15s%11s%11s", m->name, report_percent(out, &m->old), report_percent(out, &m->new));
    if (change_of(m, &change) && m->old.covered * m->new.total != m->new.covered * m->old.total)
      report_put(out, "%+9.1f", change);
    report_put(out, "\n");
  }
}

static bool in_list(const diff_entry *e, size_t kind, bool worse) { return e->kind == kind && e->worse == worse; }

static void text_list(const diff *d, const report_options *options, size_t kind, bool worse, report_out *out) {
  size_t all = worse ? d->worse[kind] : d->better[kind];
  size_t most = options->show_missed ? all : SHOWN;
  size_t shown = 0;
  if (all > 0) report_put(out, "\n%s: %zu\n", worse ? words[kind].worse : words[kind].better, all);
  for (size_t i = 0; i < d->count && shown < most; i++) {
    if (in_list(&d->entries[i], kind, worse)) {
      scoped_buffer text = {0};
      entry_text(&d->entries[i], options, &text);
      put_line(out, "  ", buffer_text(&text));
      shown++;
    }
  }
  if (all > shown) report_put(out, "  " UTF8_ELLIPSIS " %zu more (--show-missed)\n", all - shown);
}

static int diff_text(const diff *d, const report_options *options, FILE *file, error *e) {
  report_out to = {.file = file}, *out = &to;
  scoped_buffer line = buffer_with("From %s to %s", d->old_name, d->new_name);
  put_line(out, "", buffer_text(&line));
  buffer_free(&line);
  text_metrics(d, out);
  for (size_t kind = 0; kind < DIFF_KINDS; kind++) {
    text_list(d, options, kind, true, out);
    text_list(d, options, kind, false, out);
  }
  report_put(out, "\n");
  missing_text(d, &line);
  if (line.length > 0) put_line(out, "", buffer_text(&line));
  buffer_free(&line);
  summary_text(d, &line);
  put_line(out, "", buffer_text(&line));
  return report_close(out, e);
}

/* --- markdown ------------------------------------------------------------------------------------------------ */

static void markdown_metrics(const diff *d, report_out *out) {
  report_put(out, d->metric_count > 0 ? "\n| metric | before | after | points |\n|---|--:|--:|--:|\n" : "");
  for (size_t i = 0; i < d->metric_count; i++) {
    const diff_metric *m = &d->metrics[i];
    double change = 0;
    report_put(out, "| %s | %s | %s |", m->name, report_percent(out, &m->old), report_percent(out, &m->new));
    const bool known = change_of(m, &change);
    report_put(out, known ? " %+.1f |\n" : " |\n", change);
  }
}

static void markdown_list(const diff *d, const report_options *options, size_t kind, bool worse, report_out *out) {
  size_t all = worse ? d->worse[kind] : d->better[kind];
  size_t shown = 0;
  if (all == 0) return;
  report_put(out, "\n<details%s><summary>%s: %zu</summary>\n\n", worse ? " open" : "",
             worse ? words[kind].worse : words[kind].better, all);
  for (size_t i = 0; i < d->count && shown < SHOWN; i++) {
    if (in_list(&d->entries[i], kind, worse)) {
      scoped_buffer text = {0};
      entry_text(&d->entries[i], options, &text);
      report_put(out, "- %s\n", markdown_text(out, buffer_text(&text)));
      shown++;
    }
  }
  if (all > shown) report_put(out, "- %zu more\n", all - shown);
  report_put(out, "\n</details>\n");
}

static int diff_markdown(const diff *d, const report_options *options, FILE *file, error *e) {
  report_out to = {.file = file}, *out = &to;
  scoped_buffer line = buffer_with("From %s to %s. ", d->old_name, d->new_name);
  summary_text(d, &line);
  report_put(out, "## cltestcheck: what changed\n\n%s\n", markdown_text(out, buffer_text(&line)));
  buffer_free(&line);
  markdown_metrics(d, out);
  for (size_t kind = 0; kind < DIFF_KINDS; kind++) {
    markdown_list(d, options, kind, true, out);
    markdown_list(d, options, kind, false, out);
  }
  missing_text(d, &line);
  if (line.length > 0) report_put(out, "\n%s.\n", buffer_text(&line));
  return report_close(out, e);
}

/* --- json ---------------------------------------------------------------------------------------------------- */

static json_t *side_of(const view *v, const char *name) {
  return value_object({"name", value_string(name)}, {"run", json_integer(v->run)},
                      {"started", value_string(v->started)});
}

static json_t *metrics_of(const diff *d) {
  json_t *metrics = json_array();
  for (size_t i = 0; i < d->metric_count; i++) {
    const diff_metric *m = &d->metrics[i];
    double change = 0;
    bool known = change_of(m, &change);
    value_add(metrics,
              value_object({"metric", value_string(m->name)}, {"old", value_ratio(&m->old)},
                           {"new", value_ratio(&m->new)}, {"points", known ? json_real(change) : json_null()}));
  }
  return metrics;
}

static json_t *counts_of(const size_t *counts) {
  json_t *object = json_object();
  for (size_t i = 0; i < DIFF_KINDS; i++) value_set(object, words[i].plural, json_integer((json_int_t)counts[i]));
  return object;
}

static json_t *verdict_of(const db_proof *p) { return json_string(proof_verdict_name(proof_verdict_of(p))); }

static json_t *entry_of(const diff_entry *e, const report_options *options) {
  scoped_buffer text = {0};
  json_t *more = NULL;
  json_t *entry = value_object({"kind", json_string(words[e->kind].name)},
                               {"change", json_string(e->worse ? "worse" : "better")}, {"new", json_boolean(e->fresh)},
                               {"file", value_file(e->v, e->file)}, {"line", value_line(e->file, e->line)});
  if (e->outcome != NULL) {
    more = value_object({"column", json_integer(e->site->column)}, {"site", json_string(site_kind_name(e->site->kind))},
                        {"outcome", value_string(e->outcome)});
  } else if (e->mutant != NULL) {
    const db_mutant *m = e->mutant;
    more = value_object({"mutant", json_integer(m->id)}, {"operator", value_string(m->operator_name)},
                        {"original", value_string(m->original)}, {"replacement", value_string(m->replacement)},
                        {"status", json_string(mutant_status_name(m->status))});
  } else if (e->proof != NULL) {
    more = value_object({"kernel", value_string(e->proof->name)}, {"verdict", verdict_of(e->proof)},
                        {"was", e->was == NULL ? json_null() : verdict_of(e->was)});
  } else if (e->issue != NULL) {
    issue_message(e->v, options, e->issue, &text);
    more = value_object({"rule", value_string(e->issue->rule)}, {"kernel", value_string(e->issue->kernel)},
                        {"message", value_string(buffer_text(&text))});
  }
  if (more != NULL) (void)json_object_update_new(entry, more);
  return entry;
}

static int diff_json(const diff *d, const report_options *options, FILE *out, error *e) {
  json_stream s;
  json_stream_begin(&s, out);
  json_stream_value(&s, "schema", json_integer(SCHEMA));
  json_stream_value(&s, "tool", json_pack("{ssss}", "name", "cltestcheck", "version", CLTC_VERSION));
  json_stream_value(&s, "old", side_of(d->old, d->old_name));
  json_stream_value(&s, "new", side_of(d->new, d->new_name));
  json_stream_value(&s, "exit", json_integer(options->exit));
  json_stream_value(&s, "compared",
                    json_pack("{sbsbsbsb}", "coverage", d->coverage, "mutants", d->mutation, "schedules", d->schedules,
                              "proofs", d->verification));
  json_stream_value(&s, "metrics", metrics_of(d));
  json_stream_value(&s, "worse", counts_of(d->worse));
  json_stream_value(&s, "better", counts_of(d->better));
  json_stream_array(&s, "entries");
  for (size_t i = 0; i < d->count; i++) json_stream_item(&s, entry_of(&d->entries[i], options));
  json_stream_close(&s);
  return json_stream_end(&s, e);
}

const diff_writer diff_writers[] = {
    {"text", diff_text}, {"json", diff_json}, {"markdown", diff_markdown}, {NULL, NULL}};

const diff_writer *diff_find(const char *name) {
  for (const diff_writer *w = diff_writers; w->name != NULL; w++)
    if (strcmp(w->name, name) == 0) return w;
  return NULL;
}