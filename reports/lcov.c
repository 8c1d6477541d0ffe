/* The lcov tracefile (geninfo(1)). Counts are numbers of test cases. */
#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "base/memory.h"
#include "reports/source_files.h"
#include "reports/writers.h"

/* --- one file's section ------------------------------------------------------------------------------------- */

/* A line of the section: how many test cases executed it, and blocks of branches on it so far. */
typedef struct lcov_line {
  uint32_t line, tests, blocks;
} lcov_line;

typedef struct section {
  const view *v;
  uint32_t file;
  const bool *reported;
  bool everything;
  FILE *out;
  lcov_line *lines;
  size_t line_count, line_capacity;
} section;

static bool is_branch(const section *s, const view_site *site) {
  return site->file == s->file &&
         (site->kind == SITE_IF || site->kind == SITE_CONDITIONAL || site->kind == SITE_SWITCH) &&
         report_has(s->reported, s->everything, site->function);
}

static uint32_t most_tests(const view_site *site) {
  uint32_t most = 0;
  for (size_t i = 0; i < site->outcome_count; i++) {
    most = site->outcomes[i].tests > most ? site->outcomes[i].tests : most;
  }
  return most;
}

static int compare_lines(const void *a, const void *b) {
  const lcov_line *x = a;
  const lcov_line *y = b;
  return (x->line > y->line) - (x->line < y->line);
}

/* Lines with code, and those that only branches are on (in the body of a macro). A line counts for no less than its
 * branches: readers of the format take "branch taken, line not executed" for damage. */
static void collect_lines(section *s) {
  const view *v = s->v;
  for (size_t i = 0; i < v->line_count; i++) {
    const view_line *l = &v->lines[i];
    if (l->file == s->file && l->line > 0 && report_has(s->reported, s->everything, l->function)) {
      *ARRAY_ADD(s->lines, s->line_count, s->line_capacity) = (lcov_line){l->line, l->tests, 0};
    }
  }
  for (size_t i = 0; i < v->site_count; i++) {
    if (is_branch(s, &v->sites[i]) && v->sites[i].line > 0) {
      *ARRAY_ADD(s->lines, s->line_count, s->line_capacity) =
          (lcov_line){v->sites[i].line, most_tests(&v->sites[i]), 0};
    }
  }
  if (s->line_count == 0) {
    return;
  }
  qsort(s->lines, s->line_count, sizeof *s->lines, compare_lines);
  size_t kept = 0;
  for (size_t i = 1; i < s->line_count; i++) {
    if (s->lines[i].line != s->lines[kept].line) {
      s->lines[++kept] = s->lines[i];
    } else if (s->lines[i].tests > s->lines[kept].tests) {
      s->lines[kept].tests = s->lines[i].tests;
    }
  }
  s->line_count = kept + 1;
}

/* A function's name; with its line where another of the file has the same. Names must differ within a file. */
static char *function_name(const section *s, size_t function) {
  const view *v = s->v;
  const view_function *f = &v->functions[function];
  buffer name = {0};
  buffer_puts(&name, f->name);
  for (size_t i = 0; i < v->function_count; i++) {
    if (i != function && v->functions[i].file == f->file && strcmp(v->functions[i].name, f->name) == 0) {
      buffer_printf(&name, "@%u", f->line);
      break;
    }
  }
  return buffer_take(&name);
}

/* The end is left out where it is not known. */
static void write_function_place(const section *s, const view_function *f, const char *name) {
  (void)fprintf(s->out, "FN:%u,", f->line);
  if (f->end_line >= f->line) {
    (void)fprintf(s->out, "%u,", f->end_line);
  }
  (void)fprintf(s->out, "%s\n", name);
}

static void write_functions(const section *s) {
  const view *v = s->v;
  unsigned found = 0;
  unsigned hit = 0;
  for (int pass = 0; pass < 2; pass++) {
    for (size_t i = 0; i < v->function_count; i++) {
      const view_function *f = &v->functions[i];
      if (f->file != s->file || f->line == 0 || !s->reported[i]) {
        continue;
      }
      uint32_t tests = f->site == MODEL_NONE ? 0 : most_tests(&v->sites[f->site]);
      char *name = function_name(s, i);
      if (pass == 0) {
        write_function_place(s, f, name);
        found++;
        hit += tests > 0 ? 1 : 0;
      } else {
        (void)fprintf(s->out, "FNDA:%u,%s\n", tests, name);
      }
      free(name);
    }
  }
  (void)fprintf(s->out, "FNF:%u\nFNH:%u\n", found, hit);
}

static void write_branches(const section *s) {
  const view *v = s->v;
  unsigned found = 0;
  unsigned hit = 0;
  for (size_t i = 0; i < v->site_count; i++) {
    const view_site *site = &v->sites[i];
    const lcov_line key = {site->line, 0, 0};
    lcov_line *line = !is_branch(s, site) || s->line_count == 0
                          ? NULL
                          : bsearch(&key, s->lines, s->line_count, sizeof key, compare_lines);
    if (line == NULL) {
      continue;
    }
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

static void write_lines(const section *s) {
  unsigned hit = 0;
  for (size_t i = 0; i < s->line_count; i++) {
    (void)fprintf(s->out, "DA:%u,%u\n", s->lines[i].line, s->lines[i].tests);
    hit += s->lines[i].tests > 0 ? 1 : 0;
  }
  (void)fprintf(s->out, "LF:%zu\nLH:%u\n", s->line_count, hit);
}

int lcov_write(const view *v, const report_options *options, FILE *out, error *e) {
  bool *reported = report_functions(v, options);
  for (size_t i = 0; i < v->file_count; i++) {
    section s = {
        .v = v, .file = (uint32_t)i, .reported = reported, .everything = report_everything(options), .out = out};
    collect_lines(&s);
    if (s.line_count > 0) {
      char *path = source_path(v, i, options);
      (void)fprintf(out, "TN:cltestcheck\nSF:%s\n", path);
      free(path);
      write_functions(&s);
      write_branches(&s);
      write_lines(&s);
      (void)fputs("end_of_record\n", out);
    }
    free(s.lines);
  }
  free(reported);
  return report_written(out, e);
}
