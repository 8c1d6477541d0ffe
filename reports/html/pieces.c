/* Pieces that every part of the page uses: text that may hold anything, places, shares, tables, lines to paste; kernels. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/subprocess.h"
#include "base/utf8.h"
#include "reports/html/page.h"

/* Characters that change the direction of the text around them, or break lines: a range of UTF-8 of three bytes that
 * begins with e2, and those of two bytes. */
static bool is_deceptive(const char *s, size_t n) {
  const unsigned char *u = (const unsigned char *)s;
  if (n == 2) return (u[0] == 0xc2 && u[1] < 0xa0) || (u[0] == 0xd8 && u[1] == 0x9c); /* C1 controls; U+061C */
  return n == 3 && u[0] == 0xe2 &&
         ((u[1] == 0x80 && ((u[2] >= 0x8e && u[2] <= 0x8f) || (u[2] >= 0xa8 && u[2] <= 0xae))) ||
          (u[1] == 0x81 && u[2] >= 0xa6 && u[2] <= 0xa9)); /* U+200E, F; U+2028 … U+202E; U+2066 … U+2069 */
}

/* What stands for an ASCII character that is not itself; NULL: it is. */
static const char *escaped(unsigned char c, char picture[4]) {
  switch (c) {
    case '&': return "&amp;";
    case '<': return "&lt;";
    case '>': return "&gt;";
    case '"': return "&quot;";
    case '\'': return "&#39;";
    case '\t': return NULL;
    case '\n': return " ";
    default: break;
  }
  if (c >= 0x20 && c != 0x7f) return NULL;
  picture[0] = (char)0xe2; /* U+2400 + c, and U+2421 for DEL */
  picture[1] = (char)0x90;
  picture[2] = (char)(0x80 + (c == 0x7f ? 0x21 : c));
  picture[3] = '\0';
  return picture;
}

static void escape_html(buffer *to, const char *text, size_t length) {
  size_t plain = 0; /* where what can be written as it is began */
  for (size_t i = 0; i < length;) {
    char picture[4];
    size_t n = utf8_character(text + i, length - i);
    const char *instead = n == 1                                ? escaped((unsigned char)text[i], picture)
                          : n == 0 || is_deceptive(text + i, n) ? UTF8_REPLACEMENT
                                                                : NULL;
    if (instead != NULL) {
      buffer_append(to, text + plain, i - plain);
      buffer_puts(to, instead);
      plain = i + (n == 0 ? 1 : n);
    }
    i += n == 0 ? 1 : n;
  }
  buffer_append(to, text + plain, length - plain);
}

const char *page_text_of(report_out *to, const char *text, size_t length) {
  buffer *piece = report_piece(to);
  escape_html(piece, text, length);
  return buffer_text(piece);
}

const char *page_text(report_out *to, const char *text) { return page_text_of(to, text, strlen(text)); }

const char *page_file_name(const page *p, uint32_t file) {
  return p->v->files[file].name + (p->shown[file] ? p->folder : 0);
}

const char *page_place(const page *p, uint32_t file, uint32_t line) {
  buffer *piece = report_piece(p->out);
  if (file != MODEL_NONE) {
    const char *name = page_file_name(p, file);
    if (p->shown[file]) buffer_printf(piece, "<a href=\"#f%u-%u\">", file, line);
    escape_html(piece, name, strlen(name));
    buffer_printf(piece, ":%u%s", line, p->shown[file] ? "</a>" : "");
  }
  return buffer_text(piece);
}

const char *page_test_name(const page *p, uint32_t test_case) {
  scoped_buffer name = {0};
  mutation_test_name(&p->v->test_cases[test_case], &name);
  return page_text(p->out, buffer_text(&name));
}

