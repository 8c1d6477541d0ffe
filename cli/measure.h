/* What coverage, races, mutate, amplify and verify share: a run in the database, a line of progress while it goes on, and
 * reports at its end. */
#ifndef CLTC_CLI_MEASURE_H
#define CLTC_CLI_MEASURE_H

#include "cli/settings.h"
#include "db/db.h"

/* Opens the database and begins a run of the command; `kept`: what later runs are to know of it, NULL: nothing. The
 * database is the caller's to close in every case. */
int measure_begin(const char *database, const char *verb, const char *kept, db **d, int64_t *run, error *e);

/* What a command says of its run, in this order. */
typedef struct measure_words {
  int (*judge)(void *context, const view *v);                    /* the exit code */
  bool (*has_text)(void *context, const view *v);                /* whether there is something for a text report, */
  int (*text)(void *context, const view *v, int code, error *e); /* which goes to standard error (NULL), or here */
  void (*say)(void *context, const view *v, int code);           /* sentences after all reports */
} measure_words;

/* Writes the reports of the run and gives the exit code. What fails is said. */
int measure_report(const report_settings *s, db *d, int64_t run, const measure_words *said, void *context);

/* A line of progress on the terminal; others say something only once it is wiped. */
typedef struct progress_line {
  bool shown;
} progress_line;
void progress_show(progress_line *l, const char *text);
void progress_wipe(progress_line *l);
/* Wipes it, and says something that a person should know. */
void progress_note(progress_line *l, const char *text);

#endif
