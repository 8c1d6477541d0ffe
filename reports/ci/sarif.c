/* SARIF 2.1.0 as GitHub's code scanning takes it: findings, schedules that fail, mutants that survive. */
#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "base/digest.h"
#include "reports/ci/sarif_parts.h"
#include "reports/ci/sarif_rules.h"
#include "reports/common/place.h"
#include "reports/common/verification.h"
#include "reports/common/writers.h"
#include "reports/words/explanation_words.h"

#define SCHEMA "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
#define BASE "%SRCROOT%"
#define MOST_RESULTS 25000 /* of a run; GitHub refuses more */
#define HASH_DIGITS 16

static json_t *primary_location(const sarif *s, const issue *i) {
  json_t *location = sarif_location(s, i->file, sarif_region(i->line, i->column, i->end_line, i->end_column));
  if (i->kernel[0] != '\0') {
    json_t *logical = json_object();
    value_set(logical, "name", value_string(i->kernel));
    value_set(logical, "kind", json_string("function"));
    json_t *list = json_array();
    value_add(list, logical);
    value_set(location, "logicalLocations", list);
  }
  return location;
}

/* --- fingerprints -------------------------------------------------------------------------------------------- */

/* Spaces made one, none at the ends: moving or indenting a line does not change it. */
static void squeeze(buffer *to, const place_line *line) {
  for (size_t i = 0; i < line->length; i++) {
    bool space = strchr(" \t\f\v\r", line->text[i]) != NULL && line->text[i] != '\0';
    if (!space) {
      buffer_putc(to, line->text[i]);
    } else if (to->length > 0 && to->data[to->length - 1] != ' ') {
      buffer_putc(to, ' ');
    }
  }
  while (to->length > 0 && to->data[to->length - 1] == ' ') {
    to->data[--to->length] = '\0';
  }
}

static place_line line_of(const sarif *s, const issue *i) {
  const model_file *f = &s->v->files[i->file];
  return i->mutant != NULL ? place_line_at(f, i->mutant->offset) : place_line_of(f, i->line);
}

/* Of rule, kernel, the line's text and what a mutant changes, with a number that tells equal ones apart. */
static json_t *fingerprints_of(sarif *s, const issue *i) {
  buffer text = {0};
  const place_line line = line_of(s, i);
  squeeze(&text, &line);
  digester d;
  char hash[65];
  digest_begin(&d);
  digest_text(&d, i->rule);
  digest_text(&d, i->kernel);
  digest_text(&d, buffer_text(&text));
  if (i->mutant != NULL) {
    digest_text(&d, i->mutant->original);
    digest_text(&d, i->mutant->replacement);
    digest_text(&d, i->mutant->description == NULL ? "" : i->mutant->description);
  }
  digest_end(&d, hash);
  hash[HASH_DIGITS] = '\0';
  json_int_t before = json_integer_value(json_object_get(s->seen, hash));
  value_set(s->seen, hash, json_integer(before + 1));
  buffer_free(&text);
  buffer_printf(&text, "%s:%lld", hash, (long long)before + 1);
  json_t *prints = json_object();
  value_set(prints, "primaryLocationLineHash", json_string(buffer_text(&text)));
  value_set(prints, "cltestcheck/v1", json_string(buffer_text(&text)));
  buffer_free(&text);
  return prints;
}

/* --- races and deadlocks ------------------------------------------------------------------------------------- */

/* One of two orders that differ: words for it and the value that it leaves, NULL for none. */
typedef struct side {
  buffer order;
  const char *value;
  uint32_t line; /* of the access */
} side;

static void sides_of(const sarif *s, const failing *f, side sides[2]) {
  const db_explanation *x = f->schedule->explanation;
  const db_launch *launch = NULL;
  const db_schedule *other = x->other == 0 ? NULL : view_find_schedule(s->v, x->other, &launch);
  sides[0] = (side){.value = x->reference};
  sides[1] = (side){.value = x->seen};
  if (other == NULL) {
    buffer_puts(&sides[0].order, "the program as it is");
  } else {
    amplification_describe(other, &sides[0].order);
  }
  amplification_describe(f->schedule, &sides[1].order);
  uint32_t lines[2];
  size_t count = amplification_accesses(x, lines, 2);
  sides[0].line = count > 0 ? lines[0] : x->line;
  sides[1].line = count > 1 ? lines[1] : sides[0].line;
}

