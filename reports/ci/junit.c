/* JUnit's XML: a test case for each kernel, mutant, schedule, proof, finding and for each test case of the program itself. */
#include "reports/ci/junit.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "reports/common/document.h"
#include "reports/common/json.h"
#include "reports/words/words.h"

static size_t count_failed(const junit_case *cases, size_t count) {
  size_t failed = 0;
  for (size_t i = 0; i < count; i++) failed += cases[i].passed ? 0 : 1;
  return failed;
}

static void write_case(const junit_case *c, report_out *out) {
  report_put(out, "    <testcase classname=\"%s\" name=\"%s\"", xml_text(out, c->suite), xml_text(out, c->name));
  if (c->passed) {
    report_put(out, "/>\n");
    return;
  }
  char first[200];
  (void)snprintf(first, sizeof first, "%.*s", (int)strcspn(c->said, "\n"), c->said);
  report_put(out, ">\n      <failure message=\"%s\" type=\"%s\">%s</failure>\n    </testcase>\n", xml_text(out, first),
             xml_text(out, "result"), xml_text(out, c->said));
}

int junit_cases_write(const junit_case *cases, size_t count, FILE *file, error *e) {
  report_out to = {.file = file}, *out = &to;
  report_put(out,
             "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"cltestcheck\" tests=\"%zu\" "
             "failures=\"%zu\" errors=\"0\">\n",
             count, count_failed(cases, count));
  for (size_t i = 0, end = 0; i < count; i = end) {
    for (end = i; end < count && strcmp(cases[end].suite, cases[i].suite) == 0;) end++;
    report_put(out, "  <testsuite name=\"%s\" tests=\"%zu\" failures=\"%zu\" errors=\"0\" skipped=\"0\">\n",
               xml_text(out, cases[i].suite), end - i, count_failed(cases + i, end - i));
    for (size_t k = i; k < end; k++) write_case(&cases[k], out);
    report_put(out, "  </testsuite>\n");
  }
  report_put(out, "</testsuites>\n");
  return report_close(out, e);
}

typedef enum verdict { PASSED, FAILED, SKIPPED } verdict;

/* A suite is gone through twice: to count, and to write. */
typedef struct junit {
  const view *v;
  const report_options *options;
  report_out *out; /* NULL: counting */
  source_paths paths;
  issues issues;
  unsigned long tests, failures, skipped;
} junit;

/* A test case; `body` may hold several lines. */
typedef struct entry {
  const char *group, *name;
  verdict verdict;
  const char *type, *message, *body;
} entry;

static void put_entry(junit *j, const entry *t) {
  static const char *const elements[] = {[FAILED] = "failure", [SKIPPED] = "skipped"};
  j->tests++;
  j->failures += t->verdict == FAILED ? 1 : 0;
  j->skipped += t->verdict == SKIPPED ? 1 : 0;
  if (j->out == NULL) return;
  report_put(j->out, "    <testcase classname=\"%s\" name=\"%s\"", xml_text(j->out, t->group),
             xml_text(j->out, t->name));
  if (t->verdict == PASSED) {
    report_put(j->out, "/>\n");
    return;
  }
  report_put(j->out, ">\n      <%s message=\"%s\"", elements[t->verdict], xml_text(j->out, t->message));
  if (t->verdict == SKIPPED) {
    report_put(j->out, "/>\n    </testcase>\n");
    return;
  }
  report_put(j->out, " type=\"%s\">%s</failure>\n    </testcase>\n", xml_text(j->out, t->type),
             xml_text(j->out, t->body));
}

static void put_program_tests(junit *j) {
  EACH(const view_test_case, t, j->v->test_cases, j->v->test_case_count) {
    scoped_buffer message = {0};
    if (t->timed_out)
      buffer_puts(&message, "ran out of time");
    else if (t->status > 128)
      buffer_printf(&message, "killed by signal %d", t->status - 128);
    else
      buffer_printf(&message, t->status < 0 ? "did not end" : "exit status %d", t->status);
    put_entry(j, &(entry){.group = t->suite[0] == '\0' ? "program" : t->suite,
                          .name = t->name,
                          .verdict = t->timed_out || t->status != 0 ? FAILED : PASSED,
                          .type = "program",
                          .message = buffer_text(&message),
                          .body = t->command_line});
  }
}

