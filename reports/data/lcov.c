/* The lcov tracefile (geninfo(1)). Counts are numbers of test cases. */
#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "base/memory.h"
#include "base/utf8.h"
#include "reports/common/coverage.h"
#include "reports/common/place.h"
#include "reports/common/report.h"

/* --- one file's section ------------------------------------------------------------------------------------- */

typedef struct section {
  const view *v;
  uint32_t file;
  const bool *reported;
  bool everything;
  FILE *out;
  line_table table;
} section;

/* A function's name; with its line where another of the file has the same. Names must differ within a file. */
static char *function_name(const section *s, size_t function) {
  const view *v = s->v;
  const model_function *f = &v->functions[function];
  scoped_buffer name = {0};
  utf8_line(&name, f->name, strlen(f->name));
  for (size_t i = 0; i < v->function_count; i++) {
    if (i != function && v->functions[i].file == f->file && strcmp(v->functions[i].name, f->name) == 0) {
      buffer_printf(&name, "@%u", f->line);
      break;
    }
  }
  return buffer_take(&name);
}

static uint32_t tests_of(const view *v, const model_function *f) {
  return f->site == MODEL_NONE ? 0 : most_tests(&v->sites[f->site]);
}

/* As readers want it: genhtml 2 refuses a function that begins on a line without a DA record (the first of a head that
 * goes on). A function that a macro makes has its code on the line where the macro is used, maybe beside others. */
static uint32_t first_line(const section *s, size_t function) {
  const model_function *f = &s->v->functions[function];
  const uint32_t last = f->end_line >= f->line ? f->end_line : 0;
  uint32_t elsewhere = 0;
  for (size_t i = 0; i < s->table.count; i++) {
    const table_line *l = &s->table.lines[i];
    if (l->function == function && l->line >= f->line && (last == 0 || l->line <= last)) return l->line;
    elsewhere = l->function == function && elsewhere == 0 ? l->line : elsewhere;
  }
  for (size_t i = 0; i < s->v->line_count && elsewhere == 0; i++) { /* on lines that the table has as others' */
    const view_line *l = &s->v->lines[i];
    elsewhere = l->function == function && l->file == s->file ? l->line : 0;
  }
  return elsewhere == 0 ? f->line : elsewhere;
}

/* Without the last line, which versions before 2 take for the name; later ones find it themselves. */
static void write_function_place(const section *s, size_t function, const char *name) {
  (void)fprintf(s->out, "FN:%u,%s\n", first_line(s, function), name);
}

static void write_functions(const section *s) {
  const view *v = s->v;
  unsigned found = 0, hit = 0;
  for (int pass = 0; pass < 2; pass++) {
    for (size_t i = 0; i < v->function_count; i++) {
      const model_function *f = &v->functions[i];
      if (f->file != s->file || f->line == 0 || !s->reported[i]) continue;
      uint32_t tests = tests_of(v, f);
      scoped char *name = function_name(s, i);
      if (pass == 0) {
        write_function_place(s, i, name);
        found++;
        hit += tests > 0 ? 1 : 0;
      } else {
        (void)fprintf(s->out, "FNDA:%u,%s\n", tests, name);
      }
    }
  }
  (void)fprintf(s->out, "FNF:%u\nFNH:%u\n", found, hit);
}

static void write_branches(const section *s) {
  const view *v = s->v;
  unsigned found = 0, hit = 0;
  for (size_t i = 0; i < v->site_count; i++) {
    const model_site *site = &v->sites[i];
    if (!line_table_branch(site, s->file, s->reported, s->everything)) continue;
    table_line *line = line_table_find(&s->table, site->line);
    for (size_t k = 0; k < site->outcome_count; k++) {
      (void)fprintf(s->out, "BRDA:%u,%u,%zu,", site->line, line->blocks, k);
      (void)(line->tests == 0 ? fputs("-\n", s->out) : fprintf(s->out, "%u\n", site->outcomes[k].tests));
      found++;
      hit += site->outcomes[k].tests > 0 ? 1 : 0;
    }
    line->blocks++;
  }
  (void)fprintf(s->out, "BRF:%u\nBRH:%u\n", found, hit);
}