static json_t *access_location(const sarif *s, const db_explanation *x, const side *a) {
  buffer words = {0};
  if (x->argument[0] == '\0') {
    buffer_printf(&words, "access with %s", buffer_text(&a->order));
  } else {
    buffer_printf(&words, "write to %s with %s", x->argument, buffer_text(&a->order));
  }
  if (a->value[0] != '\0') {
    buffer_printf(&words, ": element %llu is %s", (unsigned long long)x->first, a->value);
  }
  return sarif_line_location(s, x->file, a->line, &words);
}

/* From the kernel's first line to where it goes wrong, in one order. */
static json_t *thread_flow(const sarif *s, const failing *f, const char *order, json_t *last) {
  const model_function *k = &s->v->functions[s->v->kernels[f->launch->kernel].function];
  buffer words = {0};
  amplification_launch_name(s->v, f->launch, &words);
  buffer_printf(&words, ", work-groups in this order: %s", order);
  json_t *steps = json_array();
  value_add(steps, sarif_step(sarif_line_location(s, k->file, k->line, &words)));
  value_add(steps, sarif_step(last));
  json_t *flow = json_object();
  value_set(flow, "id", value_string(order));
  value_set(flow, "locations", steps);
  return flow;
}

static void add_related(json_t *related, json_t *location) {
  value_set(location, "id", json_integer((json_int_t)json_array_size(related) + 1));
  value_add(related, location);
}

/* The accesses of which checks have seen that they race. */
static void add_racing(const sarif *s, const db_finding *f, json_t *related, buffer *text) {
  for (size_t i = 0; f != NULL && i < f->place_count; i++) {
    const db_place *p = &f->places[i];
    buffer words = {0};
    verification_place(f, i, &words);
    add_related(related, sarif_point_location(s, p->file, p->line, p->column, &words));
    buffer_printf(text, "%s [%s](%zu)", i == 0 ? " Race:" : " and", p->access, json_array_size(related));
  }
  buffer_puts(text, f != NULL ? "." : "");
}

/* Both accesses, with links to them in the message, and how each order comes to its own. */
static void set_race(const sarif *s, const failing *f, const db_finding *shown, json_t *result, buffer *text) {
  side sides[2];
  sides_of(s, f, sides);
  const db_explanation *x = f->schedule->explanation;
  json_t *related = json_array();
  json_t *flows = json_array();
  for (size_t i = 0; i < 2; i++) {
    add_related(related, access_location(s, x, &sides[i]));
    value_add(flows, thread_flow(s, f, buffer_text(&sides[i].order), access_location(s, x, &sides[i])));
  }
  buffer words = {0};
  buffer_puts(&words, "the same launch in two orders of its work-groups");
  buffer_printf(text, " Accesses: [with %s](1), [with %s](2).", buffer_text(&sides[0].order),
                buffer_text(&sides[1].order)); /* viewers show related locations that the message links to */
  add_racing(s, shown, related, text);
  value_set(result, "relatedLocations", related);
  value_set(result, "codeFlows", sarif_one_flow(flows, &words));
  buffer_free(&sides[0].order);
  buffer_free(&sides[1].order);
}

/* Where a deadlock or crash shows. */
static void set_end(const sarif *s, const failing *f, json_t *result) {
  const db_explanation *x = f->schedule->explanation;
  buffer order = {0};
  buffer last = {0};
  buffer unfinished = {0};
  buffer words = {0};
  amplification_describe(f->schedule, &order);
  explanation_unfinished(x, &unfinished);
  buffer_printf(&last, "%s%s", unfinished.length > 0 ? "never ended: " : "here", buffer_text(&unfinished));
  buffer_free(&unfinished);
  buffer_puts(&words, "the order of work-groups that shows it");
  json_t *flows = json_array();
  value_add(flows, thread_flow(s, f, buffer_text(&order), sarif_line_location(s, x->file, x->line, &last)));
  value_set(result, "codeFlows", sarif_one_flow(flows, &words));
  buffer_free(&order);
}

