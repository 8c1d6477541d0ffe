/* The option table, with the readers of values that no kind of option has. */
#include "cli/options.h"

#include <errno.h>
#include <regex.h>
#include <stdlib.h>
#include <string.h>

#include "cli/output.h"
#include "reports/formats.h"

/* Reading schedules from the command line. */

static int take_order(const option *o, void *part, const char *value, error *e) {
  schedule_plan *s = part;
  bool any = false;
  (void)o;
  for (const char *at = value; *at != '\0';) {
    size_t length = strcspn(at, ",");
    char *name = mem_strndup(at, length);
    int order = schedule_order_find(name);
    free(name);
    if (order <= ORDER_NONE || order >= ORDER_OCCUPANCY) {
      return error_set(e, EXIT_USAGE, "--order is a list of first, last, ascending, reverse and random, not \"%s\"",
                       value);
    }
    s->orders[order] = true;
    any = true;
    at += length + (at[length] == ',' ? 1 : 0);
  }
  return any ? 0 : error_set(e, EXIT_USAGE, "--order names no order");
}

/* A number at `*at`; -1 when there is none. */
static long read_number(const char **at) {
  char *end = NULL;
  errno = 0;
  unsigned long n = strtoul(*at, &end, 10);
  if (end == *at || **at < '0' || **at > '9' || errno != 0 || n >= SCHEDULE_GROUPS_CAP) return -1;
  *at = end;
  return (long)n;
}

static int take_targets(const option *o, void *part, const char *value, error *e) {
  schedule_plan *s = part;
  (void)o;
  const char *at = value;
  const bool listed = strchr(value, ',') != NULL;
  size_t count = 0, capacity = 0;
  free(s->target_list);
  s->target_list = NULL;
  s->target_count = 0;
  s->targets = TARGETS_ALL;
  if (strcmp(value, "all") == 0) return 0;
  for (long n = 0; *at != '\0' && (n = read_number(&at)) >= 0 && (*at == ',' || *at == '\0');) {
    *ARRAY_ADD(s->target_list, count, capacity) = (uint32_t)n;
    at += *at == ',' ? 1 : 0;
  }
  s->targets = listed ? TARGETS_LIST : TARGETS_COUNT;
  s->target_count = listed || count == 0 ? count : s->target_list[0];
  if (*at != '\0' || s->target_count == 0) {
    return error_set(e, EXIT_USAGE,
                     "--targets is all, the number of groups to draw, or a list of group ids with commas (\"17,\" for "
                     "one), not \"%s\"",
                     value);
  }
  return 0;
}

/* Reading what is to be proved from the command line. */

#define LARGEST_SIZE (UINT64_C(1) << 31)

/* A whole number from `least` to `most` at `text`, which ends where `*end` is put; false: there is none. */
static bool verify_read_number(const char *text, uint64_t least, uint64_t most, uint64_t *out, char **end) {
  errno = 0;
  *out = text[0] >= '0' && text[0] <= '9' ? strtoull(text, end, 10) : 0;
  return text[0] >= '0' && text[0] <= '9' && errno == 0 && *out >= least && *out <= most;
}

/* "64,4", "*,1": up to three entries. */
static int take_sizes(const option *o, void *part, const char *value, error *e) {
  prove_sizes *out = part;
  *out = (prove_sizes){0};
  const char *at = value;
  bool right = true;
  while (right && out->dimensions < 3) {
    char *end = (char *)at + 1;
    right = *at == '*' || verify_read_number(at, 1, LARGEST_SIZE, &out->sizes[out->dimensions], &end);
    right = right && (*end == ',' || *end == '\0');
    out->dimensions++;
    if (right && *end == '\0') return 0;
    at = end + 1;
  }
  return error_set(e, EXIT_USAGE, "--%s wants one to three numbers above 0 with commas, such as 64 or 16,*, not \"%s\"",
                   o->name, value);
}

static int take_second_opinion(const option *o, void *part, const char *value, error *e) {
  enum { MOST = 1000 };
  uint64_t n = 0;
  char *end = NULL;
  (void)o;
  if (strcmp(value, "off") != 0 && (!verify_read_number(value, 0, MOST, &n, &end) || *end != '\0')) {
    return error_set(e, EXIT_USAGE, "--second-opinion wants a number of launches up to %d, or off, not \"%s\"", MOST,
                     value);
  }
  *(unsigned *)part = (unsigned)n;
  return 0;
}

/* The words of --fail-on that commands which run programs know. */

static const struct {
  const char *word;
  size_t flag; /* where in the part */
  unsigned commands;
} fail_words[] = {{"benign", offsetof(fail_settings, benign), FOR_RACES | FOR_CHECK},
                  {"order-dependent", offsetof(fail_settings, order), FOR_AMPLIFY},
                  {"possible", offsetof(fail_settings, possible), FOR_VERIFY},
                  {"api-error", offsetof(fail_settings, refused), FOR_ALL},
                  {"buffer-overrun", offsetof(fail_settings, overrun), FOR_ALL}};
enum { WORDS = sizeof fail_words / sizeof fail_words[0] };

