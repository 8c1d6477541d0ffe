/* The beginning and the end of commands that measure. */
#include "cli/measure.h"

#include <stdio.h>

#include "base/say.h"
#include "cli/loading.h"
#include "cli/output.h"
#include "cli/revision.h"

int measure_begin(const char *database, const char *verb, const char *kept, db **d, int64_t *run, error *e) {
  return db_open(d, database, DB_WRITE, e) != 0 || db_begin_run(*d, verb, CLTC_VERSION, run, e) != 0 ||
                 (kept != NULL && db_set_settings(*d, *run, kept, e) != 0) || revision_keep(*d, *run, e) != 0
             ? -1
             : 0;
}

/* --- reports ------------------------------------------------------------------------------------------------------ */

/* Whether a format that was asked for goes to standard error, in the place of the text. */
static bool goes_to_stderr(const report_settings *s) {
  bool any = false;
  for (size_t i = 0; i < s->format_count; i++) {
    any = any || s->formats[i].file == NULL;
  }
  return any;
}

static int write_reports(const report_settings *s, const view *v, int code, const measure_words *said, void *context,
                         error *e) {
  if (said->has_text(context, v) && !s->quiet && !goes_to_stderr(s)) {
    const int result = said->text == NULL ? write_text(v, s, code, stderr, e) : said->text(context, v, code, e);
    if (result != 0) {
      return result;
    }
  }
  return write_formats(v, s, code, stderr, e);
}

int measure_report(const report_settings *s, db *d, int64_t run, const measure_words *said, void *context) {
  view v;
  error e;
  if (load_view(d, &run, 1, s, &v, &e) != 0) {
    return say_error(&e);
  }
  const int code = said->judge(context, &v);
  const int result = write_reports(s, &v, code, said, context, &e);
  said->say(context, &v, code);
  view_free(&v);
  return result == 0 ? code : say_error(&e);
}

/* --- progress ----------------------------------------------------------------------------------------------------- */

void progress_show(progress_line *l, const char *text) {
  (void)fprintf(stderr, "\r%.79s\033[K", text);
  (void)fflush(stderr);
  l->shown = true;
}

void progress_wipe(progress_line *l) {
  if (l->shown) {
    (void)fputs("\r\033[K", stderr);
    l->shown = false;
  }
}

void progress_note(progress_line *l, const char *text) {
  progress_wipe(l);
  say(stderr, "cltestcheck: %s\n", text);
}
