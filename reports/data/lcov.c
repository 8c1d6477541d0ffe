/* Coverage for other tools: the lcov tracefile (geninfo(1)) and Cobertura's XML. Counts are numbers of test cases. */
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/memory.h"
#include "base/utf8.h"
#include "reports/common/coverage.h"
#include "reports/common/json.h"

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

/* As readers want it: genhtml 2 refuses a function that begins on a line without a DA record (the first of a head that
 * goes on). A function that a macro makes has its code on the line where the macro is used, maybe beside others. */
static uint32_t first_line(const section *s, size_t function) {
  const model_function *f = &s->v->functions[function];
  const uint32_t last = f->end_line >= f->line ? f->end_line : 0;
  uint32_t elsewhere = 0;
  EACH(const table_line, l, s->table.lines, s->table.count) {
    if (l->function == function && l->line >= f->line && (last == 0 || l->line <= last)) return l->line;
    elsewhere = l->function == function && elsewhere == 0 ? l->line : elsewhere;
  }
  for (size_t i = 0; i < s->v->line_count && elsewhere == 0; i++) { /* on lines that the table has as others' */
    const view_line *l = &s->v->lines[i];
    elsewhere = l->function == function && l->file == s->file ? l->line : 0;
  }
  return elsewhere == 0 ? f->line : elsewhere;
}

