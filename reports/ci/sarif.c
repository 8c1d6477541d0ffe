/* SARIF 2.1.0 as GitHub's code scanning takes it: findings, schedules that fail, mutants that survive. */
#include <stdlib.h>
#include <string.h>

#include "base/digest.h"
#include "reports/common/document.h"
#include "reports/common/json.h"
#include "reports/words/words.h"

typedef struct sarif {
  const view *v;
  const report_options *options;
  json_stream out;
  issues issues;
  source_paths paths;
  json_t *seen; /* fingerprints without their number: how many there were */
} sarif;

static json_t *sarif_message(const char *text);

/* What a rule means and what to do about it. */
static json_t *descriptor(const finding_rule *r, const char *level, const char *severity) {
  scoped_buffer text = {0}, markdown = {0};
  buffer_printf(&text, "%s\n\nWhat to do: %s", r->what, r->todo);
  buffer_printf(&markdown, "%s\n\n**What to do.** %s", r->what, r->todo);
  json_t *d = value_object({"id", value_string(r->name)}, {"name", value_string(r->called)},
                           {"shortDescription", sarif_message(r->brief)}, {"fullDescription", sarif_message(r->what)});
  json_t *help = sarif_message(buffer_text(&text));
  value_set(help, "markdown", value_string(buffer_text(&markdown)));
  value_set(d, "help", help);
  value_set(d, "defaultConfiguration", json_pack("{ss}", "level", level));
  value_set(d, "properties",
            json_pack("{s[sss]ssss}", "tags", "opencl", "testing", r->tag, "precision", "high", "problem.severity",
                      severity));
  return d;
}

static json_t *operator_rule(const char *name) {
  scoped_buffer id = {0}, brief = {0};
  buffer_printf(&id, "mutant/%s", name);
  buffer_printf(&brief, "The tests do not notice a fault of operator %s", name);
  const finding_rule r = {
      buffer_text(&id),
      "",
      NULL,
      "SurvivingMutant",
      buffer_text(&brief),
      "A small fault was made in the kernel here, and no test case gave another result in all of its runs. "
      "The tests execute the place, but would not notice this fault.",
      "Add a test case whose result depends on this place, or check more of the output; where the change "
      "makes no difference to what the kernel promises, suppress the mutant.",
      "mutation-testing"};
  return descriptor(&r, "note", "recommendation");
}

/* Rule descriptors: those of findings, then one for each operator of the view's mutants. */
static json_t *sarif_rules(const issues *list) {
  json_t *all = json_array();
  for (size_t i = 0; i < finding_rule_count; i++) value_add(all, descriptor(&finding_rules[i], "error", "error"));
  for (size_t i = 0; i < list->mutants.operator_count; i++)
    value_add(all, operator_rule(list->mutants.operators[i].name));
  return all;
}

/* Index among them; -1 for a finding of a rule that has no descriptor. */
static int sarif_rule_index(const issues *list, const issue *i) {
  const finding_rule *rule = i->mutant == NULL ? rule_find(i->rule) : NULL;
  if (rule != NULL) return (int)(rule - finding_rules);
  for (size_t k = 0; i->mutant != NULL && k < list->mutants.operator_count; k++)
    if (strcmp(list->mutants.operators[k].name, i->rule) == 0) return (int)(finding_rule_count + k);
  return -1;
}

/* Where things are, for SARIF. */

#define BASE "%SRCROOT%"

static json_t *sarif_message(const char *text) { return value_object({"text", value_string(text)}); }

/* The text of a buffer, which is released. */
static json_t *sarif_message_of(buffer *text) {
  json_t *m = sarif_message(buffer_text(text));
  buffer_free(text);
  return m;
}

static json_t *artifact_of(const sarif *s, uint32_t file) {
  const char *path = s->paths.names[file];
  scoped_buffer uri = buffer_with("%s", path[0] == '/' ? "file://" : "");
  for (const char *c = path; *c != '\0'; c++) {
    bool plain =
        (*c >= 'a' && *c <= 'z') || (*c >= 'A' && *c <= 'Z') || (*c >= '0' && *c <= '9') || strchr("-._~/", *c) != NULL;
    buffer_printf(&uri, plain ? "%c" : "%%%02X", plain ? *c : (unsigned char)*c);
  }
  return value_object({"uri", value_string(buffer_text(&uri))},
                      {"uriBaseId", path[0] != '/' ? json_string(BASE) : NULL});
}

