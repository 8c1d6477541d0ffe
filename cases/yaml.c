/* A YAML reader over libyaml, whose errors are one sentence with a place. */
#include "cases/yaml.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <yaml.h>

#include "base/files.h"
#include "base/memory.h"
#include "base/names.h"
#include "base/utf8.h"

enum { FILE_CAP = 64 << 20, DEPTH_MOST = 100, ANCHORS_MOST = 10000 };

struct yaml_file {
  char *path;
  buffer text;
  yaml_document_t document;
};

/* --- the file ----------------------------------------------------------------------------------------------------- */

static int at_mark(const yaml_file *f, yaml_mark_t at, error *e, const char *what) {
  return error_set(e, EXIT_USAGE, "%s:%zu:%zu: %s", f->path, at.line + 1, at.column + 1, what);
}

static int broken(const yaml_file *f, const yaml_parser_t *p, error *e) {
  if (p->error == YAML_READER_ERROR) {
    return error_set(e, EXIT_USAGE, "%s: byte %zu: this is no text that YAML allows: %s", f->path, p->problem_offset,
                     p->problem);
  }
  scoped_buffer what = {0};
  buffer_printf(&what, "this is no YAML: %s", p->problem == NULL ? "it cannot be read" : p->problem);
  return at_mark(f, p->problem_mark, e, buffer_text(&what));
}

/* How far a file has been looked through. */
typedef struct looking {
  size_t depth, documents, anchors;
} looking;

/* Nothing stands where a value could: `---` at the end of a file. */
static bool is_nothing(const yaml_event_t *v) {
  return v->type == YAML_SCALAR_EVENT && v->data.scalar.length == 0 && v->data.scalar.style == YAML_PLAIN_SCALAR_STYLE;
}

static int look_at_event(const yaml_file *f, const yaml_event_t *v, looking *l, error *e) {
  const bool scalar = v->type == YAML_SCALAR_EVENT;
  const bool begins = v->type == YAML_SEQUENCE_START_EVENT || v->type == YAML_MAPPING_START_EVENT;
  l->depth += begins ? 1 : 0;
  l->depth -= v->type == YAML_SEQUENCE_END_EVENT || v->type == YAML_MAPPING_END_EVENT ? 1 : 0;
  l->documents += v->type == YAML_DOCUMENT_START_EVENT ? 1 : 0;
  l->anchors += (scalar && v->data.scalar.anchor != NULL) ||
                (v->type == YAML_SEQUENCE_START_EVENT && v->data.sequence_start.anchor != NULL) ||
                (v->type == YAML_MAPPING_START_EVENT && v->data.mapping_start.anchor != NULL);
  if (l->documents > 1 && (scalar || begins) && !is_nothing(v)) {
    return at_mark(f, v->start_mark, e,
                   "one document is wanted, and a second one begins here; put it into a file of its own");
  }
  if (scalar && memchr(v->data.scalar.value, '\0', v->data.scalar.length) != NULL)
    return at_mark(f, v->start_mark, e, "this text has a NUL in it");
  if (l->depth > DEPTH_MOST || l->anchors > ANCHORS_MOST) {
    return at_mark(f, v->start_mark, e,
                   l->depth > DEPTH_MOST ? "this is nested too deeply" : "there are too many anchors");
  }
  return 0;
}

/* What libyaml would take time for that grows with the square of the file, and what nobody would look at. */
static int look_through(const yaml_file *f, yaml_parser_t *p, error *e) {
  looking l = {0};
  bool over = false;
  int result = 0;
  while (!over && result == 0) {
    yaml_event_t v;
    if (yaml_parser_parse(p, &v) == 0) return broken(f, p, e);
    over = v.type == YAML_STREAM_END_EVENT;
    result = look_at_event(f, &v, &l, e);
    yaml_event_delete(&v);
  }
  return result;
}

/* `out` NULL: looks whether it can be read. */
static int load(yaml_file *f, yaml_document_t *out, error *e) {
  yaml_parser_t p;
  if (yaml_parser_initialize(&p) == 0)
    return error_set(e, EXIT_INTERNAL, "there is not enough memory to read %s", f->path);
  yaml_parser_set_input_string(&p, (const unsigned char *)buffer_text(&f->text), f->text.length);
  int result = 0;
  if (out == NULL) {
    result = look_through(f, &p, e);
  } else if (yaml_parser_load(&p, out) == 0) {
    result = broken(f, &p, e);
    *out = (yaml_document_t){0};
  }
  yaml_parser_delete(&p);
  return result;
}

