/* Reports are about runs, kernels and functions: which these are; findings of races and memory counted; writing. */
#include "reports/common/report.h"

#include <assert.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/names.h"
#include "reports/common/amplification.h"
#include "reports/common/mutation.h"
#include "reports/common/verification.h"

/* Counting findings of `cltestcheck memory`. */

bool memory_is(const view *v) { return report_has_run(v, "memory"); }

bool memory_knows(const char *rule) {
  const memory_rule_row *r = memory_rule_find(rule, strlen(rule));
  return r != NULL && r->member != NULL;
}

bool memory_saw(const db_finding *f) {
  return !f->proved && f->place_count == 1 && strcmp(f->places[0].role, "access") == 0;
}

static bool is_of(const db_finding *f, const char *rule) {
  return rule == NULL ? memory_knows(f->rule) : strcmp(rule, f->rule) == 0;
}

size_t memory_count(const view *v, const report_options *options, const char *kernel, const char *rule) {
  size_t count = 0;
  for (size_t i = 0; i < v->finding_count; i++) {
    const db_finding *f = &v->findings[i];
    const bool meant = kernel == NULL ? report_selects(options, f->kernel) : strcmp(kernel, f->kernel) == 0;
    count += meant && f->suppressed == NULL && !f->proved && is_of(f, rule) ? 1 : 0;
  }
  return count;
}

/* Counting findings of `cltestcheck races`. */

bool races_are(const view *v) { return report_has_run(v, "races"); }

bool races_is_benign(const db_finding *f) { return strcmp(f->rule, "benign-race") == 0; }

bool races_saw(const db_finding *f) {
  return !f->proved && f->place_count > 0 && (strcmp(f->rule, "data-race") == 0 || races_is_benign(f));
}

race_counts races_count(const view *v, const report_options *options, const char *kernel) {
  race_counts n = {0};
  for (size_t i = 0; i < v->finding_count; i++) {
    const db_finding *f = &v->findings[i];
    const bool meant = kernel == NULL ? report_selects(options, f->kernel) : strcmp(kernel, f->kernel) == 0;
    if (!meant || f->suppressed != NULL || f->proved) continue;
    n.race += strcmp(f->rule, "data-race") == 0 ? 1 : 0;
    n.benign += races_is_benign(f) ? 1 : 0;
    n.divergence += strstr(f->rule, "divergence") != NULL ? 1 : 0;
  }
  return n;
}

/* Reading patches: which lines they are about. */

static const struct {
  const char *outcome, *words;
} outcomes[] = {{"fine", "nothing to repair"},
                {"repaired", "repaired"},
                {"part", "repaired in part"},
                {"remains", "not repaired"},
                {"refused", "patch not offered"}};

bool repairs_are(const view *v) { return v->repair_count > 0 || report_has_run(v, "repair"); }

const char *repair_words(const db_repair *r) {
  for (size_t i = 0; i < sizeof outcomes / sizeof *outcomes; i++)
    if (strcmp(outcomes[i].outcome, r->outcome) == 0) return outcomes[i].words;
  return r->outcome;
}

const char *repair_line(const char **at, size_t *length) {
  const char *line = *at;
  if (line[0] == '\0') return NULL;
  const size_t all = strcspn(line, "\n");
  *at = line + all + (line[all] == '\n' ? 1 : 0);
  *length = all > 0 && line[all - 1] == '\r' ? all - 1 : all;
  return line;
}

bool repair_touches(const db_repair *r, uint32_t line) {
  const char *at = r->patch, *one = NULL;
  size_t length = 0;
  unsigned here = 0; /* line of the file that comes next; 0: in front of the first part */
  bool put_in = false;
  while ((one = repair_line(&at, &length)) != NULL) {
    if (one[0] == '@') {
      here = sscanf(one, "@@ -%u", &here) == 1 ? here : 0;
      put_in = false;
    } else if (here > 0 && one[0] == '+') {
      put_in = true;
    } else if (here > 0 && (one[0] == '-' || one[0] == ' ')) {
      if (here == line && (put_in || one[0] == '-')) return true;
      put_in = false;
      here++;
    }
  }
  return false;
}

/* Comparing with thresholds. */

static double percent_of(const report_threshold *t, const coverage *c, ratio *r) {
  (void)coverage_get(c, t->metric, r);
  return r->total == 0 ? 100.0 : 100.0 * (double)r->covered / (double)r->total;
}

bool threshold_below(const report_threshold *t, const coverage *c) {
  ratio r;
  return percent_of(t, c, &r) < t->percent;
}

void threshold_say(const report_threshold *t, const coverage *c, buffer *to) {
  ratio r;
  double percent = percent_of(t, c, &r);
  buffer_printf(to, "%s %s is %.1f %% (%lu of %lu), below %g %%", t->metric, metric_noun(t->metric), percent, r.covered,
                r.total, t->percent);
}

bool report_has_run(const view *v, const char *command) {
  bool found = strcmp(v->command, command) == 0;
  for (size_t i = 0; i < v->run_count && !found; i++) found = strcmp(v->runs[i].command, command) == 0;
  return found;
}

