/* Runs, kernels and functions that a report is about; findings of races and memory counted; places in sources. */
#include "reports/common/report.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/files.h"
#include "base/memory.h"
#include "base/utf8.h"
#include "reports/common/coverage.h"

/* Counting findings of `cltestcheck memory`. */

bool memory_is(const view *v) { return report_has_run(v, "memory"); }

bool memory_saw(const db_finding *f) {
  return !f->proved && f->place_count == 1 && strcmp(f->places[0].role, "access") == 0;
}

static bool is_of(const db_finding *f, const char *rule) {
  return rule == NULL ? rule_is(f->rule, RULE_MEMORY) : strcmp(rule, f->rule) == 0;
}

size_t memory_count(const view *v, const report_options *options, const char *kernel, const char *rule) {
  size_t count = 0;
  EACH(const db_finding, f, v->findings, v->finding_count) {
    const bool meant = kernel == NULL ? report_selects(options, f->kernel) : strcmp(kernel, f->kernel) == 0;
    count += meant && f->suppressed == NULL && !f->proved && is_of(f, rule) ? 1 : 0;
  }
  return count;
}

/* Counting findings of `cltestcheck races`. */

bool races_are(const view *v) { return report_has_run(v, "races"); }

bool races_is_benign(const db_finding *f) { return rule_is(f->rule, RULE_BENIGN); }

bool races_saw(const db_finding *f) {
  return !f->proved && f->place_count > 0 && rule_is(f->rule, RULE_RACE | RULE_BENIGN);
}

race_counts races_count(const view *v, const report_options *options, const char *kernel) {
  race_counts n = {0};
  EACH(const db_finding, f, v->findings, v->finding_count) {
    const bool meant = kernel == NULL ? report_selects(options, f->kernel) : strcmp(kernel, f->kernel) == 0;
    if (!meant || f->suppressed != NULL || f->proved) continue;
    n.race += rule_is(f->rule, RULE_RACE) ? 1 : 0;
    n.benign += rule_is(f->rule, RULE_BENIGN) ? 1 : 0;
    n.divergence += rule_is(f->rule, RULE_DIVERGENCE) ? 1 : 0;
  }
  return n;
}

/* Reading patches: which lines they are about. */

static const struct {
  const char *outcome, *words;
} outcomes[] = {{"fine", "nothing to repair"},
                {"repaired", "repaired"},
                {"part", "repaired in part"},
                {"remains", "not repaired"},
                {"refused", "patch not offered"}};

bool repairs_are(const view *v) { return v->repair_count > 0 || report_has_run(v, "repair"); }

const char *repair_words(const db_repair *r) {
  for (size_t i = 0; i < sizeof outcomes / sizeof *outcomes; i++)
    if (strcmp(outcomes[i].outcome, r->outcome) == 0) return outcomes[i].words;
  return r->outcome;
}

const char *repair_line(const char **at, size_t *length) {
  const char *line = *at;
  if (line[0] == '\0') return NULL;
  const size_t all = strcspn(line, "\n");
  *at = line + all + (line[all] == '\n' ? 1 : 0);
  *length = all > 0 && line[all - 1] == '\r' ? all - 1 : all;
  return line;
}

bool repair_touches(const db_repair *r, uint32_t line) {
  const char *at = r->patch, *one = NULL;
  size_t length = 0;
  unsigned here = 0; /* line of the file that comes next; 0: in front of the first part */
  bool put_in = false;
  while ((one = repair_line(&at, &length)) != NULL) {
    if (one[0] == '@') {
      here = sscanf(one, "@@ -%u", &here) == 1 ? here : 0;
      put_in = false;
    } else if (here > 0 && one[0] == '+') {
      put_in = true;
    } else if (here > 0 && (one[0] == '-' || one[0] == ' ')) {
      if (here == line && (put_in || one[0] == '-')) return true;
      put_in = false;
      here++;
    }
  }
  return false;
}

/* Comparing with thresholds. */

static double percent_of(const report_threshold *t, const coverage *c, ratio *r) {
  (void)coverage_get(c, t->metric, r);
  return r->total == 0 ? 100.0 : 100.0 * (double)r->covered / (double)r->total;
}

bool threshold_below(const report_threshold *t, const coverage *c) {
  ratio r;
  return percent_of(t, c, &r) < t->percent;
}

void threshold_say(const report_threshold *t, const coverage *c, buffer *to) {
  ratio r;
  double percent = percent_of(t, c, &r);
  buffer_printf(to, "%s %s is %.1f %% (%lu of %lu), below %g %%", t->metric, metric_noun(t->metric), percent, r.covered,
                r.total, t->percent);
}

