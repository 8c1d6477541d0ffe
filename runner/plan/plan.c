/* The test cases of a command line: programs, suites, kernel cases and how they are run, captures, those of earlier runs. */
#include "runner/plan/plan.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/files.h"
#include "base/memory.h"
#include "base/say.h"
#include "base/subprocess.h"
#include "proofs/sources/source.h"
#include "runner/paths.h"

/* Puts the test case of that name first. */
static int choose(plan *p, const recorded_test *t, error *e) {
  for (size_t i = 0; i < p->count; i++) {
    if (strcmp(p->tests[i].name, t->name) == 0) {
      const experiment_test first = p->tests[0];
      p->tests[0] = p->tests[i];
      p->tests[i] = first;
      return 0;
    }
  }
  return error_set(e, EXIT_USAGE, "--replay: suite %s has no test case %s any more; give the program after --",
                   t->suite, t->name);
}

/* What names a suite on a command line, to be freed. A database of before has no word: of kernel cases it is their file. */
static char *positional_of(const char *word, const char *of, const char *command_line) {
  if (word[0] != '\0') return mem_strdup(word);
  char **line = shell_split(command_line);
  const bool cases = line != NULL && line[1] == NULL && plan_names_suite(line[0]);
  char *older = mem_strdup(cases ? line[0] : of);
  shell_free(line);
  return older;
}

int recorded_plan(const plan_words *s, const recorded_test *t, plan *out, char ***command, error *e) {
  *command = NULL;
  if (s->command != NULL || s->words.count > 0) return plan_make(s, out, e);
  plan_words recorded = *s;
  if (t->suite[0] == '\0') {
    *command = shell_split(t->command_line);
    if (*command == NULL) {
      return error_set(e, EXIT_USAGE,
                       "--replay: %s is no command line that can be run again; give the program after --",
                       t->command_line);
    }
    recorded.command = *command;
    return plan_make(&recorded, out, e);
  }
  scoped char *named = positional_of(t->word, t->suite, t->command_line);
  const char *item = named;
  recorded.words = (word_list){&item, 1, 1};
  return plan_make(&recorded, out, e) == 0 ? choose(out, t, e) : -1;
}

static int take_test_cases(const view *v, recorded_run *lent, error *e) {
  EACH(const view_test_case, t, v->test_cases, v->test_case_count) {
    if (t->suite[0] != '\0') {
      char *word = positional_of(t->word, t->suite, t->command_line);
      if (name_number((const char *const *)lent->suites, lent->suite_count, word) < 0)
        *ARRAY_ADD(lent->suites, lent->suite_count, lent->suite_capacity) = word;
      else
        free(word);
    } else if (lent->command == NULL && (lent->command = shell_split(t->command_line)) == NULL) {
      return error_set(e, EXIT_USAGE,
                       "--resume: %s is no command line that can be run again; give the program after --",
                       t->command_line);
    }
  }
  return lent->command != NULL || lent->suite_count > 0
             ? 0
             : error_set(e, EXIT_USAGE, "--resume: the run ended before its program began; give the program after --");
}

int recorded_run_plan(const plan_words *s, db *d, int64_t run, plan *out, recorded_run *lent, error *e) {
  view v;
  *lent = (recorded_run){0};
  if (db_load(d, &run, 1, &v, e) != 0) return -1;
  plan_words recorded = *s;
  int result = take_test_cases(&v, lent, e);
  view_free(&v);
  recorded.command = lent->command;
  recorded.words = (word_list){(const char **)lent->suites, lent->suite_count, lent->suite_count};
  return result == 0 ? plan_make(&recorded, out, e) : result;
}

void recorded_run_free(recorded_run *lent) {
  mem_free_all(lent->suites, lent->suite_count);
  shell_free(lent->command);
  *lent = (recorded_run){0};
}

static const char *const any_reads[] = {"--reads", "any", NULL};

