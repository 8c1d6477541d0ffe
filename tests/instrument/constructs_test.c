/* constructs_test CLTESTCHECK CONSTRUCTS_HOST FOLDER [FILE.cl…]: runs the kernel files of the folder without and under
 * `cltestcheck coverage`, compares what they print, and compares the evidence with the comments in the files. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "db/db.h"
#include "reports/common/coverage.h"
#include "tests/fixtures/constructs_comments.h"

#define MCDC "mcdc" /* in comments: a decision by its conditions */

enum { MAX_FILES = 256, MAX_SITES = 64, MAX_OUTCOMES = 16, MAX_COMPLAINTS = 4096 };

static int passed, failed;

/* What a file's comments say of one of its sites. */
typedef struct expected_site {
  char kind[COMMENT_SIZE], place[COMMENT_SIZE];
  char covered[COMMENT_SIZE], missed[COMMENT_SIZE];
  bool found;
} expected_site;

/* A kernel file under test. */
typedef struct construct {
  const char *name; /* "NAME.cl" */
  char *text;
  size_t length;
  const view *view;
  expected_site sites[MAX_SITES];
  size_t site_count;
  char complaints[MAX_COMPLAINTS];
} construct;

static void __attribute__((format(printf, 2, 3))) complain(construct *c, const char *format, ...) {
  const size_t used = strlen(c->complaints);
  va_list arguments;
  va_start(arguments, format);
  (void)snprintf(c->complaints + used, sizeof c->complaints - used, "    ");
  const size_t indented = strlen(c->complaints);
  (void)vsnprintf(c->complaints + indented, sizeof c->complaints - indented, format, arguments);
  va_end(arguments);
  const size_t end = strlen(c->complaints);
  (void)snprintf(c->complaints + end, sizeof c->complaints - end, "\n");
}

static void report(const char *name, const char *complaints) {
  printf("%s %s\n%s", complaints[0] == '\0' ? "ok" : "FAIL", name, complaints);
  *(complaints[0] == '\0' ? &passed : &failed) += 1;
}

/* --- which part of the view belongs to a file -----------------------------------------------------------------------
 */

static bool ends_with(const char *text, const char *end) {
  const size_t length = strlen(text), end_length = strlen(end);
  return length >= end_length && strcmp(text + length - end_length, end) == 0;
}

static bool is_main(const construct *c, uint32_t file) {
  const model_file *f = &c->view->files[file];
  return f->length == c->length && memcmp(f->text, c->text, c->length) == 0;
}

/* "" for the file itself, the name of one of its headers, NULL for a file that is not its own. */
static const char *place_of(const construct *c, uint32_t file, char name[COMMENT_SIZE]) {
  char headers[COMMENT_SIZE];
  const char *list = headers;
  if (is_main(c, file)) return "";
  if (comment_value(c->text, "header", 0, headers)) {
    while (next_part(&list, " ", name))
      if (ends_with(c->view->files[file].name, name)) return name;
  }
  return NULL;
}

/* How the comments name a line: "7", "include/header.h:7"; "option" for a macro of the build options. */
static bool place_text(const construct *c, uint32_t file, uint32_t function, uint32_t line, char out[COMMENT_SIZE]) {
  char name[COMMENT_SIZE];
  const char *place = place_of(c, file, name);
  if (place != NULL)
    (void)snprintf(out, COMMENT_SIZE, "%.400s%s%u", place, place[0] == '\0' ? "" : ":", line);
  else if (function < c->view->function_count && place_of(c, c->view->functions[function].file, name) != NULL)
    (void)snprintf(out, COMMENT_SIZE, "option");
  else
    return false;
  return true;
}

/* --- sites ------------------------------------------------------------------------------------------------------- */

/* The label of an outcome as the comments write it. */
static const char *short_label(const model_site *s, const model_outcome *o) {
  static const char *const loops[] = {"0", "1", ">1", "boundary"};
  const bool loop = s->kind == SITE_FOR || s->kind == SITE_WHILE || s->kind == SITE_DO;
  return loop && o->index < 4 ? loops[o->index] : s->kind == SITE_BARRIER ? "covered" : o->label;
}

