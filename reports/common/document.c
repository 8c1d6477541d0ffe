/* Lists of reports, built here once for all formats: findings, schedules that fail, what was left out; problems in order. */
#include "reports/common/document.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/cl_error.h"
#include "base/subprocess.h"
#include "base/utf8.h"
#include "reports/words/words.h"

enum { NAMES = 4, NAME_WIDTH = 24, MOST_ACCESSES = 4 };

void document_free(document *d) {
  free(d->nodes);
  mem_arena_free(&d->memory);
}

void document_add(document *d, doc_node node, const char *format, ...) {
  scoped_buffer text = {0};
  va_list arguments;
  va_start(arguments, format);
  buffer_vprintf(&text, format, arguments);
  va_end(arguments);
  node.text = mem_arena_copy(&d->memory, buffer_text(&text));
  *ARRAY_ADD(d->nodes, d->count, d->capacity) = node;
}

static const doc_node item = {.kind = DOC_ITEM}, whole = {.kind = DOC_ITEM, .whole = true};

static doc_node note_at(unsigned level, uint32_t file, uint32_t line, uint32_t column, bool excerpt) {
  return (doc_node){.kind = DOC_NOTE, .level = level, .file = file, .line = line, .column = column, .excerpt = excerpt};
}

/* --- what shows a finding ------------------------------------------------------------------------------------------ */

static void add_places(document *d, const db_finding *f, unsigned level) {
  for (size_t i = 0; i < f->place_count; i++) {
    const db_place *p = &f->places[i];
    scoped_buffer words = {0};
    verification_place(f, i, &words);
    document_add(d, note_at(level, p->file, p->line, p->column, true), "%s", buffer_text(&words));
    EACH(const db_call, c, p->inlined, p->inlined_count) {
      document_add(d, note_at(level, c->file, c->line, c->column, false), "called here");
    }
  }
}

/* The steps of each work-item, and of both (0). */
static void add_paths(document *d, const db_finding *f, unsigned level) {
  for (uint32_t thread = 0; thread <= 2; thread++) {
    bool any = false;
    EACH(const db_step, s, f->path, f->path_count) {
      if (s->thread == thread && !any) {
        scoped_buffer who = {0};
        verification_thread(f, thread, &who);
        document_add(d, (doc_node){.kind = DOC_NOTE, .level = level}, "path of %s:", buffer_text(&who));
        any = true;
      }
      if (s->thread == thread) {
        const doc_node step = {DOC_STEP, .level = level + 1, .file = s->file, .line = s->line, .column = s->column};
        document_add(d, step, "%s", s->text);
      }
    }
  }
}

static void add_remark(document *d, const db_finding *f, unsigned level, void (*remark)(const db_finding *, buffer *),
                       const char *before) {
  scoped_buffer words = {0};
  remark(f, &words);
  if (words.length > 0)
    document_add(d, (doc_node){.kind = DOC_NOTE, .level = level}, "%s%s", before, buffer_text(&words));
}

void document_shown(document *d, const db_finding *f, unsigned level) {
  add_places(d, f, level);
  add_paths(d, f, level);
  add_remark(d, f, level, verification_witness, "with ");
  add_remark(d, f, level, verification_doubt, "");
  add_remark(d, f, level, verification_confirmation, "");
}

/* What is proved of a race that was seen. */
static void add_twin(document *d, const db_finding *f) {
  const db_finding *twin = f->proved ? NULL : verification_twin(d->v, f);
  if (twin != NULL) {
    scoped_buffer words = {0};
    verification_twin_words(d->v, twin, &words);
    document_add(d, (doc_node){.kind = DOC_NOTE, .level = 1}, "%s", buffer_text(&words));
    add_paths(d, twin, 2);
    add_remark(d, twin, 2, verification_witness, "with ");
    add_remark(d, twin, 2, verification_confirmation, "");
  }
}