/* The command that does again what a capture holds, of a kernel case or of a program; NULL: the program that does is not there. */
static char **replay_of(const plan_words *s, const char *capture_path, bool of_case) {
  scoped char *program = own_path("cltestcheck-replay");
  char *const words[] = {program, (char *)capture_path, of_case ? "--case" : NULL, "-", NULL};
  return program == NULL ? NULL : shell_join(words, s->any_reads ? any_reads : any_reads + 2);
}

static int add_case(plan *p, const plan_words *s, const char *path, case_suite *of, size_t number, error *e) {
  case_capture made;
  if (case_compose(of, number, &made, e) != 0) return -1;
  scoped char *file = mem_printf("%s/%zu", p->cases, p->count);
  const bool written = capture_write(&made.capture, file, e) == 0 && capture_places_write(&made.capture, file, e) == 0;
  int result = written ? 0 : -1;
  case_capture_free(&made);
  char **argv = replay_of(s, file, true);
  if (argv == NULL) return replay_is_missing(e);
  const int added = plan_add(p, case_suite_name(of), case_name(of, number), argv, e);
  experiment_test *t = &p->tests[p->count - 1];
  t->capture = argv[1];
  /* Puts the suite file where a command line would stand: who runs a test case of the database again needs it. */
  buffer line = {0};
  shell_word(&line, path);
  free((char *)t->line);
  t->line = buffer_take(&line);
  return result == 0 ? added : -1;
}

/* From the signatures that verify reads to those of cases. */

static case_parameter_kind kind_of(const parameter *p) {
  static const case_parameter_kind kinds[] = {[PARAMETER_GLOBAL] = CASE_MEMORY,
                                              [PARAMETER_LOCAL] = CASE_LOCAL,
                                              [PARAMETER_VALUE] = CASE_VALUE,
                                              [PARAMETER_IMAGE] = CASE_IMAGE,
                                              [PARAMETER_OTHER] = CASE_OTHER};
  return p->kind == PARAMETER_OTHER && strcmp(p->type, "sampler_t") == 0 ? CASE_SAMPLER : kinds[p->kind];
}

static void copy(const signature *from, case_kernel *to) {
  to->name = mem_strdup(from->kernel);
  to->dimensions = from->dimensions;
  to->parameters = mem_calloc(from->count + 1, sizeof *to->parameters);
  to->count = from->count;
  for (size_t i = 0; i < from->count; i++) {
    const parameter *p = &from->parameters[i];
    to->parameters[i] = (case_parameter){.name = mem_strdup(p->name),
                                         .type = mem_strdup(p->type),
                                         .written = mem_strdup(p->written),
                                         .kind = kind_of(p),
                                         .size = p->size,
                                         .atomic = p->atomic,
                                         .reach = p->reach,
                                         .read_only = p->read_only};
  }
}

static int read_kernels(const pp_input *in, bool reach, case_kernels *out, error *e) {
  signature *found = NULL;
  size_t count = 0;
  source_digests ignored;
  error why = {0};
  if (signatures_read(in, reach, &found, &count, &ignored, &why) != 0) {
    signatures_free(found, count);
    return error_set(e, EXIT_USAGE, "the kernels of %s cannot be read: %s", in->name, why.text);
  }
  *out = (case_kernels){mem_calloc(count + 1, sizeof(case_kernel)), count};
  for (size_t i = 0; i < count; i++) copy(&found[i], &out->items[i]);
  signatures_free(found, count);
  return 0;
}

int case_kernels_read(const pp_input *in, case_kernels *out, error *e) { return read_kernels(in, false, out, e); }

static bool executable(const char *path) {
  struct stat status;
  return stat(path, &status) == 0 && S_ISREG(status.st_mode) && access(path, X_OK) == 0;
}