static bool listed(const char *list, const char *label) {
  char part[COMMENT_SIZE];
  while (next_part(&list, ",", part))
    if (strcmp(part, label) == 0) return true;
  return false;
}

static size_t count_parts(const char *list) {
  char part[COMMENT_SIZE];
  size_t count = 0;
  while (next_part(&list, ",", part)) count++;
  return count;
}

static void compare_outcome(construct *c, const expected_site *e, const char *label, bool covered) {
  if (!listed(covered ? e->covered : e->missed, label))
    complain(c, "%s %s: outcome \"%s\" is %s", e->kind, e->place, label, covered ? "covered" : "not covered");
}

static void compare_count(construct *c, const expected_site *e, size_t count) {
  if (count_parts(e->covered) + count_parts(e->missed) != count)
    complain(c, "%s %s has %zu outcomes", e->kind, e->place, count);
}

/* The conditions of a decision that were shown to matter, by number from 1. */
static void compare_mcdc(construct *c, const expected_site *e, const model_site *s) {
  mcdc m;
  mcdc_read(s, &m);
  compare_count(c, e, m.count);
  for (size_t i = 0; i < m.count; i++) {
    char number[24];
    (void)snprintf(number, sizeof number, "%zu", i + 1);
    compare_outcome(c, e, number, m.conditions[i].shown);
  }
}

/* Of a decision the ways through it, as "TF- F". */
static void compare_outcomes(construct *c, const expected_site *e, const model_site *s) {
  size_t count = 0;
  for (size_t i = 0; i < s->outcome_count; i++) {
    if (s->kind != SITE_DECISION || s->outcomes[i].index >= OUTCOME_PATH) {
      compare_outcome(c, e, short_label(s, &s->outcomes[i]), s->outcomes[i].tests > 0);
      count++;
    }
  }
  compare_count(c, e, count);
}

static void read_site(construct *c, const char *text) {
  if (c->site_count == MAX_SITES) {
    complain(c, "more than %d sites", MAX_SITES);
    return;
  }
  expected_site *e = &c->sites[c->site_count++];
  memset(e, 0, sizeof *e);
  const bool complete = next_part(&text, " ", e->kind) && next_part(&text, " ", e->place);
  if (!complete || strchr(text, '|') == NULL) {
    complain(c, "a site comment is not KIND LINE COVERED | MISSED: %s", text);
    return;
  }
  if (!next_part(&text, "|", e->covered) || !next_part(&text, "|", e->missed)) e->missed[0] = '\0';
}

static void compare_site(construct *c, const model_site *s, const char *kind, const char *place) {
  for (size_t i = 0; i < c->site_count; i++) {
    expected_site *e = &c->sites[i];
    if (!e->found && strcmp(e->kind, kind) == 0 && strcmp(e->place, place) == 0) {
      e->found = true;
      (strcmp(kind, MCDC) == 0 ? compare_mcdc : compare_outcomes)(c, e, s);
      return;
    }
  }
  complain(c, "%s %s was not expected", kind, place);
}

/* Conditions and decisions are compared in the files whose comments tell of any. */
static bool tells_of_conditions(const construct *c) {
  for (size_t i = 0; i < c->site_count; i++) {
    const char *kind = c->sites[i].kind;
    if (strcmp(kind, MCDC) == 0 || strcmp(kind, "condition") == 0 || strcmp(kind, "decision") == 0) return true;
  }
  return false;
}