bool report_has_run(const view *v, const char *command) {
  bool found = strcmp(v->command, command) == 0;
  for (size_t i = 0; i < v->run_count && !found; i++) found = strcmp(v->runs[i].command, command) == 0;
  return found;
}

/* Is a run meant where those of a command are: of all commands where it is NULL or no run is of it. */
static bool is_meant(const view *v, const view_run *run, const char *command) {
  return command == NULL || strcmp(run->command, command) == 0 || !report_has_run(v, command);
}

void report_runs(const view *v, const char *command, buffer *to) {
  size_t count = 0;
  long long newest = (long long)v->run;
  for (size_t i = 0; i < v->run_count; i++) {
    if (is_meant(v, &v->runs[i], command)) {
      count++;
      newest = (long long)v->runs[i].id;
    }
  }
  if (count > 1) buffer_printf(to, "%zu runs up to ", count);
  buffer_printf(to, "run %lld", newest);
}

test_case_counts report_test_cases(const view *v, const char *command) {
  scoped bool *meant = mem_calloc(v->test_case_count, sizeof *meant);
  memset(meant, v->run_count == 0, v->test_case_count * sizeof *meant);
  EACH(const view_run, run, v->runs, v->run_count) {
    for (size_t k = 0; k < run->test_case_count; k++) meant[run->test_cases[k]] |= is_meant(v, run, command);
  }
  test_case_counts count = {0};
  for (size_t i = 0; i < v->test_case_count; i++) {
    const view_test_case *t = &v->test_cases[i];
    bool unended = t->status < 0 && !t->timed_out;
    count.all += meant[i] ? 1 : 0;
    count.unended += meant[i] && unended ? 1 : 0;
    count.failed += meant[i] && !unended && (t->status != 0 || t->timed_out) ? 1 : 0;
  }
  return count;
}

/* What the report is about: the first of these. */
static const struct {
  bool (*is)(const view *v);
  const char *what;
} subjects[] = {{mutation_is, "mutation testing"}, {amplification_is, "schedule amplification"},
                {races_are, "data races"},         {memory_is, "memory errors"},
                {verification_is, "verification"}, {repairs_are, "repairs"}};

/* NULL: it is none of these. */
static const char *find_subject(const view *v) {
  const char *what = NULL;
  for (size_t i = sizeof subjects / sizeof subjects[0]; i-- > 0;) what = subjects[i].is(v) ? subjects[i].what : what;
  return what;
}

bool report_covered(const view *v) { return v->covers || (v->run_count == 0 && find_subject(v) == NULL); }

const char *report_subject(const view *v) {
  const char *what = find_subject(v);
  return what != NULL ? what : report_covered(v) ? "coverage" : v->command;
}

const char *report_no_launch(const view *v) { return v->skipped_count > 0 ? "not seen" : "never"; }

bool report_measures(const view *v, const char *metric) {
  if (metric_of_mutants(metric)) return mutation_is(v) && (strcmp(metric, "revealed") != 0 || mutation_asked(v));
  return metric_of_proofs(metric) ? verification_is(v) : report_covered(v);
}

bool report_selects(const report_options *options, const char *kernel) {
  return options == NULL || kernel_chosen(&options->kernels, kernel);
}

bool *report_functions(const view *v, const report_options *options) {
  bool *reported = mem_calloc(v->function_count, sizeof *reported);
  if (options == NULL || options->kernels.wanted.count + options->kernels.exclude.count == 0) {
    memset(reported, true, v->function_count * sizeof *reported);
    return reported;
  }
  EACH(const view_kernel, k, v->kernels, v->kernel_count) {
    for (size_t f = 0; report_selects(options, k->name) && f < k->function_count; f++) reported[k->functions[f]] = true;
  }
  return reported;
}

bool report_launched(const view *v) {
  for (size_t i = 0; i < v->kernel_count; i++)
    if (v->kernels[i].launches > 0) return true;
  return false;
}

int report_written(FILE *out, error *e) {
  errno = 0;
  if ((fflush(out) == 0 && ferror(out) == 0) || errno == EPIPE) /* a reader that has seen enough is no failure */
    return 0;
  return error_set(e, EXIT_INTERNAL, "the report could not be written: %s; check that there is room where it goes",
                   errno == 0 ? "writing failed" : strerror(errno));
}

void report_put(report_out *to, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  (void)vfprintf(to->file, format, arguments);
  va_end(arguments);
  to->count = 0;
}

buffer *report_piece(report_out *to) {
  assert(to->count < REPORT_PIECES);
  buffer *piece = &to->pieces[to->count++];
  piece->length = 0;
  buffer_puts(piece, "");
  return piece;
}

int report_close(report_out *to, error *e) {
  for (size_t i = 0; i < REPORT_PIECES; i++) buffer_free(&to->pieces[i]);
  return report_written(to->file, e);
}

