/* Findings: a line each that opens: what was seen, where; of races both results and the access. What is suppressed
 * stands apart. Proofs, patches and pictures of schedules. */
#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "base/subprocess.h"
#include "reports/common/report.h"
#include "reports/html/page.h"
#include "reports/words/words.h"

/* Proofs: a row a kernel with its verdict and what it rests on; counterexamples with the source at each place; both at
 * their lines. */

static char letter_of(proof_verdict v) {
  return v == PROOF_VERIFIED ? 'k' : proof_is_definite(v) ? 's' : proof_is_possible(v) ? 'u' : 'p';
}

/* --- badges ---------------------------------------------------------------------------------------------------- */

static void put_badge(const page *p, proof_verdict verdict, bool apart, const char *anchor) {
  report_put(p->out, "<a class=\"st s%c\" href=\"#%s\">%s%s</a>", apart ? 'p' : letter_of(verdict), anchor,
             proof_verdict_name(verdict), apart ? ", suppressed" : "");
}

void page_proof_badge(const page *p, uint32_t kernel) {
  const proof_verdict verdict = verification_of_kernel(p->v, kernel);
  if (verdict == PROOF_VERDICTS) {
    report_put(p->out, "-");
    return;
  }
  for (size_t i = 0; i < p->v->proof_count; i++) {
    if (p->v->proofs[i].kernel == kernel && proof_verdict_of(&p->v->proofs[i]) == verdict) {
      put_badge(p, verdict, verdict != PROOF_VERIFIED && verification_held_back(p->v, i), "proofs");
      return;
    }
  }
}

static bool is_at(const db_finding *f, uint32_t file, uint32_t line, size_t place) {
  return f->places[place].file == file && f->places[place].line == line;
}

/* Is one of the finding's places after the first on the line? Where the first is, all findings stand. */
static bool meets(const db_finding *f, uint32_t file, uint32_t line) {
  bool at = false;
  for (size_t i = 1; verification_shows(f) && i < f->place_count; i++) {
    at = at || is_at(f, file, line, i);
  }
  return at && !(f->file == file && f->line == line);
}

bool page_line_proved(const page *p, uint32_t file, uint32_t line) {
  for (size_t i = 0; i < p->v->proof_count; i++) {
    if (p->v->proofs[i].file == file && p->v->proofs[i].line == line) {
      return true;
    }
  }
  for (size_t i = 0; i < p->v->finding_count; i++) {
    if (meets(&p->v->findings[i], file, line)) {
      return true;
    }
  }
  return false;
}

void page_put_proofs(const page *p, uint32_t file, uint32_t line) {
  for (size_t i = 0; i < p->v->proof_count; i++) {
    const db_proof *proof = &p->v->proofs[i];
    if (proof->file == file && proof->line == line && report_selects(p->options, proof->name)) {
      const proof_verdict verdict = proof_verdict_of(proof);
      put_badge(p, verdict, verdict != PROOF_VERIFIED && verification_held_back(p->v, i), "proofs");
    }
  }
  for (size_t i = 0; i < p->v->finding_count; i++) {
    const db_finding *f = &p->v->findings[i];
    if (meets(f, file, line) && verification_told_with(p->v, f) == NULL && report_selects(p->options, f->kernel)) {
      page_finding_link(p, i);
    }
  }
}

void page_finding_link(const page *p, size_t index) {
  const db_finding *self = &p->v->findings[index], *twin = verification_told_with(p->v, self);
  const db_finding *f = twin != NULL ? twin : self;
  scoped_buffer title = {0};
  report_put(p->out, "<a class=\"st s%c\" href=\"#", f->possible || races_is_benign(f) ? 'u' : 's');
  if (verification_shows(f)) {
    verification_title(f, &title);
    report_put(p->out, "d%zu\">", (size_t)(f - p->v->findings));
  } else {
    verification_title(f, &title);
    report_put(p->out, "findings\">");
  }
  report_put(p->out, "%s</a>", page_text(p->out, buffer_text(&title)));
}

/* --- counterexamples ------------------------------------------------------------------------------------------- */