static void add_again(document *d, const char *command, int64_t id) {
  scoped_buffer line = buffer_with("cltestcheck %s --replay %" PRId64, command, id);
  if (d->options != NULL && d->options->database != NULL) {
    buffer_puts(&line, " --db ");
    shell_word(&line, d->options->database);
  }
  document_add(d, (doc_node){.kind = DOC_PASTE, .level = 1, .title = "again"}, "%s", buffer_text(&line));
}

static void add_reason(document *d, const char *suppressed) {
  if (suppressed != NULL) document_add(d, (doc_node){.kind = DOC_NOTE, .level = 1}, "suppressed: %s", suppressed);
}

void document_finding(document *d, const db_finding *f) {
  const bool shows = verification_shows(f);
  const db_place *first = shows && f->place_count > 0 ? &f->places[0] : NULL;
  scoped_buffer title = {0}, message = {0};
  verification_title(f, &title);
  finding_message(d->v, f, &message);
  doc_node head = {.kind = DOC_ITEM,
                   .style = f->possible || races_is_benign(f) ? DOC_WARNING : DOC_ERROR,
                   .title = mem_arena_copy(&d->memory, buffer_text(&title)),
                   .kernel = f->kernel[0] == '\0' ? NULL : f->kernel,
                   .excerpt = !shows && f->place_count == 0};
  if (f->file != MODEL_NONE) {
    head.file = first != NULL ? first->file : f->file;
    head.line = first != NULL ? first->line : f->line;
    head.column = first != NULL ? first->column : 0;
  }
  document_add(d, head, ": %s", buffer_text(&message));
  document_shown(d, f, 1);
  add_twin(d, f);
  if (races_saw(f) || memory_saw(f)) add_again(d, memory_saw(f) ? "memory" : "races", f->id);
  add_reason(d, f->suppressed);
  if (f->suppressed == NULL) {
    scoped_buffer line = {0};
    suppress_finding_text(d->v, f, &line);
    const doc_node fine = {.kind = DOC_PASTE, .level = shows ? 1 : 0, .title = "fine? suppressions"};
    document_add(d, fine, "%s", buffer_text(&line));
  }
}

/* --- schedules that fail ------------------------------------------------------------------------------------------- */

/* " (src/spmv.cl:3), launch 3 of suite/small: …" */
static void put_where(const view *v, const db_launch *l, buffer *to) {
  const model_function *f = &v->functions[v->kernels[l->kernel].function];
  buffer_printf(to, " (%s:%u), ", v->files[f->file].name, f->line);
  amplification_launch_name(v, l, to);
}

/* Both accesses where they were seen; else the lines that differ. */
static void add_accesses(document *d, const db_explanation *x, const db_finding *shown) {
  uint32_t lines[MOST_ACCESSES] = {0};
  if (shown != NULL) {
    document_shown(d, shown, 1);
  } else if (x != NULL && x->file != MODEL_NONE && x->line > 0) {
    const size_t count = amplification_accesses(x, lines, MOST_ACCESSES);
    lines[0] = count == 0 ? x->line : lines[0];
    for (size_t i = 0; i < (count == 0 ? 1 : count); i++)
      document_add(d, note_at(1, x->file, lines[i], 0, true), "%s", "");
  }
}

/* What the explanation compares with: "reverse order (schedule 13)", "the program as it is". */
static void put_other(const view *v, const db_explanation *x, buffer *to) {
  const db_launch *launch = NULL;
  const db_schedule *s = x->other == 0 ? NULL : view_find_schedule(v, x->other, &launch);
  if (x->other == 0) {
    buffer_puts(to, "the program as it is");
  } else if (s == NULL) {
    buffer_printf(to, "schedule %" PRId64, x->other);
  } else {
    amplification_describe(s, to);
    buffer_printf(to, " (schedule %" PRId64 ")", x->other);
  }
}

