/* The HTML report: what is in the page, read as text. tests/reports/browser looks at it in a browser. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* cmocka.h wants these before it. */
/* clang-format off */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
/* clang-format on */

#include "base/memory.h"
#include "tests/fixtures/amplify_fixture.h"
#include "tests/fixtures/mutation_fixture.h"
#include "tests/fixtures/ok.h"
#include "tests/fixtures/report_checks.h"

static const report_options plain = {0};

static size_t count_of(const char *text, const char *part) {
  size_t count = 0;
  for (const char *at = strstr(text, part); at != NULL; at = strstr(at + 1, part)) count++;
  return count;
}

/* What stands from `from` to the next `to` after it, to be freed. */
static char *between(const char *text, const char *from, const char *to) {
  const char *begin = strstr(text, from);
  if (begin == NULL) {
    fail_msg("\"%s\" is not in:\n%s", from, text);
    return NULL;
  }
  const char *end = strstr(begin + strlen(from), to);
  assert_non_null(end);
  return mem_strndup(begin, (size_t)(end - begin));
}

/* --- structure ------------------------------------------------------------------------------------------------- */

static void test_the_page_is_whole_and_alone(void **state) {
  fixture *f = *state;
  char *page = render("html", &f->v, &plain);
  assert_true(strncmp(page, "<!DOCTYPE html>\n<html lang=en>\n", 31) == 0);
  assert_string_equal(page + strlen(page) - 8, "</html>\n");
  assert_int_equal(count_of(page, "<script>"), 2); /* the theme's, in the head, and the page's */
  assert_int_equal(count_of(page, "<style>"), 1);
  assert_int_equal(count_of(page, "<h1>"), 1);
  assert_contains(page, "default-src 'none'; style-src 'sha256-");
  assert_contains(page, "; script-src 'sha256-");
  assert_lacks(page, "unsafe-inline");
  assert_lacks(page, "src=");
  assert_lacks(page, "http:");
  assert_lacks(page, "https:");
  assert_lacks(page, "style=");
  assert_lacks(page, " onclick");
  assert_contains(page, "<dt>Device<dd>Test Device Vendor</div>"); /* the line end has become a space */
  static const char *const parts[] = {"overview", "findings", "kernels", "sources", "totals", "tests"};
  const char *at = page;
  for (size_t i = 0; i < 6; i++) {
    char section[96];
    (void)snprintf(section, sizeof section, "<section id=%s aria-labelledby=h-%s>", parts[i], parts[i]);
    at = strstr(at, section); /* in this order */
    assert_non_null(at);
    (void)snprintf(section, sizeof section, "<li><a href=\"#%s\">", parts[i]);
    assert_contains(page, section);
  }
  assert_lacks(page, "<section id=schedules"); /* no schedule, no mutant was stored */
  assert_lacks(page, "name=status");           /* nothing to filter */
  char *last = between(page, "<section id=totals", "</section>");
  assert_contains(last, "<details class=part><summary><h2"); /* what comes last is folded */
  free(last);
  assert_lacks(page, "<section id=kernels aria-labelledby=h-kernels>\n<details");
  free(page);
}

/* Programs of suites by the suite's name, others by the file; the revision; the day. */
static void test_title(void **state) {
  fixture *f = *state;
  f->v.revision = "0123456789abcdef0123+";
  f->v.started = "2026-11-22T18:46:31Z";
  assert_int_equal(f->v.test_case_count, 2);
  for (size_t i = 0; i < 2; i++) f->v.test_cases[i].suite = "";
  f->v.test_cases[0].command_line = "'/usr/bin/my tests' --all";
  f->v.test_cases[1].command_line = "python3.11 -u dir/<blur>.py 3";
  char *page = render("html", &f->v, &plain);
  assert_contains(page, "<title>my tests, python3.11 &lt;blur&gt;.py, 0123456789ab+, 2026-11-22 - cltestcheck</title>");
  assert_contains(page, "<h1>my tests, python3.11 &lt;blur&gt;.py, 0123456789ab+, 2026-11-22</h1>");
  free(page);
  f->v.test_cases[0].command_line = "env -u B -C /src/build A='x y' /src/build/conv 1";
  f->v.test_cases[1].command_line = "env -C /src/build sh -c '\"$@\"; [ $? -gt 0 ]' sh /src/build/blur 4";
  page = render("html", &f->v, &plain);
  assert_contains(page, "<h1>conv, blur, 0123456789ab+, 2026-11-22</h1>");
  free(page);
  static const char *const odd[] = {"env", "env -C", "env -u A B=1", "sh -c 'exit 1' sh", "sh -c true", ""};
  for (size_t i = 0; i < sizeof odd / sizeof odd[0]; i++) { /* nothing to name is no reason to stop */
    f->v.test_cases[1].command_line = (char *)odd[i];
    free(render("html", &f->v, &plain));
  }
}