static bool in_search_path(const char *program) {
  const char *path = getenv("PATH");
  for (const char *at = path == NULL ? "" : path; *at != '\0';) {
    size_t length = strcspn(at, ":");
    scoped_buffer tried = {0};
    buffer_append(&tried, at, length);
    buffer_printf(&tried, "%s%s", length == 0 ? "." : "", "/");
    buffer_puts(&tried, program);
    bool found = executable(buffer_text(&tried));
    if (found) return true;
    at += length + (at[length] == ':' ? 1 : 0);
  }
  return false;
}

bool plan_is_program(const char *word) { return strchr(word, '/') == NULL ? in_search_path(word) : executable(word); }

static int check_program(const char *program, error *e) {
  if (strchr(program, '/') == NULL) {
    if (in_search_path(program)) return 0;
    bool here = access(program, F_OK) == 0;
    return error_set(e, EXIT_USAGE, "program \"%s\" was not found in PATH%s%s", program,
                     here ? "; the one in this folder is ./" : "; give its path, such as ./", program);
  }
  if (access(program, F_OK) != 0) return error_set(e, EXIT_USAGE, "program \"%s\" was not found", program);
  if (!executable(program)) return error_set(e, EXIT_USAGE, "\"%s\" is not an executable program", program);
  return 0;
}

int plan_add(plan *p, const char *suite_name, const char *name, char **argv, error *e) {
  experiment_test *t = ARRAY_ADD(p->tests, p->count, p->capacity);
  t->suite = mem_strdup(suite_name);
  t->name = mem_strdup(name);
  t->argv = argv;
  t->line = shell_line(argv);
  return check_program(argv[0], e);
}

static int add_suite(plan *p, const plan_words *with, const char *path, error *e) {
  if (case_suite_is(path)) {
    /* Adds each case of a suite of kernels: a capture that is composed for it, and that cltestcheck-replay does. Errors are
 * EXIT_USAGE. */
    case_suite *of = NULL;
    /* A case is composed, and its capture put where the replay finds it. */
    if (p->cases == NULL) p->cases = scratch_temporary("cltestcheck-cases", e);
    int result = (p->cases == NULL ? -1 : 0) != 0 || case_suite_open(&of, path, case_kernels_read, e) != 0 ? -1 : 0;
    for (size_t i = 0; result == 0 && i < case_suite_count(of); i++) result = add_case(p, with, path, of, i, e);
    case_suite_close(of);
    return result;
  }
  program_suite s;
  int result = suite_load(path, &s, e);
  for (size_t i = 0; i < s.tests_count && result == 0; i++)
    result = plan_add(p, s.name, s.tests[i].name, suite_command(&s, &s.tests[i]), e);
  suite_free(&s);
  return result;
}

char *plan_suites_directory(const char *chosen) { return chosen != NULL ? mem_strdup(chosen) : own_path("suites"); }

bool plan_names_suite(const char *word) {
  size_t length = strlen(word);
  return (length > 5 && strcmp(word + length - 5, ".yaml") == 0) ||
         (length > 4 && strcmp(word + length - 4, ".yml") == 0);
}

bool plan_names_capture(const char *word) {
  char magic[sizeof CAPTURE_MAGIC_PACKED] = "";
  error ignored;
  FILE *f = pipe_refuse(word, &ignored) == 0 ? fopen(word, "rbe") : NULL;
  const bool read = f != NULL && fread(magic, sizeof magic - 1, 1, f) == 1;
  if (f != NULL) (void)fclose(f);
  return read && (strcmp(magic, CAPTURE_MAGIC_PACKED) == 0 || strcmp(magic, CAPTURE_MAGIC_RAW) == 0);
}

char *plan_includes_folder(error *e) {
  char *folder = scratch_temporary("cltestcheck-includes", e);
  if (folder != NULL) (void)setenv(ENV_INCLUDES, folder, 1);
  return folder;
}

static int not_hidden(const struct dirent *entry) { return entry->d_name[0] != '.'; }

