/* Tables: names of columns in the cells, for cards; shares with a bar. */
#include "reports/html/page.h"

static void open_table(FILE *out, const char *caption, const char *class) {
  (void)fprintf(out,
                "<div class=w role=group tabindex=0 aria-label=\"%s\"><table class=table><caption%s>%s</caption>\n",
                caption, class, caption);
}

void page_table(FILE *out, const char *caption) { open_table(out, caption, ""); }

void page_table_of_heading(FILE *out, const char *caption) { open_table(out, caption, " class=said"); }

void page_cell(FILE *out, const char *column) { (void)fprintf(out, "<td data-c=\"%s\">", column); }

void page_bar(FILE *out, const ratio *r) {
  (void)fprintf(out, "<meter aria-hidden=true max=%lu value=%lu></meter>", r->total, r->covered);
}

void page_ratio_cell(const page *p, const char *column, const char *metric, const ratio *r) {
  if (r->total == 0) {
    (void)fprintf(p->out, "<td class=r data-c=\"%s\">n/a", column);
    return;
  }
  (void)fprintf(p->out, "<td class=\"r %s\" data-c=\"%s\">", page_level(p, metric, r), column);
  page_bar(p->out, r);
  (void)fputs("<b>", p->out);
  page_percent(p->out, r);
  (void)fprintf(p->out, "</b> <small>%lu/%lu</small>", r->covered, r->total);
}