/* Columns count in UTF-16 code units; ends are exclusive. */
static json_t *sarif_region(uint32_t line, uint32_t column, uint32_t end_line, uint32_t end_column) {
  return value_object({"startLine", json_integer(line)}, {"startColumn", json_integer(column)},
                      {"endLine", json_integer(end_line)}, {"endColumn", json_integer(end_column)});
}

static json_t *sarif_location(const sarif *s, uint32_t file, json_t *region) {
  json_t *physical = value_object({"artifactLocation", artifact_of(s, file)}, {"region", region});
  return value_object({"physicalLocation", physical});
}

/* A whole line, with words on what happens there. */
static json_t *sarif_line_location(const sarif *s, uint32_t file, uint32_t line, buffer *words) {
  uint32_t first = 1, end = 1;
  line = line == 0 ? 1 : line;
  const place_line text = place_line_of(&s->v->files[file], line);
  if (text.text != NULL) place_extent(&text, &first, &end);
  json_t *location = sarif_location(s, file, sarif_region(line, first, line, end));
  value_set(location, "message", sarif_message_of(words));
  return location;
}

/* A character of it, given by its column in bytes; the whole line where that is not in it. */
static json_t *sarif_point_location(const sarif *s, uint32_t file, uint32_t line, uint32_t column, buffer *words) {
  const model_file *f = &s->v->files[file];
  const place_line text = place_line_of(f, line);
  if (text.text == NULL || column == 0 || column > text.length) return sarif_line_location(s, file, line, words);
  const uint32_t unit = place_column(f, column, (uint32_t)(text.text - f->text) + column - 1);
  json_t *location = sarif_location(s, file, sarif_region(line, unit, line, unit + 1));
  value_set(location, "message", sarif_message_of(words));
  return location;
}

/* --- flows --------------------------------------------------------------------------------------------------- */

static json_t *sarif_step(json_t *location) { return value_object({"location", location}); }

/* A list of one code flow of these thread flows. */
static json_t *sarif_one_flow(json_t *flows, buffer *words) {
  return json_pack("[o]", value_object({"message", sarif_message_of(words)}, {"threadFlows", flows}));
}

/* Counterexamples of proofs as code flows: a thread flow a work-item, from step to step to its place. */

enum { THREADS = 2 };

/* How each work-item of a counterexample gets to its place. */
static void sarif_counterexample(const sarif *s, const db_finding *f, json_t *result) {
  json_t *flows = json_array();
  for (uint32_t thread = 1; thread <= THREADS; thread++) {
    size_t place = 0;
    if (!verification_place_of_thread(f, thread, &place)) continue;
    scoped_buffer name = {0};
    json_t *steps = json_array();
    EACH(const db_step, step, f->path, f->path_count) {
      if (step->thread == thread || step->thread == 0) {
        scoped_buffer words = buffer_with("%s", step->text);
        value_add(steps, sarif_step(sarif_point_location(s, step->file, step->line, step->column, &words)));
      }
    }

    /* The calls that a place was inlined by, outermost first, then the place. */
    const db_place *p = &f->places[place];
    buffer words = {0};
    for (size_t n = p->inlined_count; n-- > 0;) {
      const db_call *c = &p->inlined[n];
      buffer_puts(&words, "call");
      value_add(steps, sarif_step(sarif_point_location(s, c->file, c->line, c->column, &words)));
      words = (buffer){0};
    }
    verification_place(f, place, &words);
    value_add(steps, sarif_step(sarif_point_location(s, p->file, p->line, p->column, &words)));
    verification_thread(f, thread, &name);
    value_add(flows, value_object({"id", value_string(buffer_text(&name))}, {"locations", steps}));
  }
  if (json_array_size(flows) == 0) {
    json_decref(flows);
    return;
  }
  scoped_buffer words = {0};
  verification_witness(f, &words);
  if (words.length == 0) finding_message(s->v, f, &words);
  value_set(result, "codeFlows", sarif_one_flow(flows, &words));
}