static void write_condition(const section *s, const model_site *site, const mcdc *m, size_t number) {
  static const char senses[] = {'t', 'f'};
  const mcdc_condition *c = &m->conditions[number];
  for (size_t k = 0; k < sizeof senses; k++) {
    (void)fprintf(s->out, "MCDC:%u,%zu,%c,%u,%zu,", site->line, m->count, senses[k], c->shown ? c->pair[k]->tests : 0,
                  number);
    scoped_buffer text = {0};
    utf8_line(&text, c->text, strlen(c->text));
    (void)fprintf(s->out, "%s\n", text.length == 0 ? "?" : buffer_text(&text));
  }
}

/* A decision of the section. */
typedef struct lcov_decision {
  const model_site *site;
  mcdc conditions;
} lcov_decision;

static int compare_decisions(const void *a, const void *b) {
  const model_site *x = ((const lcov_decision *)a)->site;
  const model_site *y = ((const lcov_decision *)b)->site;
  int by_line = (x->line > y->line) - (x->line < y->line);
  return by_line != 0 ? by_line : (x->offset > y->offset) - (x->offset < y->offset);
}

static lcov_decision *list_decisions(const section *s, size_t *count) {
  lcov_decision *list = NULL;
  size_t capacity = 0;
  *count = 0;
  for (size_t i = 0; i < s->v->site_count; i++) {
    const model_site *site = &s->v->sites[i];
    if (site->kind == SITE_DECISION && site->file == s->file && !mcdc_too_large(site) &&
        report_has(s->reported, s->everything, site->function)) {
      lcov_decision *d = ARRAY_ADD(list, *count, capacity);
      d->site = site;
      mcdc_read(site, &d->conditions);
    }
  }
  if (*count > 1) qsort(list, *count, sizeof *list, compare_decisions);
  return list;
}

/* Readers know a decision by its line and the number of its conditions, and refuse another one: of several alike on a
 * line all but the first are left out. */
static bool is_alone(const lcov_decision *list, size_t i) {
  for (size_t k = i; k-- > 0 && list[k].site->line == list[i].site->line;)
    if (list[k].conditions.count == list[i].conditions.count) return false;
  return true;
}

static void write_decisions(const section *s) {
  size_t count = 0, found = 0, hit = 0;
  scoped lcov_decision *list = list_decisions(s, &count);
  for (size_t i = 0; i < count; i++) {
    const mcdc *m = &list[i].conditions;
    for (size_t k = 0; k < m->count && is_alone(list, i); k++) {
      write_condition(s, list[i].site, m, k);
      found += 2;
      hit += m->conditions[k].shown ? 2 : 0;
    }
  }
  if (found > 0) (void)fprintf(s->out, "MCF:%zu\nMCH:%zu\n", found, hit);
}

static void write_lines(const section *s) {
  unsigned hit = 0;
  for (size_t i = 0; i < s->table.count; i++) {
    (void)fprintf(s->out, "DA:%u,%u\n", s->table.lines[i].line, s->table.lines[i].tests);
    hit += s->table.lines[i].tests > 0 ? 1 : 0;
  }
  (void)fprintf(s->out, "LF:%zu\nLH:%u\n", s->table.count, hit);
}

/* `plain`: without MC/DC, for readers that take every record they do not know for a fault. */
static int write_tracefile(const view *v, const report_options *options, bool plain, FILE *out, error *e) {
  if (!report_covered(v)) {
    (void)fputs("# No coverage was measured.\n", out);
    return report_written(out, e);
  }
  bool *reported = report_functions(v, options);
  source_paths paths = source_paths_of(v, options);
  for (size_t i = 0; i < v->file_count; i++) {
    section s = {
        .v = v, .file = (uint32_t)i, .reported = reported, .everything = report_everything(options), .out = out};
    s.table = line_table_of(v, s.file, reported, s.everything);
    if (s.table.count > 0) {
      buffer path = {0}; /* a record is a line */
      utf8_line(&path, paths.names[i], strlen(paths.names[i]));
      (void)fprintf(out, "TN:cltestcheck\nSF:%s\n", buffer_text(&path));
      buffer_free(&path);
      write_functions(&s);
      write_branches(&s);
      if (!plain) write_decisions(&s);
      write_lines(&s);
      (void)fputs("end_of_record\n", out);
    }
    free(s.table.lines);
  }
  source_paths_free(&paths);
  free(reported);
  return report_written(out, e);
}

int lcov_write(const view *v, const report_options *options, FILE *out, error *e) {
  return write_tracefile(v, options, false, out, e);
}

int lcov1_write(const view *v, const report_options *options, FILE *out, error *e) {
  return write_tracefile(v, options, true, out, e);
}