static void put_place(const page *p, const db_finding *f, size_t place) {
  const db_place *x = &f->places[place];
  scoped_buffer words = {0};
  verification_place(f, place, &words);
  report_put(p->out, "<p>%s at %s", page_text(p->out, buffer_text(&words)), page_place(p, x->file, x->line));
  for (size_t i = 0; i < x->inlined_count; i++) {
    report_put(p->out, ", called at %s", page_place(p, x->inlined[i].file, x->inlined[i].line));
  }
  report_put(p->out, "\n");
  page_excerpt(p, x->file, x->line);
}

static void put_path(const page *p, const db_finding *f, uint32_t thread) {
  bool any = false;
  for (size_t i = 0; i < f->path_count; i++) {
    const db_step *s = &f->path[i];
    if (s->thread != thread) {
      continue;
    }
    if (!any) {
      scoped_buffer words = {0};
      verification_thread(f, thread, &words);
      report_put(p->out, "<p>Path of %s:\n<ol>\n", page_text(p->out, buffer_text(&words)));
      any = true;
    }
    report_put(p->out, "<li>%s: %s\n", page_place(p, s->file, s->line), page_text(p->out, s->text));
  }
  report_put(p->out, "%s", any ? "</ol>\n" : "");
}

static void put_paragraph(const page *p, const char *before, buffer *words) {
  if (words->length > 0) {
    report_put(p->out, "<p>%s%s\n", before, page_text(p->out, buffer_text(words)));
  }
  buffer_free(words);
}

/* A paragraph that begins with a capital letter. */
static void put_sentence(const page *p, buffer *words) {
  if (words->length > 0) {
    words->data[0] = (char)toupper((unsigned char)words->data[0]);
  }
  put_paragraph(p, "", words);
}

/* What is proved of a race that was seen. */
static void put_twin(const page *p, const db_finding *twin) {
  scoped_buffer words = {0};
  verification_twin_words(p->v, twin, &words);
  put_sentence(p, &words);
  for (uint32_t thread = 0; thread <= 2; thread++) {
    put_path(p, twin, thread);
  }
  verification_witness(twin, &words);
  put_paragraph(p, "With ", &words);
  verification_confirmation(twin, &words);
  put_sentence(p, &words);
}

/* Of page_findings: the places of a finding, and what else it has to show (findings.c). */
static void page_counterexample(const page *p, const db_finding *f) {
  scoped_buffer words = {0};
  for (size_t i = 0; i < f->place_count; i++) {
    put_place(p, f, i);
  }
  for (uint32_t thread = 0; thread <= 2; thread++) {
    put_path(p, f, thread);
  }
  verification_witness(f, &words);
  put_paragraph(p, "With ", &words);
  verification_doubt(f, &words);
  put_sentence(p, &words);
  verification_confirmation(f, &words);
  put_sentence(p, &words);
  if (!f->proved && verification_twin(p->v, f) != NULL) {
    put_twin(p, verification_twin(p->v, f));
  }
}

/* --- the list -------------------------------------------------------------------------------------------------- */

static void put_texts(const page *p, const db_proof_parts *parts, const char *before) {
  for (size_t i = 0; i < parts->count; i++) {
    report_put(p->out, "<br>%s", i == 0 ? before : "");
    if (parts->list[i].file != MODEL_NONE) {
      report_put(p->out, "%s: ", page_place(p, parts->list[i].file, parts->list[i].line));
    }
    report_put(p->out, "%s", page_text(p->out, parts->list[i].text));
  }
}

/* What can go, one at a time. */
static void put_barriers(const page *p, const db_proof_parts *parts) {
  for (size_t i = 0; i < parts->count; i++) {
    if (strcmp(parts->list[i].text, "redundant") == 0) {
      report_put(p->out, "<br>No race without the barrier at %s",
                 page_place(p, parts->list[i].file, parts->list[i].line));
    }
  }
}

static void put_basis(const page *p, size_t index) {
  const db_proof *proof = &p->v->proofs[index];
  scoped_buffer words = {0};
  verification_variant(p->v, index, &words);
  buffer_puts(&words, words.length > 0 ? ": " : "");
  verification_basis(proof, &words);
  report_put(p->out, "<td data-c=\"Holds, or why not\">%s", page_text(p->out, buffer_text(&words)));
  for (size_t i = 0; i < p->v->finding_count; i++) {
    const db_finding *f = &p->v->findings[i];
    if (f->proved && f->proof == index) {
      report_put(p->out, " ");
      page_finding_link(p, i);
    }
  }
  put_texts(p, &proof->parts[PROOF_FACT], "The host program: ");
  put_texts(p, &proof->parts[PROOF_ASSUMPTION], "Rests on: ");
  put_texts(p, &proof->parts[PROOF_INVARIANT], "Invariants: ");
  put_barriers(p, &proof->parts[PROOF_BARRIER]);
}