/* The source line of a place as a figure; nothing when there is none. */
static void page_excerpt(const page *p, uint32_t file, uint32_t line) {
  enum { LONGEST = 400 };
  const model_file *f = &p->v->files[file];
  const char *at = f->text, *end = f->text + f->length;
  for (uint32_t i = 1; i < line && at != NULL && at < end; i++) {
    at = memchr(at, '\n', (size_t)(end - at));
    at = at == NULL ? NULL : at + 1;
  }
  if (line == 0 || at == NULL || at >= end) return;
  const char *newline = memchr(at, '\n', (size_t)(end - at));
  size_t length = (size_t)((newline == NULL ? end : newline) - at);
  report_put(p->out, "<pre class=x><b>%u</b> %s%s</pre>\n", line,
             page_text_of(p->out, at, length < LONGEST ? length : LONGEST), length < LONGEST ? "" : UTF8_ELLIPSIS);
}

/* Lists of a document. */

static const char *begin_sentence(report_out *to, const char *text) {
  scoped_buffer sentence = buffer_with("%s", text);
  if (sentence.length > 0) sentence.data[0] = (char)toupper((unsigned char)sentence.data[0]);
  return page_text(to, buffer_text(&sentence));
}

/* Of an item with a title the place alone. */
static void put_node(const page *p, const doc_node *n, const char *tag) {
  const char *text = n->kind == DOC_ITEM && n->title != NULL ? "" : n->text;
  if (n->kind == DOC_PASTE) {
    report_put(p->out, "<p>%s: <code class=paste>%s</code>\n", begin_sentence(p->out, n->title),
               page_text(p->out, n->text));
  } else if (n->line > 0) {
    report_put(p->out, "<%s>%s%s%s\n", tag, page_place(p, n->file, n->line), text[0] == '\0' ? "" : ": ",
               page_text(p->out, text));
  } else {
    report_put(p->out, "<%s>%s\n", tag, n->kind == DOC_NOTE ? begin_sentence(p->out, text) : page_text(p->out, text));
  }
  if (n->excerpt && n->line > 0) page_excerpt(p, n->file, n->line);
}

void page_notes(const page *p, const document *d, size_t from) {
  bool steps = false;
  for (size_t i = from; i < d->count; i++) {
    const bool step = d->nodes[i].kind == DOC_STEP;
    report_put(p->out, "%s", step == steps ? "" : step ? "<ol>\n" : "</ol>\n");
    put_node(p, &d->nodes[i], step ? "li" : "p");
    steps = step;
  }
  report_put(p->out, "%s", steps ? "</ol>\n" : "");
}

void page_list(const page *p, const char *before, const document *d) {
  if (d->count > 0) {
    report_put(p->out, "%s\n<ul>\n", before);
    for (size_t i = 0; i < d->count; i++) put_node(p, &d->nodes[i], d->nodes[i].level > 0 ? "br" : "li");
    report_put(p->out, "</ul>\n");
  }
}

/* How good a share is: against --fail-under, or against what is usual. */

/* By the beginning of a metric's name, the first that fits. */
static const struct {
  const char *metric;
  double percent;
} usual[] = {
    {"mutation", 60}, /* as Stryker's viewer has it */
    {"revealed", 60},
    {"loop", 50}, /* a loop is seldom run 0 times and once, too */
    {"", 75},     /* as genhtml has it */
};

double page_least(const page *p, const char *metric) {
  for (size_t i = 0; i < p->options->threshold_count; i++)
    if (strcmp(p->options->thresholds[i].metric, metric) == 0) return p->options->thresholds[i].percent;
  size_t i = 0;
  while (strncmp(metric, usual[i].metric, strlen(usual[i].metric)) != 0) i++;
  return usual[i].percent;
}

const char *page_level(const page *p, const char *metric, const ratio *r) {
  if (r->total == 0) return "";
  const double least = page_least(p, metric);
  const double percent = 100.0 * (double)r->covered / (double)r->total;
  return percent < least ? "lo" : percent < (least + 100) / 2 ? "mid" : "hi";
}

/* Tables: names of columns in the cells, for cards; shares with a bar. */

static void open_table(report_out *out, const char *caption, const char *class) {
  report_put(out, "<div class=w role=group tabindex=0 aria-label=\"%s\"><table class=table><caption%s>%s</caption>\n",
             caption, class, caption);
}

void page_table(report_out *out, const char *caption) { open_table(out, caption, ""); }

void page_table_of_heading(report_out *out, const char *caption) { open_table(out, caption, " class=said"); }

