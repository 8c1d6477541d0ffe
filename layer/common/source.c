/* Copies of what the program has handed over: its own may change or go. */
#include "layer/common/source.h"

#include <stdlib.h>
#include <string.h>

char *copy_text(const char *text, size_t length) {
  char *copy = malloc(length + 1);
  if (copy == NULL) return NULL;
  if (length) memcpy(copy, text, length);
  copy[length] = '\0';
  return copy;
}

static size_t length_of(const char *string, const size_t *lengths, cl_uint i) {
  return lengths != NULL && lengths[i] ? lengths[i] : strlen(string);
}

char *join_strings(cl_uint count, const char **strings, const size_t *lengths, size_t *length) {
  *length = 0;
  for (cl_uint i = 0; i < count; i++) *length += length_of(strings[i], lengths, i);
  char *text = malloc(*length + 1), *at = text;
  if (text == NULL) return NULL;
  for (cl_uint i = 0; i < count; i++) {
    size_t part = length_of(strings[i], lengths, i);
    memcpy(at, strings[i], part);
    at += part;
  }
  *at = '\0';
  *length = strnlen(text, *length);
  return text;
}

void unit_release(unit *u) {
  if (u == NULL || atomic_fetch_sub(&u->references, 1) != 1) return;
  for (size_t i = 0; i < u->header_count; i++) {
    free(u->headers[i].name);
    free(u->headers[i].text);
  }
  free(u->headers);
  free(u->text);
  free(u->options);
  free(u);
}

static bool add_header(unit *u, cl_program handle, const char *name) {
  const source_program *s = (const source_program *)object_find(OBJECT_PROGRAM, handle);
  if (s == NULL || s->text == NULL) return false;
  source_header *to = &u->headers[u->header_count++];
  to->name = copy_text(name, strlen(name));
  to->text = copy_text(s->text, s->length);
  to->length = s->length;
  return to->name != NULL && to->text != NULL;
}

unit *unit_empty(void) {
  unit *u = calloc(1, sizeof *u);
  if (u != NULL) atomic_init(&u->references, 1);
  return u;
}

unit *unit_make(const source_program *s, const char *options, cl_uint num_headers, const cl_program *headers,
                const char **names) {
  unit *u = unit_empty();
  if (u == NULL) return NULL;
  u->text = copy_text(s->text, s->length);
  u->length = s->length;
  u->options = copy_text(options, options != NULL ? strlen(options) : 0);
  u->headers = num_headers ? calloc(num_headers, sizeof *u->headers) : NULL;
  bool complete = u->text != NULL && u->options != NULL && (u->headers != NULL || !num_headers);
  for (cl_uint i = 0; complete && i < num_headers; i++) complete = add_header(u, headers[i], names[i]);
  if (complete) return u;
  unit_release(u);
  return NULL;
}

bool units_add(unit_list *l, unit *const *units, size_t count) {
  unit **grown = realloc(l->items, (l->count + count) * sizeof(unit *));
  if (grown == NULL) return false;
  l->items = grown;
  for (size_t i = 0; i < count; i++) {
    atomic_fetch_add(&units[i]->references, 1);
    l->items[l->count++] = units[i];
  }
  return true;
}

static void units_free(unit_list *l) {
  for (size_t i = 0; i < l->count; i++) unit_release(l->items[i]);
  free(l->items);
  *l = (unit_list){0};
}

void recipe_free(recipe *r) {
  units_free(&r->units);
  free(r->link_options);
  *r = (recipe){0};
}

bool recipe_copy(recipe *to, const recipe *from) {
  *to = (recipe){.linked = from->linked};
  bool complete = units_add(&to->units, from->units.items, from->units.count);
  if (complete && from->link_options != NULL) {
    to->link_options = copy_text(from->link_options, strlen(from->link_options));
    complete = to->link_options != NULL;
  }
  if (!complete) recipe_free(to);
  return complete;
}

void source_free(source_program *s) {
  unit_release(s->compiled);
  free(s->text);
}