/* "group 17 first (schedule 12) against reverse order (schedule 13): 9 of 20 runs gave the reference's result (45.0 %)" */
static void add_pair(document *d, const db_schedule *s) {
  const schedule_verdict verdict = amplification_verdict(s);
  const ratio same = {schedule_count(s->outcomes, RUN_REFERENCE), strlen(s->outcomes)};
  const unsigned share = same.total == 0 ? 0 : ratio_thousandths(&same);
  const size_t otherwise = schedule_count(s->outcomes, RUN_OCCUPANCY);
  scoped_buffer line = {0};
  amplification_describe(s, &line);
  buffer_printf(&line, " (schedule %" PRId64 ")", s->id);
  if (s->explanation != NULL && (verdict == VERDICT_RACE || verdict == VERDICT_ORDER || verdict == VERDICT_DIFFERS)) {
    buffer_puts(&line, " against ");
    put_other(d->v, s->explanation, &line);
  }
  buffer_printf(&line, ": %lu of %lu run%s gave the reference's result (%u.%u %%)", same.covered, same.total,
                report_plural(same.total), share / 10, share % 10);
  if (otherwise > 0) buffer_printf(&line, ", %zu %s not in this order", otherwise, otherwise == 1 ? "was" : "were");
  document_add(d, (doc_node){.kind = DOC_NOTE, .level = 1}, "%s", buffer_text(&line));
}

void document_failing(document *d, const issue *i) {
  const failing *f = &i->failing;
  const db_schedule *s = f->schedule;
  const schedule_verdict verdict = amplification_verdict(s);
  scoped_buffer where = {0}, why = {0};
  put_where(d->v, f->launch, &where);
  explanation_text(d->v, f->launch, s, &why);
  const doc_node head = {.kind = DOC_ITEM,
                         .style = amplification_fails(verdict) ? DOC_ERROR : DOC_WARNING,
                         .title = failing_word(verdict),
                         .kernel = i->kernel};
  document_add(d, head, "%s%s%s", buffer_text(&where), why.length > 0 ? ": " : "", buffer_text(&why));
  add_accesses(d, s->explanation, i->shown);
  add_pair(d, s);
  if (f->schedules > 1) {
    scoped_buffer alike =
        buffer_with("the same under %zu more schedule%s", f->schedules - 1, report_plural(f->schedules - 1));
    if (f->launches > 1) buffer_printf(&alike, ", of %zu launches in all", f->launches);
    document_add(d, (doc_node){.kind = DOC_NOTE, .level = 1}, "%s", buffer_text(&alike));
  }
  add_reason(d, i->suppressed);
  add_again(d, "amplify", s->id);
}

void document_repair(document *d, const db_repair *r) {
  const char *at = r->report, *line = NULL;
  size_t length = 0;
  while ((line = repair_line(&at, &length)) != NULL) {
    const size_t indent = strspn(line, " ") < length ? strspn(line, " ") : length;
    const doc_node node = {.kind = DOC_ITEM, .level = (unsigned)(indent / 2)};
    document_add(d, node, "%.*s", (int)(length - indent), line + indent);
  }
}

void document_lines(const view *v, char *const *names, const db_finding *f, bool path, buffer *to) {
  scoped_document d = {.v = v};
  document_shown(&d, f, 1);
  add_twin(&d, f);
  for (size_t i = 0; i < d.count; i++) {
    const doc_node *n = &d.nodes[i];
    const bool of_path = n->kind == DOC_STEP || (i + 1 < d.count && d.nodes[i + 1].kind == DOC_STEP);
    if (of_path && !path) continue;
    if (n->line > 0)
      buffer_printf(to, "%s:%u:%u: ", names != NULL ? names[n->file] : v->files[n->file].name, n->line, n->column);
    buffer_printf(to, "%s\n", n->text);
  }
}

/* --- lists --------------------------------------------------------------------------------------------------------- */

