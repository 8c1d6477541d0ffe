/* Options and commands as tables: parsing, usage, help, the man page and shell completion all come from them. */
#ifndef CLTC_CLI_OPTIONS_H
#define CLTC_CLI_OPTIONS_H

#include <stdio.h>

#include "cli/commands.h"
#include "cli/settings.h"

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

/* Gives a value to the settings; `value` is NULL for a switch. */
int option_take(const option *o, settings *s, const char *value, error *e);

/* The settings of a command: its defaults, the configuration file, the environment and the words after its name, each
 * above what comes before. Returns -1 with a sentence that names the place that is wrong. */
int options_parse(const command *c, int argc, char **argv, settings *out, error *e);

#endif