/* --- thresholds ---------------------------------------------------------------------------------------------- */

/* One test case: what of all thresholds is not reached. */
static void put_thresholds(junit *j, const char *name, const coverage *c) {
  scoped_buffer body = {0};
  size_t below = 0;
  EACH(const report_threshold, t, j->options->thresholds, j->options->threshold_count) {
    if (threshold_below(t, c)) {
      buffer_puts(&body, below++ == 0 ? "" : "\n");
      threshold_say(t, c, &body);
    }
  }
  put_entry(j, &(entry){.group = "coverage",
                        .name = name,
                        .verdict = below > 0 ? FAILED : PASSED,
                        .type = "fail-under",
                        .message = buffer_text(&body),
                        .body = buffer_text(&body)});
}

/* A kernel's own mutation score. */
static ratio score_of(const junit *j, uint32_t kernel) {
  for (size_t i = 0; i < j->issues.mutants.kernel_count; i++)
    if (j->issues.mutants.kernels[i].kernel == kernel) return mutation_score(&j->issues.mutants.kernels[i].counts);
  return (ratio){0, 0};
}

static void put_kernels(junit *j) {
  coverage c;
  for (uint32_t i = 0; i < j->v->kernel_count && j->options->threshold_count > 0; i++) {
    const view_kernel *k = &j->v->kernels[i];
    if (report_selects(j->options, k->name)) {
      coverage_kernel(j->v, k, &c);
      c.mutation = score_of(j, i);
      put_thresholds(j, k->name, &c);
    }
  }
  if (j->options->threshold_count > 0) {
    coverage_total(j->v, j->options, &c);
    put_thresholds(j, "total", &c);
  }
}

/* Those without a schedule, which has a test case of its own. What is only possible or benign does not
 * fail. */
static void put_findings(junit *j) {
  EACH(const issue, x, j->issues.list, j->issues.count) {
    if (x->finding == NULL || x->finding->proved) /* the proof has a test case of its own */
      continue;
    scoped_buffer name = {0}, body = {0}, message = {0};
    issue_title(x, &name);
    if (x->suppressed == NULL)
      finding_message(j->v, x->finding, &message);
    else
      buffer_puts(&message, x->suppressed);
    if (x->file != MODEL_NONE) {
      buffer_printf(&name, ", line %u", x->line);
      buffer_printf(&body, "%s:%u: ", j->paths.names[x->file], x->line);
    }
    issue_text(j->v, j->options, j->paths.names, x, &body);
    put_entry(j, &(entry){.group = x->rule,
                          .name = buffer_text(&name),
                          .verdict = x->suppressed == NULL && x->level == ISSUE_ERROR ? FAILED : SKIPPED,
                          .type = x->rule,
                          .message = buffer_text(&message),
                          .body = buffer_text(&body)});
  }
}

/* --- proofs -------------------------------------------------------------------------------------------------- */

/* The first finding of the proof from number `from` on, suppressed or not; NULL: it has none of these. */
static const db_finding *finding_of(const junit *j, size_t from, size_t proof, bool suppressed) {
  for (size_t i = from; i < j->v->finding_count; i++) {
    const db_finding *f = &j->v->findings[i];
    if (f->proved && f->proof == proof && (f->suppressed != NULL) == suppressed) return f;
  }
  return NULL;
}

