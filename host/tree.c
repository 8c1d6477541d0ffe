/* A host program's files, parsed one after the other into one tree. */
#include "host/tree.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/memory.h"
#include "frontend/frontend.h"
#include "host/read.h"

enum { MOST_NOTES = 50 };

host_tree *host_tree_new(void) {
  host_tree *t = mem_calloc(1, sizeof *t);
  t->pool = host_pool_new();
  t->complete = true;
  t->plain = true;
  return t;
}

void host_tree_free(host_tree *t) {
  if (t == NULL) {
    return;
  }
  host_map_free(&t->types);
  host_map_free(&t->decls);
  for (size_t i = 0; i < t->function_count; i++) {
    free(t->functions[i]->parameters);
  }
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
  for (size_t i = 0; i < t->note_count; i++) {
    if (t->notes[i] == note) {
      return;
    }
  }
  if (t->note_count < MOST_NOTES) {
    *ARRAY_ADD(t->notes, t->note_count, t->note_capacity) = note;
  }
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
  if (access(file, R_OK) != 0) {
    return error_set(e, EXIT_USAGE, "cannot read the host file %s", file);
  }
  const char **all = mem_calloc(count + own_count + 1, sizeof *all);
  size_t used = 0;
  for (size_t i = 0; i < count; i++) {
    if (strcmp(arguments[i], "-w") != 0) {
      all[used++] = arguments[i];
    }
  }
  for (size_t i = 0; i < own_count; i++) {
    all[used++] = own[i];
  }
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
