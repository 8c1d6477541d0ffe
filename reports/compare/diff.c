/* Two views compared: lines, outcomes, mutants, findings and proofs that have a counterpart; what changed, in text, Markdown
 * and JSON. */
#include "reports/compare/diff.h"

#include <stdlib.h>
#include <string.h>

#include "base/lines.h"
#include "base/utf8.h"
#include "reports/common/json.h"

/* A diff of lines without their spaces. */

/* Edits that are followed; texts that differ in more are taken to be the same only as far as that leads. */
#define MOST_EDITS 2000

static bool is_space(const text_line *l, size_t i) {
  return i < l->length && l->text[i] != '\0' && strchr(" \t\r\f\v\n", l->text[i]) != NULL;
}

static bool same(const text_line *a, const text_line *b) {
  size_t x = 0, y = 0;
  for (;; x++, y++) {
    while (is_space(a, x)) x++;
    while (is_space(b, y)) y++;
    if (x == a->length || y == b->length || a->text[x] != b->text[y]) return x == a->length && y == b->length;
  }
}

line_map line_map_of(const model_file *old, const model_file *new) {
  const line_diff d = {text_lines_of(old->text, old->length), text_lines_of(new->text, new->length), same, MOST_EDITS};
  const line_map map = {.old_of = mem_calloc(d.new.count, sizeof *map.old_of), .count = d.new.count};
  line_diff_pairs(&d, map.old_of);
  free(d.old.items);
  free(d.new.items);
  return map;
}

void line_map_free(line_map *m) {
  free(m->old_of);
  *m = (line_map){0};
}

uint32_t line_map_old(const line_map *m, uint32_t line) {
  return line == 0 || line > m->count ? 0 : m->old_of[line - 1];
}

/* Findings that are new or gone, proofs that are won or lost. */

/* The line that a line of the new view was; 0 for none. The file that a file was; MODEL_NONE for none. */
static uint32_t comparison_old_line(const comparison *c, uint32_t file, uint32_t line) {
  return file == MODEL_NONE ? 0 : line_map_old(&c->files[file].lines, line);
}

static uint32_t comparison_old_file(const comparison *c, uint32_t file) {
  return file == MODEL_NONE ? MODEL_NONE : c->files[file].old;
}

/* Adds an entry and counts it. */
static void comparison_add(diff *d, diff_entry entry) {
  *ARRAY_ADD(d->entries, d->count, d->capacity) = entry;
  *(entry.worse ? &d->worse[entry.kind] : &d->better[entry.kind]) += 1;
}

/* --- findings ------------------------------------------------------------------------------------------------ */

/* Whether both have looked for what a rule says. */
static bool both_looked(const diff *d, const char *rule) {
  if (rule_is(rule, RULE_ORDER)) return d->schedules;
  if (rule_is(rule, RULE_RACE | RULE_BENIGN)) return d->races;
  if (rule_is(rule, RULE_MEMORY)) return d->memory;
  return d->coverage || (d->memory && rule_is(rule, RULE_CHOSEN)); /* a refused call: each of the two sees it */
}

/* Findings of proofs are compared where both have proofs. */
static bool is_finding(const diff *d, const issue *i) {
  if (i->finding != NULL && (i->finding->proved || (i->finding->twin != 0 && d->verification)))
    return i->suppressed == NULL && d->verification;
  return i->mutant == NULL && i->suppressed == NULL && both_looked(d, i->rule);
}

/* Neither is a proof, or both are, and say as much; what was seen as well as proved is both. */
static bool same_kind(const db_finding *a, const db_finding *b) {
  return a == NULL || b == NULL || a->twin != 0 || b->twin != 0 ||
         (a->proved == b->proved && a->possible == b->possible);
}

