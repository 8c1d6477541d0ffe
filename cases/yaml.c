/* Nodes of libyaml, after functions that say what is wrong in one sentence. */
#include "cases/yaml.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <yaml.h>

#include "base/memory.h"
#include "base/pipe_path.h"
#include "base/suggest.h"
#include "base/utf8.h"

enum { FILE_CAP = 64 << 20 };

struct yaml_file {
  char *path;
  buffer text;
  yaml_document_t document;
};

/* --- the file ----------------------------------------------------------------------------------------------------- */

static int read_file(yaml_file *f, error *e) {
  if (pipe_refuse(f->path, e) != 0) {
    return -1;
  }
  FILE *in = fopen(f->path, "rbe");
  char chunk[1 << 16];
  size_t n = 0;
  while (in != NULL && f->text.length <= FILE_CAP && (n = fread(chunk, 1, sizeof chunk, in)) > 0) {
    buffer_append(&f->text, chunk, n);
  }
  const int reason = errno;
  const bool read = in != NULL && ferror(in) == 0;
  if (in != NULL) {
    (void)fclose(in);
  }
  if (!read) {
    return error_set(e, EXIT_USAGE, "suite file \"%s\" cannot be opened: %s", f->path, strerror(reason));
  }
  return f->text.length > FILE_CAP ? error_set(e, EXIT_USAGE, "suite file \"%s\" is larger than 64 MiB", f->path) : 0;
}

static int load(yaml_file *f, error *e) {
  yaml_parser_t p;
  if (yaml_parser_initialize(&p) == 0) {
    return error_set(e, EXIT_INTERNAL, "there is not enough memory to read %s", f->path);
  }
  yaml_parser_set_input_string(&p, (const unsigned char *)buffer_text(&f->text), f->text.length);
  int result = 0;
  if (yaml_parser_load(&p, &f->document) == 0) {
    const yaml_mark_t at = p.problem_mark;
    result = error_set(e, EXIT_USAGE, "%s:%zu:%zu: this is no YAML: %s", f->path, at.line + 1, at.column + 1,
                       p.problem == NULL ? "it cannot be read" : p.problem);
    f->document = (yaml_document_t){0};
  }
  yaml_parser_delete(&p);
  return result;
}

int yaml_open(yaml_file **out, const char *path, error *e) {
  yaml_file *f = mem_calloc(1, sizeof *f);
  f->path = mem_strdup(path);
  *out = NULL;
  if (read_file(f, e) != 0 || load(f, e) != 0) {
    yaml_close(f);
    return -1;
  }
  *out = f;
  return 0;
}

void yaml_close(yaml_file *f) {
  if (f == NULL) {
    return;
  }
  yaml_document_delete(&f->document);
  buffer_free(&f->text);
  free(f->path);
  free(f);
}

const char *yaml_path(const yaml_file *f) { return f->path; }

yaml_value *yaml_root(yaml_file *f) { return yaml_document_get_root_node(&f->document); }

/* --- values ------------------------------------------------------------------------------------------------------- */

bool yaml_is_text(yaml_value *v) { return v->type == YAML_SCALAR_NODE; }
bool yaml_is_list(yaml_value *v) { return v->type == YAML_SEQUENCE_NODE; }
bool yaml_is_map(yaml_value *v) { return v->type == YAML_MAPPING_NODE; }
bool yaml_is_plain(yaml_value *v) { return yaml_is_text(v) && v->data.scalar.style == YAML_PLAIN_SCALAR_STYLE; }
const char *yaml_text(yaml_value *v) { return yaml_is_text(v) ? (const char *)v->data.scalar.value : ""; }