#define SCHEMA "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
#define MOST_RESULTS 25000 /* of a run; GitHub refuses more */
#define HASH_DIGITS 16

static json_t *primary_location(const sarif *s, const issue *i) {
  json_t *location = sarif_location(s, i->file, sarif_region(i->line, i->column, i->end_line, i->end_column));
  if (i->kernel[0] != '\0') {
    json_t *logical = value_object({"name", value_string(i->kernel)}, {"kind", json_string("function")});
    value_set(location, "logicalLocations", json_pack("[o]", logical));
  }
  return location;
}

/* Spaces made one, none at the ends: moving or indenting a line does not change it. */
static void squeeze(buffer *to, const place_line *line) {
  for (size_t i = 0; i < line->length; i++) {
    bool space = strchr(" \t\f\v\r", line->text[i]) != NULL && line->text[i] != '\0';
    if (!space)
      buffer_putc(to, line->text[i]);
    else if (to->length > 0 && to->data[to->length - 1] != ' ')
      buffer_putc(to, ' ');
  }
  while (to->length > 0 && to->data[to->length - 1] == ' ') to->data[--to->length] = '\0';
}

/* Of rule, kernel, the line's text and what a mutant changes, with a number that tells equal ones apart. */
static json_t *fingerprints_of(sarif *s, const issue *i) {
  scoped_buffer text = {0};
  const model_file *f = &s->v->files[i->file];
  const place_line line = i->mutant != NULL ? place_line_at(f, i->mutant->offset) : place_line_of(f, i->line);
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
  return value_object({"primaryLocationLineHash", json_string(buffer_text(&text))},
                      {"cltestcheck/v1", json_string(buffer_text(&text))});
}

/* --- races and deadlocks ------------------------------------------------------------------------------------- */

/* One of two orders that differ: words for it and the value that it leaves, NULL for none. */
typedef struct side {
  buffer order;
  const char *value;
  uint32_t line; /* of the access */
} side;

static json_t *access_location(const sarif *s, const db_explanation *x, const side *a) {
  scoped_buffer words = {0};
  if (x->argument[0] == '\0')
    buffer_printf(&words, "access with %s", buffer_text(&a->order));
  else
    buffer_printf(&words, "write to %s with %s", x->argument, buffer_text(&a->order));
  if (a->value[0] != '\0') buffer_printf(&words, ": element %llu is %s", (unsigned long long)x->first, a->value);
  return sarif_line_location(s, x->file, a->line, &words);
}

/* From the kernel's first line to where it goes wrong, in one order. */
static json_t *thread_flow(const sarif *s, const failing *f, const char *order, json_t *last) {
  const model_function *k = &s->v->functions[s->v->kernels[f->launch->kernel].function];
  scoped_buffer words = {0};
  amplification_launch_name(s->v, f->launch, &words);
  buffer_printf(&words, ", work-groups in this order: %s", order);
  json_t *steps = json_array();
  value_add(steps, sarif_step(sarif_line_location(s, k->file, k->line, &words)));
  value_add(steps, sarif_step(last));
  return value_object({"id", value_string(order)}, {"locations", steps});
}

static void add_related(json_t *related, json_t *location) {
  value_set(location, "id", json_integer((json_int_t)json_array_size(related) + 1));
  value_add(related, location);
}

