/* What the files of a merge share: merge.c copies runs and what happened in them, merge_program.c the programs and
 * mutants that they refer to, merge_schedule.c what schedule amplification found. A run that both databases have is
 * brought up to date: what one of them knows more of a mutant, a test case or a schedule stays or comes, whichever is
 * merged first. */
#ifndef CLTC_DB_MERGE_H
#define CLTC_DB_MERGE_H

#include "db/internal.h"

/* Row ids that follow each other in one database, and the first of those that they are in the other. */
typedef struct range {
  int64_t from, to, count;
} range;
/* Sorted by `from` before ids are looked up. */
typedef struct ranges {
  range *items;
  size_t count, capacity;
} ranges;

/* A merge under way. */
typedef struct merging {
  db *d, *from;
  int64_t run; /* being copied: id in `from` */
  int64_t new_run;
  bool known;                                        /* `d` has had this run before */
  bool newer;                                        /* `from` knows more of it, or alone knows it */
  size_t newer_words;                                /* mutants of which `from` knows more, in a known run */
  ranges programs, files, functions, sites, kernels; /* of the run */
  ranges mutants;                                    /* of the run, with the originals of its duplicates */
  ranges taken;                                      /* of these: `d` knows no more of them than `from` does */
  ranges schedules;                                  /* of its launches */
  ranges proofs;
} merging;

void merge_add_range(ranges *r, int64_t from, int64_t to, int64_t count);
void merge_sort_ranges(ranges *r);
/* 0 for what is not there. */
int64_t merge_translate(const ranges *r, int64_t from);

/* How rows of `from` become rows of `d`, whose first parameter is what they belong to: a letter for each column, the last
 * one for all that follow.
 *   =  as it is        -  left out       K S P M  a kernel, site, program or mutant (of those taken)
 *   k s i n  a kernel, schedule, file or function, NULL where it is not known
 *   F f  a file by its SHA-256, f NULL where it is not there
 * A row stays behind where what a capital stands for is not there. */
typedef struct merge_copy {
  sql rows, insert;
  const char *columns;
} merge_copy;
int merge_copy_row(merging *m, const merge_copy *c, int64_t owner, sqlite3_stmt *row, error *e);
int merge_copies(merging *m, const merge_copy *c, int64_t key, int64_t owner, error *e);

/* Copies a row; `owner` is what it belongs to in `d`. */
typedef int (*merge_row)(merging *m, int64_t owner, sqlite3_stmt *row, error *e);
/* Copies what a statement of `from` gives for the row `key`. */
int merge_rows(merging *m, sql which, int64_t key, int64_t owner, merge_row row, error *e);

/* The programs of the run; a program that `d` has already is only looked up. */
int merge_programs(merging *m, error *e);
/* The mutants that are part of the run, not those that its programs have beside: other shards bring these. */
int merge_mutants(merging *m, error *e);

/* A row of SQL_FINDINGS, and one of SQL_RUN_FINDINGS, each with its places, witness and path. */
int merge_finding(merging *m, int64_t test_case, sqlite3_stmt *row, error *e);
int merge_run_finding(merging *m, int64_t run, sqlite3_stmt *row, error *e);

/* A row of SQL_PROOFS with its parts; findings refer to it and come later. Of a proof that both have, that of the
 * database that knows more of the run counts. */
int merge_proof(merging *m, int64_t run, sqlite3_stmt *row, error *e);

/* A row of SQL_NTH_LAUNCHES, with its schedules and what these reached. */
int merge_nth_launch(merging *m, int64_t test_case, sqlite3_stmt *row, error *e);
/* The explanations of the run, once all its schedules are there: they refer to each other's schedules. */
int merge_explanations(merging *m, error *e);

#endif