/* --- order and levels ------------------------------------------------------------------------------------------ */

static void assert_order(const char *text, const char *first, const char *second) {
  const char *a = strstr(text, first);
  const char *b = strstr(text, second);
  if (a == NULL || b == NULL || a > b) fail_msg("\"%s\" is not before \"%s\" in:\n%s", first, second, text);
}

/* scan has a finding; of the others, reduce_rows was never launched. Files: conv.cl has 0 of 1 barriers, and so has
 * scan.cl, but misses more; common.h comes last with 2 of 3 lines. */
static void test_the_worst_comes_first(void **state) {
  fixture *f = *state;
  char *page = render("html", &f->v, &plain);
  char *kernels = between(page, "<section id=kernels", "</section>");
  assert_order(kernels, "<th scope=row>scan <a", "<th scope=row>reduce_rows<");
  assert_order(kernels, "<th scope=row>reduce_rows<", "<th scope=row>conv2d<");
  free(kernels);
  char *list = between(page, "<nav id=files", "</nav>");
  assert_contains(list, "3 files, worst first");
  assert_order(list, ">conv.cl</a>", ">scan.cl</a>");
  assert_order(list, ">scan.cl</a>", ">common.h</a>");
  free(list);
  assert_order(page, ">conv.cl</h3>", ">scan.cl</h3>");
  assert_order(page, ">scan.cl</h3>", ">common.h</h3>");
  free(page);
}

static void assert_level(const report_options *options, const view *v, const char *metric, const char *level) {
  char *page = render("html", v, options);
  char *table = between(page, "aria-label=\"Coverage by metric\"", "</table>");
  char head[64];
  char class[32];
  (void)snprintf(head, sizeof head, "<th scope=row>%s<", metric);
  (void)snprintf(class, sizeof class, "<td class=\"r %s\"", level);
  char *row = between(table, head, "<meter");
  assert_contains(row, class);
  free(row);
  free(table);
  free(page);
}

/* 12 of 22 lines are 54.5 %: below 75, the usual; asked for 10, it is above half of the way, 55; asked for 5, 52.5. */
static void test_levels(void **state) {
  fixture *f = *state;
  const report_threshold ten = {"line", 10};
  const report_threshold five = {"line", 5};
  const report_threshold all = {"line", 54.6};
  assert_level(&plain, &f->v, "line", "lo");
  assert_level(&plain, &f->v, "function", "mid");  /* 3 of 4: 75 % is enough, 87.5 would be good */
  assert_level(&plain, &f->v, "loop-many", "mid"); /* 1 of 2, and 50 is what is asked of loops */
  assert_level(&(report_options){.thresholds = &ten, .threshold_count = 1}, &f->v, "line", "mid");
  assert_level(&(report_options){.thresholds = &five, .threshold_count = 1}, &f->v, "line", "hi");
  const report_options missed = {.thresholds = &all, .threshold_count = 1};
  assert_level(&missed, &f->v, "line", "lo");
  char *page = render("html", &f->v, &missed);
  assert_contains(page, "<p class=missed>Not reached: line coverage is 54.5 % (12 of 22), below 54.6 %.");
  free(page);
  page = render("html", &f->v, &(report_options){.thresholds = &ten, .threshold_count = 1});
  assert_lacks(page, "<p class=missed>");
  free(page);
}

/* --- totals ---------------------------------------------------------------------------------------------------- */

/* The first ratio in the row of a metric. */
static void assert_row(const char *table, const char *metric, const char *ratio_of) {
  char head[64];
  (void)snprintf(head, sizeof head, "<th scope=row>%s<", metric);
  char *row = between(table, head, "\n");
  assert_contains(row, ratio_of);
  free(row);
}

/* Counted by hand in report_fixture.c: see the models and the two terms lists of fixture_run. */
static void test_totals(void **state) {
  fixture *f = *state;
  char *page = render("html", &f->v, &plain);
  char *table = between(page, "aria-label=\"Coverage by metric\"", "</table>");
  assert_row(table, "kernel", ">66.7 %</b> <small>2/3<");
  assert_row(table, "function", ">75.0 %</b> <small>3/4<");
  assert_row(table, "line", ">54.5 %</b> <small>12/22<");
  assert_row(table, "branch", ">45.5 %</b> <small>5/11<");
  assert_row(table, "if", "<small>2/4<");
  assert_row(table, "switch", ">0.0 %</b> <small>0/3<");
  assert_row(table, "conditional", "<small>3/4<");
  assert_row(table, "loop-many", "<small>1/2<");
  assert_row(table, "loop", ">25.0 %</b> <small>2/8<");
  assert_row(table, "barrier", ">0.0 %</b> <small>0/2<");
  assert_lacks(table, "mutation");
  free(table);
  assert_contains(page, "<b>54.5 %</b> lines <small>12/22</small>");
  assert_contains(page, "<b>1</b> finding</a>");
  free(page);
}

