/* What the files of a merge share: merge.c copies runs, merge_schedule.c what schedule amplification found in them. */
#ifndef CLTC_DB_MERGE_H
#define CLTC_DB_MERGE_H

#include "db/internal.h"

/* One database's row ids to the other's; sorted by `from` before they are looked up. */
typedef struct pair {
  int64_t from, to;
} pair;
typedef struct pairs {
  pair *items;
  size_t count, capacity;
} pairs;

/* A merge under way. */
typedef struct merging {
  db *d, *from;
  int64_t run; /* being copied: id in `from` */
  int64_t new_run;
  pairs kernels, sites, mutants; /* of its programs */
  pairs schedules;               /* of its launches */
} merging;

void merge_add_pair(pairs *p, int64_t from, int64_t to);
void merge_sort_pairs(pairs *p);
/* 0 for what is not there. */
int64_t merge_translate(const pairs *p, int64_t from);

/* Copies a row; `owner` is what it belongs to in `d`. */
typedef int (*merge_row)(merging *m, int64_t owner, sqlite3_stmt *row, error *e);
/* Copies what a statement of `from` gives for the row `key`. */
int merge_rows(merging *m, sql which, int64_t key, int64_t owner, merge_row row, error *e);

/* A row of SQL_NTH_LAUNCHES, with its schedules and what these reached. */
int merge_nth_launch(merging *m, int64_t test_case, sqlite3_stmt *row, error *e);
/* The explanations of the run, once all its schedules are there: they refer to each other's schedules. */
int merge_explanations(merging *m, error *e);

#endif