static int refuse_word(const option *o, const char *value, error *e) {
  scoped_buffer known = {0};
  for (size_t i = 0; i < WORDS; i++)
    if ((fail_words[i].commands & o->commands) != 0)
      buffer_printf(&known, "%s%s", known.length == 0 ? "" : i + 1 == WORDS ? " and " : ", ", fail_words[i].word);
  return error_set(e, EXIT_USAGE, "--fail-on knows %s, several with commas between; not \"%s\"", buffer_text(&known),
                   value);
}

/* Of options (options.h): those of --fail-on, and --rules of memory and check. */
static int take_fail_on(const option *o, void *part, const char *value, error *e) {
  const char *at = value;
  do {
    const size_t length = strcspn(at, ",");
    bool found = false;
    for (size_t i = 0; i < WORDS && !found; i++) {
      const char *word = fail_words[i].word;
      found = (fail_words[i].commands & o->commands) != 0 && strlen(word) == length && strncmp(word, at, length) == 0;
      if (found) *(bool *)((char *)part + fail_words[i].flag) = true;
    }
    if (!found) return refuse_word(o, value, e);
    at += length;
  } while (*at++ == ',');
  return 0;
}

static int take_rules(const option *o, void *part, const char *value, error *e) {
  (void)o;
  *(const char **)part = value;
  for (const char *at = value; *at != '\0'; at += at[0] == ',') {
    const size_t length = strcspn(at, ",");
    if (!rule_name_is(at, length, RULE_CHOSEN)) {
      scoped_buffer names = {0};
      rule_names_chosen(&names);
      (void)error_set(e, EXIT_USAGE, "--rules knows %s, with commas between; not \"%.*s\"", buffer_text(&names),
                      (int)length, at);
      return -1;
    }
    at += length;
  }
  return value[0] != '\0' ? 0 : error_set(e, EXIT_USAGE, "--rules wants names of rules, such as out-of-bounds");
}

/* --- what each option does ---------------------------------------------------------------------------------------- */

static int take_threshold(const option *o, void *part, const char *value, error *e) {
  report_settings *s = part;
  (void)o;
  const char *equals = strchr(value, '=');
  if (equals == NULL)
    return error_set(e, EXIT_USAGE, "--fail-under wants METRIC=PERCENT, such as branch=80, not \"%s\"", value);
  char *end = NULL;
  double percent = strtod(equals + 1, &end);
  if (end == equals + 1 || (*end != '\0' && strcmp(end, "%") != 0) || !(percent >= 0 && percent <= 100)) {
    return error_set(e, EXIT_USAGE, "--fail-under wants a percentage from 0 to 100 after the =, not \"%s\"",
                     equals + 1);
  }
  scoped char *name = mem_strndup(value, (size_t)(equals - value));
  suggestion near = {.word = name};
  const char *metric = NULL;
  for (const coverage_metric *m = coverage_metrics; m->name != NULL; m++) {
    metric = strcmp(m->name, name) == 0 ? m->name : metric;
    suggest_consider(&near, m->name);
  }
  int result = 0;
  if (metric != NULL) {
    *ARRAY_ADD(s->thresholds, s->threshold_count, s->threshold_capacity) = (threshold){metric, percent};
  } else {
    result = error_set(e, EXIT_USAGE, "--fail-under knows no metric \"%s\"; %s%s%s", name,
                       near.best == NULL ? "`cltestcheck help coverage --all` lists them" : "did you mean ",
                       near.best == NULL ? "" : near.best, near.best == NULL ? "" : "?");
  }
  return result;
}

static int take_format(const option *o, void *part, const char *value, error *e) {
  report_settings *s = part;
  (void)o;
  const char *equals = strchr(value, '=');
  size_t length = equals == NULL ? strlen(value) : (size_t)(equals - value);
  char *name = mem_strndup(value, length);
  if (report_find(name) == NULL) {
    scoped_buffer known = {0};
    suggestion near = {.word = name};
    for (const report_writer *w = report_writers; w->name != NULL; w++) {
      buffer_printf(&known, "%s%s", w == report_writers ? "" : ", ", w->name);
      suggest_consider(&near, w->name);
    }
    (void)error_set(e, EXIT_USAGE, "--format knows no format \"%s\"%s%s%s; there are: %s", name,
                    near.best == NULL ? "" : "; did you mean ", near.best == NULL ? "" : near.best,
                    near.best == NULL ? "" : "?", buffer_text(&known));
    free(name);
    return -1;
  }
  if (equals != NULL && equals[1] == '\0') {
    (void)error_set(e, EXIT_USAGE, "--format %s= names no file; write --format %s=FILE", name, name);
    free(name);
    return -1;
  }
  format_request *f = ARRAY_ADD(s->formats, s->format_count, s->format_capacity);
  *f = (format_request){name, equals == NULL ? NULL : equals + 1};
  return 0;
}

static int take_shard(const option *o, void *part, const char *value, error *e) {
  experiment_options *s = part;
  (void)o;
  char extra = 0;
  if (sscanf(value, "%u/%u%c", &s->shard, &s->shards, &extra) != 2 || s->shard < 1 || s->shard > s->shards)
    return error_set(e, EXIT_USAGE, "--shard wants K/N with K from 1 to N, such as 2/8, not \"%s\"", value);
  return 0;
}