/* Only what is definite fails, as with the exit status. */
static void put_proof(junit *j, size_t i) {
  const db_proof *p = &j->v->proofs[i];
  const proof_verdict judged = proof_verdict_of(p);
  const bool fails = proof_is_definite(judged) && !verification_held_back(j->v, i);
  scoped_buffer name = {0}, message = {0}, body = {0}, variant = {0};
  verification_variant(j->v, i, &variant);
  buffer_printf(&name, "%s%s%s", p->name, variant.length > 0 ? ", " : "", buffer_text(&variant));
  /* Why it does not hold: what was found, or the reason; why nobody wants to hear of it. */
  const db_finding *found = finding_of(j, 0, i, false);
  const db_finding *suppressed = finding_of(j, 0, i, true);
  scoped_buffer why = {0};
  if (found != NULL)
    finding_message(j->v, found, &why);
  else
    buffer_puts(&why, p->reason);
  buffer_printf(&message, "%s%s%s", proof_verdict_name(proof_verdict_of(p)), why.length == 0 ? "" : ": ",
                buffer_text(&why));
  if (found == NULL && suppressed != NULL) buffer_printf(&message, "; suppressed: %s", suppressed->suppressed);
  const db_finding *f = j->out != NULL ? finding_of(j, 0, i, false) : NULL;
  for (; f != NULL; f = finding_of(j, (size_t)(f - j->v->findings) + 1, i, false)) {
    verification_title(f, &body);
    buffer_puts(&body, ": ");
    finding_message(j->v, f, &body);
    buffer_puts(&body, "\n");
    document_lines(j->v, j->paths.names, f, true, &body);
  }
  put_entry(j, &(entry){.group = p->file == MODEL_NONE ? "proofs" : j->paths.names[p->file],
                        .name = buffer_text(&name),
                        .verdict = judged == PROOF_VERIFIED ? PASSED
                                   : fails                  ? FAILED
                                                            : SKIPPED,
                        .type = proof_verdict_name(judged),
                        .message = buffer_text(&message),
                        .body = buffer_text(&body)});
}

static void put_proofs(junit *j) {
  for (size_t i = 0; i < j->v->proof_count; i++)
    if (report_selects(j->options, j->v->proofs[i].name)) put_proof(j, i);
}

static const struct {
  verdict verdict;
  const char *message;
} of_status[MUTANT_STATUSES] = {
    [MUTANT_PENDING] = {SKIPPED, "not decided when the run ended"},
    [MUTANT_KILLED] = {PASSED, ""},
    [MUTANT_UNDECIDED] = {FAILED, "undecided: only some runs of a test case notice it"},
    [MUTANT_SURVIVED] = {FAILED, "survived: no test case notices it"},
    [MUTANT_NO_COVERAGE] = {FAILED, "no coverage: no test case executes the place"},
    [MUTANT_EQUIVALENT] = {SKIPPED, "equivalent: compiles to the same code as the original"},
    [MUTANT_DUPLICATE] = {SKIPPED, "duplicate: compiles to the same code as an earlier mutant"},
    [MUTANT_INVALID] = {SKIPPED, "does not compile"},
    [MUTANT_SUPPRESSED] = {SKIPPED, "suppressed by a comment in the source"},
};

static void put_mutant(junit *j, const db_mutant *m) {
  const model_file *f = &j->v->files[m->file];
  scoped_buffer name = {0}, body = {0};
  buffer_printf(&name, "%u:%u %s: ", m->line, place_column(f, m->column, m->offset), m->operator_name);
  mutation_describe(m, &name);
  buffer_printf(&name, " (mutant %u)", m->id);
  if (j->out != NULL && of_status[m->status].verdict == FAILED) {
    const place_line line = place_line_at(f, m->offset);
    buffer_printf(&body, "%s:%u: %s\n", j->paths.names[m->file], m->line, of_status[m->status].message);
    buffer_append(&body, line.text == NULL ? "" : line.text, line.length < 400 ? line.length : 400);
    buffer_puts(&body, "\n");
    mutation_explain(j->v, m, &body);
  }
  put_entry(j, &(entry){.group = j->paths.names[m->file],
                        .name = buffer_text(&name),
                        .verdict = of_status[m->status].verdict,
                        .type = mutant_status_name(m->status),
                        .message = m->suppressed != NULL ? m->suppressed : of_status[m->status].message,
                        .body = buffer_text(&body)});
}

static void put_mutants(junit *j) {
  for (size_t i = 0; i < j->v->mutant_count; i++)
    if (j->issues.mutants.selected[i]) put_mutant(j, &j->v->mutants[i]);
}

/* --- schedules ----------------------------------------------------------------------------------------------- */

static const struct {
  verdict verdict;
  const char *message;
} of_verdict[VERDICTS] = {
    [VERDICT_PENDING] = {SKIPPED, "no run was made"},
    [VERDICT_CONSISTENT] = {PASSED, ""},
    [VERDICT_RACE] = {FAILED, "race: the result depends on the order of work-groups"},
    [VERDICT_DEADLOCK] = {FAILED, "deadlock: a work-group never ends in this order"},
    [VERDICT_OCCUPANCY] = {SKIPPED, "occupancy-bound: the device has no room for this order"},
    [VERDICT_ORDER] = {SKIPPED,
                       "order-dependent: the result depends on the order of work-groups, and no accesses race"},
    [VERDICT_DIFFERS] = {SKIPPED,
                         "differs: the result depends on the order of work-groups, and accesses were not checked"},
    [VERDICT_CRASH] = {FAILED, "crash: the program crashes in this order"},
};

