/* Parts of a view as they are put together: test cases and order (view.c), models laid over each other and evidence
 * (view_build.c), proofs and findings (view_finding.c), mutants and schedules (view_experiments.c), homes (view_home.c). */
#ifndef CLTC_DB_VIEW_BUILD_H
#define CLTC_DB_VIEW_BUILD_H

#include <stddef.h>
#include <stdint.h>

#include "base/model.h"
#include "db/db.h"
#include "db/internal.h"

/* How often something was covered: by how many test cases, told apart by the last one that did (they come in order). */
typedef struct counter {
  uint32_t tests;
  uint32_t last;  /* number of that test case, from 1 */
  uint32_t first; /* index of the first one */
  uint64_t cases; /* of the first 64 a bit each: whether it did */
  bool listed;    /* for a kernel: one of its programs has this outcome */
} counter;

/* A line's: with which test cases these were, a set of the view plus 1; 0: none. */
typedef struct line_counter {
  counter count;
  uint32_t set;
} line_counter;

/* A program, and where its parts went in the view. */
typedef struct build_program {
  model m; /* moved to its homes: files after the first `own_files` are homes of those before */
  size_t own_files;
  struct home_index *homes; /* of each own file */
  uint32_t *first_home;     /* of each own file: its first home among the files of the model */
  db_program ids;
  uint32_t *files, *functions, *sites, *lines, *kernels; /* index in the model to index in the view */
  uint32_t *first;      /* of each site, and one more: its outcomes' place in the two arrays below */
  uint32_t *positions;  /* place among the outcomes of the site in the view */
  uint32_t *first_line; /* of each outcome, and one more: place in `lines_of` */
  uint32_t *lines_of;   /* lines (of the model) that the outcome executes */
} build_program;

/* A kernel of the view: what its functions hold, as indices in the view, and how its own launches covered that. */
typedef struct build_kernel {
  uint32_t *functions, *sites, *lines;
  size_t function_count, function_capacity, site_count, site_capacity, line_count, line_capacity;
  size_t *first; /* of each site: its outcomes' place in `outcomes` */
  counter *outcomes, *line_counters;
  counter launched;
  int64_t execution;                /* whose launches are being counted */
  uint32_t test_case;               /* and its test case, as build has it */
  uint64_t launches, most_launches; /* of that execution; the most of an execution of that test case */
} build_kernel;

/* A kernel of a program: where its program's sites and lines are in the kernel of the view; MODEL_NONE: not reached. */
typedef struct build_launcher {
  int64_t id;
  size_t program;
  uint32_t kernel;
  uint32_t *sites, *lines;
} build_launcher;

/* A test case of a run, and what it is in the view. `run` is the place of its run among those of the view: the higher,
 * the newer. */
typedef struct build_test_case {
  int64_t id;
  size_t run;
  uint32_t index;
} build_test_case;

/* A finding of the view: its row, and what tells its places from others'. */
typedef struct build_finding {
  int64_t id;
  char *places;
  bool meant; /* the schedule that shows it is of a kernel that says that its order dependence is meant */
} build_finding;

/* A proof of the view, and its row. */
typedef struct build_proof {
  int64_t id;
  db_proof item;
} build_proof;
/* Where a place of an own file of a program is in the view. The parts that are written nowhere known stay. */
typedef struct build_place {
  uint32_t file, line, column, offset, end_line, end_column, end_offset; /* `file` of the view */
} build_place;
void build_place_mutant(const build_program *p, build_place *place);
/* Moves a program's functions, sites and lines to where its files are written; before it is laid over the view. */
void build_move_home(build_program *p);
void build_free_homes(build_program *p);
void view_free_proofs(view *v);
void view_free_repairs(view *v);
void view_free_finding(db_finding *f);
/* The site (of the model) of a row id; MODEL_NONE: it is another program's. */
uint32_t build_find_site(const build_program *p, int64_t id);
/* The place of an outcome among those of its site, MODEL_NONE when the site does not list it. */
uint32_t build_find_outcome(const model_site *s, uint32_t number);
/* Launches, by the new places of sites and kernels; outcomes have theirs already. */
void view_sort_launches(view *v, const uint32_t *sites, const uint32_t *kernels);
void view_free_launches(view *v);
/* Brings items into the order of `compare`, of equal ones that first which was first, and gives where each went; to be
 * freed. */
