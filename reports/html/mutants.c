/* Mutants: a word or two at their line that open into a diff and what the test cases made of them; which are shown. */
#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "base/utf8.h"
#include "reports/common/place.h"
#include "reports/html/page.h"

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

/* --- words ----------------------------------------------------------------------------------------------------- */

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

/* --- the diff -------------------------------------------------------------------------------------------------- */

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