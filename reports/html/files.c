/* The list of files, worst first. */
#include <string.h>

#include "reports/html/page.h"

static void put_share(const page *p, const char *metric, const char *word, const ratio *r) {
  if (r->total > 0) {
    (void)fprintf(p->out, "<span class=\"r %s\">", page_level(p, metric, r));
    page_bar(p->out, r);
    (void)fputs("<b>", p->out);
    page_percent(p->out, r);
    (void)fprintf(p->out, "</b> %s</span>", word);
  }
}

/* Lines, mutants, and whatever is worse than they are. */
static void put_shares(const page *p, const coverage *c) {
  const page_badness worst = page_badness_of(p, c);
  if (p->covered) {
    put_share(p, "line", "lines", &c->line);
  }
  if (p->mutated) {
    put_share(p, "mutation", "killed", &c->mutation);
  }
  if (worst.metric != NULL && strcmp(worst.metric, "branch") == 0) {
    put_share(p, "branch", "branches", &c->branch);
  } else if (worst.metric != NULL && strcmp(worst.metric, "barrier") == 0) {
    put_share(p, "barrier", "barriers", &c->barrier);
  }
}

void page_file_list(const page *p) {
  (void)fprintf(p->out,
                "<nav id=files aria-label=Files>\n<details open><summary>%zu file%s, worst first</summary>\n<ol>\n",
                p->shown_files, page_plural(p->shown_files));
  for (size_t i = 0; i < p->shown_files; i++) {
    (void)fprintf(p->out, "<li><a href=\"#f%u\">", p->order[i]);
    page_text(p->out, page_file_name(p, p->order[i]));
    (void)fputs("</a>", p->out);
    put_shares(p, &p->files[p->order[i]]);
    (void)fputs("\n", p->out);
  }
  (void)fputs("</ol>\n</details>\n</nav>\n", p->out);
}
