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
  for (size_t i = 1; verification_shows(f) && i < f->place_count; i++) at = at || is_at(f, file, line, i);
  return at && !(f->file == file && f->line == line);
}

bool page_line_proved(const page *p, uint32_t file, uint32_t line) {
  for (size_t i = 0; i < p->v->proof_count; i++)
    if (p->v->proofs[i].file == file && p->v->proofs[i].line == line) return true;
  for (size_t i = 0; i < p->v->finding_count; i++)
    if (meets(&p->v->findings[i], file, line)) return true;
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
    if (meets(f, file, line) && verification_told_with(p->v, f) == NULL && report_selects(p->options, f->kernel))
      page_finding_link(p, i);
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

/* --- the list -------------------------------------------------------------------------------------------------- */

static void put_texts(const page *p, const db_proof_parts *parts, const char *before) {
  for (size_t i = 0; i < parts->count; i++) {
    report_put(p->out, "<br>%s", i == 0 ? before : "");
    if (parts->list[i].file != MODEL_NONE)
      report_put(p->out, "%s: ", page_place(p, parts->list[i].file, parts->list[i].line));
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
  for (size_t i = 0; i < p->v->proof_count; i++)
    if (report_selects(p->options, p->v->proofs[i].name)) put_proof(p, i);
  report_put(p->out, PAGE_TABLE_END);
}

/* Repairs: what became of each file, its patch, and a word at the lines that the patch changes. */

bool page_line_repaired(const page *p, uint32_t file, uint32_t line) {
  for (size_t i = 0; i < p->v->repair_count; i++)
    if (p->v->repairs[i].file == file && repair_touches(&p->v->repairs[i], line)) return true;
  return false;
}

void page_put_repair(const page *p) { report_put(p->out, "<a class=\"st sk\" href=\"#repairs\">patch</a>"); }

static void put_patch(const page *p, const db_repair *r) {
  const char *at = r->patch, *line = NULL;
  size_t length = 0;
  report_put(p->out, "<pre>");
  while ((line = repair_line(&at, &length)) != NULL) {
    const bool head = strncmp(line, "+++", 3) == 0 || strncmp(line, "---", 3) == 0;
    const char *tag = head ? NULL : line[0] == '+' ? "ins" : line[0] == '-' ? "del" : NULL;
    if (tag != NULL) report_put(p->out, "<%s>", tag);
    report_put(p->out, "%s", page_text_of(p->out, line, length));
    if (tag != NULL)
      report_put(p->out, "</%s>", tag);
    else
      report_put(p->out, "\n");
  }
  report_put(p->out, "</pre>\n");
}

void page_repairs(const page *p) {
  for (size_t i = 0; i < p->v->repair_count; i++) {
    const db_repair *r = &p->v->repairs[i];
    const bool good = strcmp(r->outcome, "fine") == 0 || strcmp(r->outcome, "repaired") == 0;
    report_put(p->out, "<h3>%s <span class=\"st s%c\">%s</span></h3>\n", page_text(p->out, r->name), good ? 'k' : 's',
               repair_words(r));
    scoped_document report = {.v = p->v};
    document_repair(&report, r);
    page_list(p, "", &report);
    if (r->patch[0] != '\0') put_patch(p, r);
  }
}

/* A picture a kernel: rows are schedules (targets and other orders), columns repeats. */

enum { PICTURES = 8 }; /* launches of a kernel that are shown */

/* `before`, the number and `behind`, but for 0. */
static void put_if(const page *p, const char *before, unsigned long number, const char *behind) {
  if (number > 0) report_put(p->out, "%s%lu%s", before, number, behind);
}

static void put_runs(const page *p, const char *runs) {
  for (const char *c = runs; *c != '\0';) {
    size_t n = strspn(c, (const char[]){*c, '\0'});
    const size_t known = amplification_outcome_of(*c);
    report_put(p->out, "<i class=q%zu>%s</i>", known < AMPLIFICATION_OUTCOMES ? known : 9, page_text_of(p->out, c, n));
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
  for (size_t i = 0; i < l->schedule_count; i++) put_schedule(p, &l->schedules[i]);
  report_put(p->out, PAGE_TABLE_END);
}

static bool is_quiet(const db_launch *l) {
  for (size_t i = 0; i < l->schedule_count; i++)
    if (amplification_verdict(&l->schedules[i]) != VERDICT_CONSISTENT) return false;
  return true;
}

/* Launches that show something come first, then the others, as far as there is room. */
static void put_launches(const page *p, const amplification_kernel *k) {
  size_t left = PICTURES, others = 0;
  for (int quiet = 0; quiet < 2; quiet++) {
    for (size_t i = 0; i < p->v->launch_count; i++) {
      const db_launch *l = &p->v->launches[i];
      if (l->kernel != k->kernel || l->schedule_count == 0 || is_quiet(l) != (quiet == 1)) continue;
      if (left > 0) {
        put_launch(p, l);
        left--;
      } else {
        others++;
      }
    }
  }
  if (others > 0)
    report_put(p->out, "<p>%zu more launch%s; the JSON report has all of them.\n", others, others == 1 ? "" : "es");
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

static bool shows_something(const amplification_counts *c) { return c->of[VERDICT_CONSISTENT] < c->schedules; }

void page_schedules(const page *p) {
  report_put(p->out,
             "<p>A row is a schedule (a work-group that runs first or last, or an order of all), a character a "
             "run:\n<ul class=legend>\n");
  for (size_t i = 0; i < AMPLIFICATION_OUTCOMES; i++) {
    report_put(p->out, "<li><span class=pic><i class=q%zu>%c</i></span> %s\n", i,
               (char)amplification_outcomes[i].outcome, amplification_outcomes[i].meaning);
  }
  report_put(p->out, "</ul>\n");
  for (size_t i = 0; i < p->issues.schedules.kernel_count; i++) {
    const amplification_kernel *k = &p->issues.schedules.kernels[i];
    if (k->counts.schedules == 0) continue;
    report_put(p->out, "<details class=file id=k%u%s><summary><h3>%s</h3>", k->kernel,
               shows_something(&k->counts) && p->issues.schedules.kernel_count <= 20 ? " open" : "",
               page_text(p->out, p->v->kernels[k->kernel].name));
    put_counts(p, &k->counts);
    report_put(p->out, "</summary>\n");
    put_launches(p, k);
    report_put(p->out, "</details>\n");
  }
  scoped_document reached = {.v = p->v}, launches = {.v = p->v}, meant = {.v = p->v};
  document_meant(&meant, &p->issues.schedules);
  document_reached(&reached, &p->issues.schedules);
  document_launches(&launches, &p->issues.schedules);
  page_list(p, "<h3>Meant: the kernel says that its result may depend on the order</h3>", &meant);
  page_list(p, "<h3>Reached under some schedules, never by the program as it is</h3>", &reached);
  page_list(p, "<h3>Launches without schedules</h3>", &launches);
}

enum { UNFOLDED = 10 };

/* A line that opens: what was seen; below it where, and what else there is to say. */
static void put_issue(const page *p, const issue *x) {
  static const char *const classes[] = {[DOC_PLAIN] = "", [DOC_WARNING] = " su", [DOC_ERROR] = " ss"};
  const db_finding *f = x->finding, *proof = f == NULL ? NULL : verification_proof(p->v, f);
  scoped_document d = {.v = p->v, .options = p->options};
  if (f != NULL)
    document_finding(&d, f);
  else
    document_failing(&d, x);
  const doc_node *head = &d.nodes[0];
  report_put(p->out, "<li><details");
  if (f != NULL) report_put(p->out, " id=d%zu", (size_t)(f - p->v->findings));
  report_put(p->out, "%s><summary><h3><span class=\"st%s\">%s%s%s</h3> %s%s</summary>\n",
             p->findings == 1 ? " open" : "", x->suppressed != NULL ? "" : classes[head->style],
             page_text(p->out, f == NULL ? rule_title(x->rule) : head->title),
             head->kernel == NULL ? "</span>" : "</span> in kernel ",
             page_text(p->out, head->kernel == NULL ? "" : head->kernel),
             page_text(p->out, head->text + strspn(head->text, ": ")),
             proof != NULL && proof->confirmed == CONFIRMED_YES ? " <span class=st>confirmed</span>" : "");
  if (f == NULL) report_put(p->out, "<p>Of <a href=\"#k%u\">these schedules</a>.\n", x->failing.launch->kernel);
  page_notes(p, &d, head->excerpt ? 0 : 1);
  report_put(p->out, "</details>\n");
}

/* A long list is folded after its first items. */
static void begin_item(const page *p, size_t number) {
  if (number == UNFOLDED)
    report_put(p->out, "</ol>\n<details><summary>More</summary>\n<ol class=found start=%d>\n", UNFOLDED + 1);
}

/* Findings and failing schedules that are suppressed, or those that are not. Returns their number; `put`: writes them. */
static size_t list(const page *p, bool suppressed, bool put) {
  size_t count = 0;
  for (size_t i = 0; i < p->issues.count; i++) {
    const issue *x = &p->issues.list[i];
    if (x->mutant != NULL || (x->suppressed != NULL) != suppressed) continue;
    if (put) begin_item(p, count);
    if (put) put_issue(p, x);
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
  if (p->findings > 0)
    put_list(p, false);
  else
    report_put(p->out, "<p>Nothing was found.\n");
  const size_t suppressed = list(p, true, false);
  if (suppressed > 0) {
    report_put(p->out, "<details><summary>%zu suppressed by the configuration</summary>\n", suppressed);
    put_list(p, true);
    report_put(p->out, "</details>\n");
  }
  scoped_document refused = {.v = p->v};
  document_refused(&refused);
  page_list(p, "<h3>Refused by the device</h3>", &refused);
}