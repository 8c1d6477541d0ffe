/* The HTML report: one page, its parts a file each. What all of them need is found out once, here. */
#ifndef CLTC_REPORTS_HTML_PAGE_H
#define CLTC_REPORTS_HTML_PAGE_H

#include <stdio.h>

#include "reports/amplification.h"
#include "reports/mutation.h"
#include "reports/writers.h"

typedef struct page {
  const view *v;
  const report_options *options;
  FILE *out;
  bool *reported;                   /* functions: report_functions */
  bool everything;                  /* no kernel is left out */
  bool covered, mutated, amplified; /* what there is to show */
  coverage total;
  coverage *files; /* of each file */
  bool *shown;     /* files: in the report */
  mutation mutation;
  amplification amplification;
  size_t folder; /* bytes of the folder that the names of all shown files begin with, its slash included */
  size_t shown_files, findings; /* number of them; findings that no suppression holds back */
} page;

/* --- text (escape.c). Whatever a user's source, name or message holds, it comes out as text. --- */

/* Bytes as text of an element or of an attribute in double quotes. U+FFFD stands for what is not UTF-8 and for
 * characters that turn the direction of text, a picture (U+2400 …) for control characters, a space for line ends. */
void page_text_of(FILE *out, const char *text, size_t length);
void page_text(FILE *out, const char *text);
/* "src/conv.cl:12", a link to the line where the page has it. `file` MODEL_NONE: nothing. */
void page_place(const page *p, uint32_t file, uint32_t line);
/* A file's name below the folder that all have in common. */
const char *page_file_name(const page *p, uint32_t file);
/* "97.5 %", "n/a". */
void page_percent(FILE *out, const ratio *r);
/* A table cell with bar and percentage. */
void page_ratio_cell(FILE *out, const ratio *r);
/* "s" or "". */
const char *page_plural(size_t count);
/* The test case's name. */
void page_test_name(const page *p, uint32_t test_case);
/* The source line of a place as a figure; nothing when there is none. */
void page_excerpt(const page *p, uint32_t file, uint32_t line);
/* Opens a table that scrolls on its own where it has no room; `caption` is its name. Closed by PAGE_TABLE_END. */
void page_table(FILE *out, const char *caption);
/* The same below a heading that says as much: the name is for screen readers. */
void page_table_of_heading(FILE *out, const char *caption);
#define PAGE_TABLE_END "</table></div>\n"

/* --- parts, in the order of the page --- */

void page_overview(const page *p);  /* overview.c: totals, mutants by status and operator, schedules by verdict */
void page_trend(const page *p);     /* trend.c */
void page_findings(const page *p);  /* findings.c: with the accesses of races */
void page_kernels(const page *p);   /* kernels.c */
void page_sources(const page *p);   /* sources.c: the filter, files, their lines */
void page_schedules(const page *p); /* schedules.c: pictures */
void page_tests(const page *p);     /* tests.c: test cases; what was not measured */
void page_legend(const page *p);    /* legend.c */

/* What page_findings lists, without what is suppressed. */
size_t page_count_findings(const page *p);

/* --- mutants (mutants.c) --- */

/* Class and words of a status. */
typedef struct page_status {
  char letter;
  const char *word, *meaning;
} page_status;
extern const page_status page_statuses[MUTANT_STATUSES];
/* Statuses in the order in which they are shown, MUTANT_STATUSES of them. */
extern const mutant_status page_status_order[MUTANT_STATUSES];
/* A mutant at its line: a word or two that open. */
void page_mutant(const page *p, size_t index);
/* The form that filters mutants. */
void page_filter(const page *p);

/* --- marks (marks.c): what a site shows in the source --- */

typedef struct page_mark {
  size_t offset; /* in the file: in front of this byte */
  const view_site *site;
  size_t from, to; /* of its outcomes */
} page_mark;
/* The marks of a file in order of offset; free() them. `starts` are the offsets of its lines. */
page_mark *page_marks(const page *p, uint32_t file, const size_t *starts, size_t line_count, size_t *count);
bool page_mark_misses(const page_mark *m);
void page_put_mark(FILE *out, const page_mark *m);

#endif
