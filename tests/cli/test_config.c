/* Configuration: what a file, the environment and the command line say, in rising order; errors with their place; and
 * suggestions for misspelt names. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* cmocka.h wants these before it. */
/* clang-format off */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
/* clang-format on */

#include "base/memory.h"
#include "base/names.h"
#include "cli/options.h"
#include "tests/fixtures/ok.h"

/* A fresh folder to work in. */
static char folder[64];

static int enter(void **state) {
  (void)state;
  (void)snprintf(folder, sizeof folder, "%s", "/tmp/cltc-config.XXXXXX");
  return mkdtemp(folder) != NULL && chdir(folder) == 0 && mkdir("below", 0755) == 0 && mkdir("below/deep", 0755) == 0
             ? 0
             : -1;
}

static int leave(void **state) {
  (void)state;
  char line[128];
  (void)snprintf(line, sizeof line, "rm -rf '%s'", folder);
  return chdir("/") == 0 && system(line) == 0 ? 0 : -1;
}

static void write_file(const char *name, const char *text) {
  FILE *f = fopen(name, "w");
  assert_non_null(f);
  assert_true(fputs(text, f) >= 0);
  assert_int_equal(fclose(f), 0);
}

/* Settings of a command for words with spaces between. */
static int parse(const char *verb, const char *words_given, settings *s, error *e) {
  static char text[512];
  static char *argv[32];
  int argc = 0;
  (void)snprintf(text, sizeof text, "%s", words_given);
  for (char *word = strtok(text, " "); word != NULL; word = strtok(NULL, " ")) argv[argc++] = word;
  argv[argc] = NULL;
  return options_parse(command_find(verb), argc, argv, s, e);
}

static const char *origin_of(const settings *s, const char *name) {
  const char *origin = "";
  for (size_t i = 0; i < s->given.assigned->count; i++)
    if (strcmp(s->given.assigned->items[i].option->name, name) == 0) origin = s->given.assigned->items[i].origin;
  return origin;
}

/* --- precedence --------------------------------------------------------------------------------------------------- */

static void test_rising_order(void **state) {
  (void)state;
  error e;
  settings s;
  OK(parse("mutate", "", &s, &e));
  assert_int_equal(s.experiment.runs, 20);
  assert_string_equal(origin_of(&s, "runs"), "");
  settings_free(&s);

  write_file("cltestcheck.yaml", "runs: 2\n");
  OK(parse("mutate", "", &s, &e));
  assert_int_equal(s.experiment.runs, 2);
  assert_string_equal(origin_of(&s, "runs"), "cltestcheck.yaml:1:7");
  settings_free(&s);

  write_file("cltestcheck.yaml", "mutate:\n  runs: 3\nruns: 2\n");
  OK(parse("mutate", "", &s, &e));
  assert_int_equal(s.experiment.runs, 3);
  assert_string_equal(origin_of(&s, "runs"), "cltestcheck.yaml:2:9");
  settings_free(&s);
  OK(parse("amplify", "", &s, &e));
  assert_int_equal(s.experiment.runs, 2);
  settings_free(&s);

  assert_int_equal(setenv("CLTESTCHECK_RUNS", "4", 1), 0);
  OK(parse("mutate", "", &s, &e));
  assert_int_equal(s.experiment.runs, 4);
  assert_string_equal(origin_of(&s, "runs"), "CLTESTCHECK_RUNS");
  settings_free(&s);

  OK(parse("mutate", "--runs 5", &s, &e));
  assert_int_equal(s.experiment.runs, 5);
  assert_string_equal(origin_of(&s, "runs"), "command line");
  settings_free(&s);

  assert_int_equal(setenv("CLTESTCHECK_RUNS", "", 1), 0); /* empty is not there */
  OK(parse("mutate", "", &s, &e));
  assert_int_equal(s.experiment.runs, 3);
  settings_free(&s);
  assert_int_equal(unsetenv("CLTESTCHECK_RUNS"), 0);
}