const char *report_percent(report_out *to, const ratio *r) {
  buffer *piece = report_piece(to);
  const unsigned thousandths = r->total == 0 ? 0 : ratio_thousandths(r);
  buffer_printf(piece, r->total == 0 ? "n/a" : "%u.%u %%", thousandths / 10, thousandths % 10);
  return buffer_text(piece);
}

const char *report_plural(size_t count) { return count == 1 ? "" : "s"; }

/* Finding the sources of a view on disk, and writing those that are not there. */

/* Programs may end their sources with NULs. */
static size_t text_length(const model_file *f) {
  size_t length = f->length;
  while (length > 0 && f->text[length - 1] == '\0') length--;
  return length;
}

/* Is this file on disk, with the content it had? */
static bool file_holds(const char *path, const model_file *f) {
  size_t length = text_length(f);
  FILE *in = fopen(path, "rbe");
  if (in == NULL) return false;
  scoped char *text = mem_calloc(length + 2, 1);
  size_t got = fread(text, 1, length + 1, in);
  bool same = ferror(in) == 0 && got == length && memcmp(text, f->text, length) == 0;
  (void)fclose(in);
  return same;
}

/* The folder below which the file is on disk as it was built, "" for an absolute name, NULL if it is not there: looked
 * for below the root of the report, where the run found it, in the current directory. free() it. */
static char *base_of(const model_file *f, const report_options *options) {
  scoped char *here = realpath(".", NULL);
  const char *const bases[] = {options->root, f->root, here};
  char *found = NULL;
  for (size_t i = 0; i < sizeof bases / sizeof bases[0] && found == NULL; i++) {
    if (bases[i] != NULL && (bases[i][0] != '\0' || f->name[0] == '/')) {
      scoped char *path = project_path(bases[i], f->name);
      found = file_holds(path, f) ? mem_strdup(f->name[0] == '/' ? "" : bases[i]) : NULL;
    }
  }
  return found;
}

/* Whether nothing of it need be copied: what stands for a call whose source nobody knows has no text. */
static bool on_disk(const model_file *f, const report_options *options) {
  char *base = base_of(f, options);
  free(base);
  return base != NULL || f->length == 0;
}

/* A file name without directories, free of what a path or a tracefile could trip over. */
static char *plain_name(const char *name) {
  scoped_buffer plain = {0};
  for (const char *c = path_end(name); *c != '\0' && plain.length < 200; c++) {
    unsigned char u = (unsigned char)*c;
    buffer_putc(&plain, u < 0x20 || strchr("<>:\"\\|?*,", *c) != NULL ? '_' : *c);
  }
  if (plain.length == 0 || buffer_text(&plain)[0] == '.') buffer_puts(&plain, "source.cl");
  return buffer_take(&plain);
}

/* Path in the source directory: the plain name, preceded by a piece of the SHA-256 where another file has that name. */
static char *written_path(const view *v, size_t file, const char *directory) {
  scoped char *name = plain_name(v->files[file].name);
  bool taken = false;
  for (size_t i = 0; i < v->file_count && !taken; i++) {
    scoped char *other = plain_name(v->files[i].name);
    taken = i != file && strcmp(name, other) == 0;
  }
  scoped_buffer path =
      buffer_with("%s/%.*s%s%s", directory, taken ? 12 : 0, v->files[file].sha256, taken ? "-" : "", name);
  return buffer_take(&path);
}

static int write_source(const model_file *f, const char *path, error *e) {
  FILE *out = fopen(path, "wb");
  size_t length = text_length(f);
  bool written = out != NULL && fwrite(f->text, 1, length, out) == length;
  int reason = errno;
  if (out != NULL && fclose(out) != 0) {
    written = false;
    reason = errno;
  }
  if (written) return 0;
  if (out != NULL) (void)unlink(path);
  return error_set(e, EXIT_INTERNAL, "the source %s could not be written beside the report: %s", path,
                   strerror(reason));
}

static int make_directory(const char *directory, error *e) {
  if (mkdir(directory, 0777) != 0 && errno != EEXIST) {
    return error_set(e, EXIT_USAGE, "the directory %s for the sources of the report could not be made: %s", directory,
                     strerror(errno));
  }
  return 0;
}

int report_write_sources(const view *v, const report_options *options, size_t *written, error *e) {
  const char *directory = options->source_directory;
  *written = 0;
  for (size_t i = 0; i < v->file_count; i++) {
    if (on_disk(&v->files[i], options)) continue;
    if (*written == 0 && make_directory(directory, e) != 0) return -1;
    scoped char *path = written_path(v, i, directory);
    int result = write_source(&v->files[i], path, e);
    if (result != 0) return result;
    *written += 1;
  }
  return 0;
}