static void test_totals_by_file(void **state) {
  fixture *f = *state;
  coverage files[3];
  assert_int_equal(f->v.file_count, 3);
  coverage_by_file(&f->v, &plain, files);
  for (size_t i = 0; i < 3; i++) {
    if (strcmp(f->v.files[i].name, "src/conv.cl") == 0) {
      ASSERT_METRICS(&files[i], {"kernel", 1, 2}, {"function", 1, 2}, {"line", 7, 16}, {"branch", 2, 7}, {"loop", 2, 8},
                     {"barrier", 0, 1}, {"mutation", 0, 0});
    } else if (strcmp(f->v.files[i].name, "src/common.h") == 0) {
      ASSERT_METRICS(&files[i], {"kernel", 0, 0}, {"function", 1, 1}, {"line", 2, 3}, {"branch", 3, 4}, {"loop", 0, 0});
    } else {
      ASSERT_METRICS(&files[i], {"kernel", 1, 1}, {"function", 1, 1}, {"line", 3, 3}, {"branch", 0, 0},
                     {"barrier", 0, 1});
    }
  }
}

/* --- sources --------------------------------------------------------------------------------------------------- */

/* The row of a line of conv.cl; names of files lose the folder that all share. */
static char *row_of(const char *page, const char *file, unsigned line) {
  char id[64];
  char *source = between(page, file, "</details>\n<");
  (void)snprintf(id, sizeof id, "-%u", line);
  const char *at = source;
  while ((at = strstr(at, id)) != NULL && at[strlen(id)] != ' ' && at[strlen(id)] != '>') at++;
  assert_non_null(at);
  char *row = between(at, id, "\n");
  free(source);
  return row;
}

static void assert_line(const char *page, unsigned line, const char *part) {
  char *row = row_of(page, ">conv.cl</h3>", line);
  assert_contains(row, part);
  free(row);
}

static void test_lines_and_marks(void **state) {
  fixture *f = *state;
  char *page = render("html", &f->v, &plain);
  assert_contains(page, "<dt>Sources below<dd>src/</div>");
  assert_line(page, 1, "><th scope=row>1<td><td><code>#include &quot;common.h&quot;</code>"); /* no code */
  assert_line(page, 4, " class=y><th scope=row>4<td><a href=#s1>2</a><td>");
  assert_line(page, 6, " class=p><th scope=row>6<td><a href=#s1 tabindex=-1>2</a><td>"); /* never false */
  assert_line(page, 6,
              "<span class=e><span class=b>if never false</span><span class=\"b k\">if true 2 tests</span></span>");
  assert_line(
      page, 8,
      "</code><span class=e><span class=b>for never 0 times, never once</span><span class=\"b k\">for more than once 2 "
      "tests, to its end 2 tests</span></span>");
  assert_line(page, 13, " class=n><th scope=row>13<td>0<td>");
  /* nothing executed these lines, which says it all; a function that was not entered says so */
  assert_line(page, 22, "<span class=e><span class=\"b h\">case 0 never taken</span></span>");
  assert_line(page, 27, "<span class=\"b h\">barrier never by a whole work-group</span>");
  assert_line(page, 19, "<span class=b>function never entered</span>");
  assert_lacks(page, "Without colours");
  free(page);
}

/* No sign stands in an expression: a line's code is its text alone. */
static void test_code_is_whole(void **state) {
  fixture *f = *state;
  char *page = render("html", &f->v, &plain);
  assert_line(page, 6, "<code>\tif (x &lt; n &amp;&amp; y &lt; n) {</code><span class=e>");
  free(page);
}

/* Two constructs of a kind on a line say their columns, others do not. */
static void test_marks_of_one_line(void **state) {
  fixture *f = *state;
  model_site *check = NULL;
  model_site *loop = NULL;
  for (size_t i = 0; i < f->v.site_count; i++) {
    model_site *s = &f->v.sites[i];
    if (s->kind == SITE_IF && s->line == 6 && strcmp(f->v.files[s->file].name, "src/conv.cl") == 0)
      check = s;
    else if (s->kind == SITE_FOR)
      loop = s;
  }
  assert_true(check != NULL && loop != NULL);
  loop->line = check->line;
  loop->offset = check->offset + 4;
  loop->column = check->column + 4;
  char *page = render("html", &f->v, &plain);
  assert_line(page, 6, "<span class=b>if never false</span>");
  assert_line(page, 6, "<span class=b>for never 0 times, never once</span>");
  free(page);
  loop->kind = SITE_IF; /* its two outcomes "0 times" and "once" are those of an if by number */
  page = render("html", &f->v, &plain);
  assert_line(page, 6, "<span class=b>if never false, column 2</span>");
  assert_line(page, 6, "<span class=b>if never true, never false, column 6</span>");
  free(page);
}