/* The folder of suites has folders of other kinds, too. */
static bool is_suite(const char *directory, const char *name) {
  scoped_buffer path = buffer_with("%s/%s/suite.yaml", directory, name);
  return access(buffer_text(&path), R_OK) == 0;
}

static int unknown_benchmark(const char *word, const char *directory, error *e) {
  scoped struct dirent **entries = NULL;
  int count = directory == NULL ? 0 : scandir(directory, &entries, not_hidden, alphasort);
  suggestion near = {.word = word};
  for (int i = 0; i < count; i++)
    if (is_suite(directory, entries[i]->d_name)) suggest_consider(&near, entries[i]->d_name);
  int result = error_set(e, EXIT_USAGE, "unknown benchmark \"%s\"; %s%s%s", word,
                         near.best == NULL ? "`cltestcheck list` shows what there is" : "did you mean ",
                         near.best == NULL ? "" : near.best, near.best == NULL ? "" : "?");
  for (int i = 0; i < count; i++) free(entries[i]);
  return result;
}

/* A file that is something else. */
static int no_benchmark(const plan_words *s, const char *word, error *e) {
  const size_t length = strlen(word);
  if (length > 3 && strcmp(word + length - 3, ".cl") == 0) {
    /* For a kernel file that has no case: what one looks like goes to standard output. Returns -1 with `e` set. */
    program_request file;
    case_kernels kernels = {0};
    scoped_buffer text = {0};
    int result =
        request_of_file(&file, word, NULL, e) != 0 || read_kernels(&file.sources[0].input, true, &kernels, e) != 0 ? -1
                                                                                                                   : 0;
    if (result == 0 && kernels.count == 0) result = error_set(e, EXIT_USAGE, "%s has no kernels", word);
    if (result == 0) {
      case_skeleton(word, &kernels, &text);
      say(stdout, "%s", buffer_text(&text));
      result =
          error_set(e, EXIT_USAGE,
                    "\"%s\" is a kernel file, and nothing launches its kernels: put what stands on standard output "
                    "into a suite.yaml, change sizes and contents, and then: cltestcheck %s suite.yaml; or put a "
                    "program that launches them after --",
                    word, s->verb);
    }
    case_kernels_free(&kernels);
    request_free(&file);
    return result;
  }
  return error_set(e, EXIT_USAGE,
                   "\"%s\" is no benchmark, suite or capture; to run a program, put it after --: cltestcheck %s -- %s",
                   word, s->verb, word);
}

/* What names the suite of the test cases from `first` on. */
static void take_word(plan *p, size_t first, const char *word) {
  for (size_t i = first; i < p->count; i++) p->tests[i].word = mem_strdup(word);
}

static int add_benchmark(plan *p, const plan_words *s, const char *word, error *e) {
  const size_t first = p->count;
  if (plan_names_suite(word)) {
    const int added = add_suite(p, s, word, e);
    take_word(p, first, word);
    return added;
  }
  if (plan_names_capture(word)) {
    /* What was captured, done again, is a program like others. */
    if (p->includes == NULL && (p->includes = plan_includes_folder(e)) == NULL) return -1;
    char **argv = replay_of(s, word, false);
    return argv == NULL ? replay_is_missing(e) : plan_add(p, "", path_end(word), argv, e);
  }
  scoped char *directory = plan_suites_directory(s->tests.suites);
  scoped_buffer path = buffer_with("%s/%s/suite.yaml", directory == NULL ? "" : directory, word);
  int result = 0;
  if (strchr(word, '/') == NULL && access(buffer_text(&path), R_OK) == 0) {
    result = add_suite(p, s, buffer_text(&path), e);
    take_word(p, first, word);
  } else if (access(word, F_OK) == 0 || strchr(word, '/') != NULL) {
    result = no_benchmark(s, word, e);
  } else {
    result = unknown_benchmark(word, directory, e);
  }
  return result;
}