void document_unstable(document *d) {
  EACH(const view_unstable, u, d->v->unstable, d->v->unstable_count) {
    scoped_buffer line = {0};
    mutation_test_name(&d->v->test_cases[u->test_case], &line);
    buffer_printf(&line, ": %s", u->what);
    if (u->share > 0) buffer_printf(&line, " (%.1f %% of its bytes)", u->share < 0.001 ? 0.1 : 100 * u->share);
    document_add(d, whole, "%s", buffer_text(&line));
  }
}

void document_skipped(document *d) {
  for (size_t i = 0; i < d->v->skipped_count; i++)
    document_add(d, whole, "%s: %s", d->v->skipped[i].program, d->v->skipped[i].reason);
}

/* "2 suppressed: the last writer wins on purpose (race, kernel hist*)" */
void document_suppressions(document *d, bool unused) {
  EACH(const view_suppression, s, d->v->suppressions, d->v->suppression_count) {
    const struct {
      const char *name, *pattern;
    } parts[] = {{"rule", s->rule}, {"kernel", s->kernel}, {"line", s->line}};
    scoped_buffer line = buffer_with("matches nothing"), matched = {0};
    if (s->count > 0) {
      line.length = 0;
      buffer_printf(&line, "%zu suppressed", s->count);
    }
    for (size_t k = 0; k < sizeof parts / sizeof parts[0]; k++)
      if (parts[k].pattern != NULL)
        buffer_printf(&matched, "%s%s %s", matched.length == 0 ? " (" : ", ", parts[k].name, parts[k].pattern);
    if (s->count > 0 || unused) {
      document_add(d, whole, "%s: %s%s%s", buffer_text(&line), s->reason == NULL ? "" : s->reason,
                   buffer_text(&matched), matched.length > 0 ? ")" : "");
    }
  }
}

void document_refused(document *d) {
  EACH(const db_refused, r, d->v->refused, d->v->refused_count) {
    const char *remedy = cl_error_remedy(r->error);
    const bool detail = r->detail[0] != '\0';
    document_add(d, whole, "%s%s%s, %lld time%s: %s%s%s%s%s%s", r->call, r->kernel[0] == '\0' ? "" : " of ", r->kernel,
                 (long long)r->count, r->count == 1 ? "" : "s", r->error, detail ? " (" : "", r->detail,
                 detail ? ")" : "", remedy == NULL ? "" : "; ", remedy == NULL ? "" : remedy);
  }
}

void document_launches(document *d, const amplification *a) {
  EACH(const amplification_skipped, s, a->skipped, a->skipped_count) {
    scoped_buffer kernels = {0};
    for (size_t k = 0; k < s->kernel_count && k < NAMES; k++) {
      scoped_buffer name = {0};
      utf8_line(&name, d->v->kernels[s->kernels[k]].name, strlen(d->v->kernels[s->kernels[k]].name));
      buffer_puts(&kernels, k == 0 ? "" : ", ");
      utf8_shorten(&kernels, buffer_text(&name), NAME_WIDTH);
    }
    if (s->kernel_count > NAMES) buffer_printf(&kernels, " and %zu more", s->kernel_count - NAMES);
    document_add(d, item, "%lu launch%s: %s (kernel%s %s)", s->launches, s->launches == 1 ? "" : "es",
                 s->reason[0] == '\0' ? "not tried" : s->reason, report_plural(s->kernel_count), buffer_text(&kernels));
  }
}