/* After the number of test cases are their names. */
static void test_names_of_test_cases(void **state) {
  fixture *f = *state;
  char *page = render("html", &f->v, &plain);
  char *sets = between(page, "<ol class=sets>", "</ol>");
  assert_contains(sets, "<li id=s1><a href=#t0>suite/small</a>, <a href=#t1>suite/large</a>\n");
  free(sets);
  assert_contains(page, "<tr id=t1><th scope=row>suite/large");
  char *row = row_of(page, ">scan.cl</h3>", 4); /* scan was launched by large alone */
  char *number = between(row, "<a href=#s", ">");
  char entry[64];
  (void)snprintf(entry, sizeof entry, "<li id=s%u><a href=#t1>suite/large</a>\n",
                 (unsigned)strtoul(number + 10, NULL, 10));
  assert_contains(page, entry);
  free(number);
  free(row);
  free(page);
}

static void test_findings_stand_at_their_line(void **state) {
  fixture *f = *state;
  char *page = render("html", &f->v, &plain);
  char *row = row_of(page, ">scan.cl</h3>", 4);
  assert_contains(row, "<a class=\"st ss\" href=\"#findings\">barrier divergence</a>");
  free(row);
  char *found = between(page, "<ol class=found>", "</ol>");
  assert_contains(found, ">barrier divergence</span> in kernel scan</h3>");
  assert_contains(found, "7 of 64 work-items of a work-group executed this barrier");
  assert_contains(found, ">scan.cl:4</a>");
  assert_contains(found, "barrier(CLK_LOCAL_MEM_FENCE);</pre>");
  free(found);
  f->v.findings[0].suppressed = "known <since> May";
  free(page);
  page = render("html", &f->v, &plain);
  assert_contains(page, "<p>Nothing was found.");
  assert_contains(page, "<b>0</b> findings</a>");
  assert_contains(page, "<summary>1 suppressed by the configuration</summary>");
  assert_contains(page, "<p>Suppressed: known &lt;since&gt; May\n");
  free(page);
}

/* Two calls, as the database has them: with and without a kernel. */
static void test_refused_calls(void **state) {
  fixture *f = *state;
  char *page = render("html", &f->v, &plain);
  assert_lacks(page, "Refused by the device");
  free(page);
  assert_int_equal(f->v.refused_count, 0);
  f->v.refused = mem_arena_array(&f->v.memory, 2, sizeof *f->v.refused);
  f->v.refused_count = 2;
  f->v.refused[0] = (db_refused){.call = "clEnqueueNDRangeKernel",
                                 .kernel = "<k>",
                                 .error = "CL_NONE_SUCH",
                                 .detail = "global 10, local 3",
                                 .count = 12};
  f->v.refused[1] =
      (db_refused){.call = "clBuildProgram", .kernel = "", .error = "CL_NONE_SUCH", .detail = "", .count = 1};
  page = render("html", &f->v, &plain);
  char *found = between(page, "<section id=findings", "</section>");
  assert_contains(found, "<li>clEnqueueNDRangeKernel of &lt;k&gt;, 12 times: CL_NONE_SUCH (global 10, local 3)\n");
  assert_contains(found, "<li>clBuildProgram, 1 time: CL_NONE_SUCH\n");
  free(found);
  free(page);
}

static void test_only_selected_kernels(void **state) {
  fixture *f = *state;
  const char *globs[] = {"scan"};
  const report_options options = {.kernels = {.wanted = {globs, 1, 1}}};
  char *page = render("html", &f->v, &options);
  assert_contains(page, ">scan.cl</h3>");
  assert_contains(page, ">common.h</h3>"); /* scan calls it */
  assert_lacks(page, "conv.cl");
  assert_contains(page, "<dt>Only kernels<dd>scan</div>");
  char *table = between(page, "aria-label=\"Coverage by metric\"", "</table>");
  assert_row(table, "kernel", "<small>1/1<");
  assert_row(table, "line", "<small>5/6<"); /* scan 3 of 3, common.h 2 of 3 */
  free(table);
  free(page);
}

/* --- highlighting ---------------------------------------------------------------------------------------------- */

/* Stretches in the first text; the second one cannot be read. */
static void pretend(highlight_text *texts, size_t count) {
  static const highlight_span spans[] = {
      {0, 10, HIGHLIGHT_DIRECTIVE}, {18, 10, HIGHLIGHT_COMMENT}, {1000000, 4, HIGHLIGHT_TYPE}};
  assert_true(count > 1);
  texts[0].spans = mem_calloc(3, sizeof *spans);
  memcpy(texts[0].spans, spans, sizeof spans);
  texts[0].span_count = 3;
  texts[1].failed = true;
}