static int add_command(plan *p, const plan_words *s, error *e) {
  if (s->command[0] == NULL)
    return error_set(e, EXIT_USAGE, "no program was given after --, such as: cltestcheck %s -- ./my_tests", s->verb);
  char **argv = shell_join(s->command, (const char *const[]){NULL});
  return plan_add(p, "", path_end(argv[0]), argv, e);
}

int plan_make(const plan_words *s, plan *out, error *e) {
  *out = (plan){0};
  int result = 0;
  if (plan_is_listed(s)) return plan_listed(s, out, e);
  for (size_t i = 0; i < s->words.count && result == 0; i++) result = add_benchmark(out, s, s->words.items[i], e);
  if (result == 0 && s->command != NULL) result = add_command(out, s, e);
  if (result == 0 && out->count == 0) {
    result = error_set(e, EXIT_USAGE,
                       "no program was given; write it after --, such as: cltestcheck %s -- ./my_tests, or name a "
                       "benchmark of `cltestcheck list`",
                       s->verb);
  }
  return result;
}

void plan_free(plan *p) {
  for (size_t i = 0; i < p->count; i++) {
    shell_free(p->tests[i].argv);
    free((char *)p->tests[i].suite);
    free((char *)p->tests[i].name);
    free((char *)p->tests[i].line);
    free((char *)p->tests[i].word);
  }
  free(p->tests);
  scratch_close(p->includes);
  scratch_close(p->cases);
  *p = (plan){0};
}

/* suite.yaml of a program: its keys. */

/* A word, `*out` stays NULL where there is none. */
static int take_text(const program_suite *s, yaml_value *v, const char **out, error *e) {
  *out = v == NULL ? NULL : yaml_text(v);
  return v == NULL || (yaml_is_text(v) && **out != '\0') ? 0 : yaml_wrong(s->file, v, e, "a word is wanted here");
}

static int want_text(const program_suite *s, yaml_value *v, yaml_value *at, const char *key, const char **out,
                     error *e) {
  return v == NULL ? yaml_wrong(s->file, at, e, "%s: is missing here", key) : take_text(s, v, out, e);
}

static int read_test(program_suite *s, yaml_value *test, error *e) {
  yaml_value *name, *args;
  suite_test *t = &s->tests[s->tests_count++];
  const yaml_key keys[] = {{"name", &name}, {"args", &args}};
  if (yaml_keys(s->file, test, "a test of a program", keys, 2, e) != 0 ||
      want_text(s, name, test, "name", &t->name, e) != 0)
    return -1;
  t->args = args;
  if (args != NULL && !yaml_is_list(args))
    return yaml_wrong(s->file, args, e, "args is a list of words, such as [-n, 64]");
  for (size_t i = 0; args != NULL && i < yaml_count(args); i++)
    if (!yaml_is_text(yaml_item(s->file, args, i)))
      return yaml_wrong(s->file, yaml_item(s->file, args, i), e, "a word is wanted here");
  return 0;
}

static int read_suite(program_suite *s, error *e) {
  yaml_value *name, *program, *description, *defect, *tests, *root = yaml_root(s->file);
  const yaml_key keys[] = {
      {"name", &name}, {"program", &program}, {"tests", &tests}, {"description", &description}, {"defect", &defect}};
  if (yaml_keys(s->file, root, "a suite", keys, sizeof keys / sizeof *keys, e) != 0 ||
      want_text(s, name, root, "name", &s->name, e) != 0 ||
      want_text(s, program, root, "program", &s->program, e) != 0 ||
      take_text(s, description, &s->description, e) != 0 || take_text(s, defect, &s->defect, e) != 0)
    return -1;
  if (tests == NULL || !yaml_is_list(tests) || yaml_count(tests) == 0) {
    return yaml_wrong(s->file, tests == NULL ? root : tests, e,
                      "tests: and a list are wanted here: a line with `- ` for each test");
  }
  s->tests = mem_calloc(yaml_count(tests), sizeof *s->tests);
  int result = 0;
  for (size_t i = 0; i < yaml_count(tests) && result == 0; i++) result = read_test(s, yaml_item(s->file, tests, i), e);
  return result;
}