/* "reduce (red.cl:3): 12 schedules, 7 race, 5 consistent", and what was found of the first that was explained. */
static void add_meant(document *d, const amplification *a, uint32_t kernel) {
  const view *v = d->v;
  const model_function *f = &v->functions[v->kernels[kernel].function];
  size_t of[VERDICTS] = {0}, all = 0;
  scoped_buffer why = {0}, counts = {0};
  for (size_t i = 0; i < v->launch_count; i++) {
    const db_launch *l = &v->launches[i];
    for (size_t k = 0; a->selected[i] && l->kernel == kernel && k < l->schedule_count; k++) {
      if (l->schedules[k].meant) {
        of[amplification_verdict(&l->schedules[k])]++;
        all++;
        if (why.length == 0) explanation_text(v, l, &l->schedules[k], &why);
      }
    }
  }
  for (size_t i = VERDICTS; i-- > 0;)
    if (of[i] > 0) buffer_printf(&counts, ", %zu %s", of[i], schedule_verdict_name((schedule_verdict)i));
  document_add(d, item, "%s (%s:%u): %zu schedule%s%s", v->kernels[kernel].name, v->files[f->file].name, f->line, all,
               report_plural(all), buffer_text(&counts));
  if (why.length > 0) document_add(d, (doc_node){.kind = DOC_NOTE, .level = 1}, "%s", buffer_text(&why));
}

void document_meant(document *d, const amplification *a) {
  for (size_t i = 0; i < a->kernel_count; i++)
    if (a->kernels[i].counts.meant > 0) add_meant(d, a, a->kernels[i].kernel);
}

/* An outcome of a site, the first schedule that reaches it, and how many do. */
typedef struct reach {
  view_reached what;
  const db_launch *launch;
  const db_schedule *schedule;
} reach;

static int compare_reaches(const void *a, const void *b) {
  const reach *x = a, *y = b;
  const uint64_t left[] = {x->what.site, x->what.outcome, (uint64_t)x->schedule->id};
  const uint64_t right[] = {y->what.site, y->what.outcome, (uint64_t)y->schedule->id};
  for (size_t i = 0; i < 3; i++)
    if (left[i] != right[i]) return left[i] > right[i] ? 1 : -1;
  return 0;
}

/* "src/scan.cl:12: if: false, under group 17 first (schedule 12, launch 0 of suite/small) and 3 more schedules" */
static void add_reach(document *d, const reach *r, size_t more) {
  const model_site *s = &d->v->sites[r->what.site];
  scoped_buffer line = {0};
  if (s->kind != SITE_REGION)
    buffer_printf(&line, "%s: ", s->kind == SITE_CONDITIONAL ? "?:" : site_kind_name(s->kind));
  buffer_printf(&line, "%s, under ", s->outcomes[r->what.outcome].label);
  amplification_describe(r->schedule, &line);
  buffer_printf(&line, " (schedule %" PRId64 ", ", r->schedule->id);
  amplification_launch_name(d->v, r->launch, &line);
  buffer_puts(&line, ")");
  if (more > 0) buffer_printf(&line, " and %zu more schedule%s", more, report_plural(more));
  const doc_node at = {.kind = DOC_ITEM, .file = s->file, .line = s->line, .column = s->column, .excerpt = true};
  document_add(d, at, "%s", buffer_text(&line));
}

void document_reached(document *d, const amplification *a) {
  scoped reach *list = NULL;
  size_t count = 0, capacity = 0;
  for (size_t i = 0; i < d->v->launch_count; i++) {
    const db_launch *l = &d->v->launches[i];
    for (size_t k = 0; a->selected[i] && k < l->schedule_count; k++)
      for (size_t r = 0; r < l->schedules[k].reached_count; r++)
        *ARRAY_ADD(list, count, capacity) = (reach){l->schedules[k].reached[r], l, &l->schedules[k]};
  }
  if (count > 1) qsort(list, count, sizeof *list, compare_reaches);
  for (size_t i = 0, end = 0; i < count; i = end) {
    for (end = i + 1;
         end < count && list[end].what.site == list[i].what.site && list[end].what.outcome == list[i].what.outcome;)
      end++;
    add_reach(d, &list[i], end - i - 1);
  }
}

/* Issues: findings, schedules that fail (those that fail alike are one) and mutants, with their words. */

typedef struct failing_list {
  failing *list;
  size_t count, capacity;
} failing_list;

/* Grouping schedules that fail alike. */

