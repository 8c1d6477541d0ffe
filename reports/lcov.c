/* The lcov tracefile (geninfo(1)). Counts are numbers of test cases. */
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buffer.h"
#include "base/memory.h"
#include "reports/mcdc.h"
#include "reports/utf8.h"
#include "reports/writers.h"

/* --- sources ------------------------------------------------------------------------------------------------ */

/* Programs may end their sources with NULs. */
static size_t text_length(const view_file *f) {
  size_t length = f->length;
  while (length > 0 && f->text[length - 1] == '\0') {
    length--;
  }
  return length;
}

/* Is the file on disk, with the content it had? */
static bool on_disk(const view_file *f) {
  size_t length = text_length(f);
  FILE *in = fopen(f->name, "rb");
  if (in == NULL) {
    return false;
  }
  char *text = mem_calloc(length + 2, 1);
  size_t got = fread(text, 1, length + 1, in);
  bool same = ferror(in) == 0 && got == length && memcmp(text, f->text, length) == 0;
  free(text);
  (void)fclose(in);
  return same;
}

/* A file name without directories, free of what a path or a tracefile could trip over. */
static char *plain_name(const char *name) {
  buffer plain = {0};
  const char *slash = strrchr(name, '/');
  for (const char *c = slash == NULL ? name : slash + 1; *c != '\0' && plain.length < 200; c++) {
    unsigned char u = (unsigned char)*c;
    buffer_putc(&plain, u < 0x20 || strchr("<>:\"\\|?*,", *c) != NULL ? '_' : *c);
  }
  if (plain.length == 0 || buffer_text(&plain)[0] == '.') {
    buffer_puts(&plain, "source.cl");
  }
  return buffer_take(&plain);
}

/* Path in the source directory: the plain name, preceded by a piece of the SHA-256 where another file has that name. */
static char *written_path(const view *v, size_t file, const char *directory) {
  char *name = plain_name(v->files[file].name);
  bool taken = false;
  for (size_t i = 0; i < v->file_count && !taken; i++) {
    char *other = plain_name(v->files[i].name);
    taken = i != file && strcmp(name, other) == 0;
    free(other);
  }
  buffer path = {0};
  buffer_printf(&path, "%s/%.*s%s%s", directory, taken ? 12 : 0, v->files[file].sha256, taken ? "-" : "", name);
  free(name);
  return buffer_take(&path);
}

static char *absolute(char *path) {
  char *full = realpath(path, NULL);
  if (full == NULL) {
    return path;
  }
  free(path);
  return full;
}

static char *source_path(const view *v, size_t file, const char *directory) {
  const view_file *f = &v->files[file];
  if (directory == NULL || on_disk(f)) {
    return absolute(mem_strdup(f->name));
  }
  return absolute(written_path(v, file, directory));
}

static int write_source(const view_file *f, const char *path, error *e) {
  FILE *out = fopen(path, "wb");
  size_t length = text_length(f);
  bool written = out != NULL && fwrite(f->text, 1, length, out) == length;
  int reason = errno;
  if (out != NULL && fclose(out) != 0) {
    written = false;
    reason = errno;
  }
  if (written) {
    return 0;
  }
  if (out != NULL) {
    (void)unlink(path);
  }
  return error_set(e, EXIT_INTERNAL, "the source %s could not be written for the lcov report: %s", path,
                   strerror(reason));
}

int lcov_write_sources(const view *v, const char *directory, error *e) {
  if (mkdir(directory, 0777) != 0 && errno != EEXIST) {
    return error_set(e, EXIT_USAGE, "the directory %s for the sources of the lcov report could not be made: %s",
                     directory, strerror(errno));
  }
  for (size_t i = 0; i < v->file_count; i++) {
    if (on_disk(&v->files[i])) {
      continue;
    }
    char *path = written_path(v, i, directory);
    int result = write_source(&v->files[i], path, e);
    free(path);
    if (result != 0) {
      return result;
    }
  }
  return 0;
}

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
        (void)fprintf(s->out, "FN:%u,%s\n", f->line, name);
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

static void write_condition(const section *s, const view_site *site, const mcdc *m, size_t number) {
  static const char senses[] = {'t', 'f'};
  const mcdc_condition *c = &m->conditions[number];
  for (size_t k = 0; k < sizeof senses; k++) {
    (void)fprintf(s->out, "MCDC:%u,%zu,%c,%u,%zu,", site->line, m->count, senses[k], c->shown ? c->pair[k]->tests : 0,
                  number);
    buffer text = {0};
    utf8_line(&text, c->text, strlen(c->text));
    (void)fprintf(s->out, "%s\n", text.length == 0 ? "?" : buffer_text(&text));
    buffer_free(&text);
  }
}

/* A decision of the section. */
typedef struct lcov_decision {
  const view_site *site;
  mcdc conditions;
} lcov_decision;

static int compare_decisions(const void *a, const void *b) {
  const view_site *x = ((const lcov_decision *)a)->site;
  const view_site *y = ((const lcov_decision *)b)->site;
  int by_line = (x->line > y->line) - (x->line < y->line);
  return by_line != 0 ? by_line : (x->offset > y->offset) - (x->offset < y->offset);
}

static lcov_decision *list_decisions(const section *s, size_t *count) {
  lcov_decision *list = NULL;
  size_t capacity = 0;
  *count = 0;
  for (size_t i = 0; i < s->v->site_count; i++) {
    const view_site *site = &s->v->sites[i];
    if (site->kind == SITE_DECISION && site->file == s->file && !mcdc_too_large(site) &&
        report_has(s->reported, s->everything, site->function)) {
      lcov_decision *d = ARRAY_ADD(list, *count, capacity);
      d->site = site;
      mcdc_read(site, &d->conditions);
    }
  }
  if (*count > 1) {
    qsort(list, *count, sizeof *list, compare_decisions);
  }
  return list;
}

/* Readers know a decision by its line and the number of its conditions, and refuse another one: of several alike on a
 * line all but the first are left out. */
static bool is_alone(const lcov_decision *list, size_t i) {
  for (size_t k = i; k-- > 0 && list[k].site->line == list[i].site->line;) {
    if (list[k].conditions.count == list[i].conditions.count) {
      return false;
    }
  }
  return true;
}

static void write_decisions(const section *s) {
  size_t count = 0;
  size_t found = 0;
  size_t hit = 0;
  lcov_decision *list = list_decisions(s, &count);
  for (size_t i = 0; i < count; i++) {
    const mcdc *m = &list[i].conditions;
    for (size_t k = 0; k < m->count && is_alone(list, i); k++) {
      write_condition(s, list[i].site, m, k);
      found += 2;
      hit += m->conditions[k].shown ? 2 : 0;
    }
  }
  if (found > 0) {
    (void)fprintf(s->out, "MCF:%zu\nMCH:%zu\n", found, hit);
  }
  free(list);
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
      char *path = source_path(v, i, options->source_directory);
      (void)fprintf(out, "TN:cltestcheck\nSF:%s\n", path);
      free(path);
      write_functions(&s);
      write_branches(&s);
      write_decisions(&s);
      write_lines(&s);
      (void)fputs("end_of_record\n", out);
    }
    free(s.lines);
  }
  free(reported);
  return report_written(out, e);
}
