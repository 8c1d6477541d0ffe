/* The JSON report: a stable contract (docs/schema.json). */
#include "reports/common/json.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "reports/common/coverage.h"
#include "reports/words/words.h"

/* What a look saw of the kernels that are reported. */
static json_t *looked_at(const view *v, const report_options *options) {
  uint64_t launches = 0;
  json_int_t kernels = 0;
  EACH(const view_kernel, k, v->kernels, v->kernel_count) {
    const uint64_t own = report_selects(options, k->name) ? k->launches : 0;
    launches += own;
    kernels += own > 0 ? 1 : 0;
  }
  return json_pack("{sIsI}", "launches", (json_int_t)launches, "kernels", kernels);
}

/* memory: nothing unless one of the runs looked for errors with it. */
static void value_memory(json_stream *report, const view *v, const report_options *options) {
  if (!memory_is(v)) return;
  json_t *all = looked_at(v, options);
  value_set(all, "errors", json_integer((json_int_t)memory_count(v, options, NULL, NULL)));
  for (const rule_row *r = rule_rows; r->name != NULL; r++) {
    if ((r->kinds & RULE_MEMORY) == 0) continue;
    scoped_buffer member = buffer_with("%s", r->name); /* out_of_bounds */
    for (size_t i = 0; i < member.length; i++) member.data[i] = (char)(member.data[i] == '-' ? '_' : member.data[i]);
    value_set(all, buffer_text(&member), json_integer((json_int_t)memory_count(v, options, NULL, r->name)));
  }
  json_stream_value(report, "memory", all);
}

/* `races`, where a run looked for them. */
static void value_races(json_stream *report, const view *v, const report_options *options) {
  if (!races_are(v)) return;
  const race_counts n = races_count(v, options, NULL);
  json_t *all = looked_at(v, options);
  (void)json_object_update_new(all, json_pack("{sIsIsI}", "race", (json_int_t)n.race, "benign", (json_int_t)n.benign,
                                              "divergence", (json_int_t)n.divergence));
  json_stream_value(report, "races", all);
}

static json_t *repair_of(const view *v, const db_repair *r) {
  json_t *lines = json_array();
  const char *at = r->report, *line = NULL;
  size_t length = 0;
  while ((line = repair_line(&at, &length)) != NULL) value_add(lines, value_text(line, length));
  return value_object({"name", value_string(r->name)}, {"file", value_file(v, r->file)},
                      {"outcome", value_string(r->outcome)}, {"report", lines},
                      {"patch", r->patch[0] == '\0' ? json_null() : value_string(r->patch)});
}

/* Those on repairs (json.c). */
static void value_repairs(json_stream *report, const view *v) {
  if (!repairs_are(v)) return;
  json_stream_array(report, "repairs");
  for (size_t i = 0; i < v->repair_count; i++) json_stream_item(report, repair_of(v, &v->repairs[i]));
  json_stream_close(report);
}

/* The JSON report on proofs: `verification` and `proofs` (docs/formats/json.md). */

/* Keys of the verdicts; the possible ones are one. */
static const struct {
  const char *key;
  proof_verdict verdicts[2];
} counts[] = {
    {"verified", {PROOF_VERIFIED, PROOF_VERDICTS}},
    {"race", {PROOF_RACE, PROOF_VERDICTS}},
    {"divergence", {PROOF_DIVERGENCE, PROOF_VERDICTS}},
    {"out_of_bounds", {PROOF_OUT_OF_BOUNDS, PROOF_VERDICTS}},
    {"possible", {PROOF_POSSIBLE_RACE, PROOF_POSSIBLE_DIVERGENCE}},
    {"unknown", {PROOF_UNKNOWN, PROOF_VERDICTS}},
    {"unsupported", {PROOF_UNSUPPORTED, PROOF_VERDICTS}},
};

static json_t *summary_of(const verification *all) {
  json_t *summary = json_object();
  value_set(summary, "kernels", json_integer((json_int_t)all->kernels));
  for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++) {
    unsigned long count = 0;
    for (size_t k = 0; k < 2; k++)
      count += counts[i].verdicts[k] == PROOF_VERDICTS ? 0 : all->of[counts[i].verdicts[k]];
    value_set(summary, counts[i].key, json_integer((json_int_t)count));
  }
  value_set(summary, "suppressed", json_integer((json_int_t)all->suppressed));
  return summary;
}