static void test_lists_are_replaced(void **state) {
  (void)state;
  error e;
  settings s;
  write_file("cltestcheck.yaml", "kernel: [a, 'b*']\nexclude: c\nmutate:\n  exclude: []\n");
  OK(parse("mutate", "", &s, &e));
  assert_int_equal(s.report.kernels.wanted.count, 2);
  assert_string_equal(s.report.kernels.wanted.items[0], "a");
  assert_string_equal(s.report.kernels.wanted.items[1], "b*");
  assert_int_equal(s.report.kernels.exclude.count, 0);
  settings_free(&s);
  assert_int_equal(setenv("CLTESTCHECK_KERNEL", "x,y,z", 1), 0);
  OK(parse("coverage", "", &s, &e));
  assert_int_equal(s.report.kernels.wanted.count, 3);
  assert_string_equal(s.report.kernels.wanted.items[2], "z");
  assert_int_equal(s.report.kernels.exclude.count, 1);
  settings_free(&s);
  OK(parse("coverage", "-k only", &s, &e));
  assert_int_equal(s.report.kernels.wanted.count, 1);
  assert_string_equal(s.report.kernels.wanted.items[0], "only");
  settings_free(&s);
  assert_int_equal(unsetenv("CLTESTCHECK_KERNEL"), 0);
}

static double threshold_of(const settings *s, const char *metric) {
  double percent = -1;
  for (size_t i = 0; i < s->report.threshold_count; i++) {
    if (strcmp(s->report.thresholds[i].metric, metric) == 0) {
      assert_true(percent < 0); /* there once */
      percent = s->report.thresholds[i].percent;
    }
  }
  return percent;
}

static void test_thresholds_by_metric(void **state) {
  (void)state;
  error e;
  settings s;
  OK(parse("coverage", "--fail-under branch=80,line=90 --fail-under kernel=1", &s, &e));
  assert_true(threshold_of(&s, "branch") == 80 && threshold_of(&s, "line") == 90 && threshold_of(&s, "kernel") == 1);
  settings_free(&s);
  write_file("cltestcheck.yaml", "fail-under: {branch: 80, line: 90.5%}\n");
  assert_int_equal(setenv("CLTESTCHECK_FAIL_UNDER", "line=70,loop=10", 1), 0);
  OK(parse("coverage", "--fail-under branch=85", &s, &e));
  assert_int_equal(s.report.threshold_count, 3);
  assert_true(threshold_of(&s, "branch") == 85 && threshold_of(&s, "line") == 70 && threshold_of(&s, "loop") == 10);
  settings_free(&s);
  assert_int_equal(unsetenv("CLTESTCHECK_FAIL_UNDER"), 0);
  assert_int_equal(parse("coverage", "--fail-under branch=80,", &s, &e), -1);
  settings_free(&s);
}

static void test_switches(void **state) {
  (void)state;
  error e;
  settings s;
  write_file("cltestcheck.yaml", "quiet: true\nverbose: yes\ncoverage: {verbose: off}\nno-cache: 'true'\n");
  assert_int_equal(parse("mutate", "", &s, &e), -1); /* a text, not a truth value */
  assert_string_equal(e.text, "cltestcheck.yaml:4:11: no-cache is true or false");
  settings_free(&s);
  write_file("cltestcheck.yaml", "quiet: true\nverbose: yes\ncoverage: {verbose: off}\n");
  OK(parse("coverage", "", &s, &e));
  assert_true(s.report.quiet && !s.report.verbose);
  settings_free(&s);
  OK(parse("mutate", "--quiet=false", &s, &e));
  assert_true(!s.report.quiet && s.report.verbose);
  settings_free(&s);
  assert_int_equal(setenv("CLTESTCHECK_QUIET", "0", 1), 0);
  OK(parse("coverage", "", &s, &e));
  assert_false(s.report.quiet);
  settings_free(&s);
  assert_int_equal(setenv("CLTESTCHECK_QUIET", "perhaps", 1), 0);
  assert_int_equal(parse("coverage", "", &s, &e), -1);
  assert_non_null(strstr(e.text, "CLTESTCHECK_QUIET is true or false"));
  settings_free(&s);
  assert_int_equal(unsetenv("CLTESTCHECK_QUIET"), 0);
}