/* --- paths --------------------------------------------------------------------------------------------------- */

static char *absolute(char *path) {
  char *full = realpath(path, NULL);
  if (full == NULL) return path;
  free(path);
  return full;
}

/* The folder that most relative names start at: where the first file of such a name is, else where it was. */
static char *common_root(const view *v, const report_options *options) {
  char *root = NULL;
  for (size_t i = 0; i < v->file_count && root == NULL; i++)
    root = v->files[i].name[0] == '/' ? NULL : base_of(&v->files[i], options);
  return root != NULL ? root : absolute(mem_strdup(options->root == NULL ? "." : options->root));
}

/* The path of a file's copy beside the report. */
static char *copy_path(const view *v, size_t file, const char *root, const report_options *options) {
  scoped char *path = absolute(written_path(v, file, options->source_directory));
  const char *below = project_below(path, root);
  return mem_strdup(below == NULL ? path : below);
}

source_paths source_paths_of(const view *v, const report_options *options) {
  source_paths p = {.names = mem_calloc(v->file_count, sizeof *p.names), .count = v->file_count};
  p.root = common_root(v, options);
  for (size_t i = 0; i < v->file_count; i++) {
    p.names[i] = options->source_directory == NULL || on_disk(&v->files[i], options) ? mem_strdup(v->files[i].name)
                                                                                     : copy_path(v, i, p.root, options);
  }
  return p;
}

void source_paths_free(source_paths *p) {
  mem_free_all(p->names, p->count);
  free(p->root);
  *p = (source_paths){0};
}

void report_set_root(view *v, const char *root) {
  for (size_t i = 0; i < v->file_count; i++) {
    model_file *f = &v->files[i];
    char *path = project_path(f->root, f->name), *there = project_path(root, f->name);
    const char *below = project_below(path, root);
    if (below == NULL && path[0] == '/' && !file_holds(there, f)) below = path; /* it lies elsewhere */
    if (below != NULL) f->name = mem_arena_copy(&v->memory, below);
    f->root = mem_arena_copy(&v->memory, f->name[0] == '/' ? "" : root);
    free(path);
    free(there);
  }
}

static uint32_t units(const char *s, size_t length) {
  uint32_t count = 0;
  for (size_t i = 0; i < length;) {
    uint64_t eight = UINT64_MAX;
    memcpy(&eight, s + i, length - i < sizeof eight ? 0 : sizeof eight);
    if ((eight & UINT64_C(0x8080808080808080)) == 0) { /* a line may be the whole program */
      count += (uint32_t)sizeof eight;
      i += sizeof eight;
      continue;
    }
    size_t n = utf8_character(s + i, length - i);
    count += n == 4 ? 2 : 1;
    i += n == 0 ? 1 : n;
  }
  return count;
}

uint32_t place_column(const model_file *file, uint32_t column, uint32_t offset) {
  if (column == 0 || offset < column - 1 || offset > file->length) return column;
  return 1 + units(file->text + offset - (column - 1), column - 1);
}

static place_line without_return(place_line l) {
  l.length -= l.length > 0 && l.text[l.length - 1] == '\r' ? 1 : 0;
  return l;
}

const char *place_source_line(const model_file *file, uint32_t line, size_t *length) {
  const char *at = file->text, *end = file->text + file->length;
  for (uint32_t n = 1; at < end; n++) {
    const char *stop = memchr(at, '\n', (size_t)(end - at));
    stop = stop == NULL ? end : stop;
    if (n == line) {
      *length = (size_t)(stop - at);
      if (*length > 0 && at[*length - 1] == '\r') --*length;
      return at;
    }
    at = stop + 1;
  }
  return NULL;
}

place_line place_line_of(const model_file *file, uint32_t line) {
  place_line l = {0};
  l.text = place_source_line(file, line, &l.length);
  return l;
}

place_line place_line_at(const model_file *file, uint32_t offset) {
  if (offset > file->length) return (place_line){0};
  const char *before = memrchr(file->text, '\n', offset);
  const size_t begin = before == NULL ? 0 : (size_t)(before - file->text) + 1;
  const char *end = offset == file->length ? NULL : memchr(file->text + offset, '\n', file->length - offset);
  size_t stop = end == NULL ? file->length : (size_t)(end - file->text);
  return without_return((place_line){file->text + begin, stop - begin});
}

static bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\f' || c == '\v'; }

void place_extent(const place_line *line, uint32_t *first, uint32_t *end) {
  size_t from = 0, to = line->length;
  while (from < to && is_blank(line->text[from])) from++;
  while (to > from && is_blank(line->text[to - 1])) to--;
  *first = 1 + units(line->text, from);
  *end = *first + units(line->text + from, to - from);
}