static json_t *texts_of(const db_proof_parts *parts) {
  json_t *list = json_array();
  for (size_t i = 0; i < parts->count; i++) value_add(list, value_string(parts->list[i].text));
  return list;
}

static json_t *invariants_of(const view *v, const db_proof_parts *parts) {
  json_t *list = json_array();
  EACH(const db_proof_part, part, parts->list, parts->count) {
    value_add(list, value_object({"file", value_file(v, part->file)}, {"line", value_line(part->file, part->line)},
                                 {"text", value_string(part->text)}));
  }
  return list;
}

static json_t *barriers_of(const view *v, const db_proof_parts *parts) {
  json_t *list = json_array();
  EACH(const db_proof_part, part, parts->list, parts->count) {
    const bool needed = strcmp(part->text, "needed") == 0;
    value_add(list, value_object({"file", value_file(v, part->file)}, {"line", json_integer(part->line)},
                                 {"column", json_integer(part->column)},
                                 {"needed", needed || strcmp(part->text, "redundant") == 0 ? json_boolean(needed)
                                                                                           : json_null()}));
  }
  return list;
}

static json_t *launches_of(const db_proof *p) {
  return p->launches == 0 ? json_null()
                          : value_object({"given", json_integer(p->launches)}, {"proved", json_integer(p->proved)});
}

static json_t *confirmed_of(const view *v, size_t proof) {
  const finding_confirmed confirmed = verification_confirmed(v, proof);
  return confirmed == CONFIRMED_YES ? json_true() : confirmed == CONFIRMED_NO ? json_false() : json_null();
}

static json_t *proof_of(const view *v, size_t i) {
  const db_proof *p = &v->proofs[i];
  const db_proof_parts *host = &p->parts[PROOF_HOST];
  return value_object(
      {"kernel", value_string(p->name)}, {"file", value_file(v, p->file)}, {"line", value_line(p->file, p->line)},
      {"options", value_string(p->options)}, {"verdict", json_string(proof_verdict_name(proof_verdict_of(p)))},
      {"preconditions", texts_of(&p->parts[PROOF_PRECONDITION])}, {"reason", value_string(p->reason)},
      {"confirmed", confirmed_of(v, i)}, {"suppressed", json_boolean(verification_held_back(v, i))},
      {"launches", launches_of(p)}, {"host", host->count > 0 ? value_string(host->list[0].text) : json_null()},
      {"facts", texts_of(&p->parts[PROOF_FACT])}, {"assumptions", texts_of(&p->parts[PROOF_ASSUMPTION])},
      {"invariants", invariants_of(v, &p->parts[PROOF_INVARIANT])},
      {"barriers", barriers_of(v, &p->parts[PROOF_BARRIER])}, {"seconds", json_real(p->seconds)},
      {"queries", json_integer((json_int_t)p->queries)}, {"memory", json_integer((json_int_t)p->memory)},
      {"reused", json_boolean(p->reused)});
}

/* Those on proofs (json.c). */
static void value_verification(json_stream *report, const view *v, const report_options *options) {
  if (!verification_is(v)) return;
  verification all;
  verification_totals(v, options, &all);
  json_stream_value(report, "verification", summary_of(&all));
  json_stream_array(report, "proofs");
  for (size_t i = 0; i < v->proof_count; i++)
    if (report_selects(options, v->proofs[i].name)) json_stream_item(report, proof_of(v, i));
  json_stream_close(report);
}

/* The findings of the JSON report, with places, witness and path. */

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
    value_add(list, value_object({"file", value_file(v, p->inlined[i].file)},
                                 {"line", value_line(p->inlined[i].file, p->inlined[i].line)},
                                 {"column", json_integer(p->inlined[i].column)}));
  }
  return list;
}

/* NULL, which leaves it out, where nothing is known. */
static json_t *text_if(const char *text) { return text != NULL && text[0] != '\0' ? value_string(text) : NULL; }
static json_t *id_if(const char *id) { return id != NULL && id[0] != '\0' ? id_of(id) : NULL; }
static json_t *number_if(db_number n) { return n.known ? json_integer((json_int_t)n.value) : NULL; }