int yaml_open(yaml_file **out, const char *path, const char *what, error *e) {
  yaml_file *f = mem_calloc(1, sizeof *f);
  f->path = mem_strdup(path);
  *out = NULL;
  if (file_read(path, what, FILE_CAP, &f->text, e) != 0 || load(f, NULL, e) != 0 || load(f, &f->document, e) != 0) {
    yaml_close(f);
    return -1;
  }
  *out = f;
  return 0;
}

void yaml_close(yaml_file *f) {
  if (f == NULL) return;
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
    while (at < f->text.length && ((unsigned char)text[at] & 0xc0) == 0x80) at++;
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
  if (yaml_is_list(v)) return (size_t)(v->data.sequence.items.top - v->data.sequence.items.start);
  return yaml_is_map(v) ? (size_t)(v->data.mapping.pairs.top - v->data.mapping.pairs.start) : 0;
}

yaml_value *yaml_item(yaml_file *f, yaml_value *list, size_t i) {
  return yaml_document_get_node(&f->document, list->data.sequence.items.start[i]);
}

yaml_value *yaml_pair(yaml_file *f, yaml_value *map, size_t i, const char **key, yaml_value **key_at) {
  const yaml_node_pair_t *pair = &map->data.mapping.pairs.start[i];
  yaml_value *name = yaml_document_get_node(&f->document, pair->key);
  *key = yaml_text(name);
  if (key_at != NULL) *key_at = name;
  return yaml_document_get_node(&f->document, pair->value);
}

yaml_value *yaml_find(yaml_file *f, yaml_value *map, const char *key) {
  for (size_t i = 0; i < (yaml_is_map(map) ? yaml_count(map) : 0); i++) {
    const char *name = NULL;
    yaml_value *value = yaml_pair(f, map, i, &name, NULL);
    if (strcmp(name, key) == 0) return value;
  }
  return NULL;
}

/* --- maps --------------------------------------------------------------------------------------------------------- */

static int unknown(const yaml_file *f, yaml_value *at, const char *what, const yaml_key *keys, size_t count, error *e) {
  scoped_buffer list = {0};
  suggestion near = {.word = yaml_text(at)};
  for (size_t i = 0; i < count; i++) {
    suggest_consider(&near, keys[i].name);
    buffer_printf(&list, "%s%s", i == 0 ? "" : i + 1 == count ? " and " : ", ", keys[i].name);
  }
  const int result =
      near.best != NULL ? yaml_wrong(f, at, e, "%s has no key \"%s\"; did you mean %s?", what, yaml_text(at), near.best)
                        : yaml_wrong(f, at, e, "%s has no key \"%s\", but %s", what, yaml_text(at), buffer_text(&list));
  return result;
}

int yaml_keys(yaml_file *f, yaml_value *map, const char *what, const yaml_key *keys, size_t count, error *e) {
  if (map == NULL) return error_set(e, EXIT_USAGE, "%s:1:1: this file is empty, and %s is wanted", f->path, what);
  if (!yaml_is_map(map))
    return yaml_wrong(f, map, e, "%s is written as keys with values, such as %s: …", what, keys[0].name);
  for (size_t i = 0; i < count; i++) *keys[i].to = NULL;
  for (size_t i = 0; i < yaml_count(map); i++) {
    const char *name = NULL;
    yaml_value *at = NULL, *value = yaml_pair(f, map, i, &name, &at);
    size_t k = 0;
    while (k < count && strcmp(keys[k].name, name) != 0) k++;
    if (k == count) return unknown(f, at, what, keys, count, e);
    if (*keys[k].to != NULL) return yaml_wrong(f, at, e, "%s has the key \"%s\" twice", what, name);
    *keys[k].to = value;
  }
  return 0;
}

static int wrong(const yaml_file *f, yaml_place place, error *e, const char *format, va_list args) {
  char text[1024];
  (void)vsnprintf(text, sizeof text, format, args);
  scoped_buffer clean = {0};
  utf8_line(&clean, text, strlen(text));
  return error_set(e, EXIT_USAGE, "%s:%zu:%zu: %s", f->path, place.line, place.column, buffer_text(&clean));
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
  if (at->start_mark.line == at->end_mark.line) place.column += offset + (yaml_is_plain(at) ? 0 : 1);
  const int result = wrong(f, place, e, format, args);
  va_end(args);
  return result;
}