static void put_proof(const page *p, size_t index) {
  const db_proof *proof = &p->v->proofs[index];
  const proof_verdict verdict = proof_verdict_of(proof);
  const bool apart = verdict != PROOF_VERIFIED && verification_held_back(p->v, index);
  report_put(p->out, "<tr><th scope=row>%s<br>%s<td data-c=\"Verdict\"><span class=\"st s%c\">%s%s</span>",
             page_text(p->out, proof->name), page_place(p, proof->file, proof->line), apart ? 'p' : letter_of(verdict),
             proof_verdict_name(verdict), apart ? ", suppressed" : "");
  put_basis(p, index);
  report_put(p->out, "<td data-c=\"Time\">");
  report_put(p->out, proof->reused ? "of an earlier run\n" : "%.2f s\n", proof->seconds);
}

void page_proofs(const page *p) {
  page_table_of_heading(p->out, "Proofs");
  report_put(p->out,
             "<thead><tr><th scope=col>Kernel<th scope=col>Verdict<th scope=col>Holds, or why not<th "
             "scope=col>Time\n<tbody>\n");
  for (size_t i = 0; i < p->v->proof_count; i++) {
    if (report_selects(p->options, p->v->proofs[i].name)) {
      put_proof(p, i);
    }
  }
  report_put(p->out, PAGE_TABLE_END);
}

/* Repairs: what became of each file, its patch, and a word at the lines that the patch changes. */

bool page_line_repaired(const page *p, uint32_t file, uint32_t line) {
  for (size_t i = 0; i < p->v->repair_count; i++) {
    if (p->v->repairs[i].file == file && repair_touches(&p->v->repairs[i], line)) {
      return true;
    }
  }
  return false;
}

void page_put_repair(const page *p) { report_put(p->out, "<a class=\"st sk\" href=\"#repairs\">patch</a>"); }

/* How much of a line is the name of the file, which the heading says. */
static size_t name_in(const db_repair *r, const char *line, size_t length) {
  const size_t name = strlen(r->name);
  return length > name + 2 && strncmp(line, r->name, name) == 0 && strncmp(line + name, ": ", 2) == 0 ? name + 2 : 0;
}

/* A row for each thing that is said of the file, with the lines that are indented below it. */
static void put_report(const page *p, const db_repair *r) {
  const char *at = r->report, *line = NULL;
  size_t length = 0, more = 0;
  bool row = false;
  if (at[0] == '\0') {
    return;
  }
  page_table_of_heading(p->out, "Repairs");
  report_put(p->out, "<thead><tr><th scope=col>What<th scope=col>Found and checked\n<tbody>\n");
  while ((line = repair_line(&at, &length)) != NULL) {
    const bool indented = row && length > 2 && strncmp(line, "  ", 2) == 0;
    const size_t skip = indented ? 2 : name_in(r, line, length);
    if (indented) {
      report_put(p->out, "%s", more++ > 0 ? "<br>" : "");
    } else {
      report_put(p->out, "<tr>\n<th scope=row>"); /* so that a cell without text is empty */
      row = true;
      more = 0;
    }
    report_put(p->out, "%s", page_text_of(p->out, line + skip, length - skip));
    if (!indented) {
      report_put(p->out, "<td data-c=\"Found and checked\">");
    }
  }
  report_put(p->out, PAGE_TABLE_END);
}

static void put_patch(const page *p, const db_repair *r) {
  const char *at = r->patch, *line = NULL;
  size_t length = 0;
  report_put(p->out, "<pre>");
  while ((line = repair_line(&at, &length)) != NULL) {
    const bool head = strncmp(line, "+++", 3) == 0 || strncmp(line, "---", 3) == 0;
    const char *tag = head ? NULL : line[0] == '+' ? "ins" : line[0] == '-' ? "del" : NULL;
    if (tag != NULL) {
      report_put(p->out, "<%s>", tag);
    }
    report_put(p->out, "%s", page_text_of(p->out, line, length));
    if (tag != NULL) {
      report_put(p->out, "</%s>", tag);
    } else {
      report_put(p->out, "\n");
    }
  }
  report_put(p->out, "</pre>\n");
}