static bool same_issue(const comparison *c, const issue *old, const issue *new, bool by_place) {
  if (!same_kind(old->finding, new->finding) || strcmp(old->rule, new->rule) != 0 ||
      strcmp(old->kernel, new->kernel) != 0 || old->file != comparison_old_file(c, new->file))
    return false;
  uint32_t line = comparison_old_line(c, new->file, new->line);
  return !by_place || new->file == MODEL_NONE || old->line == line;
}

static void add_finding(diff *d, const view *v, const issue *i, bool worse) {
  comparison_add(
      d,
      (diff_entry){
          .kind = DIFF_FINDING, .worse = worse, .fresh = worse, .v = v, .file = i->file, .line = i->line, .issue = i});
}

/* First those of lines that were left alone, then those that only rule and kernel tell. */
void compare_findings(comparison *c) {
  const issues *old = &c->d->old_issues, *new = &c->d->new_issues;
  scoped bool *gone = mem_calloc(old->count, sizeof *gone), *known = mem_calloc(new->count, sizeof *known);
  for (size_t i = 0; i < old->count; i++) gone[i] = is_finding(c->d, &old->list[i]);
  for (int by_place = 1; by_place >= 0; by_place--) {
    for (size_t i = 0; i < new->count; i++) {
      for (size_t k = 0; k < old->count && is_finding(c->d, &new->list[i]) && !known[i]; k++) {
        if (gone[k] && same_issue(c, &old->list[k], &new->list[i], by_place == 1)) {
          known[i] = true;
          gone[k] = false;
        }
      }
    }
  }
  for (size_t i = 0; i < new->count; i++)
    if (is_finding(c->d, &new->list[i]) && !known[i]) add_finding(c->d, c->d->new, &new->list[i], true);
  for (size_t i = 0; i < old->count; i++)
    if (gone[i]) add_finding(c->d, c->d->old, &old->list[i], false);
}

/* The proof of the same kernel, built with the same options. */
static const db_proof *old_proof(const comparison *c, const db_proof *p) {
  const view *old = c->d->old;
  const uint32_t file = comparison_old_file(c, p->file);
  EACH(const db_proof, was, old->proofs, old->proof_count) {
    if (was->file == file && strcmp(was->name, p->name) == 0 && strcmp(was->options, p->options) == 0) return was;
  }
  return NULL;
}

static bool proof_holds(const db_proof *p) { return p != NULL && proof_verdict_of(p) == PROOF_VERIFIED; }

/* What is suppressed is not missed. */
void compare_proofs(comparison *c) {
  const view *new = c->d->new;
  for (size_t i = 0; i < new->proof_count; i++) {
    const db_proof *p = &new->proofs[i], *was = old_proof(c, p);
    const bool worse = !proof_holds(p) && (was == NULL || proof_holds(was)) && !verification_held_back(new, i);
    const bool better = proof_holds(p) && was != NULL && !proof_holds(was);
    if (report_selects(c->options, p->name) && (worse || better)) {
      comparison_add(c->d, (diff_entry){.kind = DIFF_PROOF,
                                        .worse = worse,
                                        .fresh = worse && was == NULL,
                                        .v = new,
                                        .file = p->file,
                                        .line = p->line,
                                        .proof = p,
                                        .was = was});
    }
  }
}

/* --- files --------------------------------------------------------------------------------------------------- */

/* Ways in which a file can be the same one, the surest first. */
static bool same_text(const view *a, uint32_t i, const view *b, uint32_t k) {
  return strcmp(a->files[i].sha256, b->files[k].sha256) == 0 && strcmp(a->files[i].name, b->files[k].name) == 0;
}

static bool same_name(const view *a, uint32_t i, const view *b, uint32_t k) {
  return strcmp(a->files[i].name, b->files[k].name) == 0;
}

static bool same_content(const view *a, uint32_t i, const view *b, uint32_t k) {
  return strcmp(a->files[i].sha256, b->files[k].sha256) == 0;
}