static json_t *places_of(const view *v, const db_finding *f) {
  json_t *list = json_array();
  EACH(const db_place, p, f->places, f->place_count) {
    value_add(list,
              value_object({"role", value_string(p->role)}, {"file", value_file(v, p->file)},
                           {"line", value_line(p->file, p->line)}, {"column", json_integer(p->column)},
                           {"how", text_if(p->how)}, {"who", text_if(p->who)}, {"access", text_if(p->access)},
                           {"local", id_if(p->local)}, {"group", id_if(p->group)}, {"condition", text_if(p->condition)},
                           {"inlined", p->inlined_count > 0 ? inlined_of(v, p) : NULL}));
  }
  return list;
}

static void add_part(void *list, finding_part_kind kind, const char *what, const char *value) {
  (void)kind;
  value_add(list, value_object({"what", value_string(what)}, {"value", value_string(value)}));
}

static json_t *witness_of(const db_finding *f) {
  json_t *witness = json_array();
  finding_parts(f, add_part, witness);
  return witness;
}

static json_t *message_of(const view *v, const db_finding *f) {
  scoped_buffer text = {0};
  finding_message(v, f, &text);
  return value_string(buffer_text(&text));
}

static json_t *path_of(const view *v, const db_finding *f) {
  json_t *path = json_array();
  EACH(const db_step, s, f->path, f->path_count) {
    value_add(path, value_object({"thread", json_integer(s->thread)}, {"file", value_file(v, s->file)},
                                 {"line", value_line(s->file, s->line)}, {"column", json_integer(s->column)},
                                 {"text", value_string(s->text)}));
  }
  return path;
}

/* --- the record ------------------------------------------------------------------------------------------------- */

/* The memory that it is about; null: none is known. */
static json_t *object_of(const db_detail *d) {
  return d->space[0] == '\0' && d->object[0] == '\0'
             ? json_null()
             : value_object({"name", d->object[0] == '\0' ? json_null() : value_string(d->object)},
                            {"space", text_if(d->space)}, {"size", number_if(d->size)},
                            {"element", number_if(d->element)}, {"element_size", number_if(d->element_size)},
                            {"byte", number_if(d->byte)}, {"pixel", id_if(d->pixel)});
}

static json_t *arguments_of(const db_finding *f) {
  json_t *list = json_array();
  EACH(const db_witness, w, f->witness, f->witness_count) {
    if (strcmp(w->kind, "argument") == 0 || strcmp(w->kind, "content") == 0) {
      value_add(list, value_object({"name", value_string(w->what)}, {"element", number_if(w->element)},
                                   {"value", value_string(w->value)}));
    }
  }
  return list;
}

/* How it is known: seen in a launch, or proved, with what both need to be seen again. */
static json_t *evidence_of(const view *v, const db_finding *f) {
  const db_detail *d = &f->detail;
  const char *decision = NULL, *proof = f->proof == MODEL_NONE ? NULL : v->proofs[f->proof].name;
  for (size_t i = 0; i < f->place_count; i++)
    decision = f->places[i].construct != NULL && f->places[i].construct[0] != '\0' ? f->places[i].construct : decision;
  return value_object(
      {"kind", json_string(f->proved ? "proved" : "seen")}, {"id", json_integer(f->id)},
      {"launch", number_if(d->launch)}, {"launches", number_if(d->launches)}, {"count", number_if(d->count)},
      {"barriers", number_if(d->barriers)}, {"value_size", number_if(d->value_size)},
      {"value_before", number_if(d->value_before)}, {"value_after", number_if(d->value_after)},
      {"differing", number_if(d->differing)}, {"items", number_if(d->items)}, {"local_size", id_if(d->local_size)},
      {"groups", id_if(d->groups)}, {"offset", id_if(d->offset)}, {"decision", text_if(decision)},
      {"call", text_if(d->call)}, {"cause", text_if(d->cause)},
      {"definite", f->proved ? json_boolean(!f->possible) : NULL}, {"values", f->proved ? arguments_of(f) : NULL},
      {"proof", !f->proved      ? NULL
                : proof == NULL ? json_null()
                                : value_string(proof)});
}

static json_t *all_evidence_of(const view *v, const db_finding *f) {
  const db_finding *twin = verification_twin(v, f);
  json_t *evidence = json_array();
  value_add(evidence, evidence_of(v, f));
  if (twin != NULL) value_add(evidence, evidence_of(v, twin));
  return evidence;
}

