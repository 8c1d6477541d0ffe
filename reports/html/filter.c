/* Which mutants are shown: boxes, and the rules of style that make them work without a script. */
#include "base/buffer.h"
#include "reports/html/page.h"

static void put_box(const page *p, const char *name, char kind, const char *class, const char *value,
                    unsigned long count, bool first) {
  (void)fprintf(p->out, "<label><input type=checkbox id=h%s name=%s%s value=\"", class, name, first ? " checked" : "");
  page_text(p->out, value);
  (void)fprintf(p->out, "\"><span class=\"%s%s\">", kind == 's' ? "st " : "", class);
  page_text(p->out, value);
  (void)fprintf(p->out, "</span> %lu</label>\n", count);
}

static void put_status(const page *p, const page_status *s, unsigned long count, bool first) {
  if (count > 0) {
    const char class[] = {'s', s->letter, '\0'};
    put_box(p, "status", 's', class, s->word, count, first);
  }
}

static void put_statuses(const page *p) {
  (void)fputs("<fieldset><legend>Mutants shown</legend>\n", p->out);
  for (size_t i = 0; i < MUTANT_STATUSES; i++) {
    mutant_status status = page_status_order[i];
    const unsigned long unrevealed = status == MUTANT_KILLED ? page_count_unrevealed(p) : 0;
    put_status(p, &page_unrevealed, unrevealed, false);
    put_status(p, &page_statuses[status], p->issues.mutants.all.of[status] - unrevealed, page_shows_first(status));
  }
  (void)fputs("</fieldset>\n", p->out);
}

static void put_operators(const page *p) {
  (void)fputs("<fieldset><legend>of operators</legend>\n", p->out);
  for (size_t i = 0; i < p->issues.mutants.operator_count; i++) {
    unsigned long count = 0;
    for (size_t s = 0; s < MUTANT_STATUSES; s++) {
      count += p->issues.mutants.operators[i].counts.of[s];
    }
    char class[32];
    (void)snprintf(class, sizeof class, "o%zu", i);
    put_box(p, "operator", 'o', class, p->issues.mutants.operators[i].name, count, true);
  }
  (void)fputs("</fieldset>\n", p->out);
}

void page_filter(const page *p) {
  (void)fputs("<form id=filter aria-label=\"What the sources show\">\n", p->out);
  if (p->v->mutant_count > 0) {
    put_statuses(p);
    put_operators(p);
  }
  if (p->covered) {
    (void)fputs("<label class=apart><input type=checkbox id=hseen> outcomes that were seen, too</label>\n", p->out);
  }
  if (p->v->mutant_count > 0) {
    (void)fputs(
        "<span class=apart><button type=button id=all hidden>Show all mutants</button> <output id=count "
        "for=filter></output></span>\n",
        p->out);
  }
  (void)fputs("</form>\n", p->out);
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
  for (size_t i = 0; i < MUTANT_STATUSES; i++) {
    if (count_of(p, i) > 0) {
      put_status_rule(&page_statuses[i], before, behind, style);
    }
  }
  if (page_count_unrevealed(p) > 0) {
    put_status_rule(&page_unrevealed, before, behind, style);
  }
  for (size_t i = 0; i < p->issues.mutants.operator_count; i++) {
    buffer_printf(style, "%sho%zu%s .m.o%zu{display:none}", before, i, behind, i);
  }
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
      (void)fprintf(p->out, "%shs%c", before, page_statuses[i].letter);
      before = " ";
    }
  }
  if (page_count_unrevealed(p) > 0) {
    (void)fprintf(p->out, "%shs%c", before, page_unrevealed.letter);
    before = " ";
  }
  (void)fputs(before[1] == '\0' ? "\"" : "", p->out);
}
