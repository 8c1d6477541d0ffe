/* Test cases with what they are worth; which of them executed the same lines; programs without instrumentation. */
#include <stdlib.h>

#include "base/memory.h"
#include "reports/html/page.h"

/* Mutants that each test case kills. */
static size_t *count_kills(const page *p) {
  size_t *kills = mem_calloc(p->v->test_case_count, sizeof *kills);
  for (size_t i = 0; i < p->v->mutant_count; i++) {
    const db_mutant *m = &p->v->mutants[i];
    for (size_t k = 0; p->issues.mutants.selected[i] && k < m->verdict_count; k++) {
      kills[m->verdicts[k].test_case] += mutation_kills(m, &m->verdicts[k]) ? 1 : 0;
    }
  }
  return kills;
}

static void put_end(const page *p, const view_test_case *t) {
  if (t->timed_out) {
    (void)fputs("<td class=bad data-c=Exit>out of time", p->out);
  } else if (t->status < 0) {
    (void)fputs("<td class=bad data-c=Exit>did not end", p->out);
  } else {
    (void)fprintf(p->out, t->status == 0 ? "<td data-c=Exit>%d" : "<td class=bad data-c=Exit>%d", t->status);
  }
}

static void put_test_cases(const page *p) {
  size_t *kills = count_kills(p);
  bool *superfluous = p->mutated ? mutation_superfluous(p->v, &p->issues.mutants) : NULL;
  page_table_of_heading(p->out, "Test cases and how they ended");
  (void)fprintf(p->out, "<thead><tr><th scope=col>Test case<th scope=col>Exit%s<th scope=col>Command\n<tbody>\n",
                p->mutated ? "<th scope=col>Kills" : "");
  for (uint32_t i = 0; i < p->v->test_case_count; i++) {
    (void)fprintf(p->out, "<tr id=t%u><th scope=row>", i);
    page_test_name(p, i);
    put_end(p, &p->v->test_cases[i]);
    if (p->mutated) {
      page_cell(p->out, "Kills");
      (void)fprintf(p->out, "%zu%s", kills[i],
                    superfluous != NULL && superfluous[i] ? " (all of them others kill, too)" : "");
    }
    page_cell(p->out, "Command");
    (void)fputs("<code>", p->out);
    page_text(p->out, p->v->test_cases[i].command_line);
    (void)fputs("</code>\n", p->out);
  }
  (void)fputs(PAGE_TABLE_END, p->out);
  free(superfluous);
  free(kills);
}

/* Sets that lines have. */
static bool *find_sets(const page *p) {
  bool *used = mem_calloc(p->v->set_count, sizeof *used);
  for (size_t i = 0; i < p->v->line_count; i++) {
    const view_line *l = &p->v->lines[i];
    if (l->set < p->v->set_count && p->shown[l->file]) {
      used[l->set] = true;
    }
  }
  return used;
}

static void put_set(const page *p, uint32_t set) {
  uint32_t *tests = NULL;
  size_t count = 0;
  size_t capacity = 0;
  for (uint32_t i = set; i != MODEL_NONE; i = p->v->sets[i].before) {
    *ARRAY_ADD(tests, count, capacity) = p->v->sets[i].last;
  }
  (void)fprintf(p->out, "<li id=s%u>", set);
  for (size_t i = count; i-- > 0;) {
    (void)fprintf(p->out, "<a href=#t%u>", tests[i]);
    page_test_name(p, tests[i]);
    (void)fputs(i > 0 ? "</a>, " : "</a>\n", p->out);
  }
  free(tests);
}

/* The links after the numbers beside the lines lead here. */
static void put_sets(const page *p) {
  bool *used = find_sets(p);
  (void)fputs("<h3>Test cases that executed the same lines</h3>\n<ol class=sets>\n", p->out);
  for (uint32_t i = 0; i < p->v->set_count; i++) {
    if (used[i]) {
      put_set(p, i);
    }
  }
  (void)fputs("</ol>\n", p->out);
  free(used);
}

void page_tests(const page *p) {
  if (p->v->test_case_count > 0) {
    put_test_cases(p);
  } else {
    (void)fputs("<p>No test case was run.\n", p->out);
  }
  if (p->covered && p->v->set_count > 0) {
    put_sets(p);
  }
  if (p->v->skipped_count == 0) {
    return;
  }
  (void)fputs("<h3>Not measured</h3>\n<ul>\n", p->out);
  for (size_t i = 0; i < p->v->skipped_count; i++) {
    (void)fputs("<li>", p->out);
    page_text(p->out, p->v->skipped[i].program);
    (void)fputs(": ", p->out);
    page_text(p->out, p->v->skipped[i].reason);
    (void)fputs("\n", p->out);
  }
  (void)fputs("</ul>\n", p->out);
}