static void put_schedule(junit *j, const db_launch *l, const db_schedule *s) {
  const view_kernel *k = &j->v->kernels[l->kernel];
  schedule_verdict judged = amplification_verdict(s);
  const bool fails = of_verdict[judged].verdict == FAILED && !s->meant && s->suppressed == NULL;
  scoped_buffer name = {0}, body = {0};
  buffer_printf(&name, "%s, ", k->name);
  amplification_launch_name(j->v, l, &name);
  buffer_puts(&name, ": ");
  amplification_describe(s, &name);
  buffer_printf(&body, "runs: %s\n", s->outcomes);
  if (s->explanation != NULL) {
    explanation_text(j->v, l, s, &body);
    buffer_puts(&body, "\n");
  }
  const db_finding *race = fails ? failing_finding(j->v, &(failing){.launch = l, .schedule = s}) : NULL;
  if (race != NULL && j->out != NULL) document_lines(j->v, j->paths.names, race, false, &body);
  buffer_printf(&body, "again: cltestcheck amplify --replay %" PRId64, s->id);
  put_entry(j,
            &(entry){.group = k->name,
                     .name = buffer_text(&name),
                     .verdict = of_verdict[judged].verdict == FAILED && !fails ? SKIPPED : of_verdict[judged].verdict,
                     .type = s->verdict,
                     .message = s->suppressed != NULL ? s->suppressed
                                : s->meant            ? "the kernel says that its result may depend on the order"
                                                      : of_verdict[judged].message,
                     .body = buffer_text(&body)});
}

static void put_schedules(junit *j) {
  for (size_t i = 0; i < j->v->launch_count; i++) {
    const db_launch *l = &j->v->launches[i];
    for (size_t k = 0; j->issues.schedules.selected[i] && k < l->schedule_count; k++)
      put_schedule(j, l, &l->schedules[k]);
  }
}

static const struct {
  const char *name;
  void (*put)(junit *j);
} suites[] = {
    {"tests", put_program_tests}, {"coverage", put_kernels},    {"findings", put_findings},
    {"mutants", put_mutants},     {"schedules", put_schedules}, {"proofs", put_proofs},
};
#define SUITES (sizeof suites / sizeof suites[0])

static void write_suite(junit *j, size_t which, report_out *out) {
  char stamp[20]; /* without the zone, as the format has it */
  (void)snprintf(stamp, sizeof stamp, "%s", j->v->started);
  j->tests = j->failures = j->skipped = 0;
  j->out = NULL;
  suites[which].put(j);
  if (j->tests == 0) return;
  const bool dated = stamp[0] != '\0';
  report_put(out,
             "  <testsuite name=\"cltestcheck.%s\" tests=\"%lu\" failures=\"%lu\" errors=\"0\" "
             "skipped=\"%lu\"%s%s%s>\n",
             suites[which].name, j->tests, j->failures, j->skipped, dated ? " timestamp=\"" : "", xml_text(out, stamp),
             dated ? "\"" : "");
  j->out = out;
  suites[which].put(j);
  report_put(out, "  </testsuite>\n");
}

int junit_write(const view *v, const report_options *options, FILE *file, error *e) {
  report_out to = {.file = file}, *out = &to;
  junit j = {.v = v, .options = options, .paths = source_paths_of(v, options), .issues = issues_of(v, options)};
  for (size_t i = 0; i < SUITES; i++) suites[i].put(&j);
  report_put(out,
             "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"cltestcheck\" tests=\"%lu\" "
             "failures=\"%lu\" errors=\"0\">\n",
             j.tests, j.failures);
  for (size_t i = 0; i < SUITES; i++) write_suite(&j, i, out);
  report_put(out, "</testsuites>\n");
  source_paths_free(&j.paths);
  issues_free(&j.issues);
  return report_close(out, e);
}