/* `runs` is a number for mutate and amplify, and a switch of list: only list's section can mean the latter. */
static void test_one_name_of_two_kinds(void **state) {
  (void)state;
  error e;
  settings s;
  write_file("cltestcheck.yaml", "runs: 1\n");
  assert_int_equal(setenv("CLTESTCHECK_RUNS", "1", 1), 0);
  OK(parse("list", "", &s, &e));
  assert_false(s.shown.runs);
  settings_free(&s);
  assert_int_equal(unsetenv("CLTESTCHECK_RUNS"), 0);
  write_file("cltestcheck.yaml", "runs: 1\nlist: {runs: true}\n");
  OK(parse("list", "", &s, &e));
  assert_true(s.shown.runs);
  settings_free(&s);
  write_file("cltestcheck.yaml", "coverage: true\n"); /* the switch of amplify, though coverage is a command, too */
  OK(parse("amplify", "", &s, &e));
  assert_true(s.amplification.coverage);
  settings_free(&s);
}

static void test_joined_and_mapped(void **state) {
  (void)state;
  error e;
  settings s;
  write_file("cltestcheck.yaml",
             "operators: [paper, -loop]\norder: [last, random]\ntargets: [3, 5]\nformat: {json: a.json, lcov: -}\n");
  OK(parse("amplify", "", &s, &e));
  assert_true(s.amplification.plan.orders[ORDER_LAST] && s.amplification.plan.orders[ORDER_RANDOM] &&
              !s.amplification.plan.orders[ORDER_FIRST]);
  assert_int_equal(s.amplification.plan.target_count, 2);
  assert_int_equal(s.report.format_count, 2);
  assert_string_equal(s.report.formats[0].name, "json");
  assert_string_equal(s.report.formats[0].file, "a.json");
  assert_string_equal(s.report.formats[1].file, "-");
  settings_free(&s);
  OK(parse("mutate", "", &s, &e));
  assert_string_equal(s.mutation.operators, "paper,-loop");
  settings_free(&s);
}

/* --- which file --------------------------------------------------------------------------------------------------- */

static void test_found_upwards(void **state) {
  (void)state;
  error e;
  settings s;
  write_file("cltestcheck.yaml", "db: out/all.db\nformat: [json=r.json, text]\nsuites: /abs\n");
  assert_int_equal(chdir("below/deep"), 0);
  OK(parse("coverage", "", &s, &e));
  assert_string_equal(s.report.database, "../../out/all.db");
  assert_string_equal(s.report.formats[0].file, "../../r.json");
  assert_null(s.report.formats[1].file);
  assert_string_equal(s.tests.suites, "/abs");
  settings_free(&s);
  OK(parse("coverage", "--no-config", &s, &e));
  assert_string_equal(s.report.database, DEFAULT_DATABASE);
  settings_free(&s);
  write_file("../cltestcheck.yaml", "timeout: 3\n"); /* the nearest one alone */
  OK(parse("coverage", "", &s, &e));
  assert_true(s.experiment.limit == 3);
  assert_string_equal(s.report.database, DEFAULT_DATABASE);
  settings_free(&s);
  OK(parse("coverage", "--config ../../cltestcheck.yaml --db here.db", &s, &e));
  assert_true(s.experiment.limit == 0);
  assert_string_equal(s.report.database, "here.db"); /* of the command line: as it is written */
  settings_free(&s);
  assert_int_equal(setenv("CLTESTCHECK_NO_CONFIG", "1", 1), 0);
  OK(parse("coverage", "", &s, &e));
  assert_null(s.report.configuration);
  settings_free(&s);
  OK(parse("coverage", "--config ../cltestcheck.yaml", &s, &e)); /* above the environment */
  assert_true(s.experiment.limit == 3);
  settings_free(&s);
  assert_int_equal(unsetenv("CLTESTCHECK_NO_CONFIG"), 0);
  assert_int_equal(parse("coverage", "--config nowhere.yaml", &s, &e), -1);
  assert_string_equal(e.text, "configuration file \"nowhere.yaml\" cannot be read: No such file or directory");
  settings_free(&s);
}