static int take_operators(const option *o, void *part, const char *value, error *e) {
  bool selected[MUTATE_OPERATORS];
  (void)o;
  *(const char **)part = value;
  return mutate_select_operators(value, selected, e);
}

/* Words with commas: races comes to any of the others, to exit if it is alone. */
static int take_mutation_oracle(const option *o, void *part, const char *value, error *e) {
  experiment_options *s = part;
  (void)o;
  static const char races[] = "races", joined[] = ",races";
  const size_t length = strlen(value);
  const bool alone = strcmp(value, races) == 0;
  const bool ends = length >= sizeof joined && strcmp(value + length - (sizeof joined - 1), joined) == 0;
  char *word = alone ? mem_strdup("exit") : mem_strndup(value, ends ? length - (sizeof joined - 1) : length);
  const int oracle = transcript_oracle_find(word);
  free(word);
  if (oracle < 0) {
    return error_set(e, EXIT_USAGE,
                     "--oracle is data, output or exit, or races, or one of these and races (output,races), not \"%s\"",
                     value);
  }
  s->oracle = (transcript_oracle)oracle;
  s->races = alone || ends;
  return 0;
}

static int take_ignore(const option *o, void *part, const char *value, error *e) {
  word_list *list = part;
  (void)o;
  regex_t expression;
  int problem = regcomp(&expression, value, REG_EXTENDED | REG_NOSUB);
  if (problem != 0) {
    char why[256];
    (void)regerror(problem, &expression, why, sizeof why);
    return error_set(e, EXIT_USAGE, "--ignore \"%s\" is no extended regular expression: %s", value, why);
  }
  regfree(&expression);
  *ARRAY_ADD(list->items, list->count, list->capacity) = value;
  return 0;
}

/* --- the table --------------------------------------------------------------------------------------------------- */

/* Where a value goes (option_target). */
#define SWITCH(field) \
  { .into = OPTION_SWITCH, .at = offsetof(settings, field) }
#define TEXT(field) \
  { .into = OPTION_TEXT, .at = offsetof(settings, field) }
#define FILLED(field, what) \
  { .into = OPTION_TEXT, .at = offsetof(settings, field), .wants = (what) }
#define LIST(field) \
  { .into = OPTION_WORDS, .at = offsetof(settings, field) }
#define LISTED(field, what) \
  { .into = OPTION_WORDS, .at = offsetof(settings, field), .wants = (what) }
#define FOLDER(field) \
  { .into = OPTION_TEXT, .at = offsetof(settings, field), .folder = true }
#define FOLDERS(field) \
  { .into = OPTION_WORDS, .at = offsetof(settings, field), .folder = true }
#define WORD(field) \
  { .into = OPTION_WORD, .at = offsetof(settings, field) }
#define NUMBER(field, from, to) \
  { .into = OPTION_UNSIGNED, .at = offsetof(settings, field), .least = (from), .most = (to) }
#define LARGE(field, from, to) \
  { .into = OPTION_UINT64, .at = offsetof(settings, field), .least = (from), .most = (to) }
#define SECONDS(field) \
  { .into = OPTION_SECONDS, .at = offsetof(settings, field) }
#define PERCENT(field) \
  { .into = OPTION_PERCENT, .at = offsetof(settings, field) }
#define FRACTION(field) \
  { .into = OPTION_FRACTION, .at = offsetof(settings, field) }
#define COUNTED(field, from, to, what) \
  { .into = OPTION_UNSIGNED, .at = offsetof(settings, field), .least = (from), .most = (to), .wants = (what) }
#define NUMBERED(field, from, what) \
  { .into = OPTION_UINT64, .at = offsetof(settings, field), .least = (from), .most = INT64_MAX, .wants = (what) }
#define FOUND(field, finds, words) \
  { .into = OPTION_FOUND, .at = offsetof(settings, field), .find = (finds), .wants = (words) }
#define BY(part, function) \
  { .into = OPTION_BY, .at = offsetof(settings, part), .take = (function) }
/* --coverage: what `show` does without being told; --config, --no-config: options_parse.c looks for them. */
#define NOTHING \
  { .into = OPTION_NOTHING }

#define SHOWN_ID "a number that the report shows"
#define LISTED_ID "the number of a mutant, as `cltestcheck mutate --list` shows it"