/* The two commands of a race between commands. */
static json_t *commands_of(const db_finding *f) {
  json_t *list = json_array();
  EACH(const db_command, c, f->commands, f->command_count) {
    value_add(list, value_object({"function", value_string(c->function)}, {"kernel", text_if(c->kernel)},
                                 {"number", json_integer(c->number)}, {"queue", json_integer(c->queue)},
                                 {"in_order", json_boolean(c->in_order)},
                                 {"thread", c->thread == 0 ? json_null() : json_integer(c->thread)},
                                 {"memory", json_integer(c->memory)}, {"access", value_string(c->access)},
                                 {"parameter", text_if(c->parameter)}, {"mapped", json_boolean(c->mapped)},
                                 {"sure", json_boolean(c->sure)}));
  }
  return list;
}

static json_t *finding_of(const view *v, const db_finding *f) {
  const db_finding *proof = verification_proof(v, f);
  const bool asked = proof != NULL && proof->confirmed != CONFIRMED_UNKNOWN;
  return value_object({"id", json_integer(f->id)}, {"rule", value_string(f->rule)}, {"kernel", value_string(f->kernel)},
                      {"file", value_file(v, f->file)}, {"line", value_line(f->file, f->line)},
                      {"message", message_of(v, f)}, {"places", places_of(v, f)}, {"witness", witness_of(f)},
                      {"commands", f->command_count > 0 ? commands_of(f) : NULL}, {"object", object_of(&f->detail)},
                      {"evidence", all_evidence_of(v, f)},
                      {"definite", verification_shows(f) ? json_boolean(!f->possible) : NULL},
                      {"confirmed", asked ? json_string(finding_confirmed_name(proof->confirmed)) : NULL},
                      {"confirmation", asked ? value_string(proof->confirmation) : NULL},
                      {"path", proof != NULL ? path_of(v, proof) : NULL});
}

/* Those that nothing suppresses; a race that was seen and proved is one. */
static void value_findings(json_stream *report, const view *v, const report_options *options) {
  json_stream_array(report, "findings");
  EACH(const db_finding, f, v->findings, v->finding_count) {
    if (f->suppressed == NULL && report_selects(options, f->kernel) && verification_told_with(v, f) == NULL)
      json_stream_item(report, finding_of(v, f));
  }
  json_stream_close(report);
}

#define SCHEMA 1

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
  return value_object({"name", json_string("cltestcheck")}, {"version", value_string(v->version)});
}

static json_t *run_of(const view *v, const report_options *options) {
  json_t *ids = json_array();
  for (size_t i = 0; i < v->run_count; i++) value_add(ids, json_integer(v->runs[i].id));
  return value_object({"id", json_integer(v->run)}, {"command", value_string(v->command)},
                      {"device", value_string(v->device)}, {"exit", json_integer(options->exit)},
                      {"started", value_string(v->started)}, {"runs", ids});
}

static void write_kernels(json_stream *to, const view *v, const report_options *options) {
  bool covered = report_covered(v);
  json_stream_array(to, "kernels");
  EACH(const view_kernel, k, v->kernels, v->kernel_count) {
    if (!report_selects(options, k->name)) continue;
    coverage c;
    coverage_kernel(v, k, &c);
    json_stream_item(
        to, value_object({"name", value_string(k->name)}, {"file", value_file(v, v->functions[k->function].file)},
                         {"line", value_line(v->functions[k->function].file, v->functions[k->function].line)},
                         {"launches", covered ? json_integer((json_int_t)k->launches) : json_null()},
                         {"test_cases", covered ? json_integer(k->tests) : json_null()},
                         {"coverage", covered ? coverage_of(&c) : json_null()}));
  }
  json_stream_close(to);
}

static json_t *pattern_of(const char *pattern) { return pattern == NULL ? json_null() : value_string(pattern); }

static void write_suppressions(json_stream *to, const view *v) {
  json_stream_array(to, "suppressions");
  EACH(const view_suppression, s, v->suppressions, v->suppression_count) {
    json_stream_item(
        to, value_object({"rule", pattern_of(s->rule)}, {"kernel", pattern_of(s->kernel)},
                         {"line", pattern_of(s->line)}, {"reason", value_string(s->reason == NULL ? "" : s->reason)},
                         {"count", json_integer((json_int_t)s->count)}));
  }
  json_stream_close(to);
}

static json_t *refused_of(const view *v) {
  json_t *refused = json_array();
  EACH(const db_refused, r, v->refused, v->refused_count) {
    value_add(refused, value_object({"call", value_string(r->call)}, {"kernel", value_string(r->kernel)},
                                    {"error", value_string(r->error)}, {"detail", value_string(r->detail)},
                                    {"count", json_integer((json_int_t)r->count)}));
  }
  return refused;
}

