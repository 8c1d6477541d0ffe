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

/* Mutants of conv, in the order of the table in report_fixture.c: their ids are 1001 + these. */
enum {
  MUTANT_PLUS,      /* killed by small, large and tiny */
  MUTANT_TIMES,     /* killed by large alone, by a crash */
  MUTANT_FOR,       /* survived all three test cases */
  MUTANT_X,         /* undecided: differs in 7 of 20 runs of small */
  MUTANT_AND,       /* killed by small alone, by a timeout */
  MUTANT_ZERO,      /* equivalent */
  MUTANT_CLAMP,     /* of common.h: survived small, the only test case that runs it */
  MUTANT_LAST,      /* of common.h: no test case runs it */
  MUTANT_HALF,      /* of reduce_rows: no test case runs it */
  MUTANT_BARRIER,   /* of reduce_rows: no test case runs it */
  MUTANT_WHILE,     /* of reduce_rows: pending */
  MUTANT_SUM,       /* a duplicate of MUTANT_PLUS */
  MUTANT_MODULO,    /* invalid */
  MUTANT_GLOBAL_ID, /* suppressed */
  MUTANT_SKIP,      /* the loop skipped: killed by small and large */
  FIXTURE_MUTANTS
};
/* A run of `mutate` with test cases small, large and tiny, whose part are the mutants i with i % shards == shard. */
int64_t fixture_mutation(db *d, unsigned shard, unsigned shards);
/* The mutants of conv as the engine would hand them over; they refer to `m`. Release the list alone. */
db_mutant *fixture_mutants(const model *m);

/* A path in a fresh temporary directory; fixture_forget removes the directory with all that is in it. */
char *fixture_path(const char *name);
void fixture_forget(char *path);

#endif