/* A source from a string is named by its text; a function tells that it is the same one. */
static bool same_function(const view *a, uint32_t i, const view *b, uint32_t k) {
  for (size_t f = 0; f < a->function_count; f++) {
    for (size_t g = 0; a->functions[f].file == i && g < b->function_count; g++)
      if (b->functions[g].file == k && strcmp(a->functions[f].name, b->functions[g].name) == 0) return true;
  }
  return false;
}

static void pair_files(comparison *c) {
  static bool (*const ways[])(const view *, uint32_t, const view *, uint32_t) = {same_text, same_name, same_content,
                                                                                 same_function};
  const view *old = c->d->old, *new = c->d->new;
  scoped bool *taken = mem_calloc(old->file_count, sizeof *taken);
  c->files = mem_calloc(new->file_count, sizeof *c->files);
  for (uint32_t i = 0; i < new->file_count; i++) c->files[i].old = MODEL_NONE;
  for (size_t w = 0; w < sizeof ways / sizeof ways[0]; w++) {
    for (uint32_t i = 0; i < new->file_count; i++) {
      for (uint32_t k = 0; k < old->file_count && c->files[i].old == MODEL_NONE; k++) {
        if (!taken[k] && ways[w](old, k, new, i)) {
          c->files[i].old = k;
          taken[k] = true;
        }
      }
    }
  }
  for (uint32_t i = 0; i < new->file_count; i++)
    if (c->files[i].old != MODEL_NONE) c->files[i].lines = line_map_of(&old->files[c->files[i].old], &new->files[i]);
}

/* Functions of a name in a file, by order. */
static void pair_functions(comparison *c) {
  const view *old = c->d->old, *new = c->d->new;
  scoped bool *taken = mem_calloc(old->function_count, sizeof *taken);
  c->functions = mem_calloc(new->function_count, sizeof *c->functions);
  for (uint32_t i = 0; i < new->function_count; i++) {
    const model_function *f = &new->functions[i];
    c->functions[i] = MODEL_NONE;
    for (uint32_t k = 0; k < old->function_count && c->functions[i] == MODEL_NONE; k++) {
      if (!taken[k] && old->functions[k].file == comparison_old_file(c, f->file) &&
          strcmp(old->functions[k].name, f->name) == 0) {
        c->functions[i] = k;
        taken[k] = true;
      }
    }
  }
}

/* Sites and mutants of a view stand in order of file and line. */
typedef struct place {
  uint32_t file, line;
} place;

static place place_of_site(const view *v, size_t i) { return (place){v->sites[i].file, v->sites[i].line}; }

static place place_of_mutant(const view *v, size_t i) { return (place){v->mutants[i].file, v->mutants[i].line}; }

/* The first of `count` that does not stand before a place. */
static size_t first_at(const view *v, size_t count, place (*of)(const view *, size_t), place wanted) {
  size_t low = 0, high = count;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    const place p = of(v, middle);
    bool before = p.file < wanted.file || (p.file == wanted.file && p.line < wanted.line);
    low = before ? middle + 1 : low;
    high = before ? high : middle;
  }
  return low;
}

/* Is the i-th of `count` there, and at that place? */
static bool is_at(const view *v, size_t count, place (*of)(const view *, size_t), place wanted, size_t i) {
  return i < count && of(v, i).file == wanted.file && of(v, i).line == wanted.line;
}

/* --- sites --------------------------------------------------------------------------------------------------- */

static void pair_site(comparison *c, uint32_t new, uint32_t old) {
  c->sites[new] = old;
  c->old_taken[old] = true;
}

static bool is_open(const comparison *c, bool in_new, uint32_t i, uint32_t function, site_kind kind) {
  const model_site *s = in_new ? &c->d->new->sites[i] : &c->d->old->sites[i];
  return s->kind == kind && s->function == function && (in_new ? c->sites[i] == MODEL_NONE : !c->old_taken[i]);
}