static json_t *skipped_of(const view *v) {
  json_t *skipped = json_array();
  for (size_t i = 0; i < v->skipped_count; i++) {
    value_add(skipped, value_object({"program", value_string(v->skipped[i].program)},
                                    {"reason", value_string(v->skipped[i].reason)}));
  }
  return skipped;
}

static json_t *test_cases_of(const view *v) {
  bool covered = report_covered(v);
  json_t *test_cases = json_array();
  EACH(const view_test_case, t, v->test_cases, v->test_case_count) {
    value_add(test_cases, value_object({"suite", value_string(t->suite)}, {"name", value_string(t->name)},
                                       {"command", value_string(t->command_line)},
                                       {"exit", t->status < 0 ? json_null() : json_integer(t->status)},
                                       {"timed_out", json_boolean(t->timed_out)},
                                       {"launches", covered ? json_integer((json_int_t)t->launches) : json_null()},
                                       {"lines", covered ? json_integer(t->lines) : json_null()},
                                       {"branches", covered ? json_integer(t->branches) : json_null()}));
  }
  return test_cases;
}

static json_t *missed_item(const view *v, uint32_t file, uint32_t line, const char *kind, const char *outcome) {
  return value_object({"file", value_file(v, file)}, {"line", value_line(file, line)}, {"kind", json_string(kind)},
                      {"outcome", value_string(outcome)});
}

static void add_missed(const view *v, const model_site *s, const char *kind, const char *outcome, json_stream *to) {
  json_t *item = missed_item(v, s->file, s->line, kind, outcome);
  value_set(item, "column", json_integer(s->column));
  json_stream_item(to, item);
}

/* Every outcome of a site that was not taken, then every line that was not executed. */
static void write_missed(json_stream *to, const view *v, const report_options *options) {
  json_stream_array(to, "missed");
  bool *reported = report_functions(v, options), everything = report_everything(options);
  bool covered = report_covered(v);
  for (size_t i = 0; covered && i < v->site_count; i++) {
    const model_site *s = &v->sites[i];
    bool counted = s->kind != SITE_REGION && report_has(reported, everything, s->function);
    if (counted && s->kind == SITE_DECISION) {
      /* Of a decision not the ways through it count but the conditions. */
      mcdc m;
      mcdc_read(s, &m);
      for (size_t k = 0; k < m.count; k++) {
        if (!m.conditions[k].shown) {
          scoped_buffer outcome = buffer_with("condition %zu of %zu: ", k + 1, m.count);
          mcdc_needs(&m, &m.conditions[k], &outcome);
          add_missed(v, s, "mcdc", buffer_text(&outcome), to);
        }
      }
      continue;
    }
    for (size_t k = 0; counted && k < s->outcome_count; k++)
      if (s->outcomes[k].tests == 0) add_missed(v, s, site_kind_name(s->kind), s->outcomes[k].label, to);
  }
  for (size_t i = 0; covered && i < v->line_count; i++) {
    const view_line *l = &v->lines[i];
    if (l->tests == 0 && report_has(reported, everything, l->function))
      json_stream_item(to, missed_item(v, l->file, l->line, "line", "executed"));
  }
  json_stream_close(to);
  free(reported);
}

/* The JSON report on schedules: `amplification`, `schedules` and `launches_skipped` (docs/formats/json.md). */

/* Keys of the verdicts; `schedules` and `runs` stand before them, `meant` and `suppressed` after. */
static const struct {
  const char *key;
  schedule_verdict verdict;
} verdicts[] = {
    {"consistent", VERDICT_CONSISTENT},     {"race", VERDICT_RACE},       {"deadlock", VERDICT_DEADLOCK},
    {"occupancy_bound", VERDICT_OCCUPANCY}, {"crash", VERDICT_CRASH},     {"order_dependent", VERDICT_ORDER},
    {"differs", VERDICT_DIFFERS},           {"pending", VERDICT_PENDING},
};

static json_t *amplification_summary_of(const amplification *a) {
  json_t *summary = value_object({"schedules", json_integer((json_int_t)a->all.schedules)},
                                 {"runs", json_integer((json_int_t)a->all.runs)});
  for (size_t i = 0; i < sizeof verdicts / sizeof verdicts[0]; i++)
    value_set(summary, verdicts[i].key, json_integer((json_int_t)a->all.of[verdicts[i].verdict]));
  value_set(summary, "meant", json_integer((json_int_t)a->all.meant));
  value_set(summary, "suppressed", json_integer((json_int_t)a->all.suppressed));
  return summary;
}

