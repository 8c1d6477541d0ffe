/* Does a program that was read fit its files? Reports count on it: they show the lines of sites, and look outcomes up
 * by their number. A database that something else has written into may say anything. */
#include "db/internal.h"

/* Outcomes of these are known by number; ways through a decision and cases of a switch are not. */
static uint32_t most_outcome(site_kind kind) {
  switch (kind) {
    case SITE_FOR:
    case SITE_WHILE:
    case SITE_DO:
      return OUTCOME_BOUNDARY;
    case SITE_SWITCH:
    case SITE_DECISION:
      return MODEL_NONE - 1;
    default:
      return 1;
  }
}

static bool fits_file(const model_file *f, uint32_t line, uint32_t end_line) {
  return line <= f->length + 1 && end_line <= f->length + 1;
}

static bool fits_site(const model *m, const model_site *s) {
  const model_file *f = &m->files[s->file];
  bool fits = fits_file(f, s->line, s->end_line) && s->line > 0 && s->offset <= f->length && s->column > 0 &&
              s->column <= f->length + 1;
  for (size_t i = 0; fits && i < s->outcome_count; i++) {
    fits = s->outcomes[i].index <= most_outcome(s->kind) && s->outcomes[i].line <= f->length + 1;
  }
  return fits;
}

bool db_program_fits(const model *m) {
  bool fits = true;
  for (size_t i = 0; fits && i < m->function_count; i++) {
    const model_function *f = &m->functions[i];
    fits = fits_file(&m->files[f->file], f->line, f->end_line) && f->line <= f->end_line;
  }
  for (size_t i = 0; fits && i < m->site_count; i++) {
    fits = fits_site(m, &m->sites[i]);
  }
  for (size_t i = 0; fits && i < m->line_count; i++) {
    fits = fits_file(&m->files[m->lines[i].file], m->lines[i].line, 0);
  }
  return fits;
}
