/* The option table and its parser. */
#include "cli/options.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "reports/report.h"

/* --- what each option does -------------------------------------------------------------------------------------------
 */

static int take_word(words *w, const char *value) {
  *ARRAY_ADD(w->items, w->count, w->capacity) = value;
  return 0;
}

static int take_database(settings *s, const char *value, error *e) {
  (void)e;
  s->database = value;
  return 0;
}

static int take_device(settings *s, const char *value, error *e) {
  (void)e;
  s->device = value;
  return 0;
}

static int take_platform(settings *s, const char *value, error *e) {
  (void)e;
  s->platform = value;
  return 0;
}

static int take_suites(settings *s, const char *value, error *e) {
  (void)e;
  s->suites = value;
  return 0;
}

static int take_kernel(settings *s, const char *value, error *e) {
  (void)e;
  return take_word(&s->kernels, value);
}

static int take_exclude(settings *s, const char *value, error *e) {
  (void)e;
  return take_word(&s->exclude, value);
}

static int take_timeout(settings *s, const char *value, error *e) {
  char *end = NULL;
  s->timeout = strtod(value, &end);
  if (end == value || *end != '\0' || !(s->timeout > 0) || s->timeout > 1e9) {
    return error_set(e, EXIT_USAGE, "--timeout wants a number of seconds above 0, not \"%s\"", value);
  }
  return 0;
}

static int take_threshold(settings *s, const char *value, error *e) {
  const char *equals = strchr(value, '=');
  if (equals == NULL) {
    return error_set(e, EXIT_USAGE, "--fail-under wants METRIC=PERCENT, such as branch=80, not \"%s\"", value);
  }
  char *end = NULL;
  double percent = strtod(equals + 1, &end);
  if (end == equals + 1 || (*end != '\0' && strcmp(end, "%") != 0) || !(percent >= 0 && percent <= 100)) {
    return error_set(e, EXIT_USAGE, "--fail-under wants a percentage from 0 to 100 behind the =, not \"%s\"",
                     equals + 1);
  }
  for (const coverage_metric *m = coverage_metrics; m->name != NULL; m++) {
    if (strncmp(m->name, value, (size_t)(equals - value)) == 0 && m->name[equals - value] == '\0') {
      *ARRAY_ADD(s->thresholds, s->threshold_count, s->threshold_capacity) = (threshold){m->name, percent};
      return 0;
    }
  }
  return error_set(e, EXIT_USAGE, "--fail-under knows no metric \"%.*s\"; `cltestcheck help coverage` lists them",
                   (int)(equals - value), value);
}

