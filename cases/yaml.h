/* A YAML file as nodes that know their place (libyaml). */
#ifndef CLTC_CASES_YAML_H
#define CLTC_CASES_YAML_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"

typedef struct yaml_file yaml_file;
typedef const struct yaml_node_s yaml_value; /* lent by the file */

/* A key that a mapping may have. */
typedef struct yaml_key {
  const char *name;
  yaml_value **to; /* its value; stays NULL where it is not there */
} yaml_key;

/* Where something stands, from 1. */
typedef struct yaml_place {
  size_t line, column;
} yaml_place;

/* Reads a file of one document; `what` it is: "suite file". -1 with `e` set (EXIT_USAGE): it cannot be opened, is no YAML
 * or more than one document. */
int yaml_open(yaml_file **out, const char *path, const char *what, error *e);
void yaml_close(yaml_file *f); /* NULL is fine */
const char *yaml_path(const yaml_file *f);
yaml_value *yaml_root(yaml_file *f); /* NULL: the file is empty */

bool yaml_is_text(yaml_value *v);
bool yaml_is_list(yaml_value *v);
bool yaml_is_map(yaml_value *v);
/* A text that was written without quotes, as numbers and words are. */
bool yaml_is_plain(yaml_value *v);
const char *yaml_text(yaml_value *v);
/* The bytes of the file that the value takes: from `*begin` up to `*end`; and those of the whole file, lent. */
void yaml_span(const yaml_file *f, yaml_value *v, size_t *begin, size_t *end);
const char *yaml_source(const yaml_file *f, size_t *length);
yaml_place yaml_at(yaml_value *v);

/* Items of a list, or pairs of a map. */
size_t yaml_count(yaml_value *v);
yaml_value *yaml_item(yaml_file *f, yaml_value *list, size_t i);
yaml_value *yaml_pair(yaml_file *f, yaml_value *map, size_t i, const char **key, yaml_value **key_at);
/* The value of a key, NULL: there is none. */
yaml_value *yaml_find(yaml_file *f, yaml_value *map, const char *key);

/* Takes a map apart. -1 with `e` set: it is no map, has another key or one twice. `what`: "a buffer" … */
int yaml_keys(yaml_file *f, yaml_value *map, const char *what, const yaml_key *keys, size_t count, error *e);
/* Sets `e` to "FILE:LINE:COLUMN: …" and returns -1. */
int yaml_wrong(const yaml_file *f, yaml_value *at, error *e, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
/* The same for a place in a text, so many bytes from its begin. */
int yaml_wrong_in(const yaml_file *f, yaml_value *at, size_t offset, error *e, const char *format, ...)
    __attribute__((format(printf, 5, 6)));

#endif