static void compare_sites(construct *c) {
  char text[COMMENT_SIZE];
  for (size_t i = 0; comment_value(c->text, "site", i, text); i++) read_site(c, text);
  const bool conditions = tells_of_conditions(c);
  /* Sites of one kind on one line are expected in the order of their columns, decisions of their operators. */
  for (size_t i = 0; i < c->view->site_count; i++) {
    const model_site *s = &c->view->sites[i];
    const bool about_conditions = s->kind == SITE_CONDITION || s->kind == SITE_DECISION;
    if (s->kind != SITE_REGION && (conditions || !about_conditions) &&
        place_text(c, s->file, s->function, s->line, text)) {
      compare_site(c, s, site_kind_name(s->kind), text);
      if (s->kind == SITE_DECISION) compare_site(c, s, MCDC, text);
    }
  }
  for (size_t i = 0; i < c->site_count; i++)
    if (!c->sites[i].found) complain(c, "%s %s is missing", c->sites[i].kind, c->sites[i].place);
}

/* --- lines ------------------------------------------------------------------------------------------------------- */

/* Whether a list such as "3-6 9 include/a.h:2" holds a place. */
static bool in_ranges(const char *list, const char *place) {
  char part[COMMENT_SIZE];
  const char *colon = strrchr(place, ':');
  const size_t prefix = colon == NULL ? 0 : (size_t)(colon - place) + 1;
  const long line = strtol(place + prefix, NULL, 10);
  while (next_part(&list, " ", part)) {
    const char *part_colon = strrchr(part, ':');
    const size_t part_prefix = part_colon == NULL ? 0 : (size_t)(part_colon - part) + 1;
    char *end = NULL;
    const long first = strtol(part + part_prefix, &end, 10);
    const long last = *end == '-' ? strtol(end + 1, NULL, 10) : first;
    if (part_prefix == prefix && strncmp(part, place, prefix) == 0 && first <= line && line <= last) return true;
  }
  return false;
}

static size_t count_lines(const char *list) {
  char part[COMMENT_SIZE];
  size_t count = 0;
  while (next_part(&list, " ", part)) {
    const char *colon = strrchr(part, ':');
    char *end = NULL;
    const long first = strtol(colon == NULL ? part : colon + 1, &end, 10);
    count += (size_t)((*end == '-' ? strtol(end + 1, NULL, 10) : first) - first + 1);
  }
  return count;
}

static void compare_lines(construct *c) {
  char code[COMMENT_SIZE] = "", missed[COMMENT_SIZE] = "", place[COMMENT_SIZE];
  size_t code_lines = 0, missed_lines = 0;
  if (!comment_value(c->text, "code", 0, code) || !comment_value(c->text, "lines", 0, missed))
    complain(c, "the comments `code:` or `lines:` are missing");
  for (size_t i = 0; i < c->view->line_count; i++) {
    const view_line *l = &c->view->lines[i];
    if (!place_text(c, l->file, MODEL_NONE, l->line, place)) continue;
    const bool expected = in_ranges(code, place), miss = in_ranges(missed, place);
    code_lines += expected ? 1 : 0;
    missed_lines += miss ? 1 : 0;
    if (!expected)
      complain(c, "line %s is said to hold code", place);
    else if ((l->tests > 0) == miss)
      complain(c, "line %s is said to be %s", place, l->tests > 0 ? "executed" : "not executed");
  }
  if (code_lines != count_lines(code) || missed_lines != count_lines(missed))
    complain(c, "%zu of the lines %s hold code, and %zu of %s", code_lines, code, missed_lines, missed);
}

/* --- kernels, findings ------------------------------------------------------------------------------------------- */

static void compare_kernels(construct *c) {
  char value[COMMENT_SIZE], place[COMMENT_SIZE];
  size_t builds = 0, kernels = 0;
  while (comment_value(c->text, "options", builds, value)) builds++;
  for (size_t i = 0; i < c->view->kernel_count; i++) {
    const view_kernel *k = &c->view->kernels[i];
    if (!is_main(c, c->view->functions[k->function].file)) continue;
    const size_t launches = strncmp(k->name, "test", 4) != 0 ? 0 : builds == 0 ? 1 : builds;
    kernels++;
    if (k->launches != launches)
      complain(c, "kernel %s has %zu launches instead of %zu", k->name, (size_t)k->launches, launches);
  }
  if (kernels == 0) complain(c, "no kernel of it was instrumented");
  size_t findings = 0;
  for (size_t i = 0; i < c->view->finding_count; i++) {
    const db_finding *f = &c->view->findings[i];
    findings += f->file != MODEL_NONE && place_text(c, f->file, MODEL_NONE, f->line, place) ? 1 : 0;
  }
  const size_t expected = comment_value(c->text, "findings", 0, value) ? strtoul(value, NULL, 10) : 0;
  if (findings != expected) complain(c, "%zu findings instead of %zu", findings, expected);
}