const char *page_bar(report_out *to, const ratio *r) {
  buffer *piece = report_piece(to);
  buffer_printf(piece, "<meter aria-hidden=true max=%lu value=%lu></meter>", r->total, r->covered);
  return buffer_text(piece);
}

void page_ratio_cell(const page *p, const char *column, const char *metric, const ratio *r) {
  if (r->total == 0) {
    report_put(p->out, "<td class=r data-c=\"%s\">n/a", column);
    return;
  }
  report_put(p->out, "<td class=\"r %s\" data-c=\"%s\">%s<b>%s</b> <small>%lu/%lu</small>", page_level(p, metric, r),
             column, page_bar(p->out, r), report_percent(p->out, r), r->covered, r->total);
}

/* Of a mutant that survives: the command that runs it again, and the line that says that it may. */

/* The first test case that ran it and has a command. */
static const view_test_case *test_of(const page *p, const db_mutant *m) {
  for (size_t i = 0; i < m->verdict_count; i++) {
    const view_test_case *t = &p->v->test_cases[m->verdicts[i].test_case];
    if (m->verdicts[i].runs > 0 && t->command_line[0] != '\0') return t;
  }
  return NULL;
}

static void put_command(const page *p, const db_mutant *m) {
  const view_test_case *t = test_of(p, m);
  if (t == NULL) return;
  scoped_buffer line = {0}, oracle = {0}, device = {0};
  mutation_setting(p->v, " oracle ", " device ", &oracle);
  mutation_setting(p->v, " device ", " since ", &device);
  buffer_printf(&line, "cltestcheck mutate --mutant %u --operators ", m->id);
  shell_word(&line, m->operator_name);
  buffer_puts(&line, " --no-cache --db again.db");
  if (oracle.length > 0 && strcmp(buffer_text(&oracle), "exit") != 0) {
    buffer_puts(&line, " --oracle ");
    shell_word(&line, buffer_text(&oracle));
  }
  if (device.length > 0) {
    buffer_puts(&line, " --device ");
    shell_word(&line, buffer_text(&device));
  }
  buffer_printf(&line, " -- %s", t->command_line);
  report_put(p->out, "<p>Again: <code class=paste>%s</code>", page_text(p->out, buffer_text(&line)));
}

/* --- the suppression ------------------------------------------------------------------------------------------- */

static bool continues(const place_line *line) { return line->length > 0 && line->text[line->length - 1] == '\\'; }

static void put_suppression(const page *p, const db_mutant *m) {
  const model_file *f = &p->v->files[m->file];
  if (m->offset > f->length || m->function >= p->v->function_count) return;
  const place_line line = suppress_trimmed(place_line_at(f, m->offset));
  scoped_buffer rule = {0}, text = {0};
  buffer_printf(&rule, "mutant/%s", m->operator_name);
  suppress_text(buffer_text(&rule), p->v->functions[m->function].name, line, UTF8_ELLIPSIS, &text);
  report_put(p->out,
             "<p>It may survive? Below <code>suppressions:</code> in <code>cltestcheck.yaml</code>: <code "
             "class=paste>%s</code>",
             page_text(p->out, buffer_text(&text)));
  if (!continues(&line)) { /* a comment would swallow what joins the lines */
    report_put(p->out,
               " or, for all mutants of the line, at its end: <code class=paste>// cltestcheck: no-mutate</code>");
  }
}

void page_again(const page *p, const db_mutant *m) {
  if (m->status == MUTANT_SURVIVED || m->status == MUTANT_UNDECIDED) put_command(p, m);
  put_suppression(p, m);
}

/* What needs the script: search, steps through what is missed, keys, theme. Hidden until it runs. */