/* A comment over the end of a line ends and begins again there; "src/conv.cl" is the first file. */
static void test_spans_are_cut_at_lines(void **state) {
  fixture *f = *state;
  const report_options options = {.highlight = pretend};
  char *page = render("html", &f->v, &options);
  assert_string_equal(f->v.files[0].name, "src/conv.cl");
  assert_line(page, 1, "<code><i class=d>#include &quot;</i>common.h<i class=c>&quot;</i></code>");
  assert_line(page, 2, "<code></code>");
  assert_line(page, 3, "<code><i class=c>__kerne</i>l void conv2d(");
  assert_int_equal(count_of(page, "<p>Without colours: the front end (libclang) could not read this source."), 1);
  free(page);
}

/* --- mutants --------------------------------------------------------------------------------------------------- */

static char *mutant_of(const char *page, size_t id) {
  char text[32];
  (void)snprintf(text, sizeof text, "; id %zu", id);
  const char *at = strstr(page, text);
  assert_non_null(at);
  while (strncmp(at, "<details class=\"m ", 18) != 0) at--;
  return between(at, "<details", "</details>");
}

static void assert_mutant(const char *page, size_t which, const char *part) {
  char *mutant = mutant_of(page, 1001 + which);
  assert_contains(mutant, part);
  free(mutant);
}

static void test_mutants(void **state) {
  fixture *f = *state;
  error e;
  view v;
  int64_t run = fixture_mutation(f->d, 0, 1);
  OK(db_load(f->d, &run, 1, &v, &e));
  char *page = render("html", &v, &plain);
  assert_int_equal(count_of(page, "<details class=\"m s"), FIXTURE_MUTANTS);
  assert_contains(page, "Mutation score: <b>40.0 %</b>, 4 of 10 mutants killed.");
  assert_lacks(page, "Coverage by metric"); /* nothing was launched in a run of `mutate` */
  assert_lacks(page, "class=e>");           /* nor outcomes */
  char *table = between(page, "aria-label=\"Mutants by operator\"", "</table>");
  assert_row(table, "rel",
             "<small>0/3<"); /* two survive, one is undecided; a duplicate and a pending one do not count */
  assert_row(table, "arith", "<small>2/4<");
  free(table);
  assert_mutant(page, MUTANT_PLUS, "class=\"m sk ");
  assert_mutant(page, MUTANT_PLUS, "<summary>killed arith: + \xe2\x86\x92 -</summary>");
  assert_mutant(page, MUTANT_PLUS, "<del>- \t\t\tsum += in[clamp_index(y * n <b>+</b> x + k, n * n)];</del>");
  assert_mutant(page, MUTANT_PLUS, "<ins>+ \t\t\tsum += in[clamp_index(y * n <b>-</b> x + k, n * n)];</ins>");
  assert_mutant(page, MUTANT_PLUS,
                "<p>Killed by <a href=\"#t0\">suite/small</a>, <a href=\"#t1\">suite/large</a>, <a "
                "href=\"#t2\">suite/tiny</a>");
  assert_mutant(page, MUTANT_TIMES, "<p>Killed by <a href=\"#t1\">suite/large</a>");
  assert_mutant(page, MUTANT_FOR, "survived: no run of 3 test cases differed");
  assert_mutant(page, MUTANT_X, "undecided: the output differed in 7 of 20 runs of suite/small");
  assert_mutant(page, MUTANT_SUM, "<p>duplicate of <a href=\"#m");
  assert_mutant(page, MUTANT_SUM, ">mutant 1001</a>");
  assert_mutant(page, MUTANT_SKIP, "<summary>killed loop: loop skipped</summary>");
  assert_mutant(page, MUTANT_SKIP, "<ins>+ <b>(loop skipped)</b></ins>");
  char *survivor = mutant_of(page, 1001 + MUTANT_FOR);
  assert_lacks(survivor, "Killed by");
  free(survivor);
  /* at first only what the tests let pass is shown */
  assert_contains(page, "<input type=checkbox id=hss name=status checked value=\"survived\">");
  assert_contains(page, "<input type=checkbox id=hsu name=status checked value=\"undecided\">");
  assert_contains(page, "<input type=checkbox id=hsn name=status checked value=\"no-coverage\">");
  assert_contains(page, "<input type=checkbox id=hsk name=status value=\"killed\">");
  assert_contains(page, "<input type=checkbox id=hse name=status value=\"equivalent\">");
  assert_contains(page, "<input type=checkbox id=ho0 name=operator checked value=\"arith\">");
  assert_contains(page, "<body class=\"hsp hsk hse hsd hsi hsx\">");
  assert_contains(page, ".hsk .m.sk{display:none}");
  assert_contains(page, "body:has(#hsk:not(:checked)) .m.sk{display:none}"); /* without the script */
  assert_contains(page, "body:has(#ho6:not(:checked)) .m.o6{display:none}");
  assert_lacks(page, "#ho7:"); /* seven operators */
  assert_lacks(page, "unrevealed");
  free(page);
  for (size_t i = 0; i < v.mutant_count; i++)
    for (size_t k = 0; k < v.mutants[i].verdict_count; k++)
      v.mutants[i].verdicts[k].revealed = i == 0 ? REVEALED_YES : REVEALED_NO;
  page = render("html", &v, &plain);
  assert_contains(page, "<input type=checkbox id=hsr name=status value=\"unrevealed\">");
  assert_contains(page, ".hsr .m.sr{display:none}");
  assert_contains(page, "</b> revealed <small>");
  assert_mutant(page, MUTANT_SKIP, "<summary>unrevealed loop: loop skipped</summary>");
  assert_mutant(page, MUTANT_SKIP, "killed, and the program does not notice: an assertion is missing");
  view_free(&v);
  free(page);
}