static const struct {
  const char *word, *rule;
} words[VERDICTS] = {
    [VERDICT_RACE] = {"RACE", "data-race"},
    [VERDICT_DEADLOCK] = {"DEADLOCK", "deadlock"},
    [VERDICT_CRASH] = {"CRASH", "crash"},
    [VERDICT_ORDER] = {"ORDER-DEPENDENT", "order-dependent"},
    [VERDICT_DIFFERS] = {"DIFFERS (ACCESSES NOT CHECKED)", "differs"},
};

const char *failing_word(schedule_verdict verdict) { return words[verdict].word; }

static const char *failing_rule(schedule_verdict verdict) { return words[verdict].rule; }

/* Do the explanations name the same place? A schedule without one is like any other of its kernel and verdict. */
static bool same_place(const db_explanation *a, const db_explanation *b) {
  return a == NULL || b == NULL || (a->file == b->file && a->line == b->line && strcmp(a->argument, b->argument) == 0);
}

static bool is_alike(const failing *f, const db_launch *l, const db_schedule *s) {
  return f->launch->kernel == l->kernel && amplification_verdict(f->schedule) == amplification_verdict(s) &&
         same_place(f->schedule->explanation, s->explanation);
}

/* Those that fail as a schedule does; new ones where there are none. */
static failing *failing_of(failing_list *to, const db_launch *l, const db_schedule *s) {
  size_t i = 0;
  while (i < to->count && !is_alike(&to->list[i], l, s)) i++;
  if (i == to->count) *ARRAY_ADD(to->list, to->count, to->capacity) = (failing){.launch = l, .schedule = s};
  return &to->list[i];
}

static void find_explained(failing_list *to, const db_launch *l, const db_schedule *s) {
  if (s->explanation != NULL) (void)failing_of(to, l, s);
}

static void count_failing(failing_list *to, const db_launch *l, const db_schedule *s) {
  failing *f = failing_of(to, l, s);
  f->schedules++;
  f->launches += f->last != l ? 1 : 0;
  f->last = l;
}

static void for_failing(const view *v, const amplification *a, bool suppressed, failing_list *to,
                        void (*take)(failing_list *, const db_launch *, const db_schedule *)) {
  for (size_t i = 0; i < v->launch_count; i++) {
    const db_launch *l = &v->launches[i];
    for (size_t k = 0; a->selected[i] && k < l->schedule_count; k++) {
      const db_schedule *s = &l->schedules[k];
      if (amplification_is_listed(amplification_verdict(s)) && !s->meant && (s->suppressed != NULL) == suppressed)
        take(to, l, s);
    }
  }
}

/* The explained ones first, so that the others find theirs. */
static failing_list failing_find(const view *v, const amplification *a, bool suppressed) {
  failing_list found = {0};
  for_failing(v, a, suppressed, &found, find_explained);
  for_failing(v, a, suppressed, &found, count_failing);
  return found;
}

const db_finding *failing_finding(const view *v, const failing *f) {
  const char *rule = failing_rule(amplification_verdict(f->schedule));
  EACH(const db_finding, x, v->findings, v->finding_count) {
    if (!x->proved && x->place_count > 0 && strcmp(x->rule, rule) == 0 &&
        strcmp(x->kernel, v->kernels[f->launch->kernel].name) == 0)
      return x;
  }
  return NULL;
}

/* Is the finding about schedules that the view has, so that they show it? */
static bool failing_shows(const view *v, const db_finding *f) {
  for (size_t i = 0; !f->proved && i < v->launch_count; i++) {
    const db_launch *l = &v->launches[i];
    for (size_t k = 0; strcmp(v->kernels[l->kernel].name, f->kernel) == 0 && k < l->schedule_count; k++) {
      const char *rule = failing_rule(amplification_verdict(&l->schedules[k]));
      if (rule != NULL && strcmp(rule, f->rule) == 0 && !l->schedules[k].meant) return true;
    }
  }
  return false;
}