static void set_flows(const sarif *s, const issue *i, json_t *result, buffer *text) {
  const db_schedule *schedule = i->failing.schedule;
  if (schedule == NULL || schedule->explanation == NULL || schedule->explanation->file == MODEL_NONE ||
      schedule->explanation->line == 0) {
    return;
  }
  if (amplification_verdict(schedule) == VERDICT_RACE || amplification_verdict(schedule) == VERDICT_ORDER ||
      amplification_verdict(schedule) == VERDICT_DIFFERS) {
    set_race(s, &i->failing, i->shown, result, text);
  } else {
    set_end(s, &i->failing, result);
  }
}

/* --- other findings ------------------------------------------------------------------------------------------- */

/* Where there are several, each with a link to it in the message, as viewers show what the message links to. */
static void set_places(const sarif *s, const db_finding *f, json_t *result, buffer *text) {
  json_t *related = json_array();
  buffer_puts(text, " (places:");
  for (size_t i = 0; i < f->place_count; i++) {
    const db_place *p = &f->places[i];
    buffer words = {0};
    verification_place(f, i, &words);
    buffer_printf(text, "%s [%s%s%s](%zu)", i == 0 ? "" : ",", p->role, p->access[0] == '\0' ? "" : " ", p->access,
                  i + 1);
    json_t *location = f->proved ? sarif_point_location(s, p->file, p->line, p->column, &words)
                                 : sarif_line_location(s, p->file, p->line, &words);
    value_set(location, "id", json_integer((json_int_t)i + 1));
    value_add(related, location);
  }
  buffer_puts(text, ")");
  value_set(result, "relatedLocations", related);
}

/* Of proofs it stands at the flow. */
static void put_witness(const db_finding *f, buffer *text) {
  buffer words = {0};
  verification_witness(f, &words);
  if (!f->proved && words.length > 0) {
    buffer_printf(text, " With %s.", buffer_text(&words));
  }
  buffer_free(&words);
}

/* --- results ------------------------------------------------------------------------------------------------- */

static void set_rule(const sarif *s, const issue *i, json_t *result) {
  buffer id = {0};
  issue_rule(i, &id);
  value_set(result, "ruleId", value_string(buffer_text(&id)));
  int index = sarif_rule_index(&s->issues, i);
  if (index >= 0) {
    value_set(result, "ruleIndex", json_integer(index));
  }
  buffer_free(&id);
}

static void set_suppression(const issue *i, json_t *result) {
  if (i->suppressed != NULL) {
    json_t *suppression = json_object();
    value_set(suppression, "kind", json_string("external"));
    value_set(suppression, "status", json_string("accepted"));
    value_set(suppression, "justification", value_string(i->suppressed));
    json_t *list = json_array();
    value_add(list, suppression);
    value_set(result, "suppressions", list);
  }
}

static json_t *result_of(sarif *s, const issue *i) {
  buffer text = {0};
  issue_title(i, &text);
  buffer_puts(&text, ": ");
  issue_message(s->v, s->options, i, &text);
  json_t *result = json_object();
  json_t *locations = json_array();
  set_rule(s, i, result);
  value_set(result, "level", json_string(i->mutant != NULL ? "note" : i->level == ISSUE_WARNING ? "warning" : "error"));
  value_add(locations, primary_location(s, i));
  value_set(result, "locations", locations);
  set_flows(s, i, result, &text);
  if (i->finding != NULL && i->finding->place_count > 1) {
    set_places(s, i->finding, result, &text);
  }
  if (i->shown != NULL) {
    put_witness(i->shown, &text);
  }
  const db_finding *proof = i->finding == NULL ? NULL : verification_proof(s->v, i->finding);
  if (proof != NULL) {
    sarif_counterexample(s, proof, result);
  }
  value_set(result, "message", sarif_message_of(&text));
  value_set(result, "partialFingerprints", fingerprints_of(s, i));
  set_suppression(i, result);
  return result;
}