static size_t count_open(const comparison *c, bool in_new, uint32_t function, site_kind kind) {
  size_t all = in_new ? c->d->new->site_count : c->d->old->site_count;
  size_t count = 0;
  for (uint32_t i = 0; i < all; i++) count += is_open(c, in_new, i, function, kind) ? 1 : 0;
  return count;
}

static void pair_sites(comparison *c) {
  c->sites = mem_calloc(c->d->new->site_count, sizeof *c->sites);
  c->old_taken = mem_calloc(c->d->old->site_count, sizeof *c->old_taken);
  for (size_t i = 0; i < c->d->new->site_count; i++) c->sites[i] = MODEL_NONE;
  /* On lines that were left alone: the same kind, in the order of the line. Sites stand in order of file and offset. */
  const view *old = c->d->old, *new = c->d->new;
  for (uint32_t i = 0; i < new->site_count; i++) {
    const model_site *s = &new->sites[i];
    const place was = {comparison_old_file(c, s->file), comparison_old_line(c, s->file, s->line)};
    size_t k = was.line == 0 ? old->site_count : first_at(old, old->site_count, place_of_site, was);
    for (; c->sites[i] == MODEL_NONE && is_at(old, old->site_count, place_of_site, was, k); k++)
      if (!c->old_taken[k] && old->sites[k].kind == s->kind) pair_site(c, i, (uint32_t)k);
  }
  /* On changed lines: where a function has as many sites of a kind left as it had, they are the same, in order. */
  for (uint32_t i = 0; i < c->d->new->site_count; i++) {
    const model_site *s = &c->d->new->sites[i];
    if (c->sites[i] != MODEL_NONE || s->function == MODEL_NONE || c->functions[s->function] == MODEL_NONE) continue;
    uint32_t function = c->functions[s->function];
    if (count_open(c, true, s->function, s->kind) != count_open(c, false, function, s->kind)) continue;
    for (uint32_t k = 0; k < c->d->old->site_count; k++) {
      if (is_open(c, false, k, function, s->kind)) {
        pair_site(c, i, k);
        break;
      }
    }
  }
}

/* --- coverage ------------------------------------------------------------------------------------------------ */

static const model_outcome *same_outcome(const model_site *old, const model_outcome *o) {
  return old == NULL ? NULL : NAMED(old->outcomes, old->outcome_count, label, o->label);
}

static void compare_site(comparison *c, uint32_t site) {
  const model_site *s = &c->d->new->sites[site];
  const model_site *old = c->sites[site] == MODEL_NONE ? NULL : &c->d->old->sites[c->sites[site]];
  for (size_t i = 0; i < s->outcome_count; i++) {
    const model_outcome *o = &s->outcomes[i], *was = same_outcome(old, o);
    bool worse = o->tests == 0 && (was == NULL || was->tests > 0);
    if (worse || (o->tests > 0 && was != NULL && was->tests == 0)) {
      comparison_add(c->d, (diff_entry){.kind = DIFF_OUTCOME,
                                        .worse = worse,
                                        .fresh = was == NULL,
                                        .v = c->d->new,
                                        .file = s->file,
                                        .line = s->line,
                                        .site = s,
                                        .outcome = o->label,
                                        .order = i});
    }
  }
}

/* The conditions of a decision that are shown to matter. */
static void compare_decision(comparison *c, uint32_t site) {
  const model_site *s = &c->d->new->sites[site];
  mcdc now, was;
  mcdc_read(s, &now);
  was = (mcdc){0};
  if (c->sites[site] != MODEL_NONE) mcdc_read(&c->d->old->sites[c->sites[site]], &was);
  bool known = was.count == now.count;
  for (size_t i = 0; i < now.count; i++) {
    bool shown = now.conditions[i].shown, worse = !shown && (!known || was.conditions[i].shown);
    if (worse || (shown && known && !was.conditions[i].shown)) {
      comparison_add(c->d, (diff_entry){.kind = DIFF_OUTCOME,
                                        .worse = worse,
                                        .fresh = !known,
                                        .v = c->d->new,
                                        .file = s->file,
                                        .line = now.conditions[i].line,
                                        .site = s,
                                        .outcome = now.conditions[i].text,
                                        .order = i});
    }
  }
}

