/* What a run that measures says, and what speaks against it. */
#include <string.h>

#include "runner/experiment/run_words.h"
#include "runner/measure/look.h"

static bool was_executed(const view *v, uint32_t file, uint32_t line) {
  for (size_t i = 0; i < v->line_count; i++) {
    if (v->lines[i].file == file && v->lines[i].line == line) {
      return v->lines[i].tests > 0;
    }
  }
  return true; /* a line without code of its own */
}

/* The line of an access that the run that counts did not come to; 0: none. */
static uint32_t unexecuted_line(const view *v, const db_finding *f) {
  for (size_t i = 0; i < f->place_count; i++) {
    if (!was_executed(v, f->places[i].file, f->places[i].line)) {
      return f->places[i].line;
    }
  }
  return 0;
}

/* Races that count in lines that coverage says were never executed. */
static size_t count_contradicted(const measuring *m, const view *v) {
  size_t count = 0;
  for (size_t i = 0; i < v->finding_count; i++) {
    const db_finding *f = &v->findings[i];
    const bool race = strcmp(f->rule, "data-race") == 0 && finding_counts(f, &m->options->common.kernels);
    const uint32_t line = race ? unexecuted_line(v, f) : 0;
    if (line == 0) {
      continue;
    }
    count++;
    measuring_note(m,
                   "the race of kernel %s in line %u is not certain: no work-item came to that line while coverage was "
                   "measured; the program did something else in the run that checks accesses, or the device's compiler "
                   "made something else of the checked kernel",
                   f->kernel, line);
  }
  return count;
}

bool measure_has_seen(const measure_options *o, const measure_outcome *out, const view *v) {
  return out->common.programs > 0 && out->observed && !leaves_no_kernel(v, &o->common.kernels);
}

static bool has_aside(const view *v) {
  return has_finding(v, "api-error") || has_finding(v, "leak") || has_finding(v, "used-before-read") ||
         has_finding(v, "host-race");
}

int measure_judge_seen(const measure_options *o, const measure_outcome *out, const view *v,
                       const experiment_listener *l) {
  const measuring m = {.options = o, .listener = l};
  const size_t found = count_findings(v, &o->common.kernels);
  const size_t doubtful = o->look == NULL || found == 0 || out->cut_short ? 0 : count_contradicted(&m, v);
  return found > doubtful || (o->form == FORM_BOUNDS && has_aside(v)) ? EXIT_FOUND
         : doubtful > 0                                               ? EXIT_BASELINE
                                                                      : EXIT_FINE;
}

/* What was found comes first: it may be why the program failed. */
int measure_judge(const measure_options *o, const measure_outcome *out, const view *v, const experiment_listener *l) {
  const int seen = measure_judge_seen(o, out, v, l);
  if (seen == EXIT_FOUND) {
    return seen;
  }
  if (out->common.interrupted) {
    return 130;
  }
  if (out->failed || out->crashed) {
    return EXIT_BASELINE;
  }
  return measure_has_seen(o, out, v) && !out->unchecked ? seen : EXIT_NOTHING;
}