/* Is a run meant where those of a command are: of all commands where it is NULL or no run is of it. */
static bool is_meant(const view *v, const view_run *run, const char *command) {
  return command == NULL || strcmp(run->command, command) == 0 || !report_has_run(v, command);
}

void report_runs(const view *v, const char *command, buffer *to) {
  size_t count = 0;
  long long newest = (long long)v->run;
  for (size_t i = 0; i < v->run_count; i++) {
    if (is_meant(v, &v->runs[i], command)) {
      count++;
      newest = (long long)v->runs[i].id;
    }
  }
  if (count > 1) buffer_printf(to, "%zu runs up to ", count);
  buffer_printf(to, "run %lld", newest);
}

test_case_counts report_test_cases(const view *v, const char *command) {
  scoped bool *meant = mem_calloc(v->test_case_count, sizeof *meant);
  memset(meant, v->run_count == 0, v->test_case_count * sizeof *meant);
  for (size_t i = 0; i < v->run_count; i++) {
    const view_run *run = &v->runs[i];
    for (size_t k = 0; k < run->test_case_count; k++) meant[run->test_cases[k]] |= is_meant(v, run, command);
  }
  test_case_counts count = {0};
  for (size_t i = 0; i < v->test_case_count; i++) {
    const view_test_case *t = &v->test_cases[i];
    bool unended = t->status < 0 && !t->timed_out;
    count.all += meant[i] ? 1 : 0;
    count.unended += meant[i] && unended ? 1 : 0;
    count.failed += meant[i] && !unended && (t->status != 0 || t->timed_out) ? 1 : 0;
  }
  return count;
}

/* What the report is about: the first of these. */
static const struct {
  bool (*is)(const view *v);
  const char *what;
} subjects[] = {{mutation_is, "mutation testing"}, {amplification_is, "schedule amplification"},
                {races_are, "data races"},         {memory_is, "memory errors"},
                {verification_is, "verification"}, {repairs_are, "repairs"}};

/* NULL: it is none of these. */
static const char *find_subject(const view *v) {
  const char *what = NULL;
  for (size_t i = sizeof subjects / sizeof subjects[0]; i-- > 0;) what = subjects[i].is(v) ? subjects[i].what : what;
  return what;
}

bool report_covered(const view *v) { return v->covers || (v->run_count == 0 && find_subject(v) == NULL); }

const char *report_subject(const view *v) {
  const char *what = find_subject(v);
  return what != NULL ? what : report_covered(v) ? "coverage" : v->command;
}

const char *report_no_launch(const view *v) { return v->skipped_count > 0 ? "not seen" : "never"; }

bool report_measures(const view *v, const char *metric) {
  if (metric_of_mutants(metric)) return mutation_is(v) && (strcmp(metric, "revealed") != 0 || mutation_asked(v));
  return metric_of_proofs(metric) ? verification_is(v) : report_covered(v);
}

bool report_selects(const report_options *options, const char *kernel) {
  return options == NULL || kernel_chosen(&options->kernels, kernel);
}

bool *report_functions(const view *v, const report_options *options) {
  bool *reported = mem_calloc(v->function_count, sizeof *reported);
  if (options == NULL || options->kernels.wanted.count + options->kernels.exclude.count == 0) {
    memset(reported, true, v->function_count * sizeof *reported);
    return reported;
  }
  for (size_t i = 0; i < v->kernel_count; i++) {
    const view_kernel *k = &v->kernels[i];
    for (size_t f = 0; report_selects(options, k->name) && f < k->function_count; f++) reported[k->functions[f]] = true;
  }
  return reported;
}

bool report_launched(const view *v) {
  for (size_t i = 0; i < v->kernel_count; i++)
    if (v->kernels[i].launches > 0) return true;
  return false;
}

int report_written(FILE *out, error *e) {
  errno = 0;
  if ((fflush(out) == 0 && ferror(out) == 0) || errno == EPIPE) /* a reader that has seen enough is no failure */
    return 0;
  return error_set(e, EXIT_INTERNAL, "the report could not be written: %s; check that there is room where it goes",
                   errno == 0 ? "writing failed" : strerror(errno));
}

void report_put(report_out *to, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  (void)vfprintf(to->file, format, arguments);
  va_end(arguments);
  to->count = 0;
}

buffer *report_piece(report_out *to) {
  assert(to->count < REPORT_PIECES);
  buffer *piece = &to->pieces[to->count++];
  piece->length = 0;
  buffer_puts(piece, "");
  return piece;
}

int report_close(report_out *to, error *e) {
  for (size_t i = 0; i < REPORT_PIECES; i++) buffer_free(&to->pieces[i]);
  return report_written(to->file, e);
}

const char *report_percent(report_out *to, const ratio *r) {
  buffer *piece = report_piece(to);
  const unsigned thousandths = r->total == 0 ? 0 : ratio_thousandths(r);
  buffer_printf(piece, r->total == 0 ? "n/a" : "%u.%u %%", thousandths / 10, thousandths % 10);
  return buffer_text(piece);
}

const char *report_plural(size_t count) { return count == 1 ? "" : "s"; }