static json_t *known_number(uint32_t n) { return n == 0 ? json_null() : json_integer(n); }

/* JSON's integers are signed. */
static json_t *element(uint64_t n) { return json_integer(n > INT64_MAX ? INT64_MAX : (json_int_t)n); }

static json_t *explained_places(const view *v, const db_explanation *x) {
  json_t *list = json_array();
  EACH(const db_explained, p, x->places, x->place_count) {
    const bool group = strcmp(p->role, "group") == 0;
    value_add(list, value_object({"role", value_string(p->role)}, {"group", group ? json_integer(p->group) : NULL},
                                 {"construct", !group                    ? NULL
                                               : p->construct[0] == '\0' ? json_null()
                                                                         : value_string(p->construct)},
                                 {"file", value_file(v, p->file)}, {"line", value_line(p->file, p->line)}));
  }
  return list;
}

static json_t *explanation_of(const view *v, const db_launch *l, const db_schedule *s) {
  const db_explanation *x = s->explanation;
  scoped_buffer text = {0}, unfinished = {0};
  if (x == NULL) return json_null();
  const db_why *w = &x->why;
  const bool read = strcmp(w->kind, "read") == 0, groups = strcmp(w->kind, "groups") == 0;
  const bool why = w->kind[0] != '\0'; /* else the text says it */
  explanation_text(v, l, s, &text);
  explanation_unfinished(x, &unfinished);
  return value_object(
      {"text", value_string(buffer_text(&text))}, {"other", x->other == 0 ? json_null() : json_integer(x->other)},
      {"argument", value_string(x->argument)}, {"first", element(x->first)}, {"last", element(x->last)},
      {"differing", element(x->differing)}, {"reference", value_string(x->reference)}, {"seen", value_string(x->seen)},
      {"file", value_file(v, x->file)}, {"line", value_line(x->file, x->line)},
      {"unfinished", value_string(buffer_text(&unfinished))}, {"kind", why ? value_string(w->kind) : NULL},
      {"unit", strcmp(w->kind, "memory") == 0 ? value_string(w->unit) : NULL},
      {"read_kernel", !read                       ? NULL
                      : w->read_kernel[0] == '\0' ? json_null()
                                                  : value_string(w->read_kernel)},
      {"read_argument", read ? json_integer(w->read_argument) : NULL},
      {"read_launch", read ? element(w->read_launch) : NULL}, {"read_number", read ? element(w->read_number) : NULL},
      {"running", groups ? json_integer(w->running) : NULL}, {"waiting", groups ? json_integer(w->waiting) : NULL},
      {"race", why && w->race[0] != '\0' ? value_string(w->race) : NULL},
      {"places", why ? explained_places(v, x) : NULL});
}

static json_t *reached_of(const view *v, const db_schedule *s) {
  json_t *reached = json_array();
  for (size_t i = 0; i < s->reached_count; i++) {
    const model_site *site = &v->sites[s->reached[i].site];
    value_add(reached,
              value_object({"file", value_file(v, site->file)}, {"line", value_line(site->file, site->line)},
                           {"column", json_integer(site->column)}, {"kind", json_string(site_kind_name(site->kind))},
                           {"outcome", value_string(site->outcomes[s->reached[i].outcome].label)}));
  }
  return reached;
}

/* Has the order a target? */
static bool is_targeted(const db_schedule *s) {
  return strcmp(s->order, "first") == 0 || strcmp(s->order, "last") == 0;
}

static json_t *schedule_of(const view *v, const db_launch *l, const db_schedule *s) {
  const view_kernel *k = &v->kernels[l->kernel];
  const model_function *f = &v->functions[k->function];
  return value_object(
      {"id", json_integer(s->id)}, {"kernel", value_string(k->name)}, {"file", value_file(v, f->file)},
      {"line", value_line(f->file, f->line)}, {"test", json_integer(l->test_case)}, {"launch", json_integer(l->number)},
      {"groups", known_number(l->groups)}, {"in_flight", known_number(l->together)}, {"gate", value_string(s->gate)},
      {"order", value_string(s->order)}, {"target", is_targeted(s) ? json_integer(s->target) : json_null()},
      {"seed", json_integer(s->seed)}, {"runs", json_integer((json_int_t)strlen(s->outcomes))},
      {"reference", json_integer((json_int_t)schedule_count(s->outcomes, RUN_REFERENCE))},
      {"outcomes", value_string(s->outcomes)},
      {"verdict", json_string(schedule_verdict_name(amplification_verdict(s)))}, {"meant", json_boolean(s->meant)},
      {"suppressed", s->suppressed != NULL ? value_string(s->suppressed) : NULL},
      {"explanation", explanation_of(v, l, s)}, {"reached", reached_of(v, s)});
}