void page_tools(const page *p) {
  report_put(
      p->out,
      "<div id=tools hidden>\n<div id=find role=search><input id=search type=search aria-label=\"Search kernels, files "
      "and lines\" aria-controls=found placeholder=\"Search ( / )\" autocomplete=off spellcheck=false><output id=hits "
      "class=said></output><ul id=found aria-label=\"Found\" hidden></ul></div>\n<span role=group aria-label=\"Lines "
      "that miss something\"><button type=button id=previous title=\"Previous line that misses something "
      "(k)\">\xe2\x86\x91 <span class=wide>Previous</span></button> <button type=button id=next title=\"Next line that "
      "misses something (j)\">\xe2\x86\x93 <span class=wide>Next</span> missed</button></span>\n<label><input "
      "type=checkbox id=keys checked> keys j k /</label>\n<label>Theme <select id=theme><option value=auto>auto<option "
      "value=light>light<option value=dark>dark</select></label>\n</div>\n");
}

/* What comes first: kernels and files by what they miss. */

page_badness page_badness_of(const page *p, const coverage *c) {
  static const char *const metrics[] = {"line", "branch", "barrier", "mutation"};
  page_badness b = {.lowest = 1};
  for (size_t i = 0; i < sizeof metrics / sizeof metrics[0]; i++) {
    ratio r = {0};
    (void)coverage_get(c, metrics[i], &r);
    bool counts = metric_of_mutants(metrics[i]) ? p->mutated : p->covered;
    if (r.total > 0 && counts) {
      const double share = (double)r.covered / (double)r.total;
      if (share < b.lowest) {
        b.lowest = share;
        b.metric = metrics[i];
      }
      b.missed += r.total - r.covered;
    }
  }
  return b;
}

/* Below 0: `a` is worse. */
static int page_compare_badness(const page_badness *a, const page_badness *b) {
  if (a->found != b->found) return a->found ? -1 : 1;
  if (a->lowest < b->lowest || a->lowest > b->lowest) return a->lowest < b->lowest ? -1 : 1;
  return (a->missed < b->missed) - (a->missed > b->missed);
}

/* Is the finding in a file that the kernel has code of? Kernels of several programs may have one name. */
static bool is_in(const page *p, const db_finding *f, const view_kernel *k) {
  bool in = f->file == MODEL_NONE || p->v->functions[k->function].file == f->file;
  for (size_t i = 0; !in && i < k->function_count; i++) in = p->v->functions[k->functions[i]].file == f->file;
  return in;
}

/* Has a kernel findings that no suppression holds back? */
static bool page_kernel_fails(const page *p, uint32_t kernel) {
  const view_kernel *k = &p->v->kernels[kernel];
  EACH(const db_finding, f, p->v->findings, p->v->finding_count) {
    if (f->suppressed == NULL && strcmp(f->kernel, k->name) == 0 && is_in(p, f, k)) return true;
  }
  for (size_t i = 0; i < p->issues.schedules.kernel_count; i++) {
    const amplification_counts *c = &p->issues.schedules.kernels[i].counts;
    if (p->issues.schedules.kernels[i].kernel == kernel &&
        c->of[VERDICT_RACE] + c->of[VERDICT_DEADLOCK] + c->of[VERDICT_CRASH] > 0)
      return true;
  }
  return false;
}

/* --- files ----------------------------------------------------------------------------------------------------- */

typedef struct ranked {
  uint32_t file;
  page_badness badness;
} ranked;

static int compare_ranked(const void *a, const void *b) {
  const ranked *x = a, *y = b;
  int worse = page_compare_badness(&x->badness, &y->badness);
  return worse != 0 ? worse : (x->file > y->file) - (x->file < y->file);
}

void page_order_files(page *p) {
  scoped ranked *list = mem_calloc(p->shown_files, sizeof *list);
  p->order = mem_calloc(p->shown_files, sizeof *p->order);
  size_t count = 0;
  for (uint32_t i = 0; i < p->v->file_count; i++)
    if (p->shown[i]) list[count++] = (ranked){i, page_badness_of(p, &p->files[i])};
  if (count > 0) qsort(list, count, sizeof *list, compare_ranked);
  for (size_t i = 0; i < count; i++) p->order[i] = list[i].file;
}

static const struct {
  const char *metric, *title;
} columns[] = {{"line", "Lines"}, {"branch", "Branches"}, {"loop", "Loop cases"}, {"barrier", "Barriers"}};
#define COLUMNS (sizeof columns / sizeof columns[0])