int suite_load(const char *path, program_suite *out, error *e) {
  *out = (program_suite){0};
  return yaml_open(&out->file, path, "suite file", e) != 0 ? -1 : read_suite(out, e);
}

void suite_free(program_suite *s) {
  free(s->tests);
  yaml_close(s->file);
}

static char *program_of(const program_suite *s) {
  const char *path = yaml_path(s->file), *slash = strrchr(path, '/');
  if (s->program[0] == '/') return mem_strdup(s->program);
  buffer beside = {0};
  buffer_append(&beside, slash == NULL ? "./" : path, slash == NULL ? 2 : (size_t)(slash - path + 1));
  buffer_puts(&beside, s->program);
  if (strchr(s->program, '/') == NULL && access(buffer_text(&beside), X_OK) != 0) {
    buffer_free(&beside);
    return mem_strdup(s->program);
  }
  return buffer_take(&beside);
}

char **suite_command(const program_suite *s, const suite_test *t) {
  const size_t count = t->args == NULL ? 0 : yaml_count(t->args);
  char **argv = mem_calloc(count + 2, sizeof *argv);
  argv[0] = program_of(s);
  for (size_t i = 0; i < count; i++) argv[i + 1] = mem_strdup(yaml_text(yaml_item(s->file, t->args, i)));
  return argv;
}

/* The capture of a case goes to a file, and cltestcheck-replay does it. */

static void say_ending(const case_run_options *o, const case_capture *c, const replaying_end *end, buffer *said) {
  const char *name = c->capture.program;
  if (end->late)
    buffer_printf(said, "%s: ran longer than %g seconds and was ended\n", name, o->timeout);
  else if (end->too_much)
    buffer_printf(said, "%s: printed more than 1 GiB and was ended\n", name);
  else if (end->signal != 0)
    buffer_printf(said, "%s: was killed by signal %d (%s)\n", name, end->signal, strsignal(end->signal));
  else if (end->status != 0 && said->length == 0)
    buffer_printf(said, "%s: the replay ended with exit status %d\n", name, end->status);
}

int case_run(const case_run_options *o, const case_capture *c, case_run_result *out, error *e) {
  scoped_buffer file = {0};
  capture_results read;
  replaying_end end = {0};
  *out = (case_run_result){.count = c->result_count};
  out->results = mem_calloc(out->count + 1, sizeof *out->results);
  buffer_printf(&file, "%s/case", o->folder);
  const char *const more[] = {"--case", o->folder, NULL};
  const replaying r = {.program = o->replay,
                       .capture = buffer_text(&file),
                       .device = o->device,
                       .timeout = o->timeout,
                       .more = more,
                       .joined = o->joined};
  const int result = capture_write(&c->capture, buffer_text(&file), e) == 0 &&
                             capture_places_write(&c->capture, buffer_text(&file), e) == 0
                         ? replaying_run(&r, &out->said, &end, e)
                         : -1;
  out->passed = result == 0 && end.status == 0;
  out->crashed = result == 0 && end.signal != 0 && !end.late && !end.too_much;
  out->late = result == 0 && end.late;
  if (result == 0 && !out->passed) say_ending(o, c, &end, &out->said);
  capture_results_take(o->folder, &read);
  for (size_t i = 0; i < out->count; i++) {
    const size_t size = (size_t)c->results[i].size;
    const unsigned char *bytes = capture_results_find(&read, i, size);
    if (bytes != NULL) out->results[i] = memcpy(mem_calloc(1, size + 1), bytes, size);
  }
  capture_results_free(&read);
  return result;
}

void case_run_free(case_run_result *r) {
  mem_free_all(r->results, r->count);
  buffer_free(&r->said);
  *r = (case_run_result){0};
}