/* --- errors ------------------------------------------------------------------------------------------------------- */

static void test_errors_have_a_place(void **state) {
  (void)state;
  static const struct {
    const char *text, *sentence;
  } cases[] = {
      {"runz: 5\n", "cltestcheck.yaml:1:1: unknown setting \"runz\"; did you mean runs?"},
      {"mutate:\n  timeout: 5\n  sed: 4\n",
       "cltestcheck.yaml:3:3: unknown setting \"sed\" of mutate; did you mean seed?"},
      {"covrage: {quiet: true}\n", "cltestcheck.yaml:1:1: unknown setting \"covrage\"; did you mean coverage?"},
      {"zzz: 1\n", "cltestcheck.yaml:1:1: unknown setting \"zzz\"; `cltestcheck help COMMAND --all` lists the options"},
      {"report: {timeout: 4}\n", "cltestcheck.yaml:1:10: unknown setting \"timeout\" of report; "},
      {"help: true\n", "cltestcheck.yaml:1:1: unknown setting \"help\""},
      {"db: x.db\ntimeout: soon\n", "cltestcheck.yaml:2:10: --timeout wants a number of seconds above 0, not \"soon\""},
      {"timeout: [1, 2]\n", "cltestcheck.yaml:1:10: timeout takes one value, not a list"},
      {"timeout: {a: 2}\n", "cltestcheck.yaml:1:10: timeout takes no mapping"},
      {"timeout:\n", "cltestcheck.yaml:1:9: timeout wants SECONDS here"},
      {"kernel: [a, [b]]\n", "cltestcheck.yaml:1:13: kernel wants GLOB here"},
      {"fail-under: {branch: 80, brunch: 80}\n",
       "cltestcheck.yaml:1:26: --fail-under knows no metric \"brunch\"; did you mean branch?"},
      {"quiet: 7\n", "cltestcheck.yaml:1:8: quiet is true or false"},
      {"operators: [paper, loops]\n",
       "cltestcheck.yaml:1:12: there is no mutation operator \"loops\"; did you mean loop?"},
      {"runs: 5\nruns: 6\n", "cltestcheck.yaml:2:1: \"runs\" is here twice; it is in line 1 already"},
      {"mutate: 5\n", "cltestcheck.yaml:1:9: mutate is a command: its options follow, one a line, indented"},
      {"- runs\n", "cltestcheck.yaml:1:1: a configuration is lines of the form NAME: VALUE"},
      {"runs: 5\n---\nruns: 6\n", "cltestcheck.yaml:3:1: one document is wanted, and a second one begins here; "},
      {"runs: [5\n", "cltestcheck.yaml:2:1: this is no YAML: "},
      {"runs: \"5\n", "cltestcheck.yaml:2:1: this is no YAML: "},
      {"? [a]\n: 5\n", "cltestcheck.yaml:1:3: this key is no name"},
      {"db: \"a\\0b\"\n", "cltestcheck.yaml:1:5: this text has a NUL in it"},
      {"db: \xff\n", "cltestcheck.yaml: byte 4: this is no text that YAML allows: "},
      {"\"a\\e[31m\\nb\": 1\n", "cltestcheck.yaml:1:1: unknown setting \"a\xef\xbf\xbd[31m b\"; "},
      {"suppressions: {}\n", "cltestcheck.yaml:1:15: suppressions is a list: "},
      {"suppressions: [race]\n", "cltestcheck.yaml:1:16: a suppression is a mapping: "},
      {"suppressions:\n  - rule: race\n", "cltestcheck.yaml:2:5: this suppression has no reason; "},
      {"suppressions:\n  - reason: fine\n", "cltestcheck.yaml:2:5: this suppression has no rule; "},
      {"suppressions: [{rule: race, reason: '  '}]\n", "cltestcheck.yaml:1:37: reason wants a text"},
      {"suppressions: [{rule: rase, reason: x}]\n",
       "cltestcheck.yaml:1:23: there is no rule \"rase\"; did you mean race?"},
      {"suppressions: [{rule: mutant/arit, reason: x}]\n",
       "cltestcheck.yaml:1:23: there is no rule \"mutant/arit\"; did you mean mutant/arith?"},
      {"suppressions: [{rule: race, kernal: x, reason: x}]\n",
       "cltestcheck.yaml:1:29: a suppression has no \"kernal\"; did you mean kernel?"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    error e;
    configuration c;
    write_file("cltestcheck.yaml", cases[i].text);
    assert_int_equal(configuration_read("cltestcheck.yaml", &c, &e), -1);
    assert_int_equal(e.code, EXIT_USAGE);
    if (strncmp(e.text, cases[i].sentence, strlen(cases[i].sentence)) != 0)
      fail_msg("\"%s\" instead of \"%s\"", e.text, cases[i].sentence);
  }
}

static void test_nothing_in_it(void **state) {
  (void)state;
  static const char *const texts[] = {"", "\n# nothing\n", "---\n", "{}\n"};
  for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
    error e;
    settings s;
    write_file("cltestcheck.yaml", texts[i]);
    OK(parse("coverage", "", &s, &e));
    assert_int_equal(s.given.assigned->count, 0);
    settings_free(&s);
  }
}