void page_repairs(const page *p) {
  for (size_t i = 0; i < p->v->repair_count; i++) {
    const db_repair *r = &p->v->repairs[i];
    const bool good = strcmp(r->outcome, "fine") == 0 || strcmp(r->outcome, "repaired") == 0;
    report_put(p->out, "<h3>%s <span class=\"st s%c\">%s</span></h3>\n", page_text(p->out, r->name), good ? 'k' : 's',
               repair_words(r));
    put_report(p, r);
    if (r->patch[0] != '\0') {
      put_patch(p, r);
    }
  }
}

/* A picture a kernel: rows are schedules (targets and other orders), columns repeats. */

enum { PICTURES = 8 }; /* launches of a kernel that are shown */

/* Class of a run's outcome; the character itself is shown, too. */
static const struct {
  run_outcome outcome;
  const char *name, *meaning;
} outcomes[] = {
    {RUN_REFERENCE, "q0", "the reference's result"},
    {RUN_DIFFERS, "q1", "another one"},
    {RUN_DEADLOCK, "q2", "a work-group never ended"},
    {RUN_OCCUPANCY, "q3", "not in this order: the device has not the room for it"},
    {RUN_CRASH, "q4", "crashed"},
};
#define OUTCOMES (sizeof outcomes / sizeof outcomes[0])

/* `before`, the number and `behind`, but for 0. */
static void put_if(const page *p, const char *before, unsigned long number, const char *behind) {
  if (number > 0) {
    report_put(p->out, "%s%lu%s", before, number, behind);
  }
}

static void put_runs(const page *p, const char *runs) {
  for (const char *c = runs; *c != '\0';) {
    size_t n = strspn(c, (const char[]){*c, '\0'});
    size_t known = 0;
    while (known < OUTCOMES && (char)outcomes[known].outcome != *c) {
      known++;
    }
    report_put(p->out, "<i class=%s>%s</i>", known < OUTCOMES ? outcomes[known].name : "q9",
               page_text_of(p->out, c, n));
    c += n;
  }
}

static void put_schedule(const page *p, const db_schedule *s) {
  const ratio same = {schedule_count(s->outcomes, RUN_REFERENCE), strlen(s->outcomes)};
  scoped_buffer label = {0};
  amplification_label(s, &label);
  report_put(p->out, "<tr><th scope=row>%s<td class=pic data-c=Runs>", page_text(p->out, buffer_text(&label)));
  put_runs(p, s->outcomes);
  report_put(p->out,
             "<td data-c=Verdict><span class=\"st v%u\">%s</span>%s%s<td data-c=\"As the reference\">%lu/%lu<td "
             "data-c=Id>%" PRId64 "\n",
             (unsigned)amplification_verdict(s), page_text(p->out, s->verdict), s->meant ? " (meant)" : "",
             s->suppressed != NULL ? " (suppressed)" : "", same.covered, same.total, s->id);
}

static void put_launch(const page *p, const db_launch *l) {
  report_put(p->out, "<div class=w><table class=table><caption>");
  scoped_buffer name = {0};
  amplification_launch_name(p->v, l, &name);
  report_put(p->out, "%s", page_text(p->out, buffer_text(&name)));
  put_if(p, ": ", l->groups, " work-groups");
  put_if(p, " of ", l->local, "");
  put_if(p, ", ", l->together, " in flight");
  report_put(p->out,
             "</caption>\n<thead><tr><th scope=col>Schedule<th scope=col>Runs<th scope=col>Verdict<th scope=col>As the "
             "reference<th scope=col>Id\n<tbody>\n");
  for (size_t i = 0; i < l->schedule_count; i++) {
    put_schedule(p, &l->schedules[i]);
  }
  report_put(p->out, PAGE_TABLE_END);
}

static bool is_quiet(const db_launch *l) {
  for (size_t i = 0; i < l->schedule_count; i++) {
    if (amplification_verdict(&l->schedules[i]) != VERDICT_CONSISTENT) {
      return false;
    }
  }
  return true;
}

