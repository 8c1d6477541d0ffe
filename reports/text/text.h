/* The parts of the text report and what they share. */
#ifndef CLTC_REPORTS_TEXT_TEXT_H
#define CLTC_REPORTS_TEXT_TEXT_H

#include "reports/common/document.h"

/* A text report being written. */
typedef struct text {
  const view *v;
  const report_options *options;
  size_t width;
  bool *reported; /* functions: report_functions */
  issues issues;
  buffer out;
} text;

typedef enum text_style { STYLE_BOLD, STYLE_GREEN, STYLE_YELLOW, STYLE_RED, STYLE_DIM } text_style;

/* Appends text in a style, plain when colours are off. */
void text_styled(text *t, text_style style, const char *s);
void text_heading(text *t, const char *s);
/* The same after an empty line. */
void text_section(text *t, const char *s);
/* Appends `s` broken between words, each line after `indent` spaces; the first continues at column `column`. */
void text_wrapped(text *t, size_t column, size_t indent, const char *s);

/* From the first column on. */
void text_sentence(text *t, size_t indent, const char *format, ...) __attribute__((format(printf, 3, 4)));

/* Columns of a table: spaces; text at the left, cut to `columns` and padded; at the right; a percentage at the right,
 * to one decimal, in colour: 100.0 % means all, 0.0 % none; a line across. */
void text_pad(text *t, size_t count);
void text_left(text *t, size_t columns, const char *s);
void text_right(text *t, size_t columns, const char *s);
void text_percentage(text *t, size_t columns, const ratio *r);
void text_rule(text *t);
/* A kernel's name, with its place where another kernel has the same. */
void text_kernel_label(const text *t, const view_kernel *k, buffer *to);

/* What of a function was missed. */
typedef struct text_missed {
  size_t lines, outcomes;
} text_missed;
/* Are the outcomes of the site shown where missed? Conditions are not: what decides by them says the same. */
bool text_counts_missed(const model_site *s);
/* By function of the view; free() it. What belongs to no function is not in it. */
text_missed *text_count_missed(const text *t);

/* One line on a terminal, `length` bytes from `s`, cleaned: appended to `to`. */
void text_name(buffer *to, const char *s);

/* --show-missed: excerpts of what was missed, by file and function (text_missed.c). */
void text_write_missed(text *t);
/* Lists (text.c): an item after two spaces, continued after four; how many of `count` to show, `most`
 * unless --show-missed; that there are `count` others, if there are. */
#define TEXT_SHOWN 20 /* of a long list */
void text_item(text *t, const char *s);
size_t text_shown(const text *t, size_t count, size_t most);
void text_rest(text *t, size_t count);
/* As text_wrapped; words that are wider than a line are cut. */
void text_fitted(text *t, size_t column, size_t indent, const char *s);
/* "src/conv.cl:12". */
void text_place(const text *t, uint32_t file, uint32_t line, buffer *to);

/* A document after `indent` spaces; as a list below a heading (NULL: none) `most` of its items, unless --show-missed. */
void text_document(text *t, const document *d, size_t indent);
void text_list(text *t, const char *heading, const document *d, size_t most);
/* Outputs that differ from run to run of the program as it is: without any "mutant" (text.c). */
void text_write_unstable(text *t, const char *without);
/* Scores, survivors, what the test cases are worth (text_missed.c). */
void text_write_mutation(text *t);
/* Schedules, what they found and proved (text_amplification.c). */
void text_write_amplification(text *t);
/* Verdicts of proofs and what these rest on; a finding of a proof. */
void text_write_verification(text *t);
/* Patches, and what became of what was wrong. */
void text_write_repairs(text *t);
/* Findings that are not suppressed; gives whether there were any (text_findings.c). */
bool text_write_findings(text *t);
/* They stand before tables where a report is about all that may be wrong. */
bool text_findings_first(const view *v);
/* Results that rest on what was never computed: the first lines. */
void text_write_unnoticed(text *t);
/* The source line under a place, and a mark under bytes [column, end) (from 1) of it (text.c). `gutter` stands
 * after the line number. No mark when `end` is 0. Nothing when there is no such line. */
void text_excerpt(text *t, const model_file *file, uint32_t line, char gutter, uint32_t column, uint32_t end);
/* The same for a line of `length` bytes that no file has; a `column` without an `end` only brings that part of a long
 * line into view. */
void text_excerpt_of(text *t, const char *source, size_t length, uint32_t line, char gutter, uint32_t column,
                     uint32_t end);

/* A line as shown, tabs as spaces: each column is one character of `shown`; `columns[i]` is the column of byte i. */
typedef struct text_layout {
  buffer shown;
  size_t *columns; /* length + 1 of them */
  size_t width;
} text_layout;
void text_lay_out(text_layout *l, const char *line, size_t length);
void text_layout_free(text_layout *l);

/* Races, deadlocks and crashes with their explanations, then those that are meant (text_findings.c). */
void text_write_failing(text *t, const amplification *a);

#endif