/* Those on launches and schedules. */
static void value_amplification(json_stream *report, const view *v, const report_options *options) {
  if (!amplification_is(v)) return;
  amplification a;
  amplification_totals(v, options, &a);
  json_stream_value(report, "amplification", amplification_summary_of(&a));
  json_stream_array(report, "schedules");
  for (size_t i = 0; i < v->launch_count; i++) {
    const db_launch *l = &v->launches[i];
    for (size_t k = 0; a.selected[i] && k < l->schedule_count; k++)
      json_stream_item(report, schedule_of(v, l, &l->schedules[k]));
  }
  json_stream_close(report);
  json_stream_array(report, "launches_skipped");
  for (size_t i = 0; i < v->launch_count; i++)
    if (a.selected[i] && v->launches[i].schedule_count == 0)
      json_stream_item(report, value_object({"kernel", value_string(v->kernels[v->launches[i].kernel].name)},
                                            {"launch", json_integer(v->launches[i].number)},
                                            {"reason", value_string(v->launches[i].skipped)},
                                            {"test", json_integer(v->launches[i].test_case)}));
  json_stream_close(report);
  amplification_free(&a);
}

/* The JSON report on mutants: `mutation` and `mutants` (docs/formats/json.md). */

/* Keys of the statuses; `total` stands before them. */
static const struct {
  const char *key;
  mutant_status status;
} statuses[] = {
    {"killed", MUTANT_KILLED},           {"undecided", MUTANT_UNDECIDED},   {"survived", MUTANT_SURVIVED},
    {"no_coverage", MUTANT_NO_COVERAGE}, {"equivalent", MUTANT_EQUIVALENT}, {"duplicate", MUTANT_DUPLICATE},
    {"invalid", MUTANT_INVALID},         {"suppressed", MUTANT_SUPPRESSED}, {"pending", MUTANT_PENDING},
};

static json_t *percentage_of(double share) { return json_real(round(share * 1000) / 10); }

/* null: all are decided, or none. */
static json_t *interval_value(const view *v, const mutation_counts *c) {
  interval i;
  if (!mutation_interval(v, c, &i)) return json_null();
  json_t *ends = json_array();
  value_add(ends, percentage_of(i.low));
  value_add(ends, percentage_of(i.high));
  return ends;
}

static json_t *share_of(const ratio *r) {
  return r->total == 0 ? json_null() : json_real((double)ratio_thousandths(r) / 10);
}

static void set_counts(json_t *object, const view *v, const mutation_counts *c) {
  const ratio score = mutation_score(c), revealed = mutation_revealed(c);
  (void)json_object_update_new(
      object, value_object({"score", share_of(&score)}, {"interval", interval_value(v, c)},
                           {"revealed", share_of(&revealed)}, {"total", json_integer((json_int_t)c->total)}));
  for (size_t i = 0; i < sizeof statuses / sizeof statuses[0]; i++)
    value_set(object, statuses[i].key, json_integer((json_int_t)c->of[statuses[i].status]));
}

static json_t *operators_of(const view *v, const mutation *m) {
  json_t *operators = json_object();
  for (size_t i = 0; i < m->operator_count; i++) {
    json_t *object = json_object();
    set_counts(object, v, &m->operators[i].counts);
    json_t *name = value_string(m->operators[i].name);
    value_set(operators, json_string_value(name), object);
    json_decref(name);
  }
  return operators;
}

static json_t *kernels_of(const view *v, const mutation *m) {
  json_t *kernels = json_array();
  for (size_t i = 0; i < m->kernel_count; i++) {
    const model_function *f = &v->functions[v->kernels[m->kernels[i].kernel].function];
    json_t *kernel = value_object({"name", value_string(m->kernels[i].name)}, {"file", value_file(v, f->file)},
                                  {"line", value_line(f->file, f->line)});
    set_counts(kernel, v, &m->kernels[i].counts);
    value_add(kernels, kernel);
  }
  return kernels;
}