/* Launches that show something come first, then the others, as far as there is room. */
static void put_launches(const page *p, const amplification_kernel *k) {
  size_t left = PICTURES, others = 0;
  for (int quiet = 0; quiet < 2; quiet++) {
    for (size_t i = 0; i < p->v->launch_count; i++) {
      const db_launch *l = &p->v->launches[i];
      if (l->kernel != k->kernel || l->schedule_count == 0 || is_quiet(l) != (quiet == 1)) {
        continue;
      }
      if (left > 0) {
        put_launch(p, l);
        left--;
      } else {
        others++;
      }
    }
  }
  if (others > 0) {
    report_put(p->out, "<p>%zu more launch%s; the JSON report has all of them.\n", others, others == 1 ? "" : "es");
  }
}

static void put_counts(const page *p, const amplification_counts *c) {
  report_put(p->out, "%lu schedule%s", c->schedules, report_plural(c->schedules));
  for (size_t v = VERDICTS; v-- > 0;) {
    if (c->of[v] > 0) {
      report_put(p->out, ", <span class=\"st v%zu\">%lu %s</span>", v, c->of[v],
                 schedule_verdict_name((schedule_verdict)v));
    }
  }
  put_if(p, ", ", c->meant, " meant");
  put_if(p, ", ", c->suppressed, " suppressed");
}

/* What only schedules reach. */
static void put_reached(const page *p, const amplification_kernel *k) {
  bool any = false;
  for (size_t i = 0; i < p->v->launch_count; i++) {
    const db_launch *l = &p->v->launches[i];
    for (size_t n = 0; l->kernel == k->kernel && n < l->schedule_count; n++) {
      for (size_t r = 0; r < l->schedules[n].reached_count; r++) {
        const view_reached *reached = &l->schedules[n].reached[r];
        const model_site *s = &p->v->sites[reached->site];
        report_put(p->out, "%s<li>%s %s: %s\n", any ? "" : "<p>Reached under some schedules only:\n<ul>\n",
                   page_place(p, s->file, s->line), site_kind_name(s->kind),
                   page_text(p->out, s->outcomes[reached->outcome].label));
        any = true;
      }
    }
  }
  report_put(p->out, "%s", any ? "</ul>\n" : "");
}

static bool shows_something(const amplification_counts *c) { return c->of[VERDICT_CONSISTENT] < c->schedules; }

static void put_skipped(const page *p) {
  const amplification *a = &p->issues.schedules;
  if (a->skipped_count == 0) {
    return;
  }
  report_put(p->out, "<h3>Launches without schedules</h3>\n<ul>\n");
  for (size_t i = 0; i < a->skipped_count; i++) {
    report_put(p->out, "<li>%lu launch%s: %s (%zu kernel%s)\n", a->skipped[i].launches,
               a->skipped[i].launches == 1 ? "" : "es", page_text(p->out, a->skipped[i].reason),
               a->skipped[i].kernel_count, report_plural(a->skipped[i].kernel_count));
  }
  report_put(p->out, "</ul>\n");
}

void page_schedules(const page *p) {
  report_put(p->out,
             "<p>A row is a schedule (a work-group that runs first or last, or an order of all), a character a "
             "run:\n<ul class=legend>\n");
  for (size_t i = 0; i < OUTCOMES; i++) {
    report_put(p->out, "<li><span class=pic><i class=%s>%c</i></span> %s\n", outcomes[i].name,
               (char)outcomes[i].outcome, outcomes[i].meaning);
  }
  report_put(p->out, "</ul>\n");
  for (size_t i = 0; i < p->issues.schedules.kernel_count; i++) {
    const amplification_kernel *k = &p->issues.schedules.kernels[i];
    if (k->counts.schedules == 0) {
      continue;
    }
    report_put(p->out, "<details class=file id=k%u%s><summary><h3>%s</h3>", k->kernel,
               shows_something(&k->counts) && p->issues.schedules.kernel_count <= 20 ? " open" : "",
               page_text(p->out, p->v->kernels[k->kernel].name));
    put_counts(p, &k->counts);
    report_put(p->out, "</summary>\n");
    put_launches(p, k);
    put_reached(p, k);
    report_put(p->out, "</details>\n");
  }
  put_skipped(p);
}

enum { MOST_ACCESSES = 4, UNFOLDED = 10 };

static void put_reason(const page *p, const char *reason) {
  if (reason != NULL) {
    report_put(p->out, "<p>Suppressed: %s\n", page_text(p->out, reason));
  }
}