/* A whole line. */
static void put_line(const view *v, issue *to, uint32_t file, uint32_t line) {
  to->file = file;
  if (file == MODEL_NONE) return;
  to->line = to->end_line = line == 0 ? 1 : line;
  to->column = to->end_column = 1;
  const place_line text = place_line_of(&v->files[file], to->line);
  if (text.text != NULL) place_extent(&text, &to->column, &to->end_column);
}

/* --- the list ------------------------------------------------------------------------------------------------ */

static issue *add_issue(issues *to) {
  issue *i = ARRAY_ADD(to->list, to->count, to->capacity);
  *i = (issue){.file = MODEL_NONE, .kernel = ""};
  return i;
}

static void add_findings(const view *v, const report_options *options, issues *to) {
  for (size_t i = 0; i < v->finding_count; i++) {
    const db_finding *f = &v->findings[i], *twin = verification_told_with(v, f);
    const bool told = twin != NULL && !failing_shows(v, twin);
    if (report_selects(options, f->kernel) && !failing_shows(v, f) && !told) {
      issue *x = add_issue(to);
      x->finding = x->shown = f;
      x->rule = strcmp(f->rule, "data-race") == 0 && !f->proved && !races_saw(f) ? "race" : f->rule;
      x->kernel = f->kernel;
      x->suppressed = f->suppressed;
      x->level = f->possible || races_is_benign(f) ? ISSUE_WARNING : ISSUE_ERROR;
      put_line(v, x, f->file, f->line);
    }
  }
}

static void add_failing(const view *v, const failing_list *found, issues *to) {
  EACH(const failing, f, found->list, found->count) {
    const view_kernel *k = &v->kernels[f->launch->kernel];
    const db_explanation *e = f->schedule->explanation;
    issue *x = add_issue(to);
    x->failing = *f;
    x->shown = failing_finding(v, f);
    x->rule = schedule_verdict_name(amplification_verdict(f->schedule));
    x->kernel = k->name;
    x->suppressed = f->schedule->suppressed;
    x->level = amplification_fails(amplification_verdict(f->schedule)) ? ISSUE_ERROR : ISSUE_WARNING;
    if (e != NULL && e->file != MODEL_NONE && e->line > 0)
      put_line(v, x, e->file, e->line);
    else
      put_line(v, x, v->functions[k->function].file, v->functions[k->function].line);
  }
}

static const char *kernel_of(const view *v, const db_mutant *m) {
  return m->kernel_count > 0         ? v->kernels[m->kernels[0]].name
         : m->function != MODEL_NONE ? v->functions[m->function].name
                                     : "";
}

static void add_mutants(const view *v, mutant_status status, issues *to) {
  for (size_t i = 0; i < v->mutant_count; i++) {
    const db_mutant *m = &v->mutants[i];
    bool suppressed = status == MUTANT_SUPPRESSED && m->suppressed == NULL; /* by a comment: never run */
    if (to->mutants.selected[i] && m->status == status && !suppressed) {
      issue *x = add_issue(to);
      x->mutant = m;
      x->rule = m->operator_name;
      x->kernel = kernel_of(v, m);
      x->level = ISSUE_WARNING;
      x->suppressed = m->suppressed;
      const model_file *f = &v->files[m->file];
      x->file = m->file;
      x->line = m->line == 0 ? 1 : m->line;
      x->end_line = m->end_line < x->line ? x->line : m->end_line;
      x->column = place_column(f, m->column, m->offset);
      x->column = x->column == 0 ? 1 : x->column;
      x->end_column = place_column(f, m->end_column, m->end_offset);
      x->end_column = x->end_line == x->line && x->end_column < x->column ? x->column : x->end_column;
    }
  }
}

