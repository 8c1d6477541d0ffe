/* Findings of the page: a line each that opens, what was seen, where, of races both results and the access; what is
 * suppressed stands apart; proofs, patches and pictures of schedules; mutants. */
#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/subprocess.h"
#include "base/utf8.h"
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
  /* What can go, one at a time. */
  for (size_t i = 0; i < proof->parts[PROOF_BARRIER].count; i++) {
    if (strcmp(proof->parts[PROOF_BARRIER].list[i].text, "redundant") == 0) {
      report_put(p->out, "<br>No race without the barrier at %s",
                 page_place(p, proof->parts[PROOF_BARRIER].list[i].file, proof->parts[PROOF_BARRIER].list[i].line));
    }
  }
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
  EACH(const db_repair, r, p->v->repairs, p->v->repair_count) {
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
    const ratio same = {schedule_count(l->schedules[i].outcomes, RUN_REFERENCE), strlen(l->schedules[i].outcomes)};
    scoped_buffer label = {0};
    amplification_label(&l->schedules[i], &label);
    report_put(p->out, "<tr><th scope=row>%s<td class=pic data-c=Runs>", page_text(p->out, buffer_text(&label)));
    for (const char *c = l->schedules[i].outcomes; *c != '\0';) {
      size_t n = strspn(c, (const char[]){*c, '\0'});
      const size_t known = amplification_outcome_of(*c);
      report_put(p->out, "<i class=q%zu>%s</i>", known < AMPLIFICATION_OUTCOMES ? known : 9,
                 page_text_of(p->out, c, n));
      c += n;
    }
    report_put(p->out,
               "<td data-c=Verdict><span class=\"st v%u\">%s</span>%s%s<td data-c=\"As the reference\">%lu/%lu<td "
               "data-c=Id>%" PRId64 "\n",
               (unsigned)amplification_verdict(&l->schedules[i]), page_text(p->out, l->schedules[i].verdict),
               l->schedules[i].meant ? " (meant)" : "", l->schedules[i].suppressed != NULL ? " (suppressed)" : "",
               same.covered, same.total, l->schedules[i].id);
  }
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
    EACH(const db_launch, l, p->v->launches, p->v->launch_count) {
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

/* Findings and failing schedules that are suppressed, or those that are not. Returns their number; `put`: writes them. */
static size_t list(const page *p, bool suppressed, bool put) {
  size_t count = 0;
  EACH(const issue, x, p->issues.list, p->issues.count) {
    if (x->mutant != NULL || (x->suppressed != NULL) != suppressed) continue;
    if (put) {
      /* A long list is folded after its first items. */
      if (count == UNFOLDED)
        report_put(p->out, "</ol>\n<details><summary>More</summary>\n<ol class=found start=%d>\n", UNFOLDED + 1);
    }
    if (put) {
      /* A line that opens: what was seen; below it where, and what else there is to say. */
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

/* Mutants: a word or two at their line that open into a diff and what the test cases made of them; which are shown. */

enum { SHORT = 24, CONTEXT = 100, CHANGED = 200, NAMED = 8 };

const page_status page_statuses[MUTANT_STATUSES] = {
    [MUTANT_PENDING] = {'p', "pending", "not decided when the run ended"},
    [MUTANT_KILLED] = {'k', "killed", "differs in every run of some test case"},
    [MUTANT_UNDECIDED] = {'u', "undecided", "differs in some runs, not all"},
    [MUTANT_SURVIVED] = {'s', "survived", "never differs: no test case notices it"},
    [MUTANT_NO_COVERAGE] = {'n', "no-coverage", "no test case executes it"},
    [MUTANT_EQUIVALENT] = {'e', "equivalent", "compiles to the same code as the original"},
    [MUTANT_DUPLICATE] = {'d', "duplicate", "compiles to the same code as another mutant"},
    [MUTANT_INVALID] = {'i', "invalid", "does not compile"},
    [MUTANT_SUPPRESSED] = {'x', "suppressed", "a comment or the configuration says so"},
};

const page_status page_unrevealed = {'r', "unrevealed", "killed by its data alone: the program does not notice"};

static const page_status *page_status_of(const db_mutant *m) {
  return mutation_is_revealed(m) == REVEALED_NO ? &page_unrevealed : &page_statuses[m->status];
}

unsigned long page_count_unrevealed(const page *p) {
  const mutation_counts *c = &p->issues.mutants.all;
  return c->of[MUTANT_KILLED] - c->revealed - c->unasked;
}

const mutant_status page_status_order[MUTANT_STATUSES] = {
    MUTANT_SURVIVED,   MUTANT_UNDECIDED, MUTANT_NO_COVERAGE, MUTANT_KILLED,     MUTANT_PENDING,
    MUTANT_EQUIVALENT, MUTANT_DUPLICATE, MUTANT_INVALID,     MUTANT_SUPPRESSED,
};

static size_t operator_of(const page *p, const db_mutant *m) {
  size_t o = 0;
  while (o < p->issues.mutants.operator_count && strcmp(p->issues.mutants.operators[o].name, m->operator_name) != 0)
    o++;
  return o;
}

/* Text cut to `most` characters. */
static void put_short(const page *p, const char *text, size_t most) {
  size_t at = 0, length = strlen(text);
  for (size_t i = 0; i < most && at < length; i++) {
    size_t n = utf8_character(text + at, length - at);
    at += n == 0 ? 1 : n;
  }
  report_put(p->out, "%s%s", page_text_of(p->out, text, at), at < length ? UTF8_ELLIPSIS : "");
}

/* "+ → -", or the description. */
static void put_change(const page *p, const db_mutant *m) {
  if (m->description != NULL) {
    put_short(p, m->description, 2 * SHORT);
    return;
  }
  put_short(p, m->original, SHORT);
  report_put(p->out, " \xe2\x86\x92 ");
  if (m->replacement[0] == '\0')
    report_put(p->out, "(deleted)");
  else
    put_short(p, m->replacement, SHORT);
}

/* Where a character begins, at or after `at`. */
static size_t character_at(const model_file *f, size_t at, size_t end) {
  while (at < end && ((unsigned char)f->text[at] & 0xc0) == 0x80) at++;
  return at;
}

/* A side of the diff: what stands around the change, as far as there is room, and the change itself. A line may hold
 * every mutant of a program, so no more of it is looked at. */
static void put_side(const page *p, const db_mutant *m, const char *element, char sign, const char *changed,
                     size_t length, bool more) {
  const model_file *f = &p->v->files[m->file];
  size_t from = m->offset, to = m->end_offset;
  while (from > 0 && m->offset - from < CONTEXT && f->text[from - 1] != '\n') from--;
  while (to < f->length && to - m->end_offset < CONTEXT && f->text[to] != '\n') to++;
  const bool before = from > 0 && f->text[from - 1] != '\n', behind = to < f->length && f->text[to] != '\n';
  from = before ? character_at(f, from, m->offset) : from;
  to = behind ? character_at(f, to, f->length) : to;
  report_put(p->out, "<%s>%c %s%s<b>%s%s</b>%s%s</%s>", element, sign, before ? UTF8_ELLIPSIS : "",
             page_text_of(p->out, f->text + from, m->offset - from), page_text_of(p->out, changed, length),
             more ? UTF8_ELLIPSIS : "", page_text_of(p->out, f->text + m->end_offset, to - m->end_offset),
             behind ? UTF8_ELLIPSIS : "", element);
}

static void put_diff(const page *p, const db_mutant *m) {
  const model_file *f = &p->v->files[m->file];
  if (m->offset > m->end_offset || m->end_offset > f->length) return;
  size_t length = m->end_offset - m->offset;
  size_t shown = length > CHANGED ? character_at(f, m->offset + CHANGED, m->end_offset) - m->offset : length;
  report_put(p->out, "<pre>");
  put_side(p, m, "del", '-', f->text + m->offset, shown, shown < length);
  if (m->description == NULL) {
    size_t all = strlen(m->replacement), part = all;
    while (part > CHANGED && (part > CHANGED + 4 || ((unsigned char)m->replacement[part] & 0xc0) == 0x80))
      part = part > CHANGED + 4 ? CHANGED + 4 : part - 1;
    put_side(p, m, "ins", '+', m->replacement, part, part < all);
  } else {
    report_put(p->out, "<ins>+ <b>(%s)</b></ins>", page_text(p->out, m->description));
  }
  report_put(p->out, "</pre>");
}

/* --- what became of it ----------------------------------------------------------------------------------------- */

/* Test cases that killed it, or that ran it when none did. */
static void put_tests(const page *p, const db_mutant *m) {
  const bool killed = m->status == MUTANT_KILLED;
  size_t count = 0;
  for (size_t i = 0; i < m->verdict_count; i++) {
    if (killed ? !mutation_kills(m, &m->verdicts[i]) : m->verdicts[i].runs == 0) continue;
    if (count < NAMED) {
      report_put(p->out, "%s<a href=\"#t%u\">%s</a>",
                 count > 0 ? ", "
                 : killed  ? "<p>Killed by "
                           : "<p>Run by ",
                 m->verdicts[i].test_case, page_test_name(p, m->verdicts[i].test_case));
    }
    count++;
  }
  if (count > NAMED) report_put(p->out, " and %zu more", count - NAMED);
}

static void put_verdict(const page *p, const db_mutant *m) {
  scoped_buffer why = {0};
  mutation_explain(p->v, m, &why);
  size_t tests = mutation_tests(m);
  report_put(p->out, "<p>%s", page_statuses[m->status].word);
  if (page_status_of(m) == &page_unrevealed)
    report_put(p->out, ", and the program does not notice: an assertion is missing");
  if (m->status == MUTANT_SUPPRESSED && m->suppressed != NULL)
    report_put(p->out, ": %s", page_text(p->out, m->suppressed));
  else if (m->duplicate_of != MODEL_NONE)
    report_put(p->out, " of <a href=\"#m%u\">mutant %u</a>", m->duplicate_of, p->v->mutants[m->duplicate_of].id);
  else if (why.length > 0)
    report_put(p->out, ": %s", page_text(p->out, buffer_text(&why)));
  else if (tests > 0)
    report_put(p->out, ": no run of %zu test case%s differed", tests, report_plural(tests));
  report_put(p->out, "; id %u", m->id);
}

/* Is a mutant of this status shown at first? */
static bool page_shows_first(mutant_status status) {
  return status == MUTANT_SURVIVED || status == MUTANT_UNDECIDED || status == MUTANT_NO_COVERAGE;
}

int page_compare_mutants(const db_mutant *a, const db_mutant *b) {
  const bool described = a->description != NULL;
  const int first = described != (b->description != NULL) ? (described ? 1 : -1)
                    : page_status_of(a)->letter != page_status_of(b)->letter
                        ? page_status_of(a)->letter - page_status_of(b)->letter
                        : strcmp(a->operator_name, b->operator_name);
  const int second = first != 0  ? first
                     : described ? strcmp(a->description, b->description)
                                 : strcmp(a->original, b->original);
  return second != 0 || described ? second : strcmp(a->replacement, b->replacement);
}

void page_mutant(const page *p, size_t index, bool column) {
  const db_mutant *m = &p->v->mutants[index];
  const page_status *s = page_status_of(m);
  report_put(p->out, "<details class=\"m s%c o%zu\" id=m%zu><summary>%s %s: ", s->letter, operator_of(p, m), index,
             s->word, page_text(p->out, m->operator_name));
  put_change(p, m);
  if (column) report_put(p->out, ", column %u", place_column(&p->v->files[m->file], m->column, m->offset));
  report_put(p->out, "</summary><div>");
  put_diff(p, m);
  put_verdict(p, m);
  put_tests(p, m);
  if (page_shows_first(m->status)) page_again(p, m);
  report_put(p->out, "</div></details>");
}

/* Which mutants are shown: boxes, and the rules of style that make them work without a script. */

static void put_box(const page *p, const char *name, char kind, const char *class, const char *value,
                    unsigned long count, bool first) {
  report_put(p->out,
             "<label><input type=checkbox id=h%s name=%s%s value=\"%s\"><span class=\"%s%s\">%s</span> %lu</label>\n",
             class, name, first ? " checked" : "", page_text(p->out, value), kind == 's' ? "st " : "", class,
             page_text(p->out, value), count);
}

static void put_status(const page *p, const page_status *s, unsigned long count, bool first) {
  if (count > 0) {
    const char class[] = {'s', s->letter, '\0'};
    put_box(p, "status", 's', class, s->word, count, first);
  }
}

static void put_statuses(const page *p) {
  report_put(p->out, "<fieldset><legend>Mutants shown</legend>\n");
  for (size_t i = 0; i < MUTANT_STATUSES; i++) {
    mutant_status status = page_status_order[i];
    const unsigned long unrevealed = status == MUTANT_KILLED ? page_count_unrevealed(p) : 0;
    put_status(p, &page_unrevealed, unrevealed, false);
    put_status(p, &page_statuses[status], p->issues.mutants.all.of[status] - unrevealed, page_shows_first(status));
  }
  report_put(p->out, "</fieldset>\n");
}

static void put_operators(const page *p) {
  report_put(p->out, "<fieldset><legend>of operators</legend>\n");
  for (size_t i = 0; i < p->issues.mutants.operator_count; i++) {
    unsigned long count = 0;
    for (size_t s = 0; s < MUTANT_STATUSES; s++) count += p->issues.mutants.operators[i].counts.of[s];
    char class[32];
    (void)snprintf(class, sizeof class, "o%zu", i);
    put_box(p, "operator", 'o', class, p->issues.mutants.operators[i].name, count, true);
  }
  report_put(p->out, "</fieldset>\n");
}

void page_filter(const page *p) {
  report_put(p->out, "<form id=filter aria-label=\"What the sources show\">\n");
  if (p->v->mutant_count > 0) {
    put_statuses(p);
    put_operators(p);
  }
  if (p->covered)
    report_put(p->out, "<label class=apart><input type=checkbox id=hseen> outcomes that were seen, too</label>\n");
  if (p->v->mutant_count > 0) {
    report_put(p->out,
               "<span class=apart><button type=button id=all hidden>Show all mutants</button> <output id=count "
               "for=filter></output></span>\n");
  }
  report_put(p->out, "</form>\n");
}

/* Of killed mutants those that the program notices, or that it was not asked for. */
static unsigned long count_of(const page *p, size_t status) {
  return p->issues.mutants.all.of[status] - (status == MUTANT_KILLED ? page_count_unrevealed(p) : 0);
}

static void put_status_rule(const page_status *s, const char *before, const char *behind, buffer *style) {
  buffer_printf(style, "%shs%c%s .m.s%c{display:none}", before, s->letter, behind, s->letter);
}

/* A rule for every status and operator that there is. */
static void put_rules(const page *p, const char *before, const char *behind, buffer *style) {
  for (size_t i = 0; i < MUTANT_STATUSES; i++)
    if (count_of(p, i) > 0) put_status_rule(&page_statuses[i], before, behind, style);
  if (page_count_unrevealed(p) > 0) put_status_rule(&page_unrevealed, before, behind, style);
  for (size_t i = 0; i < p->issues.mutants.operator_count; i++)
    buffer_printf(style, "%sho%zu%s .m.o%zu{display:none}", before, i, behind, i);
}

/* With the script by classes of the body: browsers take seconds for `:has` in a page of thousands of mutants. */
void page_filter_style(const page *p, buffer *style) {
  buffer_puts(style, "@media (scripting:enabled){");
  put_rules(p, ".", "", style);
  buffer_puts(style, "body:not(.hseen) :is(.b.k,.b.h){display:none}}@media (scripting:none){");
  put_rules(p, "body:has(#", ":not(:checked))", style);
  buffer_puts(style, "body:not(:has(#hseen:checked)) :is(.b.k,.b.h){display:none}}");
}

void page_filter_classes(const page *p) {
  const char *before = " class=\"";
  for (size_t i = 0; i < MUTANT_STATUSES; i++) {
    if (count_of(p, i) > 0 && !page_shows_first((mutant_status)i)) {
      report_put(p->out, "%shs%c", before, page_statuses[i].letter);
      before = " ";
    }
  }
  if (page_count_unrevealed(p) > 0) {
    report_put(p->out, "%shs%c", before, page_unrevealed.letter);
    before = " ";
  }
  report_put(p->out, "%s", before[1] == '\0' ? "\"" : "");
}