/* The part of the host's output that is about one file. */
static char *output_of(const char *output, const char *name) {
  char head[COMMENT_SIZE];
  (void)snprintf(head, sizeof head, "./%s ", name);
  const char *begin = strstr(output, head);
  const char *end = begin;
  while (end != NULL && *end != '\0' && (end == begin || strncmp(end, "./", 2) != 0 || strstr(end, head) == end)) {
    const char *next = strchr(end, '\n');
    end = next == NULL ? end + strlen(end) : next + 1;
  }
  return begin == NULL ? strdup("") : strndup(begin, (size_t)(end - begin));
}

static void check_construct(const view *v, const char *name, const char *plain, const char *covered) {
  construct c = {.name = name, .view = v};
  c.text = read_whole(name, &c.length);
  char *before = output_of(plain, name), *after = output_of(covered, name);
  if (strstr(before, "does not build") != NULL && comment_word(c.text, "skip-if-build-fails")) {
    printf("skip %s: the device's compiler rejects it\n", name);
  } else {
    if (strstr(before, "test") == NULL || strstr(before, "does not build") || strstr(before, " failed with "))
      complain(&c, "it does not run without cltestcheck: %.200s", before);
    if (strcmp(before, after) != 0)
      complain(&c, "its output under cltestcheck differs:\n%s    instead of\n%s", after, before);
    compare_sites(&c);
    compare_lines(&c);
    compare_kernels(&c);
    report(name, c.complaints);
  }
  free(before);
  free(after);
  free(c.text);
}

/* Whether it is the device's own compiler that does not take a file of which that is known. */
static bool may_be_skipped(const view_skipped *s, char *const *names, size_t count) {
  bool may = false;
  for (size_t i = 0; i < count; i++) {
    if (ends_with(s->program, names[i]) && strstr(s->reason, "does not compile") != NULL) {
      size_t length = 0;
      char *text = read_whole(names[i], &length);
      may = may || comment_word(text, "skip-if-build-fails");
      free(text);
    }
  }
  return may;
}

/* --- running ----------------------------------------------------------------------------------------------------- */

