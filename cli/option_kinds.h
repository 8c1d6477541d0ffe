/* What is true of an option by its name, whatever the command: how its values are written in a configuration file and
 * in the environment, which words it takes (completion, the schema for editors), and whether short help shows it. */
#ifndef CLTC_CLI_OPTION_KINDS_H
#define CLTC_CLI_OPTION_KINDS_H

#include "base/buffer.h"
#include "cli/options.h"

enum option_flag {
  OPTION_LIST = 1,     /* may be given several times: a list in YAML */
  OPTION_COMMAS = 2,   /* … with commas between in the environment */
  OPTION_JOINED = 4,   /* one value that is a list with commas: a list in YAML, too */
  OPTION_MAP = 8,      /* NAME=VALUE: a mapping in YAML, too */
  OPTION_KEYED = 16,   /* NAME=VALUE, one a NAME; with commas on the command line, too */
  OPTION_FILE = 32,    /* the value is a path */
  OPTION_FOLDER = 64,  /* likewise, of a folder */
  OPTION_REPORT = 128, /* the value may be NAME=PATH */
  OPTION_NUMBER = 256,
  OPTION_OFTEN = 512, /* in short help */
  OPTION_META = 1024  /* about configuration itself, so not in a configuration file */
};

typedef struct option_kind {
  const char *name;
  unsigned flags;
  const char *words; /* the values it takes, with spaces between; NULL: any, or option_words knows */
} option_kind;

extern const option_kind option_kinds[]; /* of names of the option table; ended by a NULL name */
/* Flags of an option, 0 if nothing is said. */
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
/* Whether it is a variable of it: that of its name, or of the one that it had before. */
bool option_has_variable(const option *o, const char *variable);
/* Its value; NULL: it has none. */
const char *option_in_environment(const option *o);
/* Whether these bytes are its name, or were. */
bool option_is_called(const option *o, const char *word, size_t length);
/* What stands after "default: " in its help; "" if nothing does. */
void option_default(const option *o, buffer *to);

#endif
