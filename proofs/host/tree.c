/* A host program's files, parsed one after the other into one tree. */
#include "proofs/host/tree.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/digest.h"
#include "base/memory.h"
#include "frontend/frontend.h"
#include "proofs/host/read.h"

/* --- memory ------------------------------------------------------------------------------------------------------- */

/* Memory that is given back as a whole, and the tables in it. */

struct host_pool {
  mem_arena memory;
  host_map texts;
};

struct host_map_entry {
  const void *key;
  size_t size;
  uint64_t hash;
  void *value;
};

host_pool *host_pool_new(void) { return mem_calloc(1, sizeof(host_pool)); }

void host_pool_free(host_pool *p) {
  if (p == NULL) return;
  mem_arena_free(&p->memory);
  host_map_free(&p->texts);
  free(p);
}

void *host_take(host_pool *p, size_t size) { return mem_arena_take(&p->memory, size); }

/* --- tables ------------------------------------------------------------------------------------------------------- */

static uint64_t hash_of(const void *key, size_t size) {
  const uint64_t hash = hash_more(HASH_EMPTY, key, size);
  return hash ^ (hash >> 29);
}

static void grow(host_map *m) {
  host_map larger = {.capacity = m->capacity == 0 ? 64 : 2 * m->capacity, .count = m->count};
  larger.entries = mem_calloc(larger.capacity, sizeof *larger.entries);
  for (size_t i = 0; i < m->capacity; i++) {
    if (m->entries[i].key != NULL) {
      size_t at = m->entries[i].hash & (larger.capacity - 1);
      while (larger.entries[at].key != NULL) at = (at + 1) & (larger.capacity - 1);
      larger.entries[at] = m->entries[i];
    }
  }
  free(m->entries);
  *m = larger;
}

void **host_map_at(host_pool *p, host_map *m, const void *key, size_t size) {
  if (2 * (m->count + 1) > m->capacity) grow(m);
  const uint64_t hash = hash_of(key, size);
  size_t at = hash & (m->capacity - 1);
  for (; m->entries[at].key != NULL; at = (at + 1) & (m->capacity - 1)) {
    struct host_map_entry *e = &m->entries[at];
    if (e->hash == hash && e->size == size && memcmp(e->key, key, size) == 0) return &e->value;
  }
  void *copy = host_take(p, size + 1);
  memcpy(copy, key, size);
  m->entries[at] = (struct host_map_entry){.key = copy, .size = size, .hash = hash};
  m->count++;
  return &m->entries[at].value;
}

void host_map_free(host_map *m) {
  free(m->entries);
  *m = (host_map){0};
}

/* --- texts -------------------------------------------------------------------------------------------------------- */

const char *host_text(host_pool *p, const char *text) {
  const size_t length = strlen(text);
  void **value = host_map_at(p, &p->texts, text, length);
  if (*value == NULL) *value = mem_arena_copy_part(&p->memory, text, length);
  return *value;
}

const char *host_text_printf(host_pool *p, const char *format, ...) {
  va_list arguments;
  char text[4096];
  va_start(arguments, format);
  (void)vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  return host_text(p, text);
}

enum { MOST_NOTES = 50 };

host_tree *host_tree_new(void) {
  host_tree *t = mem_calloc(1, sizeof *t);
  t->pool = host_pool_new();
  t->complete = true;
  t->plain = true;
  return t;
}

void host_tree_free(host_tree *t) {
  if (t == NULL) return;
  host_map_free(&t->types);
  host_map_free(&t->decls);
  for (size_t i = 0; i < t->function_count; i++) free(t->functions[i]->parameters);
  free(t->functions);
  free(t->globals);
  free(t->all);
  free(t->notes);
  host_pool_free(t->pool);
  free(t);
}

void host_tree_note(host_tree *t, const char *format, ...) {
  char text[1024];
  va_list arguments;
  va_start(arguments, format);
  (void)vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  const char *note = host_text(t->pool, text);
  for (size_t i = 0; i < t->note_count; i++)
    if (t->notes[i] == note) return;
  if (t->note_count < MOST_NOTES) *ARRAY_ADD(t->notes, t->note_count, t->note_capacity) = note;
}

void host_tree_forget(host_tree *t, const char *name) {
  for (size_t i = 0; i < t->all_count; i++) {
    host_decl *d = t->all[i];
    if (strcmp(d->name, name) == 0) {
      d->wild = d->wild || d->kind == HOST_OBJECT || d->kind == HOST_FIELD;
      d->hidden_calls = d->hidden_calls || d->kind == HOST_FUNCTION;
    }
  }
}

int host_tree_add(host_tree *t, const char *file, const char *const *arguments, size_t count, error *e) {
  static const char *const own[] = {"-Wno-everything",
                                    "-Wunknown-attributes",
                                    "-Wignored-attributes",
                                    "-Wunknown-pragmas",
                                    "-Wno-error=implicit-function-declaration",
                                    "-Wno-error=int-conversion",
                                    "-Wno-error=incompatible-function-pointer-types",
                                    "-Wno-error=implicit-int",
                                    "-Wno-dynamic-exception-spec",
                                    "-Wno-c++11-narrowing",
                                    "-Wno-register",
                                    "-Wno-return-mismatch",
                                    "-ferror-limit=0",
                                    "-idirafter"};
  const size_t own_count = sizeof own / sizeof own[0];
  if (access(file, R_OK) != 0) return error_set(e, EXIT_USAGE, "cannot read the host file %s", file);
  const char **all = mem_calloc(count + own_count + 1, sizeof *all);
  size_t used = 0;
  for (size_t i = 0; i < count; i++)
    if (strcmp(arguments[i], "-w") != 0) all[used++] = arguments[i];
  for (size_t i = 0; i < own_count; i++) all[used++] = own[i];
  all[used++] = front_clang_headers();
  CXIndex index = clang_createIndex(0, 0);
  host_reader r = {.tree = t, .number = ++t->file_count};
  int result = 0;
  const unsigned how = CXTranslationUnit_KeepGoing | CXTranslationUnit_VisitImplicitAttributes;
  const enum CXErrorCode code = clang_parseTranslationUnit2(index, file, all, (int)used, NULL, 0, how, &r.unit);
  if (code != CXError_Success || r.unit == NULL) {
    result = error_set(e, EXIT_USAGE, "libclang cannot read the host file %s: look at its compile options", file);
  } else {
    const char *name = strrchr(file, '.');
    t->plain = t->plain && name != NULL && strcmp(name, ".c") == 0;
    host_read_unit(&r);
    host_read_known(&r);
    host_read_damage(&r);
    clang_disposeTranslationUnit(r.unit);
  }
  clang_disposeIndex(index);
  free(all);
  return result;
}