static void write_functions(const section *s) {
  const view *v = s->v;
  unsigned found = 0, hit = 0;
  for (int pass = 0; pass < 2; pass++) {
    for (size_t i = 0; i < v->function_count; i++) {
      const model_function *f = &v->functions[i];
      if (f->file != s->file || f->line == 0 || !s->reported[i]) continue;
      uint32_t tests = f->site == MODEL_NONE ? 0 : most_tests(&v->sites[f->site]);
      scoped char *name = function_name(s, i);
      if (pass == 0) {
        (void)fprintf(s->out, "FN:%u,%s\n", first_line(s, i), name);
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
  EACH(const model_site, site, v->sites, v->site_count) {
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
  EACH(const model_site, site, s->v->sites, s->v->site_count) {
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
      unsigned hit = 0;
      for (size_t k = 0; k < s.table.count; k++) {
        (void)fprintf(s.out, "DA:%u,%u\n", s.table.lines[k].line, s.table.lines[k].tests);
        hit += s.table.lines[k].tests > 0 ? 1 : 0;
      }
      (void)fprintf(s.out, "LF:%zu\nLH:%u\n", s.table.count, hit);
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

/* Cobertura's XML (coverage-04.dtd): packages are directories, classes files, methods functions, hits test cases. */

/* Lines and outcomes of branches: of a function, a file, a directory, all. */
typedef struct tally {
  ratio lines, branches;
} tally;

typedef struct cobertura {
  const view *v;
  report_out *out;
  const bool *reported;
  bool everything;
  source_paths paths;
  char **directories; /* of each file; NULL: nothing of the file is reported */
  tally *files;
} cobertura;

static void tally_line(tally *t, const table_line *l) {
  t->lines.total++;
  t->lines.covered += l->tests > 0 ? 1 : 0;
  t->branches.total += l->outcomes;
  t->branches.covered += l->taken;
}

static void tally_add(tally *to, const tally *t) {
  to->lines.total += t->lines.total;
  to->lines.covered += t->lines.covered;
  to->branches.total += t->branches.total;
  to->branches.covered += t->branches.covered;
}

/* Nothing to cover is 1, as other tools write it. What is not complete never rounds to 1. */
static double rate(const ratio *r) {
  const double share = r->total == 0 ? 1 : (double)r->covered / (double)r->total;
  return r->covered < r->total && share > 0.999999 ? 0.999999 : share;
}

#define RATES " line-rate=\"%.6g\" branch-rate=\"%.6g\""
#define RATES_OF(t) rate(&(t)->lines), rate(&(t)->branches)

static unsigned long percent(unsigned long covered, unsigned long total) {
  return total == 0 ? 100 : covered * 100 / total;
}

static void put_line(const cobertura *c, uint32_t file, const table_line *l, const char *indent) {
  report_put(c->out, "%s<line number=\"%u\" hits=\"%u\"", indent, l->line, l->tests);
  if (l->outcomes == 0) {
    report_put(c->out, " branch=\"false\"/>\n");
    return;
  }
  report_put(c->out, " branch=\"true\" condition-coverage=\"%lu%% (%u/%u)\"><conditions>",
             percent(l->taken, l->outcomes), l->taken, l->outcomes);
  /* A condition for each `if`, `?:` and `switch` of the line. */
  unsigned number = 0;
  EACH(const model_site, s, c->v->sites, c->v->site_count) {
    if (s->line != l->line || !line_table_branch(s, file, c->reported, c->everything)) continue;
    unsigned long taken = 0;
    for (size_t k = 0; k < s->outcome_count; k++) taken += s->outcomes[k].tests > 0 ? 1 : 0;
    report_put(c->out, "<condition number=\"%u\" type=\"%s\" coverage=\"%lu%%\"/>", number++,
               s->kind == SITE_SWITCH ? "switch" : "jump", percent(taken, s->outcome_count));
  }
  report_put(c->out, "</conditions></line>\n");
}

/* Lines of one function, or of all for MODEL_NONE. */
static void put_lines(const cobertura *c, uint32_t file, const line_table *t, uint32_t function, const char *indent) {
  for (size_t i = 0; i < t->count; i++)
    if (function == MODEL_NONE || t->lines[i].function == function) put_line(c, file, &t->lines[i], indent);
}

/* --- functions, files, directories --------------------------------------------------------------------------- */

static void put_method(const cobertura *c, uint32_t function, const line_table *t) {
  const model_function *f = &c->v->functions[function];
  tally own = {0};
  for (size_t i = 0; i < t->count; i++)
    if (t->lines[i].function == function) tally_line(&own, &t->lines[i]);
  report_put(c->out,
             "            <method name=\"%s\" signature=\"%s\"" RATES " complexity=\"0\">\n              <lines>\n",
             xml_text(c->out, f->name), f->kernel ? "kernel" : "function", RATES_OF(&own));
  put_lines(c, f->file, t, function, "                ");
  report_put(c->out, "              </lines>\n            </method>\n");
}

static void put_class(const cobertura *c, uint32_t file) {
  const char *path = c->paths.names[file];
  line_table t = line_table_of(c->v, file, c->reported, c->everything);
  report_put(c->out, "        <class name=\"%s\" filename=\"%s\"" RATES " complexity=\"0\">\n          <methods>\n",
             xml_text(c->out, path_end(path)), xml_text(c->out, path), RATES_OF(&c->files[file]));
  for (uint32_t i = 0; i < c->v->function_count; i++)
    if (c->v->functions[i].file == file && c->reported[i]) put_method(c, i, &t);
  report_put(c->out, "          </methods>\n          <lines>\n");
  put_lines(c, file, &t, MODEL_NONE, "            ");
  report_put(c->out, "          </lines>\n        </class>\n");
  free(t.lines);
}

static bool in_directory(const cobertura *c, size_t file, const char *directory) {
  return c->directories[file] != NULL && strcmp(c->directories[file], directory) == 0;
}

static void put_package(const cobertura *c, const char *directory) {
  tally own = {0};
  for (size_t i = 0; i < c->v->file_count; i++)
    if (in_directory(c, i, directory)) tally_add(&own, &c->files[i]);
  report_put(c->out, "    <package name=\"%s\"" RATES " complexity=\"0\">\n      <classes>\n",
             xml_text(c->out, directory), RATES_OF(&own));
  for (uint32_t i = 0; i < c->v->file_count; i++)
    if (in_directory(c, i, directory)) put_class(c, i);
  report_put(c->out, "      </classes>\n    </package>\n");
}

/* Each directory once, where its first file stands. */
static void put_packages(const cobertura *c) {
  for (size_t i = 0; i < c->v->file_count; i++) {
    bool first = c->directories[i] != NULL;
    for (size_t k = 0; k < i && first; k++) first = !in_directory(c, k, c->directories[i]);
    if (first) put_package(c, c->directories[i]);
  }
}

/* --- all ----------------------------------------------------------------------------------------------------- */

static char *directory_of(const char *path) {
  const char *slash = strrchr(path, '/');
  return slash == NULL ? mem_strdup(".") : mem_strndup(path, slash == path ? 1 : (size_t)(slash - path));
}

static tally count_all(cobertura *c) {
  tally all = {0};
  c->directories = mem_calloc(c->v->file_count, sizeof *c->directories);
  c->files = mem_calloc(c->v->file_count, sizeof *c->files);
  for (uint32_t i = 0; i < c->v->file_count; i++) {
    line_table t = line_table_of(c->v, i, c->reported, c->everything);
    for (size_t k = 0; k < t.count; k++) tally_line(&c->files[i], &t.lines[k]);
    c->directories[i] = t.count == 0 ? NULL : directory_of(c->paths.names[i]);
    tally_add(&all, &c->files[i]);
    free(t.lines);
  }
  return all;
}

/* When the run began, in milliseconds; 0 when that is not known. */
static long long timestamp(const char *started) {
  struct tm when = {0};
  return strptime(started, "%Y-%m-%dT%H:%M:%S", &when) == NULL ? 0 : (long long)timegm(&when) * 1000;
}

static void put_head(const cobertura *c, const tally *all) {
  scoped_buffer version = buffer_with("cltestcheck %s", c->v->version);
  report_put(c->out,
             "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<!DOCTYPE coverage SYSTEM "
             "\"http://cobertura.sourceforge.net/xml/coverage-04.dtd\">\n<coverage" RATES
             " lines-covered=\"%lu\" lines-valid=\"%lu\" branches-covered=\"%lu\" branches-valid=\"%lu\" "
             "complexity=\"0\" version=\"%s\" timestamp=\"%lld\">\n  <sources>\n    <source>%s</source>\n  "
             "</sources>\n  <packages>\n",
             RATES_OF(all), all->lines.covered, all->lines.total, all->branches.covered, all->branches.total,
             xml_text(c->out, buffer_text(&version)), timestamp(c->v->started), xml_text(c->out, c->paths.root));
}

int cobertura_write(const view *v, const report_options *options, FILE *file, error *e) {
  report_out to = {.file = file}, *out = &to;
  bool *reported = report_functions(v, options);
  cobertura c = {.v = v,
                 .out = out,
                 .reported = reported,
                 .everything = report_everything(options),
                 .paths = source_paths_of(v, options)};
  bool covered = report_covered(v);
  tally all = covered ? count_all(&c) : (tally){0};
  put_head(&c, &all);
  if (covered)
    put_packages(&c);
  else
    report_put(out, "    <!-- No coverage was measured. -->\n");
  report_put(out, "  </packages>\n</coverage>\n");
  for (size_t i = 0; covered && i < v->file_count; i++) free(c.directories[i]);
  free(c.directories);
  free(c.files);
  source_paths_free(&c.paths);
  free(reported);
  return report_close(out, e);
}