/* --- of the database ------------------------------------------------------------------------------------------- */

static void put_message(const page *p, const db_finding *f) {
  scoped_buffer message = {0};
  finding_message(p->v, f, &message);
  report_put(p->out, "%s", page_text(p->out, buffer_text(&message)));
}

static void put_finding(const page *p, const db_finding *f) {
  scoped_buffer title = {0};
  const db_finding *proof = verification_proof(p->v, f);
  verification_title(f, &title);
  report_put(p->out, "<li><details id=d%zu%s><summary><h3><span class=\"st%s\">%s%s%s</h3> ",
             (size_t)(f - p->v->findings), p->findings == 1 ? " open" : "",
             f->suppressed != NULL               ? ""
             : f->possible || races_is_benign(f) ? " su"
                                                 : " ss",
             page_text(p->out, buffer_text(&title)), f->kernel[0] == '\0' ? "</span>" : "</span> in kernel ",
             page_text(p->out, f->kernel));
  put_message(p, f);
  report_put(p->out, "%s",
             proof != NULL && proof->confirmed == CONFIRMED_YES ? " <span class=st>confirmed</span></summary>\n"
                                                                : "</summary>\n");
  if (f->place_count == 0 && f->file != MODEL_NONE) {
    report_put(p->out, "<p>At %s\n", page_place(p, f->file, f->line));
    page_excerpt(p, f->file, f->line);
  }
  page_counterexample(p, f);
  put_reason(p, f->suppressed);
  if (f->suppressed == NULL) {
    page_suppression(p, f);
  }
  report_put(p->out, "</details>\n");
}

/* --- of schedules ---------------------------------------------------------------------------------------------- */

static void put_described(const page *p, const db_schedule *s) {
  scoped_buffer words = {0};
  amplification_describe(s, &words);
  report_put(p->out, "%s", page_text(p->out, buffer_text(&words)));
}

static void put_share(const page *p, const db_schedule *s) {
  const ratio same = {schedule_count(s->outcomes, RUN_REFERENCE), strlen(s->outcomes)};
  report_put(p->out, "<td data-c=\"Runs with the reference's result\">%lu of %lu (%s)", same.covered, same.total,
             report_percent(p->out, &same));
}

static void put_replay(const page *p, int64_t schedule) {
  scoped_buffer line = buffer_with("cltestcheck amplify --replay %" PRId64, schedule);
  if (p->options->database != NULL) {
    buffer_puts(&line, " --db ");
    shell_word(&line, p->options->database);
  }
  report_put(p->out, "<code class=paste>%s</code>", page_text(p->out, buffer_text(&line)));
}

/* The schedule that shows it, and the one (or the program as it is) that gives the other result. */
static void put_sides(const page *p, const db_schedule *s) {
  const db_explanation *x = s->explanation;
  const db_launch *launch = NULL;
  const db_schedule *other = x->other == 0 ? NULL : view_find_schedule(p->v, x->other, &launch);
  page_table(p->out, "Both orders");
  report_put(p->out, "<thead><tr><th scope=col>Order");
  if (x->argument[0] != '\0') {
    report_put(p->out, "<th scope=col>%s[%" PRIu64 "]", page_text(p->out, x->argument), x->first);
  }
  report_put(p->out, "<th scope=col>Runs with the reference's result<th scope=col>Again\n<tbody>\n<tr><th scope=row>");
  put_described(p, s);
  if (x->argument[0] != '\0') {
    report_put(p->out, "<td data-c=\"Value\">%s", page_text(p->out, x->seen));
  }
  put_share(p, s);
  report_put(p->out, "<td data-c=\"Again\">");
  put_replay(p, s->id);
  report_put(p->out, "\n<tr><th scope=row>");
  if (other == NULL) {
    report_put(p->out, "the program as it is");
  } else {
    put_described(p, other);
  }
  if (x->argument[0] != '\0') {
    report_put(p->out, "<td data-c=\"Value\">%s", page_text(p->out, x->reference));
  }
  if (other == NULL) {
    report_put(p->out, "<td data-c=\"Runs with the reference's result\">-<td data-c=Again>-");
  } else {
    put_share(p, other);
    report_put(p->out, "<td data-c=\"Again\">");
    put_replay(p, other->id);
  }
  report_put(p->out, "\n" PAGE_TABLE_END);
}