static void test_help_needs_no_file(void **state) {
  (void)state;
  error e;
  settings s;
  write_file("cltestcheck.yaml", "nonsense: [\n");
  OK(parse("coverage", "--help", &s, &e));
  assert_true(s.given.help);
  settings_free(&s);
}

static void test_suppressions_are_read(void **state) {
  (void)state;
  error e;
  configuration c;
  write_file("cltestcheck.yaml",
             "suppressions:\n"
             "  - {rule: race, kernel: 'hist*', line: 'bins[i] = 0;', reason: all write the same}\n"
             "  - rule: mutant/*\n    reason: |\n      generated\n      code\n"
             "  - {rule: '*', kernel: legacy, reason: not ours}\n");
  OK(configuration_read("cltestcheck.yaml", &c, &e));
  assert_int_equal(c.suppression_count, 3);
  assert_string_equal(c.suppressions[0].rule, "race");
  assert_string_equal(c.suppressions[0].kernel, "hist*");
  assert_string_equal(c.suppressions[0].line, "bins[i] = 0;");
  assert_string_equal(c.suppressions[0].reason, "all write the same");
  assert_null(c.suppressions[1].kernel);
  assert_string_equal(c.suppressions[1].reason, "generated\ncode\n");
  configuration_free(&c);
}

/* --- words on the command line ------------------------------------------------------------------------------------ */