/* libyaml counts characters; and a byte order mark not at all. */
static size_t byte_of(const yaml_file *f, size_t character) {
  const char *text = buffer_text(&f->text);
  size_t at = strncmp(text, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;
  for (; character > 0 && at < f->text.length; character--) {
    at++;
    while (at < f->text.length && ((unsigned char)text[at] & 0xc0) == 0x80) {
      at++;
    }
  }
  return at;
}

void yaml_span(const yaml_file *f, yaml_value *v, size_t *begin, size_t *end) {
  *begin = byte_of(f, v->start_mark.index);
  *end = byte_of(f, v->end_mark.index);
}

const char *yaml_source(const yaml_file *f, size_t *length) {
  *length = f->text.length;
  return buffer_text(&f->text);
}

yaml_place yaml_at(yaml_value *v) { return (yaml_place){v->start_mark.line + 1, v->start_mark.column + 1}; }

size_t yaml_count(yaml_value *v) {
  if (yaml_is_list(v)) {
    return (size_t)(v->data.sequence.items.top - v->data.sequence.items.start);
  }
  return yaml_is_map(v) ? (size_t)(v->data.mapping.pairs.top - v->data.mapping.pairs.start) : 0;
}

yaml_value *yaml_item(yaml_file *f, yaml_value *list, size_t i) {
  return yaml_document_get_node(&f->document, list->data.sequence.items.start[i]);
}

yaml_value *yaml_pair(yaml_file *f, yaml_value *map, size_t i, const char **key, yaml_value **key_at) {
  const yaml_node_pair_t *pair = &map->data.mapping.pairs.start[i];
  yaml_value *name = yaml_document_get_node(&f->document, pair->key);
  *key = yaml_text(name);
  if (key_at != NULL) {
    *key_at = name;
  }
  return yaml_document_get_node(&f->document, pair->value);
}

yaml_value *yaml_find(yaml_file *f, yaml_value *map, const char *key) {
  for (size_t i = 0; i < (yaml_is_map(map) ? yaml_count(map) : 0); i++) {
    const char *name = NULL;
    yaml_value *value = yaml_pair(f, map, i, &name, NULL);
    if (strcmp(name, key) == 0) {
      return value;
    }
  }
  return NULL;
}

/* --- maps --------------------------------------------------------------------------------------------------------- */

static int unknown(const yaml_file *f, yaml_value *at, const char *what, const yaml_key *keys, size_t count, error *e) {
  buffer list = {0};
  suggestion near = {.word = yaml_text(at)};
  for (size_t i = 0; i < count; i++) {
    suggest_consider(&near, keys[i].name);
    buffer_printf(&list, "%s%s", i == 0 ? "" : i + 1 == count ? " and " : ", ", keys[i].name);
  }
  const int result =
      near.best != NULL ? yaml_wrong(f, at, e, "%s has no key \"%s\"; did you mean %s?", what, yaml_text(at), near.best)
                        : yaml_wrong(f, at, e, "%s has no key \"%s\", but %s", what, yaml_text(at), buffer_text(&list));
  buffer_free(&list);
  return result;
}

int yaml_keys(yaml_file *f, yaml_value *map, const char *what, const yaml_key *keys, size_t count, error *e) {
  if (!yaml_is_map(map)) {
    return yaml_wrong(f, map, e, "%s is written as keys with values, such as %s: …", what, keys[0].name);
  }
  for (size_t i = 0; i < count; i++) {
    *keys[i].to = NULL;
  }
  for (size_t i = 0; i < yaml_count(map); i++) {
    const char *name = NULL;
    yaml_value *at = NULL, *value = yaml_pair(f, map, i, &name, &at);
    size_t k = 0;
    while (k < count && strcmp(keys[k].name, name) != 0) {
      k++;
    }
    if (k == count) {
      return unknown(f, at, what, keys, count, e);
    }
    if (*keys[k].to != NULL) {
      return yaml_wrong(f, at, e, "%s has the key \"%s\" twice", what, name);
    }
    *keys[k].to = value;
  }
  return 0;
}

static int wrong(const yaml_file *f, yaml_place place, error *e, const char *format, va_list args) {
  char text[1024];
  (void)vsnprintf(text, sizeof text, format, args);
  buffer clean = {0};
  utf8_line(&clean, text, strlen(text));
  const int result = error_set(e, EXIT_USAGE, "%s:%zu:%zu: %s", f->path, place.line, place.column, buffer_text(&clean));
  buffer_free(&clean);
  return result;
}

int yaml_wrong(const yaml_file *f, yaml_value *at, error *e, const char *format, ...) {
  va_list args;
  va_start(args, format);
  const int result = wrong(f, yaml_at(at), e, format, args);
  va_end(args);
  return result;
}

int yaml_wrong_in(const yaml_file *f, yaml_value *at, size_t offset, error *e, const char *format, ...) {
  va_list args;
  va_start(args, format);
  yaml_place place = yaml_at(at);
  if (at->start_mark.line == at->end_mark.line) {
    place.column += offset + (yaml_is_plain(at) ? 0 : 1);
  }
  const int result = wrong(f, place, e, format, args);
  va_end(args);
  return result;
}