/* Those that have a place; how many were left out as they are too many. */
static size_t write_results(sarif *s) {
  size_t written = 0;
  size_t left = 0;
  json_stream_array(&s->out, "results");
  for (size_t i = 0; i < s->issues.count; i++) {
    if (s->issues.list[i].file == MODEL_NONE) {
      continue;
    }
    if (written == MOST_RESULTS) {
      left++;
      continue;
    }
    json_stream_item(&s->out, result_of(s, &s->issues.list[i]));
    written++;
  }
  json_stream_close(&s->out);
  return left;
}

/* --- what has no place --------------------------------------------------------------------------------------- */

static void notify(sarif *s, const char *level, buffer *text) {
  json_t *n = json_object();
  value_set(n, "level", json_string(level));
  value_set(n, "message", sarif_message_of(text));
  json_stream_item(&s->out, n);
}

static void write_notifications(sarif *s, size_t left) {
  json_stream_array(&s->out, "toolExecutionNotifications");
  for (size_t i = 0; i < s->issues.count; i++) {
    const issue *x = &s->issues.list[i];
    if (x->file == MODEL_NONE && x->suppressed == NULL) {
      buffer text = {0};
      issue_title(x, &text);
      buffer_puts(&text, ": ");
      issue_message(s->v, s->options, x, &text);
      notify(s, "error", &text);
    }
  }
  for (size_t i = 0; i < s->v->skipped_count; i++) {
    buffer text = {0};
    buffer_printf(&text, "not instrumented: %s: %s", s->v->skipped[i].program, s->v->skipped[i].reason);
    notify(s, "note", &text);
  }
  if (left > 0) {
    buffer text = {0};
    buffer_printf(&text, "%zu more results were left out: a run takes %d", left, MOST_RESULTS);
    notify(s, "warning", &text);
  }
  json_stream_close(&s->out);
}

static void write_invocation(sarif *s, size_t left) {
  json_stream_array(&s->out, "invocations");
  json_stream_object(&s->out, NULL);
  json_stream_value(&s->out, "executionSuccessful", json_true());
  json_stream_value(&s->out, "exitCode", json_integer(s->options->exit));
  if (s->v->started[0] != '\0') {
    json_stream_value(&s->out, "startTimeUtc", value_string(s->v->started));
  }
  write_notifications(s, left);
  json_stream_close(&s->out);
  json_stream_close(&s->out);
}

/* --- all ----------------------------------------------------------------------------------------------------- */

static json_t *driver_of(const sarif *s) {
  json_t *driver = json_object();
  value_set(driver, "name", json_string("cltestcheck"));
  value_set(driver, "version", value_string(s->v->version));
  value_set(driver, "rules", sarif_rules(&s->issues));
  json_t *tool = json_object();
  value_set(tool, "driver", driver);
  return tool;
}

static void write_run(sarif *s) {
  buffer id = {0};
  buffer_printf(&id, "cltestcheck/%s/", s->v->command);
  json_stream_object(&s->out, NULL);
  json_stream_value(&s->out, "tool", driver_of(s));
  json_t *details = json_object(); /* so that an upload of another command does not replace this one */
  value_set(details, "id", value_string(buffer_text(&id)));
  json_stream_value(&s->out, "automationDetails", details);
  json_stream_value(&s->out, "columnKind", json_string("utf16CodeUnits"));
  json_stream_value(&s->out, "originalUriBaseIds",
                    json_pack("{s{s{ss}}}", BASE, "description", "text", "The root of the repository."));
  size_t left = write_results(s);
  write_invocation(s, left);
  json_stream_close(&s->out);
  buffer_free(&id);
}

int sarif_write(const view *v, const report_options *options, FILE *out, error *e) {
  sarif s = {.v = v,
             .options = options,
             .issues = issues_of(v, options),
             .paths = source_paths_of(v, options),
             .seen = json_object()};
  json_stream_begin(&s.out, out);
  json_stream_value(&s.out, "$schema", json_string(SCHEMA));
  json_stream_value(&s.out, "version", json_string("2.1.0"));
  json_stream_array(&s.out, "runs");
  write_run(&s);
  int result = json_stream_end(&s.out, e);
  json_decref(s.seen);
  source_paths_free(&s.paths);
  issues_free(&s.issues);
  return result;
}
