/* Models built by hand for the tests of db/ and reports/: places are named by the text that stands there. */
#ifndef CLTC_TESTS_REPORT_FIXTURE_H
#define CLTC_TESTS_REPORT_FIXTURE_H

#include "base/model.h"
#include "db/db.h"

/* Adds a file; its "SHA-256" is made up from the text. */
uint32_t fixture_file(model *m, const char *name, const char *text);
/* A function from the line of `first` to that of `last` (each the first occurrence in the file), with its
 * SITE_FUNCTION, and a model_kernel if it is one. */
uint32_t fixture_function(model *m, uint32_t file, const char *name, const char *first, const char *last, bool kernel);
/* A site where `needle` stands, with the outcomes of its kind (for a switch, none yet). */
uint32_t fixture_site(model *m, uint32_t file, uint32_t function, site_kind kind, const char *needle);
/* Adds an outcome to a switch. */
void fixture_case(model *m, uint32_t site, uint32_t index, const char *label, uint32_t line);
/* The line of `needle` has code and is executed when site takes outcome. */
void fixture_line(model *m, uint32_t file, uint32_t function, const char *needle, uint32_t site, uint32_t outcome);
/* Kernel (by index) reaches a function. */
void fixture_reaches(model *m, uint32_t kernel, uint32_t function);
uint32_t fixture_line_of(const model *m, uint32_t file, const char *needle);

/* Sites of the programs below, by their indices. */
enum {
  CONV_KERNEL, /* function conv2d */
  CONV_IF,     /* if (x < n && y < n) */
  CONV_FOR,
  CONV_CONDITIONAL, /* sum > 0 ? sum : 0 */
  CONV_ROWS,        /* function reduce_rows */
  CONV_SWITCH,
  CONV_WHILE,
  CONV_BARRIER,
  CONV_HELPER, /* function clamp_index of common.h */
  CONV_HELPER_IF,
  CONV_HELPER_CONDITIONAL,
  CONV_SITES
};
enum {
  SCAN_KERNEL,
  SCAN_BARRIER,
  SCAN_HELPER, /* function clamp_index of common.h again */
  SCAN_HELPER_IF,
  SCAN_HELPER_CONDITIONAL,
  SCAN_SITES
};
extern const char *const fixture_conv_text;
extern const char *const fixture_common_text;
extern const char *const fixture_scan_text;

/* Kernels conv2d and reduce_rows; conv2d uses common.h. The switch has cases 0, 1, default. */
void fixture_conv(model *m);
/* Kernel scan, which uses common.h, too. */
void fixture_scan(model *m);

/* Stores evidence of `kernel` for `count` pairs of site and outcome. Fails the test on an error. */
void fixture_evidence(db *d, int64_t test_case, const db_program *p, size_t kernel, uint64_t launches,
                      const model_term *terms, size_t count);
/* A database with one run of two test cases: "small" launches conv2d twice (the true side of everything but for the
 * helper's if), "large" launches conv2d again and scan, whose barrier diverges. reduce_rows is never launched. One
 * program was skipped. Returns the run. */
int64_t fixture_run(db *d);

/* A path in a fresh temporary directory; fixture_forget removes the directory with all that is in it. */
char *fixture_path(const char *name);
void fixture_forget(char *path);

#endif