typedef struct row {
  uint32_t kernel;
  coverage covered; /* its mutation: those that it reaches */
  page_badness badness;
} row;

static row row_of(const page *p, uint32_t kernel) {
  row r = {.kernel = kernel};
  coverage_kernel(p->v, &p->v->kernels[kernel], &r.covered);
  r.covered.mutation = (ratio){0};
  for (size_t i = 0; i < p->issues.mutants.kernel_count; i++)
    if (p->issues.mutants.kernels[i].kernel == kernel)
      r.covered.mutation = mutation_score(&p->issues.mutants.kernels[i].counts);
  r.badness = page_badness_of(p, &r.covered);
  r.badness.found = page_kernel_fails(p, kernel);
  return r;
}

static int compare_rows(const void *a, const void *b) {
  const row *x = a, *y = b;
  const int worse = page_compare_badness(&x->badness, &y->badness);
  return worse != 0 ? worse : (x->kernel > y->kernel) - (x->kernel < y->kernel);
}

static void put_schedules(const page *p, uint32_t kernel) {
  report_put(p->out, "<td data-c=\"Schedules\">");
  EACH(const amplification_kernel, k, p->issues.schedules.kernels, p->issues.schedules.kernel_count) {
    if (k->kernel != kernel || k->counts.schedules == 0) continue;
    report_put(p->out, "<a href=\"#k%u\">", kernel);
    const char *before = "";
    for (size_t v = VERDICTS; v-- > 0;) {
      if (k->counts.of[v] > 0) {
        report_put(p->out, "%s%lu %s", before, k->counts.of[v], schedule_verdict_name((schedule_verdict)v));
        before = ", ";
      }
    }
    if (k->counts.meant > 0) {
      report_put(p->out, "%s%lu meant", before, k->counts.meant);
      before = ", ";
    }
    if (k->counts.suppressed > 0) report_put(p->out, "%s%lu suppressed", before, k->counts.suppressed);
    report_put(p->out, "</a>");
    return;
  }
  report_put(p->out, "-");
}

static void put_head(const page *p) {
  report_put(p->out, "<thead><tr><th scope=col>Kernel");
  if (p->covered) {
    report_put(p->out, "<th scope=col>Launches");
    for (size_t i = 0; i < COLUMNS; i++) report_put(p->out, "<th scope=col>%s", columns[i].title);
  }
  report_put(p->out, "%s%s%s\n<tbody>\n", p->mutated ? "<th scope=col>Mutation score" : "",
             p->amplified ? "<th scope=col>Schedules" : "", p->verified ? "<th scope=col>Proof" : "");
}

static void put_row(const page *p, const row *r) {
  const view_kernel *k = &p->v->kernels[r->kernel];
  report_put(p->out, "<tr><th scope=row>%s", page_text(p->out, k->name));
  if (r->badness.found) report_put(p->out, " <a class=\"st ss\" href=\"#findings\">finding</a>");
  report_put(p->out, "<br>%s", page_place(p, p->v->functions[k->function].file, p->v->functions[k->function].line));
  if (p->covered) {
    report_put(p->out, "<td data-c=\"Launches\">");
    report_put(p->out, k->launches == 0 ? report_no_launch(p->v) : "%llu", (unsigned long long)k->launches);
    for (size_t i = 0; i < COLUMNS; i++) {
      ratio covered;
      (void)coverage_get(&r->covered, columns[i].metric, &covered);
      page_ratio_cell(p, columns[i].title, columns[i].metric, &covered);
    }
  }
  if (p->mutated) page_ratio_cell(p, "Mutation score", "mutation", &r->covered.mutation);
  if (p->amplified) put_schedules(p, r->kernel);
  if (p->verified) {
    report_put(p->out, "<td data-c=\"Proof\">");
    page_proof_badge(p, r->kernel);
  }
  report_put(p->out, "\n");
}