/* What is done about a survivor: its test cases, the command that runs it again, the line that lets it be. */
static void test_survivors_can_be_run_again(void **state) {
  fixture *f = *state;
  error e;
  view v;
  int64_t run = fixture_mutation(f->d, 0, 1);
  OK(db_load(f->d, &run, 1, &v, &e));
  v.settings =
      "a\nb oracle x device y since\n./t\nruns 3 operators paper shard 1/1 sample 0 seed 0 oracle output "
      "device My GPU since ";
  for (size_t i = 0; i < v.test_case_count; i++)
    v.test_cases[i].command_line = i == 0 ? "./tests 'it'\\''s' <1>" : "./others";
  char *page = render("html", &v, &plain);
  assert_mutant(page, MUTANT_FOR,
                "<p>Run by <a href=\"#t0\">suite/small</a>, <a href=\"#t1\">suite/large</a>, <a "
                "href=\"#t2\">suite/tiny</a>");
  assert_mutant(page, MUTANT_FOR,
                "<p>Again: <code class=paste>cltestcheck mutate --mutant 1003 --operators rel --no-cache --db again.db "
                "--oracle output --device &#39;My GPU&#39; -- ./tests &#39;it&#39;\\&#39;&#39;s&#39; &lt;1&gt;</code>");
  assert_mutant(
      page, MUTANT_FOR,
      "<code class=paste>- {rule: mutant/rel, kernel: &quot;conv2d&quot;, line: &quot;for (int k = 0; k &lt; 3; "
      "k++) {&quot;, reason: &quot;\xe2\x80\xa6&quot;}</code>");
  assert_mutant(page, MUTANT_FOR, "<code class=paste>// cltestcheck: no-mutate</code>");
  char *uncovered = mutant_of(page, 1001 + MUTANT_HALF);
  assert_lacks(uncovered, "Again:"); /* no test case runs it */
  assert_contains(uncovered, "- {rule: mutant/");
  free(uncovered);
  char *killed = mutant_of(page, 1001 + MUTANT_PLUS);
  assert_lacks(killed, "class=paste");
  free(killed);
  view_free(&v);
  free(page);
}

/* A run without settings says none in that command; nothing after the empty text is looked at. */
static void test_survivors_without_settings(void **state) {
  static const char behind[] =
      "\0\nruns 3 operators paper shard 1/1 sample 0 seed 0 oracle output device My GPU since ";
  fixture *f = *state;
  error e;
  view v;
  int64_t run = fixture_mutation(f->d, 0, 1);
  OK(db_load(f->d, &run, 1, &v, &e));
  v.settings = mem_arena_copy_part(&v.memory, behind, sizeof behind);
  char *page = render("html", &v, &plain);
  assert_mutant(
      page, MUTANT_FOR,
      "<p>Again: <code class=paste>cltestcheck mutate --mutant 1003 --operators rel --no-cache --db again.db --");
  assert_lacks(page, "--oracle");
  view_free(&v);
  free(page);
}

