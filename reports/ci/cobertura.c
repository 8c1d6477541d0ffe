/* Cobertura's XML (coverage-04.dtd): packages are directories, classes files, methods functions, hits test cases. */
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/buffer.h"
#include "base/memory.h"
#include "base/names.h"
#include "reports/common/coverage.h"
#include "reports/common/markup.h"
#include "reports/common/place.h"
#include "reports/common/report.h"

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

/* --- figures ------------------------------------------------------------------------------------------------- */

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

/* --- lines --------------------------------------------------------------------------------------------------- */

static unsigned long percent(unsigned long covered, unsigned long total) {
  return total == 0 ? 100 : covered * 100 / total;
}

/* A condition for each `if`, `?:` and `switch` of the line. */
static void put_conditions(const cobertura *c, uint32_t file, const table_line *l) {
  unsigned number = 0;
  for (size_t i = 0; i < c->v->site_count; i++) {
    const model_site *s = &c->v->sites[i];
    if (s->line != l->line || !line_table_branch(s, file, c->reported, c->everything)) continue;
    unsigned long taken = 0;
    for (size_t k = 0; k < s->outcome_count; k++) taken += s->outcomes[k].tests > 0 ? 1 : 0;
    report_put(c->out, "<condition number=\"%u\" type=\"%s\" coverage=\"%lu%%\"/>", number++,
               s->kind == SITE_SWITCH ? "switch" : "jump", percent(taken, s->outcome_count));
  }
}

static void put_line(const cobertura *c, uint32_t file, const table_line *l, const char *indent) {
  report_put(c->out, "%s<line number=\"%u\" hits=\"%u\"", indent, l->line, l->tests);
  if (l->outcomes == 0) {
    report_put(c->out, " branch=\"false\"/>\n");
    return;
  }
  report_put(c->out, " branch=\"true\" condition-coverage=\"%lu%% (%u/%u)\"><conditions>",
             percent(l->taken, l->outcomes), l->taken, l->outcomes);
  put_conditions(c, file, l);
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