static void put_accesses(const page *p, const db_explanation *x) {
  uint32_t lines[MOST_ACCESSES];
  size_t count = amplification_accesses(x, lines, MOST_ACCESSES);
  if (count == 0) {
    lines[count++] = x->line;
  }
  report_put(p->out, "<p>The access%s: ", count == 1 ? "" : "es");
  for (size_t i = 0; i < count; i++) {
    report_put(p->out, "%s%s\n", i == 0 ? "" : "<p>and ", page_place(p, x->file, lines[i]));
    page_excerpt(p, x->file, lines[i]);
  }
}

static void put_explanation(const page *p, const db_explanation *x, const db_finding *shown) {
  scoped_buffer unfinished = {0};
  explanation_unfinished(x, &unfinished);
  if (unfinished.length > 0) {
    report_put(p->out, "<p>Never ended: %s\n", page_text(p->out, buffer_text(&unfinished)));
  }
  if (shown != NULL) {
    page_counterexample(p, shown);
  } else if (x->file != MODEL_NONE && x->line > 0) {
    put_accesses(p, x);
  }
}

static void put_failing(const page *p, const issue *i) {
  const failing *f = &i->failing;
  const db_schedule *s = f->schedule;
  scoped_buffer name = {0};
  amplification_launch_name(p->v, f->launch, &name);
  report_put(p->out, "<li><details%s><summary><h3><span class=\"st v%u\">%s</span> in kernel %s</h3> ",
             p->findings == 1 ? " open" : "", (unsigned)amplification_verdict(s), rule_title(i->rule),
             page_text(p->out, p->v->kernels[f->launch->kernel].name));
  scoped_buffer text = {0};
  explanation_text(p->v, f->launch, s, &text);
  report_put(p->out, "%s</summary>\n<p>First seen in %s, of <a href=\"#k%u\">these schedules</a>.\n",
             page_text(p->out, s->explanation != NULL ? buffer_text(&text) : s->verdict),
             page_text(p->out, buffer_text(&name)), f->launch->kernel);
  if (s->explanation != NULL) {
    put_explanation(p, s->explanation, i->shown);
    put_sides(p, s);
  }
  if (f->schedules > 1) {
    report_put(p->out, "<p>The same under %zu more schedule%s, of %zu launch%s in all.\n", f->schedules - 1,
               report_plural(f->schedules - 1), f->launches, f->launches == 1 ? "" : "es");
  }
  put_reason(p, s->suppressed);
  report_put(p->out, "</details>\n");
}

/* --- lists ----------------------------------------------------------------------------------------------------- */

/* A long list is folded after its first items. */
static void begin_item(const page *p, size_t number) {
  if (number == UNFOLDED) {
    report_put(p->out, "</ol>\n<details><summary>More</summary>\n<ol class=found start=%d>\n", UNFOLDED + 1);
  }
}

/* Findings and failing schedules that are suppressed, or those that are not. Returns their number; `put`: writes them. */
static size_t list(const page *p, bool suppressed, bool put) {
  size_t count = 0;
  for (size_t i = 0; i < p->issues.count; i++) {
    const issue *x = &p->issues.list[i];
    if (x->mutant != NULL || (x->suppressed != NULL) != suppressed) {
      continue;
    }
    if (put) {
      begin_item(p, count);
    }
    if (put && x->finding != NULL) {
      put_finding(p, x->finding);
    } else if (put) {
      put_failing(p, x);
    }
    count++;
  }
  return count;
}

/* The same as a list of the page. */
static void put_list(const page *p, bool suppressed) {
  report_put(p->out, "<ol class=found>\n");
  const size_t count = list(p, suppressed, true);
  report_put(p->out, "%s", count > UNFOLDED ? "</ol>\n</details>\n" : "</ol>\n");
}

size_t page_count_findings(const page *p) { return list(p, false, false); }

void page_findings(const page *p) {
  if (p->findings > 0) {
    put_list(p, false);
  } else {
    report_put(p->out, "<p>Nothing was found.\n");
  }
  const size_t suppressed = list(p, true, false);
  if (suppressed > 0) {
    report_put(p->out, "<details><summary>%zu suppressed by the configuration</summary>\n", suppressed);
    put_list(p, true);
    report_put(p->out, "</details>\n");
  }
  page_refused(p);
}