/* Runs a command with its output in a file; gives the exit status, -1 for none. */
static int run(char *const *argv, const char *output) {
  fflush(stdout);
  const pid_t child = fork();
  if (child == 0) {
    const int fd = open(output, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    if (fd >= 0 && dup2(fd, STDOUT_FILENO) >= 0) execv(argv[0], argv);
    perror(argv[0]);
    _exit(127);
  }
  int status = 0;
  return waitpid(child, &status, 0) == child && WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static int is_kernel_file(const struct dirent *entry) { return ends_with(entry->d_name, ".cl"); }

/* `head`, then "./NAME" of every file, then NULL. */
static char **command(const char *const *head, size_t head_count, char *const *names, size_t count) {
  char **argv = calloc(head_count + count + 1, sizeof *argv);
  for (size_t i = 0; i < head_count; i++) argv[i] = strdup(head[i]);
  for (size_t i = 0; i < count; i++) {
    argv[head_count + i] = malloc(strlen(names[i]) + 3);
    (void)sprintf(argv[head_count + i], "./%s", names[i]);
  }
  return argv;
}

static void free_command(char **argv) {
  for (size_t i = 0; argv[i] != NULL; i++) free(argv[i]);
  free(argv);
}

static void check_all(const char *database, char *const *names, size_t count, const char *plain, const char *covered) {
  db *d = NULL;
  view v;
  error e;
  if (db_open(&d, database, DB_READ, &e) != 0 || db_load(d, NULL, 0, &v, &e) != 0) {
    report("the database", e.text);
    db_close(d);
    return;
  }
  char skipped[MAX_COMPLAINTS] = "";
  for (size_t i = 0; i < v.skipped_count; i++) {
    const size_t used = strlen(skipped);
    if (!may_be_skipped(&v.skipped[i], names, count))
      (void)snprintf(skipped + used, sizeof skipped - used, "    %s: %s\n", v.skipped[i].program, v.skipped[i].reason);
  }
  report("every program was instrumented", skipped);
  for (size_t i = 0; i < count; i++) check_construct(&v, names[i], plain, covered);
  view_free(&v);
  db_close(d);
}

static void test(const char *tool, const char *host, const char *work, char *const *names, size_t count, bool whole) {
  char database[PATH_MAX], plain_path[PATH_MAX], covered_path[PATH_MAX], text[COMMENT_SIZE] = "";
  (void)snprintf(database, sizeof database, "%s/constructs.db", work);
  (void)snprintf(plain_path, sizeof plain_path, "%s/plain", work);
  (void)snprintf(covered_path, sizeof covered_path, "%s/covered", work);
  const char *const head[] = {tool, "coverage", "--quiet", "--db", database, "--", host};
  char **covered_command = command(head, 7, names, count), **plain_command = command(head + 6, 1, names, count);
  const int plain_status = run(plain_command, plain_path), status = run(covered_command, covered_path);
  if (plain_status != 0 || (whole && status != 3)) /* the folder holds a divergent barrier */
    (void)snprintf(text, sizeof text, "    exit status %d without cltestcheck, %d with it\n", plain_status, status);
  report("exit status", text);
  size_t length = 0;
  char *plain = read_whole(plain_path, &length), *covered = read_whole(covered_path, &length);
  check_all(database, names, count, plain, covered);
  free(plain);
  free(covered);
  free_command(plain_command);
  free_command(covered_command);
}

/* The kernel files of the folder that is the current one, or those named. */
static size_t list_files(int argc, char **argv, char *names[MAX_FILES]) {
  size_t count = 0;
  for (int i = 0; i < argc && count < MAX_FILES; i++) names[count++] = strdup(argv[i]);
  struct dirent **entries = NULL;
  const int found = count > 0 ? 0 : scandir(".", &entries, is_kernel_file, alphasort);
  for (int i = 0; i < found && count < MAX_FILES; i++) {
    names[count++] = strdup(entries[i]->d_name);
    free(entries[i]);
  }
  free(entries);
  return count;
}

static void remove_folder(const char *path) {
  struct dirent **entries = NULL;
  const int count = scandir(path, &entries, NULL, alphasort);
  for (int i = 0; i < count; i++) {
    char file[PATH_MAX];
    (void)snprintf(file, sizeof file, "%s/%s", path, entries[i]->d_name);
    (void)unlink(file);
    free(entries[i]);
  }
  free(entries);
  (void)rmdir(path);
}

int main(int argc, char **argv) {
  char tool[PATH_MAX], host[PATH_MAX], work[] = "/tmp/constructs.XXXXXX", *names[MAX_FILES];
  if (argc < 4 || realpath(argv[1], tool) == NULL || realpath(argv[2], host) == NULL || chdir(argv[3]) != 0 ||
      mkdtemp(work) == NULL) {
    fprintf(stderr, "constructs_test: wants CLTESTCHECK CONSTRUCTS_HOST FOLDER [FILE.cl…]: %s\n", strerror(errno));
    return 2;
  }
  const size_t count = list_files(argc - 4, argv + 4, names);
  test(tool, host, work, names, count, argc == 4);
  for (size_t i = 0; i < count; i++) free(names[i]);
  remove_folder(work);
  printf("%d passed, %d failed\n", passed, failed);
  return failed == 0 && passed > 2 ? 0 : 1;
}