void page_kernels(const page *p) {
  if (p->v->kernel_count == 0) {
    report_put(p->out, "<p>No kernel was seen.\n");
    return;
  }
  scoped row *rows = mem_calloc(p->v->kernel_count, sizeof *rows);
  size_t count = 0;
  for (uint32_t i = 0; i < p->v->kernel_count; i++)
    if (report_selects(p->options, p->v->kernels[i].name)) rows[count++] = row_of(p, i);
  if (count > 0) qsort(rows, count, sizeof *rows, compare_rows);
  page_table_of_heading(p->out, "Kernels, worst first");
  put_head(p);
  for (size_t i = 0; i < count; i++) put_row(p, &rows[i]);
  report_put(p->out, PAGE_TABLE_END);
}

/* Test cases with what they are worth; which of them executed the same lines; programs without instrumentation. */

static void put_test_cases(const page *p) {
  /* Mutants that each test case kills. */
  scoped size_t *kills = mem_calloc(p->v->test_case_count, sizeof *kills);
  for (size_t i = 0; i < p->v->mutant_count; i++) {
    const db_mutant *m = &p->v->mutants[i];
    for (size_t k = 0; p->issues.mutants.selected[i] && k < m->verdict_count; k++)
      kills[m->verdicts[k].test_case] += mutation_kills(m, &m->verdicts[k]) ? 1 : 0;
  }
  scoped bool *superfluous = p->mutated ? mutation_superfluous(p->v, &p->issues.mutants) : NULL;
  page_table_of_heading(p->out, "Test cases and how they ended");
  report_put(p->out, "<thead><tr><th scope=col>Test case<th scope=col>Exit%s<th scope=col>Command\n<tbody>\n",
             p->mutated ? "<th scope=col>Kills" : "");
  for (uint32_t i = 0; i < p->v->test_case_count; i++) {
    report_put(p->out, "<tr id=t%u><th scope=row>%s", i, page_test_name(p, i));
    if (p->v->test_cases[i].timed_out)
      report_put(p->out, "<td class=bad data-c=Exit>out of time");
    else if (p->v->test_cases[i].status < 0)
      report_put(p->out, "<td class=bad data-c=Exit>did not end");
    else
      report_put(p->out, p->v->test_cases[i].status == 0 ? "<td data-c=Exit>%d" : "<td class=bad data-c=Exit>%d",
                 p->v->test_cases[i].status);
    if (p->mutated) {
      report_put(p->out, "<td data-c=\"Kills\">%zu%s", kills[i],
                 superfluous != NULL && superfluous[i] ? " (all of them others kill, too)" : "");
    }
    report_put(p->out, "<td data-c=\"Command\"><code>%s</code>\n", page_text(p->out, p->v->test_cases[i].command_line));
  }
  report_put(p->out, PAGE_TABLE_END);
}

static void put_set(const page *p, uint32_t set) {
  scoped uint32_t *tests = NULL;
  size_t count = 0, capacity = 0;
  for (uint32_t i = set; i != MODEL_NONE; i = p->v->sets[i].before)
    *ARRAY_ADD(tests, count, capacity) = p->v->sets[i].last;
  report_put(p->out, "<li id=s%u>", set);
  for (size_t i = count; i-- > 0;)
    report_put(p->out, "<a href=#t%u>%s%s", tests[i], page_test_name(p, tests[i]), i > 0 ? "</a>, " : "</a>\n");
}

/* The links after the numbers beside the lines lead here. */
static void put_sets(const page *p) {
  /* Sets that lines have. */
  scoped bool *used = mem_calloc(p->v->set_count, sizeof *used);
  EACH(const view_line, l, p->v->lines, p->v->line_count) {
    if (l->set < p->v->set_count && p->shown[l->file]) used[l->set] = true;
  }
  report_put(p->out, "<h3>Test cases that executed the same lines</h3>\n<ol class=sets>\n");
  for (uint32_t i = 0; i < p->v->set_count; i++)
    if (used[i]) put_set(p, i);
  report_put(p->out, "</ol>\n");
}

void page_tests(const page *p) {
  if (p->v->test_case_count > 0)
    put_test_cases(p);
  else
    report_put(p->out, "<p>No test case was run.\n");
  if (p->covered && p->v->set_count > 0) put_sets(p);
  scoped_document skipped = {.v = p->v};
  document_skipped(&skipped);
  page_list(p, "<h3>Not measured</h3>", &skipped);
}