/* Both accesses, with links to them in the message, and how each order comes to its own. */
static void set_race(const sarif *s, const failing *f, const db_finding *shown, json_t *result, buffer *text) {
  side sides[2];
  const db_explanation *x = f->schedule->explanation;
  const db_launch *launch = NULL;
  const db_schedule *other = x->other == 0 ? NULL : view_find_schedule(s->v, x->other, &launch);
  sides[0] = (side){.value = x->reference};
  sides[1] = (side){.value = x->seen};
  if (other == NULL)
    buffer_puts(&sides[0].order, "the program as it is");
  else
    amplification_describe(other, &sides[0].order);
  amplification_describe(f->schedule, &sides[1].order);
  uint32_t lines[2];
  size_t count = amplification_accesses(x, lines, 2);
  sides[0].line = count > 0 ? lines[0] : x->line;
  sides[1].line = count > 1 ? lines[1] : sides[0].line;
  json_t *related = json_array(), *flows = json_array();
  for (size_t i = 0; i < 2; i++) {
    add_related(related, access_location(s, x, &sides[i]));
    value_add(flows, thread_flow(s, f, buffer_text(&sides[i].order), access_location(s, x, &sides[i])));
  }
  scoped_buffer words = buffer_with("the same launch in two orders of its work-groups");
  buffer_printf(text, " Accesses: [with %s](1), [with %s](2).", buffer_text(&sides[0].order),
                buffer_text(&sides[1].order)); /* viewers show related locations that the message links to */
  /* The accesses of which checks have seen that they race. */
  for (size_t i = 0; shown != NULL && i < shown->place_count; i++) {
    const db_place *p = &shown->places[i];
    scoped_buffer access = {0};
    verification_place(shown, i, &access);
    add_related(related, sarif_point_location(s, p->file, p->line, p->column, &access));
    buffer_printf(text, "%s [%s](%zu)", i == 0 ? " Race:" : " and", p->access, json_array_size(related));
  }
  buffer_puts(text, shown != NULL ? "." : "");
  value_set(result, "relatedLocations", related);
  value_set(result, "codeFlows", sarif_one_flow(flows, &words));
  buffer_free(&sides[0].order);
  buffer_free(&sides[1].order);
}

static void set_flows(const sarif *s, const issue *i, json_t *result, buffer *text) {
  const db_schedule *tried = i->failing.schedule;
  if (tried == NULL || tried->explanation == NULL || tried->explanation->file == MODEL_NONE ||
      tried->explanation->line == 0)
    return;
  if (amplification_verdict(tried) == VERDICT_RACE || amplification_verdict(tried) == VERDICT_ORDER ||
      amplification_verdict(tried) == VERDICT_DIFFERS)
    set_race(s, &i->failing, i->shown, result, text);
  else {
    /* Where a deadlock or crash shows. */
    const db_explanation *x = i->failing.schedule->explanation;
    scoped_buffer order = {0}, last = {0}, unfinished = {0}, words = {0};
    amplification_describe(i->failing.schedule, &order);
    explanation_unfinished(x, &unfinished);
    buffer_printf(&last, "%s%s", unfinished.length > 0 ? "never ended: " : "here", buffer_text(&unfinished));
    buffer_puts(&words, "the order of work-groups that shows it");
    json_t *flows = json_array();
    value_add(flows, thread_flow(s, &i->failing, buffer_text(&order), sarif_line_location(s, x->file, x->line, &last)));
    value_set(result, "codeFlows", sarif_one_flow(flows, &words));
  }
}