static void compare_coverage(comparison *c) {
  const view *new = c->d->new;
  bool everything = report_everything(c->options);
  for (size_t i = 0; i < new->line_count; i++)
    if (report_has(c->reported, everything, new->lines[i].function)) {
      const uint32_t line = comparison_old_line(c, new->lines[i].file, new->lines[i].line);
      const view_line *was =
          line == 0 ? NULL : coverage_line(c->d->old, comparison_old_file(c, new->lines[i].file), line);
      bool worse = new->lines[i].tests == 0 && (was == NULL || was->tests > 0);
      if (worse || (new->lines[i].tests > 0 && was != NULL && was->tests == 0)) {
        comparison_add(c->d, (diff_entry){.kind = DIFF_LINE,
                                          .worse = worse,
                                          .fresh = was == NULL,
                                          .v = c->d->new,
                                          .file = new->lines[i].file,
                                          .line = new->lines[i].line});
      }
    }
  for (uint32_t i = 0; i < new->site_count; i++) {
    site_kind kind = new->sites[i].kind;
    if (!report_has(c->reported, everything, new->sites[i].function)) continue;
    if (kind == SITE_DECISION)
      compare_decision(c, i);
    else if (kind != SITE_REGION && kind != SITE_CONDITION) /* branches and decisions say what a condition does */
      compare_site(c, i);
  }
}

static bool is_missed(const db_mutant *m) {
  return m->status == MUTANT_SURVIVED || m->status == MUTANT_UNDECIDED || m->status == MUTANT_NO_COVERAGE;
}

static bool same_change(const db_mutant *a, const db_mutant *b) {
  const char *x = a->description == NULL ? "" : a->description;
  const char *y = b->description == NULL ? "" : b->description;
  return strcmp(a->operator_name, b->operator_name) == 0 && strcmp(a->original, b->original) == 0 &&
         strcmp(a->replacement, b->replacement) == 0 && strcmp(x, y) == 0;
}

/* The same change in the same line, in order. */
static const db_mutant *old_mutant(const comparison *c, const db_mutant *m, bool *taken) {
  const view *old = c->d->old;
  const place was = {comparison_old_file(c, m->file), comparison_old_line(c, m->file, m->line)};
  size_t i = was.line == 0 ? old->mutant_count : first_at(old, old->mutant_count, place_of_mutant, was);
  for (; is_at(old, old->mutant_count, place_of_mutant, was, i); i++) {
    if (!taken[i] && same_change(m, &old->mutants[i])) {
      taken[i] = true;
      return &old->mutants[i];
    }
  }
  return NULL;
}

static void compare_mutants(comparison *c) {
  scoped bool *taken = mem_calloc(c->d->old->mutant_count, sizeof *taken);
  for (size_t i = 0; i < c->d->new->mutant_count; i++) {
    const db_mutant *m = &c->d->new->mutants[i], *was = old_mutant(c, m, taken);
    bool worse = is_missed(m) && (was == NULL || !is_missed(was));
    bool better = m->status == MUTANT_KILLED && was != NULL && is_missed(was);
    if (c->d->new_issues.mutants.selected[i] && (worse || better)) {
      comparison_add(c->d, (diff_entry){.kind = DIFF_MUTANT,
                                        .worse = worse,
                                        .fresh = worse && (was == NULL || was->status != MUTANT_KILLED),
                                        .v = c->d->new,
                                        .file = m->file,
                                        .line = m->line,
                                        .mutant = m});
    }
  }
}

/* --- all ----------------------------------------------------------------------------------------------------- */

