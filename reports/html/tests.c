/* Test cases with what they are worth, and programs that ran without instrumentation. */
#include <stdlib.h>

#include "base/memory.h"
#include "reports/html/page.h"

/* Mutants that each test case kills. */
static size_t *count_kills(const page *p) {
  size_t *kills = mem_calloc(p->v->test_case_count, sizeof *kills);
  for (size_t i = 0; i < p->v->mutant_count; i++) {
    const view_mutant *m = &p->v->mutants[i];
    for (size_t k = 0; p->mutation.selected[i] && k < m->verdict_count; k++) {
      kills[m->verdicts[k].test_case] += mutation_kills(m, &m->verdicts[k]) ? 1 : 0;
    }
  }
  return kills;
}

static void put_end(const page *p, const view_test_case *t) {
  if (t->timed_out) {
    (void)fputs("<td class=bad>out of time", p->out);
  } else if (t->status < 0) {
    (void)fputs("<td class=bad>did not end", p->out);
  } else {
    (void)fprintf(p->out, t->status == 0 ? "<td>%d" : "<td class=bad>%d", t->status);
  }
}

static void put_test_cases(const page *p) {
  size_t *kills = count_kills(p);
  bool *superfluous = p->mutated ? mutation_superfluous(p->v, &p->mutation) : NULL;
  page_table_of_heading(p->out, "Test cases");
  (void)fprintf(p->out, "<thead><tr><th scope=col>Test case<th scope=col>Exit%s<th scope=col>Command\n<tbody>\n",
                p->mutated ? "<th scope=col>Kills" : "");
  for (uint32_t i = 0; i < p->v->test_case_count; i++) {
    (void)fprintf(p->out, "<tr id=t%u><th scope=row>", i);
    page_test_name(p, i);
    put_end(p, &p->v->test_cases[i]);
    if (p->mutated) {
      (void)fprintf(p->out, "<td>%zu%s", kills[i],
                    superfluous != NULL && superfluous[i] ? " (all of them others kill, too)" : "");
    }
    (void)fputs("<td><code>", p->out);
    page_text(p->out, p->v->test_cases[i].command_line);
    (void)fputs("</code>\n", p->out);
  }
  (void)fputs(PAGE_TABLE_END, p->out);
  free(superfluous);
  free(kills);
}

void page_tests(const page *p) {
  if (p->v->test_case_count > 0) {
    put_test_cases(p);
  } else {
    (void)fputs("<p>No test case was run.\n", p->out);
  }
  if (p->v->skipped_count == 0) {
    return;
  }
  (void)fputs("<h3>Not instrumented</h3>\n<ul>\n", p->out);
  for (size_t i = 0; i < p->v->skipped_count; i++) {
    (void)fputs("<li>", p->out);
    page_text(p->out, p->v->skipped[i].program);
    (void)fputs(": ", p->out);
    page_text(p->out, p->v->skipped[i].reason);
    (void)fputs("\n", p->out);
  }
  (void)fputs("</ul>\n", p->out);
}
