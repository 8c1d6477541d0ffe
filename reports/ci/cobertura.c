/* Cobertura's XML (coverage-04.dtd): packages are directories, classes files, methods functions, hits test cases. */
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/buffer.h"
#include "base/memory.h"
#include "base/names.h"
#include "reports/ci/xml.h"
#include "reports/common/line_table.h"
#include "reports/common/source_files.h"
#include "reports/common/writers.h"

/* Lines and outcomes of branches: of a function, a file, a directory, all. */
typedef struct tally {
  ratio lines, branches;
} tally;

typedef struct cobertura {
  const view *v;
  FILE *out;
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
static void put_rate(FILE *out, const char *name, const ratio *r) {
  double rate = r->total == 0 ? 1 : (double)r->covered / (double)r->total;
  rate = r->covered < r->total && rate > 0.999999 ? 0.999999 : rate;
  (void)fprintf(out, " %s=\"%.6g\"", name, rate);
}

static void put_rates(FILE *out, const tally *t) {
  put_rate(out, "line-rate", &t->lines);
  put_rate(out, "branch-rate", &t->branches);
}

/* --- lines --------------------------------------------------------------------------------------------------- */

static unsigned long percent(unsigned long covered, unsigned long total) {
  return total == 0 ? 100 : covered * 100 / total;
}

/* A condition for each `if`, `?:` and `switch` of the line. */
static void put_conditions(const cobertura *c, uint32_t file, const table_line *l) {
  unsigned number = 0;
  for (size_t i = 0; i < c->v->site_count; i++) {
    const model_site *s = &c->v->sites[i];
    if (s->line != l->line || !line_table_branch(s, file, c->reported, c->everything)) {
      continue;
    }
    unsigned long taken = 0;
    for (size_t k = 0; k < s->outcome_count; k++) {
      taken += s->outcomes[k].tests > 0 ? 1 : 0;
    }
    (void)fprintf(c->out, "<condition number=\"%u\" type=\"%s\" coverage=\"%lu%%\"/>", number++,
                  s->kind == SITE_SWITCH ? "switch" : "jump", percent(taken, s->outcome_count));
  }
}

static void put_line(const cobertura *c, uint32_t file, const table_line *l, const char *indent) {
  (void)fprintf(c->out, "%s<line number=\"%u\" hits=\"%u\"", indent, l->line, l->tests);
  if (l->outcomes == 0) {
    (void)fputs(" branch=\"false\"/>\n", c->out);
    return;
  }
  (void)fprintf(c->out, " branch=\"true\" condition-coverage=\"%lu%% (%u/%u)\"><conditions>",
                percent(l->taken, l->outcomes), l->taken, l->outcomes);
  put_conditions(c, file, l);
  (void)fputs("</conditions></line>\n", c->out);
}

/* Lines of one function, or of all for MODEL_NONE. */
static void put_lines(const cobertura *c, uint32_t file, const line_table *t, uint32_t function, const char *indent) {
  for (size_t i = 0; i < t->count; i++) {
    if (function == MODEL_NONE || t->lines[i].function == function) {
      put_line(c, file, &t->lines[i], indent);
    }
  }
}

/* --- functions, files, directories --------------------------------------------------------------------------- */

static void put_method(const cobertura *c, uint32_t function, const line_table *t) {
  const model_function *f = &c->v->functions[function];
  tally own = {0};
  for (size_t i = 0; i < t->count; i++) {
    if (t->lines[i].function == function) {
      tally_line(&own, &t->lines[i]);
    }
  }
  (void)fputs("            <method", c->out);
  xml_attribute(c->out, "name", f->name);
  xml_attribute(c->out, "signature", f->kernel ? "kernel" : "function");
  put_rates(c->out, &own);
  (void)fputs(" complexity=\"0\">\n              <lines>\n", c->out);
  put_lines(c, f->file, t, function, "                ");
  (void)fputs("              </lines>\n            </method>\n", c->out);
}

static void put_class(const cobertura *c, uint32_t file) {
  const char *path = c->paths.names[file];
  line_table t = line_table_of(c->v, file, c->reported, c->everything);
  (void)fputs("        <class", c->out);
  xml_attribute(c->out, "name", path_end(path));
  xml_attribute(c->out, "filename", path);
  put_rates(c->out, &c->files[file]);
  (void)fputs(" complexity=\"0\">\n          <methods>\n", c->out);
  for (uint32_t i = 0; i < c->v->function_count; i++) {
    if (c->v->functions[i].file == file && c->reported[i]) {
      put_method(c, i, &t);
    }
  }
  (void)fputs("          </methods>\n          <lines>\n", c->out);
  put_lines(c, file, &t, MODEL_NONE, "            ");
  (void)fputs("          </lines>\n        </class>\n", c->out);
  free(t.lines);
}

static bool in_directory(const cobertura *c, size_t file, const char *directory) {
  return c->directories[file] != NULL && strcmp(c->directories[file], directory) == 0;
}

static void put_package(const cobertura *c, const char *directory) {
  tally own = {0};
  for (size_t i = 0; i < c->v->file_count; i++) {
    if (in_directory(c, i, directory)) {
      tally_add(&own, &c->files[i]);
    }
  }
  (void)fputs("    <package", c->out);
  xml_attribute(c->out, "name", directory);
  put_rates(c->out, &own);
  (void)fputs(" complexity=\"0\">\n      <classes>\n", c->out);
  for (uint32_t i = 0; i < c->v->file_count; i++) {
    if (in_directory(c, i, directory)) {
      put_class(c, i);
    }
  }
  (void)fputs("      </classes>\n    </package>\n", c->out);
}

/* Each directory once, where its first file stands. */
static void put_packages(const cobertura *c) {
  for (size_t i = 0; i < c->v->file_count; i++) {
    bool first = c->directories[i] != NULL;
    for (size_t k = 0; k < i && first; k++) {
      first = !in_directory(c, k, c->directories[i]);
    }
    if (first) {
      put_package(c, c->directories[i]);
    }
  }
}

/* --- all ----------------------------------------------------------------------------------------------------- */

static char *directory_of(const char *path) {
  const char *slash = strrchr(path, '/');
  return slash == NULL ? mem_strdup(".") : mem_strndup(path, slash == path ? 1 : (size_t)(slash - path));
}

static tally count(cobertura *c) {
  tally all = {0};
  c->directories = mem_calloc(c->v->file_count, sizeof *c->directories);
  c->files = mem_calloc(c->v->file_count, sizeof *c->files);
  for (uint32_t i = 0; i < c->v->file_count; i++) {
    line_table t = line_table_of(c->v, i, c->reported, c->everything);
    for (size_t k = 0; k < t.count; k++) {
      tally_line(&c->files[i], &t.lines[k]);
    }
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
  (void)fputs(
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<!DOCTYPE coverage SYSTEM "
      "\"http://cobertura.sourceforge.net/xml/coverage-04.dtd\">\n<coverage",
      c->out);
  put_rates(c->out, all);
  (void)fprintf(c->out,
                " lines-covered=\"%lu\" lines-valid=\"%lu\" branches-covered=\"%lu\" branches-valid=\"%lu\" "
                "complexity=\"0\"",
                all->lines.covered, all->lines.total, all->branches.covered, all->branches.total);
  buffer version = {0};
  buffer_printf(&version, "cltestcheck %s", c->v->version);
  xml_attribute(c->out, "version", buffer_text(&version));
  buffer_free(&version);
  (void)fprintf(c->out, " timestamp=\"%lld\">\n  <sources>\n    <source>", timestamp(c->v->started));
  xml_text(c->out, c->paths.root);
  (void)fputs("</source>\n  </sources>\n  <packages>\n", c->out);
}

int cobertura_write(const view *v, const report_options *options, FILE *out, error *e) {
  bool *reported = report_functions(v, options);
  cobertura c = {.v = v,
                 .out = out,
                 .reported = reported,
                 .everything = report_everything(options),
                 .paths = source_paths_of(v, options)};
  bool covered = report_covered(v);
  tally all = covered ? count(&c) : (tally){0};
  put_head(&c, &all);
  if (covered) {
    put_packages(&c);
  } else {
    (void)fputs("    <!-- No coverage was measured. -->\n", out);
  }
  (void)fputs("  </packages>\n</coverage>\n", out);
  for (size_t i = 0; covered && i < v->file_count; i++) {
    free(c.directories[i]);
  }
  free(c.directories);
  free(c.files);
  source_paths_free(&c.paths);
  free(reported);
  return report_written(out, e);
}
