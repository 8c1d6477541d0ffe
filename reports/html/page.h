/* The HTML report: one page, its parts a file each. What all of them need is found out once, here. */
#ifndef CLTC_REPORTS_HTML_PAGE_H
#define CLTC_REPORTS_HTML_PAGE_H

#include "reports/common/document.h"

typedef struct page {
  const view *v;
  const report_options *options;
  report_out *out;
  bool *reported;                             /* functions: report_functions */
  bool everything;                            /* no kernel is left out */
  bool covered, mutated, amplified, verified; /* what there is to show */
  coverage total;
  coverage *files; /* of each file */
  bool *shown;     /* files: in the report */
  issues issues;
  size_t folder; /* bytes of the folder that the names of all shown files begin with, its slash included */
  size_t shown_files, findings; /* number of them; findings that no suppression holds back */
  uint32_t *order;              /* the shown files, worst first */
} page;

/* --- text (pieces.c). Whatever a user's source, name or message holds, it comes out as text. --- */

/* Bytes as text of an element or of an attribute in double quotes. U+FFFD stands for what is not UTF-8 and for
 * characters that turn the direction of text, a picture (U+2400 …) for control characters, a space for line ends. */
const char *page_text_of(report_out *to, const char *text, size_t length);
const char *page_text(report_out *to, const char *text);
/* "src/conv.cl:12", a link to the line where the page has it. `file` MODEL_NONE: nothing. */
const char *page_place(const page *p, uint32_t file, uint32_t line);
/* A file's name below the folder that all have in common. */
const char *page_file_name(const page *p, uint32_t file);
/* The test case's name. */
const char *page_test_name(const page *p, uint32_t test_case);
/* Nodes of a document from number `from` on: paragraphs and lists. */
void page_notes(const page *p, const document *d, size_t from);
/* A document as a list: a heading, or the beginning of a paragraph; nothing where it has no items. */
void page_list(const page *p, const char *before, const document *d);

/* --- tables (pieces.c). Where there is no room for columns a row is a card, whose cells say their column. --- */

/* Opens a table that scrolls on its own where it has no room; `caption` is its name. Closed by PAGE_TABLE_END. */
void page_table(report_out *out, const char *caption);
/* The same below a heading that says as much: the name is for screen readers. */
void page_table_of_heading(report_out *out, const char *caption);
#define PAGE_TABLE_END "</table></div>\n"
/* A cell with bar and percentage, in the colour of the metric's level. */
void page_ratio_cell(const page *p, const char *column, const char *metric, const ratio *r);

/* --- levels (pieces.c): how good a share is --- */

/* What is asked of a metric in percent: --fail-under, else what docs/formats/html.md says. */
double page_least(const page *p, const char *metric);
/* A class: "lo" below what is asked, "mid" to half of the way from there to 100 %, "hi" above it, "" for n/a. */
const char *page_level(const page *p, const char *metric, const ratio *r);
/* The bar of a share. */
const char *page_bar(report_out *to, const ratio *r);

/* --- order (kernels.c): what should be looked at first --- */

/* How bad something is: what has findings comes first, then by its lowest share, then by how much is missed. */
typedef struct page_badness {
  bool found;
  double lowest;
  const char *metric; /* whose share that is; NULL: nothing is missed */
  unsigned long missed;
} page_badness;
/* Shares that count: lines, branches, barriers, mutants. */
page_badness page_badness_of(const page *p, const coverage *c);
/* Fills in p->order. */
void page_order_files(page *p);

/* --- lines to paste (pieces.c) --- */

/* The command that runs a mutant again, and how to say that it may survive. */
void page_again(const page *p, const db_mutant *m);
void page_findings(const page *p);  /* findings.c: with the accesses of races */
void page_proofs(const page *p);    /* findings.c: verdicts and what they rest on */
void page_repairs(const page *p);   /* report.c: patches, and what became of what was wrong */
void page_kernels(const page *p);   /* kernels.c: worst first */
void page_sources(const page *p);   /* sources.c: the filter, the files worst first, their lines */
void page_schedules(const page *p); /* findings.c: pictures */
void page_tests(const page *p);     /* tests.c: test cases, which executed the same lines, what was not measured */
/* A word that leads to a finding. */
void page_finding_link(const page *p, size_t index);
/* The verdict on a kernel, "-" for none. */
void page_proof_badge(const page *p, uint32_t kernel);
/* Verdicts on the kernel of a line, and findings that have another place than their first on it. */
bool page_line_proved(const page *p, uint32_t file, uint32_t line);
void page_put_proofs(const page *p, uint32_t file, uint32_t line);
/* Whether a patch changes a line, and a word that leads to it. */
bool page_line_repaired(const page *p, uint32_t file, uint32_t line);
void page_put_repair(const page *p);
/* Search, theme and steps, which need the script (pieces.c). */
void page_tools(const page *p);

/* What page_findings lists, without what is suppressed. */
size_t page_count_findings(const page *p);

/* --- mutants (mutants.c) --- */

/* Class and words of a status. */
typedef struct page_status {
  char letter;
  const char *word, *meaning;
} page_status;
extern const page_status page_statuses[MUTANT_STATUSES];
extern const page_status page_unrevealed; /* killed, and the program itself does not notice */
unsigned long page_count_unrevealed(const page *p);
/* Statuses in the order in which they are shown, MUTANT_STATUSES of them. */
extern const mutant_status page_status_order[MUTANT_STATUSES];
/* A mutant at its line: a word or two that open. `column`: says the column, as another mutant of the line reads alike.
 */
void page_mutant(const page *p, size_t index, bool column);
/* 0: the two read alike, but for their columns. */
int page_compare_mutants(const db_mutant *a, const db_mutant *b);
/* The form that filters mutants (mutants.c). */
void page_filter(const page *p);
/* What page.css cannot know: a rule for each status and operator that hides its mutants. */
void page_filter_style(const page *p, buffer *style);
/* The classes of <body> that hide what is not shown at first, as an attribute. */
void page_filter_classes(const page *p);

#endif
