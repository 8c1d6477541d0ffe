/* Options and commands as tables: parsing, usage, help, the man page, shell completion and the reading of cltestcheck.yaml
 * all come from them. */
#ifndef CLTC_CLI_OPTIONS_H
#define CLTC_CLI_OPTIONS_H

#include "cli/experiment.h"
#include "reports/common/report.h"

/* What becomes of a value: a field of the settings takes it, or a function. */
typedef enum option_into {
  OPTION_NOTHING,
  OPTION_SWITCH,   /* a bool is true */
  OPTION_TEXT,     /* a const char *; with `wants` it is not empty */
  OPTION_WORDS,    /* one more of a `word_list`; the same */
  OPTION_UNSIGNED, /* a number from `least` to `most`: unsigned */
  OPTION_UINT64,   /* uint64_t, or int64_t */
  OPTION_SECONDS,  /* a double above 0 */
  OPTION_PERCENT,  /* a double from 0 to 100 */
  OPTION_FRACTION, /* a double between 0 and 1 */
  OPTION_WORD,     /* a const char *: one of its words (option_words) */
  OPTION_FOUND,    /* an enum: what `find` gives */
  OPTION_BY        /* `take` takes it for the part of the settings that begins there */
} option_into;

struct option;
typedef struct option_target {
  option_into into;
  size_t at; /* offset of the field */
  uint64_t least, most;
  bool folder;                    /* of OPTION_TEXT and OPTION_WORDS: the name of a folder */
  const char *wants;              /* "a command, such as 'make test'"; NULL: any text, or what the kind says */
  int (*find)(const char *value); /* -1: it is none */
  int (*take)(const struct option *o, void *part, const char *value, error *e);
} option_target;

typedef struct option {
  const char *name;     /* without dashes */
  char letter;          /* 0 if there is no short form */
  const char *argument; /* name of its value, NULL for a switch */
  const char *help;
  unsigned commands;
  option_target target;
} option;

extern const option options[]; /* ended by a NULL name */

/* The settings of a command: its defaults, the configuration file, the environment and the words after its name, each
 * above what comes before. Returns -1 with a sentence that names the place that is wrong. */
int options_parse(const command *c, int argc, char **argv, settings *out, error *e);

/* What is true of an option by its name, whatever the command: how its values are written in a configuration file and
 * in the environment, which words it takes (completion, the schema for editors), and whether short help shows it. */

enum option_flag {
  OPTION_LIST = 1,     /* may be given several times: a list in YAML; a `word_list` is one */
  OPTION_COMMAS = 2,   /* … with commas between in the environment */
  OPTION_JOINED = 4,   /* one value that is a list with commas: a list in YAML, too */
  OPTION_MAP = 8,      /* NAME=VALUE: a mapping in YAML, too */
  OPTION_KEYED = 16,   /* NAME=VALUE, one a NAME; with commas on the command line, too */
  OPTION_FILE = 32,    /* the value is a path */
  OPTION_FOLDER = 64,  /* likewise, of a folder */
  OPTION_REPORT = 128, /* the value may be NAME=PATH */
  OPTION_NUMBER = 256, /* by what becomes of the value */
  OPTION_OFTEN = 512,  /* in short help */
  OPTION_META = 1024   /* about configuration itself, so not in a configuration file */
};

typedef struct option_kind {
  const char *name;
  unsigned flags;
  const char *words; /* the values it takes, with spaces between; NULL: any, or option_words knows */
} option_kind;

extern const option_kind option_kinds[]; /* of names of the option table; ended by a NULL name */
/* Flags of an option: those of its name, and those that follow from what becomes of its value. */
unsigned option_flags(const option *o);
/* The words that it takes, with spaces between; "" for any. */
void option_words(const option *o, buffer *to);
/* Is there an option of this name that takes a value, if `o` is a switch? Then only the section of the command can mean
 * the switch. */
bool option_shadowed(const option *o);
/* true false yes no on off 1 0, in any case; false for other words. */
bool option_boolean(const char *text, bool *value);
/* "CLTESTCHECK_FAIL_UNDER" */
void option_variable(const option *o, buffer *to);
/* Whether these bytes are its name, or were. */
bool option_is_called(const option *o, const char *word, size_t length);
/* What stands after "default: " in its help; "" if nothing does. */
void option_default(const option *o, buffer *to);

/* The values of options, each with where it comes from: a file, the environment, the command line. */

/* In rising order: what comes from a higher one replaces what comes from lower ones. */
typedef enum assignment_level { FROM_FILE, FROM_SECTION, FROM_ENVIRONMENT, FROM_COMMAND_LINE } assignment_level;

typedef struct assignment {
  const option *option;
  assignment_level level;
  char *value;  /* NULL: of a switch, or nothing at all */
  bool off;     /* a switch that is off, a list without items */
  char *origin; /* "cltestcheck.yaml:3:7", "CLTESTCHECK_RUNS", "command line" */
} assignment;

typedef struct assignments {
  assignment *items;
  size_t count, capacity;
} assignments;

/* Adds a value, in place of those of lower levels. Of NAME=VALUE options (OPTION_KEYED, with commas between several) it
 * takes the place of those with the same NAME. */
void assignments_add(assignments *a, const option *o, assignment_level level, const char *value, bool off,
                     const char *origin);
/* Hands every value to its option. Errors name the origin where that is not the command line. The values are lent to
 * `out`. */
int assignments_apply(const assignments *a, settings *out, error *e);
void assignments_free(assignments *a);

/* Says on standard error that the program asked for a device of this cl_device_type and there is none, and the command
 * line that presents another device to it; nothing when one was presented already. */
void say_denied(const command_line *given, const target *t, uint32_t type);

/* What is made from the tables of options and commands: help, man pages, completion, a schema for editors. */

typedef struct exit_meaning {
  int code;
  const char *meaning;
} exit_meaning;
extern const exit_meaning exit_meanings[]; /* ended by a NULL meaning */

void help_overview(FILE *out);
/* Fits a screen unless `all`. */
void help_command(const command *c, bool all, FILE *out);
/* cltestcheck.1, or cltestcheck-COMMAND.1. */
void help_man_page(const command *c, FILE *out);
/* For "bash", "zsh" or "fish"; -1 for another shell. */
int help_completion(const char *shell, FILE *out);
/* JSON Schema (draft 7) of cltestcheck.yaml. */
int help_schema(FILE *out);

/* cltestcheck.yaml: options and suppressions of a project (docs/configuration.md). */

#define CONFIGURATION_NAME "cltestcheck.yaml"

/* A value as it stands there. */
typedef struct configured_value {
  const char *name;       /* of an option */
  const command *section; /* NULL: for every command that has such an option */
  char *value;            /* NULL: of a switch, or a list without items */
  bool is_switch, off;
  char *origin; /* FILE:LINE:COLUMN */
} configured_value;

typedef struct configuration {
  char *path; /* of the file, NULL: there is none */
  configured_value *values;
  size_t value_count, value_capacity;
  suppression *suppressions; /* strings are the configuration's */
  size_t suppression_count, suppression_capacity;
} configuration;

/* The path of the nearest cltestcheck.yaml, from the working folder upwards; NULL: there is none. free() it. */
char *configuration_find(void);
/* Reads a file: every value in it is one that its option takes. Errors (EXIT_USAGE) name file, line and column; nothing
 * is to be released then. Paths in it are relative to it. */
int configuration_read(const char *path, configuration *out, error *e);
/* Adds what the file says for a command. */
void configuration_assign(const configuration *c, const command *to, assignments *out);
void configuration_free(configuration *c);

#endif