static void test_unknown_options(void **state) {
  (void)state;
  static const struct {
    const char *command, *words, *sentence;
  } cases[] = {
      {"mutate", "--runz 5", "unknown option \"--runz\"; did you mean --runs?"},
      {"mutate", "--no-equi", "unknown option \"--no-equi\"; did you mean --no-equivalence?"},
      {"coverage", "--fial-under=branch=3", "unknown option \"--fial-under=branch=3\"; did you mean --fail-under?"},
      {"report", "--timeout 5",
       "unknown option \"--timeout\" of report: it is one of check, coverage, mutate, amplify, races, memory, verify, "
       "repair, capture, replay and run"},
      {"coverage", "--zebra", "unknown option \"--zebra\"; `cltestcheck help coverage --all` lists the options"},
      {"coverage", "-Z", "unknown option \"-Z\"; `cltestcheck help coverage --all` lists the options"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    error e;
    settings s;
    assert_int_equal(parse(cases[i].command, cases[i].words, &s, &e), -1);
    assert_string_equal(e.text, cases[i].sentence);
    settings_free(&s);
  }
}

static void test_suggestions(void **state) {
  (void)state;
  assert_int_equal(suggest_distance("runs", "runs"), 0);
  assert_int_equal(suggest_distance("runz", "runs"), 1);
  assert_int_equal(suggest_distance("rnus", "runs"), 1); /* exchanged */
  assert_int_equal(suggest_distance("", "runs"), 4);
  assert_int_equal(suggest_distance("kitten", "sitting"), 3);
  suggestion s = {.word = "mutat"};
  suggest_consider(&s, "merge");
  suggest_consider(&s, "mutate");
  suggest_consider(&s, "mutant");
  assert_string_equal(s.best, "mutate");
  s = (suggestion){.word = "db"};
  suggest_consider(&s, "d");
  suggest_consider(&s, "all");
  assert_null(s.best); /* too short to guess */
  s = (suggestion){.word = ""};
  suggest_consider(&s, "x");
  assert_null(s.best);
}

/* Options whose values are kept in a list or are paths are so in the file, too. */
static void test_host_files(void **state) {
  (void)state;
  error e;
  settings s;
  write_file("cltestcheck.yaml", "host: [main.c, /usr/util.c]\ncompile-commands: build/compile_commands.json\n");
  assert_int_equal(chdir("below"), 0);
  OK(parse("verify", "", &s, &e));
  assert_int_equal(s.verify.hosts.count, 2);
  assert_string_equal(s.verify.hosts.items[0], "../main.c");
  assert_string_equal(s.verify.hosts.items[1], "/usr/util.c");
  assert_string_equal(s.verify.compile_commands, "../build/compile_commands.json");
  settings_free(&s);
}

/* --- the tables --------------------------------------------------------------------------------------------------- */

static void test_kinds_are_of_options(void **state) {
  (void)state;
  for (const option_kind *k = option_kinds; k->name != NULL; k++) {
    bool known = false;
    for (const option *o = options; o->name != NULL; o++) known = known || strcmp(o->name, k->name) == 0;
    if (!known) fail_msg("no option is called %s", k->name);
  }
}

/* Names of rules and kinds of numbers follow from their tables. */
static void test_kinds_follow(void **state) {
  (void)state;
  static const char *const numbers[] = {"runs", "max-barriers", "loop-weight", "tolerance", "timeout", "verify-engine"};
  for (const option *o = options; o->name != NULL; o++) {
    scoped_buffer words = {0};
    option_words(o, &words);
    if (strcmp(o->name, "rules") == 0) assert_non_null(strstr(buffer_text(&words), " memory-error "));
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
      if (o->argument != NULL && strcmp(o->name, numbers[i]) == 0)
        assert_int_not_equal(option_flags(o) & OPTION_NUMBER, 0);
  }
}

/* A command has an option of a name, and of a letter, once. */
static void test_options_are_unique(void **state) {
  (void)state;
  for (const option *a = options; a->name != NULL; a++) {
    for (const option *b = a + 1; b->name != NULL; b++) {
      bool same = strcmp(a->name, b->name) == 0 || (a->letter != 0 && a->letter == b->letter);
      if (same && (a->commands & b->commands) != 0) fail_msg("--%s and --%s are of the same command", a->name, b->name);
    }
  }
}

static void test_misspelt_variables(void **state) {
  (void)state;
  error e;
  settings s;
  assert_int_equal(setenv("CLTESTCHECK_RUNZ", "5", 1), 0);
  assert_int_equal(parse("coverage", "", &s, &e), -1);
  assert_string_equal(e.text, "CLTESTCHECK_RUNZ is no setting; did you mean CLTESTCHECK_RUNS?");
  settings_free(&s);
  assert_int_equal(unsetenv("CLTESTCHECK_RUNZ"), 0);
  assert_int_equal(setenv("CLTESTCHECK_OF_SOMEBODY_ELSE", "5", 1), 0);
  OK(parse("coverage", "", &s, &e));
  settings_free(&s);
  assert_int_equal(unsetenv("CLTESTCHECK_OF_SOMEBODY_ELSE"), 0);
}

/* Names that options had before: on the command line, in files and in the environment. */
static void test_earlier_names(void **state) {
  (void)state;
  error e;
  settings s;
  OK(parse("verify", "--memory 512", &s, &e));
  assert_int_equal(s.proof.memory, 512);
  settings_free(&s);
  OK(parse("repair", "--memory-limit 256 --check=make --tests=ninja", &s, &e));
  assert_int_equal(s.proof.memory, 256);
  assert_string_equal(s.repair.check, "ninja");
  settings_free(&s);
  write_file("cltestcheck.yaml", "check: make test\nverify:\n  memory: 128\nrepair:\n  memory-limit: 64\n");
  OK(parse("repair", "", &s, &e));
  assert_string_equal(s.repair.check, "make test");
  assert_int_equal(s.proof.memory, 64);
  settings_free(&s);
  assert_int_equal(setenv("CLTESTCHECK_MEMORY", "300", 1), 0);
  OK(parse("verify", "", &s, &e));
  assert_int_equal(s.proof.memory, 300);
  settings_free(&s);
  assert_int_equal(unsetenv("CLTESTCHECK_MEMORY"), 0);
  assert_int_equal(parse("coverage", "--memory 512", &s, &e), -1);
  settings_free(&s);
}

/* Variables that the layer and the tool use among themselves: none is an option's, nor near one. */
static void test_variables_are_free(void **state) {
  (void)state;
  static const char *const taken[] = {"SOCKET", "LAYERS",       "PRESENT",   "OBSERVE",     "TIMES",   "WATCH",
                                      "WORKER", "CAPTURE_FILE", "SLOTS_CAP", "CAPTURE_CAP", "FILLING", "GUARD_ZONES"};
  for (const option *o = options; o->name != NULL; o++) {
    buffer name = {0};
    option_variable(o, &name);
    for (size_t i = 0; i < sizeof taken / sizeof taken[0]; i++) {
      suggestion near = {.word = taken[i]};
      suggest_consider(&near, buffer_text(&name) + strlen("CLTESTCHECK_"));
      assert_true(near.best == NULL || near.distance > 1);
    }
    buffer_free(&name);
  }
}

int main(void) {
#define IN_FOLDER(test) cmocka_unit_test_setup_teardown(test, enter, leave)
  const struct CMUnitTest tests[] = {
      IN_FOLDER(test_rising_order),
      IN_FOLDER(test_lists_are_replaced),
      IN_FOLDER(test_thresholds_by_metric),
      IN_FOLDER(test_switches),
      IN_FOLDER(test_one_name_of_two_kinds),
      IN_FOLDER(test_joined_and_mapped),
      IN_FOLDER(test_found_upwards),
      IN_FOLDER(test_errors_have_a_place),
      IN_FOLDER(test_nothing_in_it),
      IN_FOLDER(test_help_needs_no_file),
      IN_FOLDER(test_suppressions_are_read),
      IN_FOLDER(test_unknown_options),
      IN_FOLDER(test_earlier_names),
      cmocka_unit_test(test_suggestions),
      IN_FOLDER(test_host_files),
      cmocka_unit_test(test_kinds_are_of_options),
      cmocka_unit_test(test_kinds_follow),
      cmocka_unit_test(test_options_are_unique),
      cmocka_unit_test(test_variables_are_free),
      cmocka_unit_test(test_misspelt_variables),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