static int take_format(settings *s, const char *value, error *e) {
  const char *equals = strchr(value, '=');
  size_t length = equals == NULL ? strlen(value) : (size_t)(equals - value);
  char *name = mem_strndup(value, length);
  if (report_find(name) == NULL) {
    (void)error_set(e, EXIT_USAGE, "--format knows no format \"%s\"; there are: text, json, lcov", name);
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

static int take_colour(settings *s, const char *value, error *e) {
  if (strcmp(value, "auto") != 0 && strcmp(value, "always") != 0 && strcmp(value, "never") != 0) {
    return error_set(e, EXIT_USAGE, "--color is auto, always or never, not \"%s\"", value);
  }
  s->colour = value;
  return 0;
}

static int take_quiet(settings *s, const char *value, error *e) {
  (void)value;
  (void)e;
  s->quiet = true;
  return 0;
}

static int take_verbose(settings *s, const char *value, error *e) {
  (void)value;
  (void)e;
  s->verbose = true;
  return 0;
}

static int take_show_missed(settings *s, const char *value, error *e) {
  (void)value;
  (void)e;
  s->show_missed = true;
  return 0;
}

static int take_preload(settings *s, const char *value, error *e) {
  (void)value;
  (void)e;
  s->preload = true;
  return 0;
}

static int take_runs(settings *s, const char *value, error *e) {
  (void)value;
  (void)e;
  s->runs = true;
  return 0;
}

static int take_all(settings *s, const char *value, error *e) {
  (void)value;
  (void)e;
  s->all = true;
  return 0;
}

static int take_nothing(settings *s, const char *value, error *e) {
  (void)s;
  (void)value;
  (void)e;
  return 0; /* --coverage: what `show` does without being told */
}

static int take_help(settings *s, const char *value, error *e) {
  (void)value;
  (void)e;
  s->help = true;
  return 0;
}

/* --- the table
 * -------------------------------------------------------------------------------------------------------- */

const option options[] = {
    {"db", 0, "FILE", "the results database (default: cltestcheck.db)",
     FOR_COVERAGE | FOR_REPORT | FOR_LIST | FOR_MERGE, take_database},
    {"device", 'd', "DEVICE",
     "present this device to the program as the only one, whatever type it asks for: its number "
     "in `cltestcheck devices` or a part of its name",
     FOR_COVERAGE, take_device},
    {"platform", 'p', "PLATFORM", "look for the device on this platform only (a part of its name)", FOR_COVERAGE,
     take_platform},
    {"suites", 0, "DIRECTORY", "where benchmarks are looked up by name (default: the ones that came with cltestcheck)",
     FOR_COVERAGE | FOR_LIST, take_suites},
    {"timeout", 't', "SECONDS", "end a test case that runs longer (default: no limit)", FOR_COVERAGE, take_timeout},
    {"preload", 0, NULL, "also hook OpenCL with LD_PRELOAD, for a program whose OpenCL loader knows no layers",
     FOR_COVERAGE, take_preload},
    {"kernel", 'k', "GLOB", "report only kernels whose name matches (repeatable)", FOR_COVERAGE | FOR_REPORT,
     take_kernel},
    {"exclude", 'x', "GLOB", "leave out kernels whose name matches (repeatable)", FOR_COVERAGE | FOR_REPORT,
     take_exclude},
    {"fail-under", 0, "METRIC=PERCENT", "exit with 2 when a metric is below this (repeatable)",
     FOR_COVERAGE | FOR_REPORT, take_threshold},
    {"format", 'f', "NAME[=FILE]",
     "write a report: text, json or lcov, to FILE, or to standard output with =- "
     "(repeatable)",
     FOR_COVERAGE | FOR_REPORT, take_format},
    {"show-missed", 'm', NULL, "show the lines never executed and the outcomes never taken, with their source",
     FOR_COVERAGE | FOR_REPORT, take_show_missed},
    {"all", 'a', NULL, "report all runs of the database together", FOR_REPORT, take_all},
    {"runs", 'r', NULL, "list the runs in the database instead of the benchmarks", FOR_LIST, take_runs},
    {"coverage", 0, NULL, "show the coverage instrumentation (the default)", FOR_SHOW, take_nothing},
    {"color", 0, "WHEN", "auto, always or never (default: auto, only on a terminal)", FOR_COVERAGE | FOR_REPORT,
     take_colour},
    {"quiet", 'q', NULL, "print errors only", FOR_COVERAGE | FOR_MERGE, take_quiet},
    {"verbose", 'v', NULL, "say more about what happens", FOR_COVERAGE, take_verbose},
    {"help", 'h', NULL, "show this help", FOR_ALL, take_help},
    {NULL, 0, NULL, NULL, 0, NULL},
};

/* --- parsing
 * ---------------------------------------------------------------------------------------------------------- */

static const option *find_long(const command *c, const char *word, size_t length) {
  for (const option *o = options; o->name != NULL; o++) {
    if ((o->commands & c->bit) != 0 && strncmp(o->name, word, length) == 0 && o->name[length] == '\0') {
      return o;
    }
  }
  return NULL;
}

static const option *find_letter(const command *c, char letter) {
  for (const option *o = options; o->name != NULL; o++) {
    if ((o->commands & c->bit) != 0 && o->letter != 0 && o->letter == letter) {
      return o;
    }
  }
  return NULL;
}

/* Takes the option at argv[*at] and, where it has one, its value. */
static int parse_option(const command *c, int argc, char **argv, int *at, settings *s, error *e) {
  const char *word = argv[*at];
  const option *o = NULL;
  const char *value = NULL;
  if (word[1] == '-') {
    size_t length = strcspn(word + 2, "=");
    o = find_long(c, word + 2, length);
    value = word[2 + length] == '=' ? word + 3 + length : NULL;
  } else {
    o = find_letter(c, word[1]);
    value = word[2] != '\0' ? word + 2 : NULL;
  }
  if (o == NULL) {
    return error_set(e, EXIT_USAGE, "unknown option \"%s\"; `cltestcheck help %s` lists the options", word, c->name);
  }
  if (o->argument == NULL && value != NULL) {
    return error_set(e, EXIT_USAGE, "option --%s takes no value, but \"%s\" gives it one", o->name, word);
  }
  if (o->argument != NULL && value == NULL) {
    if (*at + 1 >= argc || strcmp(argv[*at + 1], "--") == 0) {
      return error_set(e, EXIT_USAGE, "option --%s wants a value: --%s %s", o->name, o->name, o->argument);
    }
    value = argv[++*at];
  }
  return o->take(s, value, e);
}

int options_parse(const command *c, int argc, char **argv, settings *out, error *e) {
  *out = (settings){.database = DEFAULT_DATABASE, .colour = "auto"};
  for (int i = 0; i < argc; i++) {
    if (strcmp(argv[i], "--") == 0) {
      out->command = argv + i + 1;
      return 0;
    }
    if (argv[i][0] == '-' && argv[i][1] != '\0') {
      if (parse_option(c, argc, argv, &i, out, e) != 0) {
        return -1;
      }
    } else {
      (void)take_word(&out->positional, argv[i]);
    }
  }
  return 0;
}

void settings_free(settings *s) {
  for (size_t i = 0; i < s->format_count; i++) {
    free(s->formats[i].name);
  }
  free(s->formats);
  free(s->thresholds);
  free(s->kernels.items);
  free(s->exclude.items);
  free(s->positional.items);
  *s = (settings){0};
}