static json_t *unstable_of(const view *v) {
  json_t *unstable = json_array();
  for (size_t i = 0; i < v->unstable_count; i++) {
    value_add(unstable,
              value_object({"test", json_integer(v->unstable[i].test_case)},
                           {"what", value_string(v->unstable[i].what)}, {"share", json_real(v->unstable[i].share)}));
  }
  return unstable;
}

/* null when nothing can be said. */
static json_t *superfluous_of(const view *v, const mutation *m) {
  bool *superfluous = mutation_superfluous(v, m);
  if (superfluous == NULL) return json_null();
  json_t *tests = json_array();
  for (size_t i = 0; i < v->test_case_count; i++)
    if (superfluous[i]) value_add(tests, json_integer((json_int_t)i));
  free(superfluous);
  return tests;
}

/* null: it is not known. */
static json_t *revealed_value(mutant_revealed revealed) {
  return revealed == REVEALED_UNKNOWN ? json_null() : json_boolean(revealed == REVEALED_YES);
}

static json_t *tests_of(const db_mutant *m) {
  json_t *tests = json_array();
  EACH(const mutant_verdict, verdict, m->verdicts, m->verdict_count) {
    value_add(tests,
              value_object({"test", json_integer(verdict->test_case)}, {"runs", json_integer(verdict->runs)},
                           {"output", json_integer(verdict->output)}, {"crash", json_integer(verdict->crash)},
                           {"timeout", json_integer(verdict->timeout)}, {"outside", json_integer(verdict->outside)},
                           {"unwritten", json_integer(verdict->unwritten)}, {"race", json_integer(verdict->race)},
                           {"replayed", json_integer(verdict->replayed)}, {"reused", json_boolean(verdict->reused)},
                           {"revealed", revealed_value(verdict->revealed)}));
  }
  return tests;
}

static json_t *mutant_of(const view *v, const db_mutant *m) {
  json_t *kernels = json_array();
  for (size_t i = 0; i < m->kernel_count; i++) value_add(kernels, value_string(v->kernels[m->kernels[i]].name));
  return value_object(
      {"id", json_integer(m->id)}, {"operator", value_string(m->operator_name)}, {"file", value_file(v, m->file)},
      {"line", value_line(m->file, m->line)}, {"column", json_integer(m->column)},
      {"end_line", json_integer(m->end_line)}, {"end_column", json_integer(m->end_column)},
      {"original", value_string(m->original)}, {"replacement", value_string(m->replacement)},
      {"description", m->description == NULL ? json_null() : value_string(m->description)},
      {"function", m->function == MODEL_NONE ? json_null() : value_string(v->functions[m->function].name)},
      {"kernels", kernels}, {"status", json_string(mutant_status_name(m->status))}, {"reason", value_string(m->reason)},
      {"revealed", revealed_value(mutation_is_revealed(m))},
      {"suppressed", m->suppressed == NULL ? NULL : value_string(m->suppressed)},
      {"duplicate_of", m->duplicate_of == MODEL_NONE ? json_null() : json_integer(v->mutants[m->duplicate_of].id)},
      {"tests", tests_of(m)});
}

/* The parts of the JSON report on mutants. */
static void value_mutation(json_stream *report, const view *v, const report_options *options) {
  if (!mutation_is(v)) return;
  mutation m;
  mutation_totals(v, options, &m);
  size_t all = 0, reused = 0;
  mutation_verdicts(v, &m, &all, &reused);
  json_t *summary = json_object();
  set_counts(summary, v, &m.all);
  (void)json_object_update_new(
      summary, value_object({"by_operator", operators_of(v, &m)}, {"by_kernel", kernels_of(v, &m)},
                            {"verdicts", json_integer((json_int_t)all)}, {"reused", json_integer((json_int_t)reused)},
                            {"unstable", unstable_of(v)}, {"superfluous_tests", superfluous_of(v, &m)}));
  json_stream_value(report, "mutation", summary);
  json_stream_array(report, "mutants");
  for (size_t i = 0; i < v->mutant_count; i++)
    if (m.selected[i]) json_stream_item(report, mutant_of(v, &v->mutants[i]));
  json_stream_close(report);
  mutation_free(&m);
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