/* Of two mutants of a line that read alike each says its column, as others do not. */
static void test_mutants_alike(void **state) {
  (void)state;
  view v;
  hand_made(&v, "a = b + c + d - e;", 1);
  (void)add_by_hand(&v, "+", "-", MUTANT_SURVIVED);
  db_mutant *second = add_by_hand(&v, "+ d", "-", MUTANT_SURVIVED);
  ((char *)second->original)[1] = '\0';
  second->end_offset = second->offset + 1;
  second->column = second->offset + 1;
  v.mutants[0].column = v.mutants[0].offset + 1;
  (void)add_by_hand(&v, "-", "+", MUTANT_SURVIVED);
  char *page = render("html", &v, &plain);
  assert_contains(page, "<summary>survived arith: + \xe2\x86\x92 -, column 7</summary>");
  assert_contains(page, "<summary>survived arith: + \xe2\x86\x92 -, column 11</summary>");
  assert_contains(page, "<summary>survived arith: - \xe2\x86\x92 +</summary>");
  view_free(&v);
  free(page);
}

static void test_suppressed_mutants(void **state) {
  fixture *f = *state;
  error e;
  view v;
  int64_t run = fixture_mutation(f->d, 0, 1);
  OK(db_load(f->d, &run, 1, &v, &e));
  for (size_t i = 0; i < v.mutant_count; i++) {
    if (v.mutants[i].id == 1001 + MUTANT_FOR) {
      v.mutants[i].status = MUTANT_SUPPRESSED;
      v.mutants[i].suppressed = "a <constant> bound";
    }
  }
  v.suppressions = mem_arena_array(&v.memory, 2, sizeof *v.suppressions);
  v.suppressions[0] = (view_suppression){.rule = "mutant/rel", .reason = "a bound", .count = 1};
  v.suppressions[1] = (view_suppression){.kernel = "gone*", .reason = "old"};
  v.suppression_count = 2;
  char *page = render("html", &v, &plain);
  assert_mutant(page, MUTANT_FOR, "<p>suppressed: a &lt;constant&gt; bound");
  assert_contains(page, "Mutation score: <b>44.4 %</b>, 4 of 9 mutants killed.");
  assert_contains(page,
                  "<h3 id=suppressions>Suppressions</h3>\n<ul>\n<li>1 suppressed: a bound (rule mutant/rel)\n"
                  "<li>matches nothing: old (kernel gone*)\n</ul>\n");
  view_free(&v);
  free(page);
}

/* --- schedules ------------------------------------------------------------------------------------------------- */

static void test_schedules(void **state) {
  fixture *f = *state;
  error e;
  view v;
  amplify_fixture a;
  amplify_begin(&a, f->d, "small");
  int64_t launch = amplify_launch(&a, a.conv.kernels[0], 0, 16, "");
  int64_t bad = amplify_schedule(&a, launch, "first", 4, "..xx!");
  int64_t good = amplify_schedule(&a, launch, "reverse", 0, ".....");
  static const db_explained written[] = {{.role = "write", .line = 7}, {.role = "write", .line = 11}};
  amplify_explain(&a, bad,
                  &(db_explanation){.why = {.kind = "memory", .unit = "element"},
                                    .places = written,
                                    .place_count = 2,
                                    .other = good,
                                    .argument = "out",
                                    .first = 3,
                                    .last = 9,
                                    .differing = 2,
                                    .reference = "1.5",
                                    .seen = "<2>",
                                    .file_name = "src/conv.cl",
                                    .line = 11,
                                    .unfinished = ""});
  (void)amplify_launch(&a, a.scan.kernels[0], 0, 1, "one <work-group>");
  OK(db_load(f->d, &a.run, 1, &v, &e));
  char *page = render("html", &v, &plain);
  assert_contains(page, "<caption>launch 0 of suite/small: 16 work-groups of 64, 2 in flight</caption>");
  assert_contains(page,
                  "<tr><th scope=row>4 first<td class=pic data-c=Runs><i class=q0>..</i><i class=q1>xx</i><i "
                  "class=q4>!</i><td data-c=Verdict>");
  assert_contains(page, "<tr><th scope=row>reverse<td class=pic data-c=Runs><i class=q0>.....</i><td data-c=Verdict>");
  assert_contains(page, "<b>1</b> of 2 schedules fail</a>");
  assert_contains(page, "1 launch: one &lt;work-group&gt; (kernel ");
  char *found = between(page, "<ol class=found>", "</ol>");
  assert_contains(found, "launch 0 of suite/small: out[3] is 1.5 with ");
  assert_contains(found, ", and &lt;2&gt; with group 4 first");
  assert_contains(found,
                  "<p>Group 4 first (schedule 1): 2 of 5 runs gave the reference&#39;s "
                  "result (40.0 %)\n");
  assert_contains(found, "<p>Again: <code class=paste>cltestcheck amplify --replay 1</code>");
  assert_int_equal(occurrences(found, "<pre class=x>"), 2);
  assert_contains(found, "out[y * n + x] = sum &gt; 0 ? sum : 0;</pre>"); /* one of them */
  free(found);
  view_free(&v);
  amplify_end(&a);
  free(page);
}

/* --- hostile text ---------------------------------------------------------------------------------------------- */