/* Where there are several, each with a link to it in the message, as viewers show what the message links to. */
static void set_places(const sarif *s, const db_finding *f, json_t *result, buffer *text) {
  json_t *related = json_array();
  buffer_puts(text, " (places:");
  for (size_t i = 0; i < f->place_count; i++) {
    const db_place *p = &f->places[i];
    scoped_buffer words = {0};
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

/* --- results ------------------------------------------------------------------------------------------------- */

static json_t *result_of(sarif *s, const issue *i) {
  scoped_buffer text = {0};
  issue_title(i, &text);
  buffer_puts(&text, ": ");
  issue_message(s->v, s->options, i, &text);
  json_t *result = json_object();
  scoped_buffer id = {0};
  issue_rule(i, &id);
  value_set(result, "ruleId", value_string(buffer_text(&id)));
  int index = sarif_rule_index(&s->issues, i);
  if (index >= 0) value_set(result, "ruleIndex", json_integer(index));
  value_set(result, "level", json_string(i->mutant != NULL ? "note" : i->level == ISSUE_WARNING ? "warning" : "error"));
  value_set(result, "locations", json_pack("[o]", primary_location(s, i)));
  set_flows(s, i, result, &text);
  if (i->finding != NULL && i->finding->place_count > 1) set_places(s, i->finding, result, &text);
  if (i->shown != NULL) {
    /* Of proofs it stands at the flow. */
    scoped_buffer words = {0};
    verification_witness(i->shown, &words);
    if (!i->shown->proved && words.length > 0) buffer_printf(&text, " With %s.", buffer_text(&words));
  }
  const db_finding *proof = i->finding == NULL ? NULL : verification_proof(s->v, i->finding);
  if (proof != NULL) sarif_counterexample(s, proof, result);
  value_set(result, "message", sarif_message_of(&text));
  value_set(result, "partialFingerprints", fingerprints_of(s, i));
  if (i->suppressed != NULL) {
    json_t *accepted = value_object({"kind", json_string("external")}, {"status", json_string("accepted")},
                                    {"justification", value_string(i->suppressed)});
    value_set(result, "suppressions", json_pack("[o]", accepted));
  }
  return result;
}

static void notify(sarif *s, const char *level, buffer *text) {
  json_t *n = value_object({"level", json_string(level)}, {"message", sarif_message_of(text)});
  json_stream_item(&s->out, n);
}

static void write_notifications(sarif *s, size_t left) {
  json_stream_array(&s->out, "toolExecutionNotifications");
  EACH(const issue, x, s->issues.list, s->issues.count) {
    if (x->file == MODEL_NONE && x->suppressed == NULL) {
      scoped_buffer text = {0};
      issue_title(x, &text);
      buffer_puts(&text, ": ");
      issue_message(s->v, s->options, x, &text);
      notify(s, "error", &text);
    }
  }
  for (size_t i = 0; i < s->v->skipped_count; i++) {
    scoped_buffer text = buffer_with("not instrumented: %s: %s", s->v->skipped[i].program, s->v->skipped[i].reason);
    notify(s, "note", &text);
  }
  if (left > 0) {
    scoped_buffer text = buffer_with("%zu more results were left out: a run takes %d", left, MOST_RESULTS);
    notify(s, "warning", &text);
  }
  json_stream_close(&s->out);
}

static json_t *driver_of(const sarif *s) {
  json_t *driver = value_object({"name", json_string("cltestcheck")}, {"version", value_string(s->v->version)},
                                {"rules", sarif_rules(&s->issues)});
  return value_object({"driver", driver});
}

static void write_run(sarif *s) {
  scoped_buffer id = buffer_with("cltestcheck/%s/", s->v->command);
  json_stream_object(&s->out, NULL);
  json_stream_value(&s->out, "tool", driver_of(s));
  json_stream_value(&s->out, "automationDetails", /* so that an upload of another command does not replace this one */
                    value_object({"id", value_string(buffer_text(&id))}));
  json_stream_value(&s->out, "columnKind", json_string("utf16CodeUnits"));
  json_stream_value(&s->out, "originalUriBaseIds",
                    json_pack("{s{s{ss}}}", BASE, "description", "text", "The root of the repository."));
  /* Those that have a place; how many were left out as they are too many. */
  size_t written = 0, left = 0;
  json_stream_array(&s->out, "results");
  for (size_t i = 0; i < s->issues.count; i++) {
    if (s->issues.list[i].file == MODEL_NONE) continue;
    if (written == MOST_RESULTS) {
      left++;
      continue;
    }
    json_stream_item(&s->out, result_of(s, &s->issues.list[i]));
    written++;
  }
  json_stream_close(&s->out);
  json_stream_array(&s->out, "invocations");
  json_stream_object(&s->out, NULL);
  json_stream_value(&s->out, "executionSuccessful", json_true());
  json_stream_value(&s->out, "exitCode", json_integer(s->options->exit));
  if (s->v->started[0] != '\0') json_stream_value(&s->out, "startTimeUtc", value_string(s->v->started));
  write_notifications(s, left);
  json_stream_close(&s->out);
  json_stream_close(&s->out);
  json_stream_close(&s->out);
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