const option options[] = {
    {"db", 0, "FILE", "the results database (default: cltestcheck.db)",
     FOR_EXPERIMENTS | FOR_PROOFS | FOR_GENERATE | FOR_REPORT | FOR_LIST | FOR_MERGE | FOR_DIFF | FOR_DOCTOR,
     TEXT(report.database)},
    {"device", 'd', "DEVICE",
     "present only this device, whatever type the program asks for: its number in `cltestcheck devices` or a part of "
     "its name",
     FOR_MEASURING | FOR_VERIFY | FOR_CAPTURE | FOR_REPLAY, TEXT(device.name)},
    {"device", 'd', "DEVICE",
     "present only this device, whatever type is asked for: its number in `cltestcheck devices`, a part of its name, "
     "or several numbers (0,1) that share the runs",
     FOR_MUTATE | FOR_AMPLIFY, TEXT(device.name)},
    {"platform", 'p', "PLATFORM", "look for the device on this platform only (a part of its name)",
     FOR_EXPERIMENTS | FOR_VERIFY | FOR_GENERATE | FOR_CAPTURE | FOR_REPLAY | FOR_RUN, TEXT(device.platform)},
    {"capture", 0, "FILE",
     "run the program once more, first, and keep what it does on the device in FILE, with its data (`cltestcheck help "
     "capture`)",
     FOR_EXPERIMENTS, TEXT(tests.capture)},
    {"suites", 0, "DIRECTORY", "where benchmarks are looked up by name (default: the ones that came with cltestcheck)",
     FOR_EXPERIMENTS | FOR_PROOFS | FOR_LIST, TEXT(tests.suites)},
    {"root", 0, "DIRECTORY",
     "name files relative to this folder (default: the root of the git repository that a file lies in, else the "
     "current folder)",
     FOR_EXPERIMENTS | FOR_PROOFS | FOR_REPORT | FOR_DIFF, FOLDER(sources.root)},
    {"source-root", 0, "DIRECTORY",
     "look in this folder for the files in which kernels are written as strings (repeatable) (default: the git "
     "repository of the current folder, else that folder)",
     FOR_EXPERIMENTS | FOR_VERIFY, FOLDERS(sources.roots)},
    {"pytest", 0, NULL, "a test case a test of pytest (-- tests, -- pytest -k blur)", FOR_EXPERIMENTS,
     SWITCH(tests.pytest)},
    {"gtest", 0, NULL, "a test case a test of a GoogleTest program (-- ./my_tests)", FOR_EXPERIMENTS,
     SWITCH(tests.gtest)},
    {"ctest", 0, "FOLDER", "a test case a test of CTest in this build folder (-- -R blur)", FOR_EXPERIMENTS,
     TEXT(tests.ctest)},
    {"exit-as-program", 0, NULL,
     "exit with the program's own status where it fails, and with 0 where it succeeds and used no OpenCL", FOR_COVERAGE,
     SWITCH(measure.exit_as_program)},
    {"timeout", 't', "SECONDS", "end a test case that runs longer (default: no limit)", FOR_MEASURING,
     SECONDS(experiment.limit)},
    {"timeout", 't', "SECONDS",
     "end a run of a mutant after this time, or ten times the original's where that is more (default: 10)", FOR_MUTATE,
     SECONDS(experiment.limit)},
    {"preload", 0, NULL, "also hook OpenCL with LD_PRELOAD, for a program whose OpenCL loader knows no layers",
     FOR_EXPERIMENTS, SWITCH(device.preload)},
    {"no-build-cache", 0, NULL, "build all kernels anew: use no built forms of earlier runs, and keep none",
     FOR_EXPERIMENTS | FOR_PROOFS | FOR_GENERATE | FOR_RUN, SWITCH(device.no_build_cache)},
    {"runs", 'n', "N", "run a mutant N times for each test case (default: 20)", FOR_MUTATE,
     NUMBER(experiment.runs, 1, 100000)},
    {"timeout", 't', "SECONDS",
     "a run that takes longer is a deadlock (default: ten times the slowest ungated run, at least 5)", FOR_AMPLIFY,
     SECONDS(experiment.limit)},
    {"runs", 'n', "N", "run each schedule N times (default: 20)", FOR_AMPLIFY, NUMBER(experiment.runs, 1, 100000)},
    {"gate", 'g', "GATE",
     "how the order is made: ticket (groups get their ids as they start) or hardware (groups wait for their turn, "
     "which shows what the device keeps in flight) (default: ticket)",
     FOR_AMPLIFY, FOUND(amplification.plan.gate, schedule_gate_find, "ticket or hardware")},
    {"order", 0, "LIST",
     "orders to try: first (one group before all others), last, ascending, reverse, random, with commas between "
     "(default: first,ascending,reverse,random)",
     FOR_AMPLIFY, BY(amplification.plan, take_order)},
    {"targets", 0, "TARGETS",
     "groups that go first or last: all, a number of groups to draw, or ids with commas (default: one of each ten)",
     FOR_AMPLIFY, BY(amplification.plan, take_targets)},
    {"seed", 0, "S", "for drawing targets and the random order (default: 0)", FOR_AMPLIFY,
     LARGE(experiment.seed, 0, 4294967295)},
    {"jobs", 'j', "N", "run N programs at a time (default: one a device)", FOR_AMPLIFY,
     NUMBER(experiment.jobs, 1, 1024)},
    {"all", 0, NULL, "show each finding in full, also where a kernel has many", FOR_MEASURING, SWITCH(report.all)},
    {"rules", 0, "NAMES", "look for these alone: out-of-bounds, uninitialized-read, …, with commas (default: all)",
     FOR_MEMORY | FOR_CHECK, BY(measure.rules, take_rules)},
    {"leaks", 0, NULL, "OpenCL objects that are still alive when the program ends are errors, too (rule leak)",
     FOR_MEMORY | FOR_CHECK, SWITCH(measure.leaks)},
    {"max-time", 0, "SECONDS", "end after this time, and report what was reached", FOR_CHECK,
     SECONDS(experiment.max_time)},
    {"max-time", 0, "SECONDS", "end after this time, spent evenly over launches", FOR_AMPLIFY,
     SECONDS(experiment.max_time)},
    {"replay", 0, "ID", "run schedule ID of the database again, alone", FOR_AMPLIFY, NUMBERED(replay.id, 1, SHOWN_ID)},
    {"replay", 0, "ID", "look for finding ID of the database once more, in its test case and kernel alone",
     FOR_RACES | FOR_MEMORY, NUMBERED(replay.id, 1, SHOWN_ID)},
    {"mutant", 0, "ID", "with this mutant in the kernels all the time", FOR_AMPLIFY,
     COUNTED(experiment.mutant, 1, UINT32_MAX, LISTED_ID)},
    {"no-trust-proofs", 0, NULL, "also order launches that `verify` has proved to have one result", FOR_AMPLIFY,
     SWITCH(amplification.no_trust_proofs)},
    {"coverage", 0, NULL, "collect coverage under every schedule: code that only some schedules reach", FOR_AMPLIFY,
     SWITCH(amplification.coverage)},
    {"operators", 'o', "LIST",
     "operators, sets (paper, gpu, launch), with commas; a - in front takes one away (default: paper)", FOR_MUTATE,
     BY(mutation.operators, take_operators)},
    {"jobs", 'j', "N", "run N programs at a time (default: one a processor)", FOR_MUTATE,
     NUMBER(experiment.jobs, 1, 1024)},
    {"oracle", 0, "ORACLE",
     "what reveals a mutant: exit (status), output (too), data: nothing (default: exit); races, output,races: checked "
     "replays kill, too",
     FOR_MUTATE, BY(experiment, take_mutation_oracle)},
    {"oracle", 0, "ORACLE",
     "what tells runs apart beside the exit status: data (what the host reads back), output (standard output), exit "
     "(nothing else) (default: data)",
     FOR_AMPLIFY, FOUND(experiment.oracle, transcript_oracle_find, "data, output or exit")},
    {"ignore", 0, "REGEX", "with --oracle output: lines of the output that do not count (repeatable)",
     FOR_MUTATE | FOR_AMPLIFY, BY(experiment.ignore, take_ignore)},
    {"lines", 0, "[FILE:]FIRST[-LAST]", "mutate only these lines of kernel files (repeatable)", FOR_MUTATE,
     LIST(sources.lines)},
    {"since", 0, "REV", "mutate only lines changed since this git revision", FOR_MUTATE, TEXT(report.since)},
    {"mutant", 0, "ID", "run this mutant alone, by its number in reports", FOR_MUTATE,
     COUNTED(experiment.mutant, 1, UINT32_MAX, LISTED_ID)},
    {"sample", 0, "N", "draw N mutants at random", FOR_MUTATE, LARGE(campaign.sample, 1, 1000000000)},
    {"seed", 0, "S", "for --sample and for the order of mutants (default: 0)", FOR_MUTATE,
     LARGE(experiment.seed, 0, 4294967295)},
    {"shard", 0, "K/N", "run the K-th of N parts; `cltestcheck merge` puts the databases together", FOR_MUTATE,
     BY(experiment, take_shard)},
    {"max-time", 0, "SECONDS",
     "end after this time with what is known then; mutants are drawn at random, and the score has an interval",
     FOR_MUTATE, SECONDS(experiment.max_time)},
    {"resume", 0, NULL, "go on with the last run of the same command that did not come to its end", FOR_MUTATE,
     SWITCH(mutation.resume)},
    {"engine", 0, "ENGINE",
     "how the program is run again: replay (what a test case did on the device is recorded once and done again without "
     "the program), rerun (the program starts every time) or auto (replay where that shows the same) (default: auto)",
     FOR_MUTATE | FOR_AMPLIFY, FOUND(experiment.engine, run_engine_find, "auto, replay or rerun")},
    {"verify-engine", 0, "PERCENT",
     "run so many of the mutants or schedules that replays have decided once more with the program; exit with 70 if "
     "one differs",
     FOR_MUTATE | FOR_AMPLIFY, PERCENT(experiment.recheck)},
    {"no-equivalence", 0, NULL, "do not look for mutants whose optimised code is the same", FOR_MUTATE,
     SWITCH(campaign.no_equivalence)},
    {"no-cache", 0, NULL, "run every mutant, whatever earlier runs of the database say of it", FOR_MUTATE,
     SWITCH(campaign.no_cache)},
    {"list", 'l', NULL,
     "list the mutants of the kernel files given (--operators, --kernel, --lines, --since), and run nothing",
     FOR_MUTATE, SWITCH(mutation.list)},
    {"kernel", 'k', "GLOB", "report only kernels whose name matches (repeatable)",
     FOR_MEASURING | FOR_REPORT | FOR_DIFF, LIST(report.kernels.wanted)},
    {"kernel", 'k', "GLOB", "mutate only kernels whose name matches (repeatable)", FOR_MUTATE,
     LIST(report.kernels.wanted)},
    {"kernel", 'k', "GLOB", "gate only kernels whose name matches (repeatable)", FOR_AMPLIFY,
     LIST(report.kernels.wanted)},
    {"exclude", 'x', "GLOB", "leave out kernels whose name matches (repeatable)",
     FOR_EXPERIMENTS | FOR_PROOFS | FOR_GENERATE | FOR_REPORT | FOR_DIFF, LIST(report.kernels.exclude)},
    {"fail-under", 0, "METRIC=PERCENT", "exit with 2 when below, such as branch=80,line=90 (repeatable)",
     FOR_CHECK | FOR_COVERAGE | FOR_VERIFY | FOR_REPORT, BY(report, take_threshold)},
    {"fail-under", 0, "METRIC=PERCENT", "exit with 2 when the score is below: mutation=75", FOR_MUTATE,
     BY(report, take_threshold)},
    {"format", 'f', "NAME[=FILE]",
     "write a report: text, json, html, lcov, sarif, … to FILE, or to standard output with =- (repeatable)",
     FOR_EXPERIMENTS | FOR_VERIFY, BY(report, take_format)},
    {"format", 'f', "NAME[=FILE]",
     "text, json, html, markdown, lcov, lcov1, cobertura, sarif, junit, github or stryker, to FILE, or to standard "
     "output with =- (repeatable)",
     FOR_REPORT, BY(report, take_format)},
    {"show-missed", 'm', NULL,
     "show the lines never executed and the outcomes never taken, with their source; all survivors of a mutation run",
     FOR_COVERAGE | FOR_REPORT, SWITCH(report.show_missed)},
    {"format", 'f', "NAME[=FILE]", "write it as text, json or markdown, to FILE or to standard output (repeatable)",
     FOR_DIFF, BY(report, take_format)},
    {"format", 'f', "NAME[=FILE]", "junit: write a test case for each case, to FILE or to standard output", FOR_RUN,
     BY(report, take_format)},
    {"show-missed", 'm', NULL, "show all of each list, not only the first twenty", FOR_DIFF,
     SWITCH(report.show_missed)},
    {"fail-on-worse", 0, NULL, "exit with 2 when anything is worse", FOR_DIFF, SWITCH(fail.worse)},
    {"since", 0, "REV", "github: lines changed since this revision come first", FOR_COVERAGE | FOR_AMPLIFY | FOR_REPORT,
     TEXT(report.since)},
    {"show-missed", 'm', NULL, "show all survivors, not only the first twenty", FOR_MUTATE, SWITCH(report.show_missed)},
    {"show-missed", 'm', NULL, "show all launches, not only those whose runs differ", FOR_AMPLIFY,
     SWITCH(report.show_missed)},
    {"local", 0, "N[,N[,N]]", "kernel files: work-items of a group in each dimension, * for any number (default: any)",
     FOR_PROOFS, BY(proof.local, take_sizes)},
    {"groups", 0, "N[,N[,N]]", "kernel files: work-groups in each dimension, * for any number (default: any)",
     FOR_PROOFS, BY(proof.groups, take_sizes)},
    {"assume", 0, "EXPR",
     "kernel files: what is true at every launch, in C, in numbers that never wrap: 'n > 0' (repeatable)",
     FOR_PROOFS | FOR_GENERATE, LISTED(proof.assume, "an expression, such as 'n == get_global_size(0)'")},
    {"host", 0, "FILE",
     "read this file of the host program in C, C++ or Python: what it says of launches holds for every run of it "
     "(repeatable)",
     FOR_PROOFS, LISTED(verify.hosts, "a file of the host program, such as main.c")},
    {"host-options", 0, "OPTIONS", "options of the compiler for the files of --host, such as '-I include'", FOR_PROOFS,
     FILLED(verify.host_options, "options of the compiler, such as '-I include -DN=4'")},
    {"compile-commands", 0, "FILE", "read the files of the host program that this compile_commands.json names",
     FOR_PROOFS, FILLED(verify.compile_commands, "the name of a file")},
    {"alias", 0, NULL, "kernel files: pointer arguments may point into the same buffer", FOR_PROOFS,
     SWITCH(proof.alias)},
    {"no-benign", 0, NULL, "two work-items that write the same value are a race, too", FOR_PROOFS,
     SWITCH(proof.no_benign)},
    {"no-bounds", 0, NULL, "do not look for accesses past the end of buffers", FOR_VERIFY, SWITCH(proof.no_bounds)},
    {"barriers", 0, NULL, "say which barriers are needed, and which can go", FOR_VERIFY, SWITCH(proof.barriers)},
    {"explain", 0, NULL, "say which loop invariants a proof rests on", FOR_VERIFY, SWITCH(proof.explain)},
    {"warp-sync", 0, "N", "each N work-items with consecutive ids run in step, as warps of some devices do", FOR_PROOFS,
     NUMBER(proof.warp, 1, 1024)},
    {"warp-resync", 0, NULL, "with --warp-sync: they run in step again after a branch", FOR_PROOFS,
     SWITCH(proof.warp_resync)},
    {"timeout", 't', "SECONDS", "give up a kernel after this time (default: 30)", FOR_PROOFS,
     SECONDS(experiment.limit)},
    {"query-timeout", 0, "SECONDS", "give up a question to the solver after this time (default: 10)", FOR_PROOFS,
     SECONDS(proof.query_timeout)},
    {"memory-limit", 0, "MIB", "give up a kernel that needs more memory (default: 1024)", FOR_PROOFS,
     NUMBER(proof.memory, 64, 1 << 20)},
    {"jobs", 'j', "N", "work on N kernels at a time (default: one a processor)", FOR_PROOFS,
     NUMBER(experiment.jobs, 1, 1024)},
    {"kernel", 'k', "GLOB", "repair only kernels whose name matches (repeatable)", FOR_REPAIR,
     LIST(report.kernels.wanted)},
    {"in-place", 'i', NULL, "change the files, instead of printing a diff", FOR_REPAIR, SWITCH(repair.in_place)},
    {"tests", 0, "COMMAND",
     "offer a change only if this command of a shell, such as 'make test', succeeds with it; no file is changed for "
     "that",
     FOR_REPAIR, FILLED(repair.check, "a command, such as 'make test'")},
    {"atomics", 0, NULL, "make updates such as x += v atomic where work-items race for them", FOR_REPAIR,
     SWITCH(repair.atomics)},
    {"lines", 0, "[FILE:]FIRST[-LAST]", "change only these lines of kernel files (repeatable)", FOR_REPAIR,
     LIST(sources.lines)},
    {"optimise", 0, NULL, "take out barriers that are not needed, and fences, each with a proof", FOR_REPAIR,
     SWITCH(repair.optimise)},
    {"max-barriers", 0, "N", "put in at most N barriers a file (default: any number)", FOR_REPAIR,
     NUMBER(repair.max_barriers, 1, 1000)},
    {"loop-weight", 0, "N",
     "take loops whose turns do not follow from the launches to make N: a barrier in one costs N others (default: 10)",
     FOR_REPAIR, NUMBER(repair.loop_weight, 1, 1000000)},
    {"max-time", 0, "SECONDS", "end the search in a file after this time", FOR_REPAIR, SECONDS(experiment.max_time)},
    {"device", 'd', "DEVICE",
     "run on this device: its number in `cltestcheck devices` or a part of its name; several numbers (0,1) compare the "
     "results of devices",
     FOR_RUN, TEXT(device.name)},
    {"emit-cases", 0, "DIR",
     "keep the launches of findings as kernel cases (DIR/KERNEL/suite.yaml); a program runs once more for that",
     FOR_MEASURING | FOR_AMPLIFY | FOR_VERIFY, TEXT(cases.emit)},
    {"yaml", 0, "DIR", "write kernel cases (suite.yaml, kernels, data) into this folder, in place of a capture",
     FOR_CAPTURE, TEXT(cases.yaml)},
    {"update", 0, NULL, "write today's results in the place of what is expected: values, files and digests", FOR_RUN,
     SWITCH(cases.update)},
    {"timeout", 't', "SECONDS", "end a case that takes longer (default: no limit)", FOR_RUN, SECONDS(experiment.limit)},
    {"shard", 0, "K/N", "run every N-th case, from the K-th on", FOR_RUN, BY(experiment, take_shard)},
    {"quiet", 'q', NULL, "name only the cases that fail", FOR_RUN, SWITCH(report.quiet)},
    {"device", 'd', "DEVICE",
     "build the changed source for this device: its number in `cltestcheck devices` or a part of its name", FOR_REPAIR,
     TEXT(device.name)},
    {"platform", 'p', "PLATFORM", "look for the device on this platform only (a part of its name)", FOR_REPAIR,
     TEXT(device.platform)},
    {"kernel", 'k', "GLOB", "verify only kernels whose name matches (repeatable)", FOR_VERIFY,
     LIST(report.kernels.wanted)},
    {"strict", 0, NULL, "fences together with atomic functions order nothing (default: they may)",
     FOR_RACES | FOR_CHECK, SWITCH(measure.strict)},
    {"fail-on", 0, "WORDS", "exit with 2 for benign, api-error, buffer-overrun", FOR_RACES | FOR_CHECK,
     BY(fail, take_fail_on)},
    {"fail-on", 0, "WORDS", "exit with 2 for api-error, buffer-overrun", FOR_COVERAGE | FOR_MUTATE,
     BY(fail, take_fail_on)},
    {"fail-on", 0, "WORDS", "exit with 2 for order-dependent, api-error, buffer-overrun", FOR_AMPLIFY,
     BY(fail, take_fail_on)},
    {"fail-on", 0, "WORDS", "exit with 2 for possible, api-error, buffer-overrun", FOR_VERIFY, BY(fail, take_fail_on)},
    {"no-confirm", 0, NULL, "do not run counterexamples on the device", FOR_VERIFY, SWITCH(verify.no_confirm)},
    {"second-opinion", 0, "N",
     "run N launches of each kernel that is verified (repair: with the patch), drawn to satisfy its preconditions, "
     "with its accesses watched; off: none (default: 24)",
     FOR_PROOFS, BY(verify.second_opinion, take_second_opinion)},
    {"no-cache", 0, NULL, "prove every kernel, whatever earlier runs of the database say of it", FOR_VERIFY,
     SWITCH(verify.no_cache)},
    {"all", 'a', NULL, "report all runs of the database together", FOR_REPORT, SWITCH(shown.all)},
    {"runs", 'r', NULL, "list the runs in the database instead of the benchmarks", FOR_LIST, SWITCH(shown.runs)},
    {"annotate", 0, NULL,
     "show the sources of the newest runs in the database with the test cases of each line and what was missed; FILEs "
     "are ends of their paths or globs, none is all",
     FOR_SHOW, SWITCH(shown.annotate)},
    {"db", 0, "FILE", "with --annotate: the results database (default: cltestcheck.db)", FOR_SHOW,
     TEXT(report.database)},
    {"kernel", 'k', "GLOB", "with --annotate: only kernels whose name matches (repeatable)", FOR_SHOW,
     LIST(report.kernels.wanted)},
    {"exclude", 'x', "GLOB", "with --annotate: leave out kernels whose name matches (repeatable)", FOR_SHOW,
     LIST(report.kernels.exclude)},
    {"mutants", 0, NULL, "show the schema: one source that holds the mutants", FOR_SHOW, SWITCH(shown.mutants)},
    {"schedule", 0, NULL, "show the gated source, as schedules are run", FOR_SHOW, SWITCH(shown.schedule)},
    {"races", 0, NULL, "show the checked source, as `cltestcheck races` runs it", FOR_SHOW, SWITCH(shown.checked)},
    {"bounds", 0, NULL, "show the source with bounds, as `cltestcheck memory` runs it", FOR_SHOW, SWITCH(shown.memory)},
    {"tree", 0, NULL, "show the typed tree of the source: a line a node with kind, type, value and place", FOR_SHOW,
     SWITCH(shown.tree)},
    {"coverage", 0, NULL, "show the coverage instrumentation (the default)", FOR_SHOW, NOTHING},
    {"color", 0, "WHEN", "auto, always or never (default: auto, only on a terminal)",
     FOR_EXPERIMENTS | FOR_VERIFY | FOR_REPORT | FOR_SHOW, WORD(report.colour)},
    {"quiet", 'q', NULL, "print errors only", FOR_EXPERIMENTS | FOR_PROOFS | FOR_GENERATE | FOR_MERGE,
     SWITCH(report.quiet)},
    {"output", 'o', "DIR", "the folder for DIR/KERNELFILE.yaml (default: generated)", FOR_GENERATE,
     TEXT(cases.generated)},
    {"max-time", 0, "SECONDS", "spend at most this time on a kernel (default: 60)", FOR_GENERATE,
     SECONDS(experiment.max_time)},
    {"against", 0, "KERNEL",
     "write no tests, but look for inputs on which the kernels differ from those of this file (KERNEL.cl), or from "
     "this "
     "kernel of their own file",
     FOR_GENERATE, TEXT(cases.against)},
    {"tolerance", 0, "RELATIVE",
     "with --against: how far off floating-point numbers may be, as a part of the largest of the buffer (default: 1e-9 "
     "for double, 1e-4 for float, 1e-2 for half)",
     FOR_GENERATE, FRACTION(cases.tolerance)},
    {"shard", 0, "K/N", "work on every N-th kernel file, from the K-th on", FOR_GENERATE, BY(experiment, take_shard)},
    {"resume", 0, NULL, "leave out kernel files whose cases are there already", FOR_GENERATE, SWITCH(mutation.resume)},
    {"seed", 0, "S", "for drawing inputs (default: 0)", FOR_GENERATE, LARGE(experiment.seed, 0, 4294967295)},
    {"kernel", 'k', "GLOB", "write tests only of kernels whose name matches (repeatable)", FOR_GENERATE,
     LIST(report.kernels.wanted)},
    {"device", 'd', "DEVICE", "run inputs on this device: its number in `cltestcheck devices` or a part of its name",
     FOR_GENERATE, TEXT(device.name)},
    {"verbose", 'v', NULL, "say more about what happens, and how often programs were started and texts built",
     FOR_MEASURING, SWITCH(report.verbose)},
    {"verbose", 'v', NULL, "name suppressions that match nothing, too", FOR_AMPLIFY | FOR_VERIFY,
     SWITCH(report.verbose)},
    {"verbose", 'v', NULL, "show each finding in full, and suppressions that match nothing", FOR_REPORT,
     SWITCH(report.verbose)},
    {"verbose", 'v', NULL, "say each verdict as it comes", FOR_MUTATE, SWITCH(report.verbose)},
    {"launch", 0, "N", "end after the N-th launch (from 0)", FOR_REPLAY, NUMBERED(replay.launch, 0, "a number from 0")},
    {"mutant", 0, "ID", "with this mutant of `cltestcheck mutate --list` in the kernels", FOR_REPLAY,
     COUNTED(experiment.mutant, 1, UINT32_MAX, LISTED_ID)},
    {"schedule", 0, "ID", "with schedule ID of the database (--db)", FOR_REPLAY,
     NUMBERED(replay.schedule, 1, SHOWN_ID)},
    {"timeout", 't', "SECONDS", "end a program that takes longer", FOR_CAPTURE | FOR_REPLAY, SECONDS(experiment.limit)},
    {"db", 0, "FILE", "the results database of --schedule (default: cltestcheck.db)", FOR_REPLAY,
     TEXT(report.database)},
    {"quiet", 'q', NULL, "print errors only", FOR_CAPTURE, SWITCH(report.quiet)},
    {"config", 0, "FILE", "read this configuration (default: cltestcheck.yaml, here or in a folder above)", FOR_ALL,
     NOTHING},
    {"no-config", 0, NULL, "read no configuration file", FOR_ALL, NOTHING},
    {"help", 'h', NULL, "show this help", FOR_ALL, SWITCH(given.help)},
    {NULL, 0, NULL, NULL, 0, NOTHING},
};