static void rename_to(const char **name, const char *to) { *name = to; }

/* Wherever a name of the user's is shown, it is text. */
static void test_names_are_text(void **state) {
  fixture *f = *state;
  static const char attack[] = "\"'><script>alert(1)</script>\x1b[31m\xff\xe2\x80\xae";
  view *v = &f->v;
  for (size_t i = 0; i < v->kernel_count; i++) rename_to((const char **)&v->kernels[i].name, attack);
  for (size_t i = 0; i < v->test_case_count; i++) {
    rename_to((const char **)&v->test_cases[i].name, attack);
    rename_to((const char **)&v->test_cases[i].suite, attack);
    rename_to((const char **)&v->test_cases[i].command_line, attack);
  }
  for (size_t i = 0; i < v->site_count; i++)
    for (size_t k = 0; k < v->sites[i].outcome_count; k++)
      rename_to((const char **)&v->sites[i].outcomes[k].label, attack);
  for (size_t i = 0; i < v->file_count; i++) {
    rename_to((const char **)&v->files[i].name, attack);
    rename_to((const char **)&v->files[i].text, attack);
    v->files[i].length = sizeof attack - 1;
  }
  rename_to(&v->findings[0].rule, attack);
  rename_to(&v->findings[0].kernel, attack);
  rename_to(&v->findings[0].message, attack);
  rename_to((const char **)&v->skipped[0].program, attack);
  rename_to((const char **)&v->skipped[0].reason, attack);
  rename_to((const char **)&v->device, attack);
  rename_to((const char **)&v->version, attack);
  rename_to((const char **)&v->started, attack);
  rename_to((const char **)&v->command, attack);
  char *page = render("html", v, &plain);
  static const char harmless[] =
      "&quot;&#39;&gt;&lt;script&gt;alert(1)&lt;/script&gt;\xe2\x90\x9b[31m\xef\xbf\xbd\xef\xbf\xbd";
  assert_lacks(page, "<script>alert");
  assert_lacks(page, "\x1b");
  assert_lacks(page, "\xff");
  assert_lacks(page, "\xe2\x80\xae");
  assert_true(count_of(page, harmless) > 20);
  assert_int_equal(count_of(page, "&lt;script&gt;alert(1)&lt;/"), count_of(page, "alert(1)"));
  free(page);
}

/* Bytes of every kind in a source, NUL included. */
static void test_control_characters_have_pictures(void **state) {
  fixture *f = *state;
  static const char odd[] = "a\0b\x01\x7f\tc\r\nd\re\n\xc3\xa4\xc2\x85\xf0\x9f\x98\x80\xed\xa0\x80";
  model_file *file = &f->v.files[0];
  file->length = sizeof odd - 1;
  file->text = (char *)odd;
  char *page = render("html", &f->v, &plain);
  assert_contains(page,
                  "<code>a\xe2\x90\x80"
                  "b\xe2\x90\x81\xe2\x90\xa1\tc</code>");
  assert_contains(page,
                  "<code>d\xe2\x90\x8d"
                  "e</code>");
  assert_contains(page, "<code>\xc3\xa4\xef\xbf\xbd\xf0\x9f\x98\x80\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd</code>");
  free(page);
}

static void test_a_page_of_nothing(void **state) {
  fixture *f = *state;
  error e;
  int64_t run;
  view v;
  OK(db_begin_run(f->d, "coverage", "0.1", &run, &e));
  OK(db_load(f->d, NULL, 0, &v, &e));
  char *page = render("html", &v, &plain);
  assert_contains(page, "<p>No kernel was seen.");
  assert_contains(page, "<p>No test case was run.");
  assert_contains(page, "<p>Nothing was found.");
  assert_contains(page, "<b>n/a</b> lines</a>");
  assert_lacks(page, "100.0 %</b>");
  view_free(&v);
  free(page);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      TEST(test_the_page_is_whole_and_alone),
      TEST(test_title),
      TEST(test_refused_calls),
      TEST(test_the_worst_comes_first),
      TEST(test_levels),
      TEST(test_code_is_whole),
      TEST(test_names_of_test_cases),
      TEST(test_survivors_can_be_run_again),
      TEST(test_survivors_without_settings),
      cmocka_unit_test(test_mutants_alike),
      TEST(test_totals),
      TEST(test_totals_by_file),
      TEST(test_lines_and_marks),
      TEST(test_marks_of_one_line),
      TEST(test_findings_stand_at_their_line),
      TEST(test_only_selected_kernels),
      TEST(test_spans_are_cut_at_lines),
      TEST(test_mutants),
      TEST(test_suppressed_mutants),
      TEST(test_schedules),
      TEST(test_names_are_text),
      TEST(test_control_characters_have_pictures),
      TEST(test_a_page_of_nothing),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