static bool measures_coverage(const view *v) {
  return strcmp(v->command, "coverage") == 0 || (report_covered(v) && report_launched(v));
}

static void compare_metrics(diff *d, const report_options *options) {
  coverage old, new;
  coverage_total(d->old, options, &old);
  coverage_total(d->new, options, &new);
  for (size_t i = 0; coverage_metrics[i].name != NULL && d->metric_count < DIFF_METRICS; i++) {
    diff_metric m = {.name = coverage_metrics[i].name};
    (void)coverage_get(&old, m.name, &m.old);
    (void)coverage_get(&new, m.name, &m.new);
    bool compared = metric_of_mutants(m.name) ? d->mutation : metric_of_proofs(m.name) ? d->verification : d->coverage;
    if (compared && m.old.total + m.new.total > 0) d->metrics[d->metric_count++] = m;
  }
}

static int compare_entries(const void *a, const void *b) {
  const diff_entry *x = a, *y = b;
  if (x->kind != y->kind) return x->kind < y->kind ? -1 : 1;
  if (x->worse != y->worse) return x->worse ? -1 : 1;
  if (x->file != y->file) return x->file < y->file ? -1 : 1;
  if (x->line != y->line) return x->line < y->line ? -1 : 1;
  uint32_t p = x->mutant != NULL ? x->mutant->offset : x->site != NULL ? x->site->offset : 0;
  uint32_t q = y->mutant != NULL ? y->mutant->offset : y->site != NULL ? y->site->offset : 0;
  if (p != q) return p < q ? -1 : 1;
  return x->outcome != NULL ? (x->order > y->order) - (x->order < y->order)
                            : (x->mutant > y->mutant) - (x->mutant < y->mutant);
}

void diff_make(const view *old, const view *new, const report_options *options, diff *out) {
  *out = (diff){.old = old,
                .new = new,
                .coverage = measures_coverage(old) && measures_coverage(new),
                .mutation = mutation_is(old) && mutation_is(new),
                .schedules = amplification_is(old) && amplification_is(new),
                .verification = verification_is(old) && verification_is(new),
                .races = races_are(old) && races_are(new),
                .memory = memory_is(old) && memory_is(new),
                .old_issues = issues_of(old, options),
                .new_issues = issues_of(new, options)};
  comparison c = {.d = out, .options = options, .reported = report_functions(new, options)};
  pair_files(&c);
  pair_functions(&c);
  compare_findings(&c);
  if (out->verification) compare_proofs(&c);
  if (out->coverage) {
    pair_sites(&c);
    compare_coverage(&c);
  }
  if (out->mutation) compare_mutants(&c);
  compare_metrics(out, options);
  if (out->count > 0) qsort(out->entries, out->count, sizeof *out->entries, compare_entries);
  for (size_t i = 0; i < new->file_count; i++) line_map_free(&c.files[i].lines);
  free(c.files);
  free(c.functions);
  free(c.sites);
  free(c.old_taken);
  free(c.reported);
}

void diff_free(diff *d) {
  issues_free(&d->old_issues);
  issues_free(&d->new_issues);
  free(d->entries);
  *d = (diff){0};
}

bool diff_is_worse(const diff *d) {
  size_t worse = 0;
  for (size_t i = 0; i < DIFF_KINDS; i++) worse += d->worse[i];
  return worse > 0;
}

/* A comparison as text, JSON and Markdown. */

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
    /* ": scan: race, was verified: 30 s were not enough". */
    scoped_buffer basis = {0};
    verification_basis(e->proof, &basis);
    buffer_printf(to, "%s%s: %s", e->file == MODEL_NONE ? "" : ": ", e->proof->name,
                  proof_verdict_name(proof_verdict_of(e->proof)));
    if (e->was != NULL) buffer_printf(to, ", was %s", proof_verdict_name(proof_verdict_of(e->was)));
    buffer_printf(to, "%s%s", basis.length == 0 ? "" : ": ", buffer_text(&basis));
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

