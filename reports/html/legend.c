/* What the signs in the sources mean. */
#include "reports/html/page.h"

static void put_coverage(const page *p) {
  (void)fputs(
      "<div><dt>Tests<dd>the number of test cases that executed the line, a link to their names; 0: none did; nothing: "
      "no code\n"
      "</div><div><dt><span class=b>if never false</span><dd>executed, and this was never seen\n"
      "</div><div><dt><span class=b>for never 0 times</span><dd>of the cases 0 times, once, more than once, to its "
      "end (its own condition ended it), those that were never seen\n"
      "</div><div><dt><span class=b>1 of 2 decide alone</span><dd>conditions of <code>&amp;&amp;</code> and "
      "<code>||</code> that were shown to decide (MC/DC)\n"
      "</div><div><dt><span class=b>never by a whole work-group</span><dd>a barrier that not all work-items of any "
      "work-group executed as often as each other\n</div>",
      p->out);
}

void page_legend(const page *p) {
  (void)fputs("<details id=legend><summary>What the signs mean</summary>\n<dl class=legend>\n", p->out);
  if (p->covered) {
    put_coverage(p);
  }
  for (size_t i = 0; p->mutated && i < MUTANT_STATUSES; i++) {
    const page_status *s = &page_statuses[page_status_order[i]];
    (void)fprintf(p->out, "<div><dt><span class=\"st s%c\">%s</span><dd>%s\n</div>", s->letter, s->word, s->meaning);
  }
  if (p->mutated && page_count_unrevealed(p) > 0) {
    (void)fprintf(p->out, "<div><dt><span class=\"st s%c\">%s</span><dd>%s\n</div>", page_unrevealed.letter,
                  page_unrevealed.word, page_unrevealed.meaning);
  }
  (void)fprintf(p->out,
                "<div><dt>Colours<dd>red: below what is asked (lines %g %%, mutation score %g %%); amber: to half of "
                "the way from there to 100 %%; green: above\n</div></dl>\n<p>Percentages are covered/total; 100.0 %% "
                "means all, n/a that there is nothing to count.\n</details>\n",
                page_least(p, "line"), page_least(p, "mutation"));
}