uint32_t *view_reorder(void *items, size_t count, size_t size, int (*compare)(const void *, const void *));

typedef struct index_key {
  uint32_t part[4];
} index_key;
typedef struct index_entry {
  index_key key;
  uint32_t value; /* plus 1; 0: free */
} index_entry;

/* `{0}` is empty. */
typedef struct index_map {
  index_entry *entries;
  size_t count, capacity;
} index_map;

typedef struct build {
  db *d;
  view *v;
  build_test_case *test_cases; /* in order of `index` */
  size_t test_case_count, test_case_capacity;
  char *run_list, *test_list; /* as JSON (statements.h) */
  build_program *programs;
  size_t program_count;
  build_kernel *kernels;
  size_t kernel_capacity;
  build_launcher *launchers; /* by ascending id */
  size_t launcher_count, launcher_capacity;
  size_t file_capacity, function_capacity, site_capacity, line_capacity, finding_capacity, skipped_capacity,
      refused_capacity, repair_capacity;
  build_proof *proofs; /* in the order of the view's */
  size_t proof_count, proof_capacity;
  build_finding *findings; /* in the order of the view's */
  size_t kept_capacity;
  index_map functions, sites, lines, kernel_of, kernel_parts;
  size_t *first; /* of each site of the view: its outcomes' place in `outcomes` */
  counter *outcomes;
  line_counter *line_counters;
  index_map sets; /* from a set and a test case to the set with it */
  size_t set_capacity;
  uint32_t test_case; /* number of the test case being counted, from 1 */
} build;

/* Lays the next program over the view; b->programs[i].m and ids are filled in. */
void build_add_program(build *b, size_t i);
/* Gives every row of a statement, for each of some keys, to `add`. */
int build_read_rows(build *b, sql which, const id_list *keys, void (*add)(build *, sqlite3_stmt *), error *e);
/* The same of a statement of the view's runs, as JSON. */
int build_read_list(build *b, sql which, void (*add)(build *, sqlite3_stmt *), error *e);
/* A row of SQL_VIEW_REPAIRS. */
void build_add_repair(build *b, sqlite3_stmt *row);
/* The file of the view with this SHA-256, MODEL_NONE: it has none. */
uint32_t build_file_of(const build *b, const char *sha256);
/* The proofs of some runs; after the last program. */
int build_proofs(build *b, const id_list *runs, error *e);
/* The findings of some test cases, and those of their runs alone; after the proofs. */
int build_findings(build *b, const id_list *test_cases, const id_list *runs, error *e);

/* Moves a line of the file with this SHA-256, of which `file` is the one in the view. */
void build_place_line(const build *b, const char *sha256, uint32_t *file, uint32_t *line);
/* The same for a line and column (in bytes). */
void build_place_point(const build *b, const char *sha256, uint32_t *file, uint32_t *line, uint32_t *column);
/* Files of which all is written elsewhere leave the view; after everything refers to what it is about. */
void build_drop_files(build *b);
/* Makes room for counting; after the last program. */
void build_start_counting(build *b);
/* Counts the evidence of a test case; they come in order. */
int build_count_test_case(build *b, const build_test_case *test_case, error *e);
/* The kernel of a row id; NULL: of none of the programs. */
build_launcher *build_find_launcher(const build *b, int64_t id);
/* Moves the counts into the view and fills in its kernels. */
void build_finish(build *b);
void build_free(build *b);

/* The mutants of the runs with their verdicts, and unstable outputs; after the last program. */
int build_mutants(build *b, error *e);

/* The launches of some runs with their schedules; after build_finish. */
int build_launches(build *b, error *e);

/* The value of a key; when it has none yet, `value` becomes it. */
uint32_t index_find_or_add(index_map *map, index_key key, uint32_t value);
void index_free(index_map *map);

#endif