/* `most`: how many are shown at most. */
static void put_list(const diff *d, const report_options *options, size_t kind, bool worse, bool markdown, size_t most,
                     report_out *out) {
  const size_t all = worse ? d->worse[kind] : d->better[kind];
  const char *title = worse ? words[kind].worse : words[kind].better;
  size_t shown = 0;
  if (all == 0) return;
  report_put(out, "\n%s%s: %zu%s\n",
             !markdown ? ""
             : worse   ? "<details open><summary>"
                       : "<details><summary>",
             title, all, markdown ? "</summary>\n" : "");
  for (size_t i = 0; i < d->count && shown < most; i++) {
    if (d->entries[i].kind != kind || d->entries[i].worse != worse) continue;
    scoped_buffer text = {0};
    entry_text(&d->entries[i], options, &text);
    if (markdown)
      report_put(out, "- %s\n", markdown_text(out, buffer_text(&text)));
    else
      put_line(out, "  ", buffer_text(&text));
    shown++;
  }
  if (all > shown)
    report_put(out, markdown ? "- %zu more\n" : "  " UTF8_ELLIPSIS " %zu more (--show-missed)\n", all - shown);
  report_put(out, "%s", markdown ? "\n</details>\n" : "");
}

/* What is worse, and what is better, of each kind. */
static void put_lists(const diff *d, const report_options *options, bool markdown, report_out *out) {
  const size_t most = options->show_missed && !markdown ? SIZE_MAX : SHOWN;
  for (size_t kind = 0; kind < DIFF_KINDS; kind++) {
    put_list(d, options, kind, true, markdown, most, out);
    put_list(d, options, kind, false, markdown, most, out);
  }
}

static int diff_text(const diff *d, const report_options *options, FILE *file, error *e) {
  report_out to = {.file = file}, *out = &to;
  scoped_buffer line = buffer_with("From %s to %s", d->old_name, d->new_name);
  put_line(out, "", buffer_text(&line));
  buffer_free(&line);
  report_put(out, d->metric_count > 0 ? "\nMetric              before      after   points\n" : "");
  EACH(const diff_metric, m, d->metrics, d->metric_count) {
    double change = 0;
    report_put(out, "%-15s%11s%11s", m->name, report_percent(out, &m->old), report_percent(out, &m->new));
    if (change_of(m, &change) && m->old.covered * m->new.total != m->new.covered * m->old.total)
      report_put(out, "%+9.1f", change);
    report_put(out, "\n");
  }
  put_lists(d, options, false, out);
  report_put(out, "\n");
  missing_text(d, &line);
  if (line.length > 0) put_line(out, "", buffer_text(&line));
  buffer_free(&line);
  summary_text(d, &line);
  put_line(out, "", buffer_text(&line));
  return report_close(out, e);
}

static int diff_markdown(const diff *d, const report_options *options, FILE *file, error *e) {
  report_out to = {.file = file}, *out = &to;
  scoped_buffer line = buffer_with("From %s to %s. ", d->old_name, d->new_name);
  summary_text(d, &line);
  report_put(out, "## cltestcheck: what changed\n\n%s\n", markdown_text(out, buffer_text(&line)));
  buffer_free(&line);
  report_put(out, d->metric_count > 0 ? "\n| metric | before | after | points |\n|---|--:|--:|--:|\n" : "");
  EACH(const diff_metric, m, d->metrics, d->metric_count) {
    double change = 0;
    report_put(out, "| %s | %s | %s |", m->name, report_percent(out, &m->old), report_percent(out, &m->new));
    const bool known = change_of(m, &change);
    report_put(out, known ? " %+.1f |\n" : " |\n", change);
  }
  put_lists(d, options, true, out);
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
  EACH(const diff_metric, m, d->metrics, d->metric_count) {
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