issues issues_of(const view *v, const report_options *options) {
  issues list = {0};
  amplification_totals(v, options, &list.schedules);
  mutation_totals(v, options, &list.mutants);
  add_findings(v, options, &list);
  for (int suppressed = 0; suppressed < 2; suppressed++) {
    failing_list found = failing_find(v, &list.schedules, suppressed == 1);
    add_failing(v, &found, &list);
    free(found.list);
  }
  static const mutant_status statuses[] = {MUTANT_SURVIVED, MUTANT_UNDECIDED, MUTANT_SUPPRESSED};
  for (size_t i = 0; i < sizeof statuses / sizeof statuses[0]; i++) add_mutants(v, statuses[i], &list);
  return list;
}

void issues_free(issues *list) {
  amplification_free(&list->schedules);
  mutation_free(&list->mutants);
  free(list->list);
  *list = (issues){0};
}

/* --- words --------------------------------------------------------------------------------------------------- */

void issue_rule(const issue *i, buffer *to) { buffer_printf(to, "%s%s", i->mutant == NULL ? "" : "mutant/", i->rule); }

static void failing_message(const view *v, const report_options *options, const failing *f, buffer *to) {
  const db_schedule *s = f->schedule;
  const size_t before = to->length;
  explanation_text(v, f->launch, s, to);
  if (to->length == before) buffer_puts(to, schedule_verdict_name(amplification_verdict(s)));
  buffer_printf(to, " (%zu schedule%s; ", f->schedules, f->schedules == 1 ? "" : "s");
  amplification_launch_name(v, f->launch, to);
  buffer_puts(to, ", ");
  amplification_describe(s, to);
  buffer_printf(
      to, ": %zu of %zu runs gave the reference's result). See it again with: cltestcheck amplify --replay %" PRId64,
      schedule_count(s->outcomes, RUN_REFERENCE), strlen(s->outcomes), s->id);
  if (options->database != NULL) buffer_printf(to, " --db %s", options->database);
}

static void mutant_message(const view *v, const db_mutant *m, buffer *to) {
  size_t tests = mutation_tests(m);
  if (m->status == MUTANT_UNDECIDED)
    buffer_puts(to, "Tests notice it only in some runs when ");
  else if (m->status == MUTANT_SURVIVED)
    buffer_puts(to, "No test case notices when ");
  mutation_describe(m, to);
  buffer_printf(to, " (mutant %u", m->id);
  if (tests > 0) buffer_printf(to, ", run by %zu test case%s", tests, tests == 1 ? "" : "s");
  buffer_puts(to, ")");
  if (m->status == MUTANT_UNDECIDED) {
    buffer_puts(to, ": ");
    mutation_explain(v, m, to);
  }
}

void issue_message(const view *v, const report_options *options, const issue *i, buffer *to) {
  if (i->finding != NULL)
    finding_message(v, i->finding, to);
  else if (i->mutant != NULL)
    mutant_message(v, i->mutant, to);
  else
    failing_message(v, options, &i->failing, to);
}

void issue_text(const view *v, const report_options *options, char *const *names, const issue *i, buffer *to) {
  scoped_buffer lines = {0};
  issue_message(v, options, i, to);
  if (i->shown != NULL) document_lines(v, names, i->shown, false, &lines);
  if (lines.length > 0) { /* but for the end of the last one */
    buffer_puts(to, "\n");
    buffer_append(to, lines.data, lines.length - 1);
  }
}

void issue_title(const issue *i, buffer *to) {
  scoped_buffer title = {0};
  if (i->mutant != NULL)
    buffer_puts(&title, i->mutant->status == MUTANT_UNDECIDED ? "mutant undecided" : "mutant survived");
  else if (i->finding != NULL)
    verification_title(i->finding, &title);
  else
    buffer_puts(&title, rule_title(i->rule));
  if (title.length > 0) title.data[0] = (char)toupper((unsigned char)title.data[0]);
  buffer_printf(to, "%s%s%s", buffer_text(&title), i->kernel[0] == '\0' ? "" : " in kernel ", i->kernel);
}
