/* Repairs: what became of each file, its patch, and a word at the lines that the patch changes. */
#include "reports/common/repairs.h"

#include <string.h>

#include "reports/html/page.h"

bool page_line_repaired(const page *p, uint32_t file, uint32_t line) {
  for (size_t i = 0; i < p->v->repair_count; i++) {
    if (p->v->repairs[i].file == file && repair_touches(&p->v->repairs[i], line)) {
      return true;
    }
  }
  return false;
}

void page_put_repair(const page *p) { (void)fputs("<a class=\"st sk\" href=\"#repairs\">patch</a>", p->out); }

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
  (void)fputs("<thead><tr><th scope=col>What<th scope=col>Found and checked\n<tbody>\n", p->out);
  while ((line = repair_line(&at, &length)) != NULL) {
    const bool indented = row && length > 2 && strncmp(line, "  ", 2) == 0;
    const size_t skip = indented ? 2 : name_in(r, line, length);
    if (indented) {
      (void)fputs(more++ > 0 ? "<br>" : "", p->out);
    } else {
      (void)fputs("<tr>\n<th scope=row>", p->out); /* so that a cell without text is empty */
      row = true;
      more = 0;
    }
    page_text_of(p->out, line + skip, length - skip);
    if (!indented) {
      page_cell(p->out, "Found and checked");
    }
  }
  (void)fputs(PAGE_TABLE_END, p->out);
}

static void put_patch(const page *p, const db_repair *r) {
  const char *at = r->patch, *line = NULL;
  size_t length = 0;
  (void)fputs("<pre>", p->out);
  while ((line = repair_line(&at, &length)) != NULL) {
    const bool head = strncmp(line, "+++", 3) == 0 || strncmp(line, "---", 3) == 0;
    const char *tag = head ? NULL : line[0] == '+' ? "ins" : line[0] == '-' ? "del" : NULL;
    if (tag != NULL) {
      (void)fprintf(p->out, "<%s>", tag);
    }
    page_text_of(p->out, line, length);
    if (tag != NULL) {
      (void)fprintf(p->out, "</%s>", tag);
    } else {
      (void)fputs("\n", p->out);
    }
  }
  (void)fputs("</pre>\n", p->out);
}

void page_repairs(const page *p) {
  for (size_t i = 0; i < p->v->repair_count; i++) {
    const db_repair *r = &p->v->repairs[i];
    const bool good = strcmp(r->outcome, "fine") == 0 || strcmp(r->outcome, "repaired") == 0;
    (void)fputs("<h3>", p->out);
    page_text(p->out, r->name);
    (void)fprintf(p->out, " <span class=\"st s%c\">%s</span></h3>\n", good ? 'k' : 's', repair_words(r));
    put_report(p, r);
    if (r->patch[0] != '\0') {
      put_patch(p, r);
    }
  }
}
