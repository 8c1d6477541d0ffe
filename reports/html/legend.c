/* What the signs in the sources mean. */
#include "reports/html/page.h"

void page_legend(const page *p) {
  (void)fputs("<dl class=legend>\n", p->out);
  if (p->covered) {
    (void)fputs(
        "<div><dt>The number beside a line<dd>test cases that executed it; 0: none did; nothing: no code\n"
        "</div><div><dt><span class=b><i>T</i><i class=n>F</i></span><dd>an <code>if</code> or <code>?:</code> that "
        "was "
        "true, and never false (crossed)\n"
        "</div><div><dt><span class=b><i>1</i><i class=n>2</i></span><dd>a decision with <code>&amp;&amp;</code> or "
        "<code>||</code>: the conditions that were shown to decide it alone (MC/DC)\n"
        "</div><div><dt><span class=b><i>0</i><i>1</i><i>&gt;1</i><i>b</i></span><dd>a loop whose body was executed 0 "
        "times, exactly once, more often, and that its own condition ended (b: the boundary was reached)\n"
        "</div><div><dt><span class=b><i>case</i></span><dd>a case of a <code>switch</code> that was taken\n"
        "</div><div><dt><span class=b><i>all</i></span><dd>a barrier that every work-item of some work-group executed, "
        "all the same number of times\n</div>",
        p->out);
  }
  for (size_t i = 0; p->mutated && i < MUTANT_STATUSES; i++) {
    const page_status *s = &page_statuses[page_status_order[i]];
    (void)fprintf(p->out, "<div><dt><span class=\"st s%c\">%s</span><dd>%s\n</div>", s->letter, s->word, s->meaning);
  }
  (void)fputs("</dl>\n<p>Percentages are covered/total; 100.0 % means all, n/a that there is nothing to count.\n",
              p->out);
}
