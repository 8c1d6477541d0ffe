/* Code that clang could not read: names that stand there and that its tree does not have. A variable of such a name may
 * change at any time, a function of such a name may run at any time. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "host/read.h"

typedef struct damage {
  host_reader *reader;
  CXFile file; /* of the error */
  unsigned offset;
  bool in_function;
  bool macro;
  bool *read; /* by offset in the file: the tree has a name there */
  size_t length;
} damage;

static bool is_body(CXCursor cursor) {
  const enum CXCursorKind kind = clang_getCursorKind(cursor);
  return clang_isCursorDefinition(cursor) != 0 &&
         (kind == CXCursor_FunctionDecl || kind == CXCursor_CXXMethod || kind == CXCursor_Constructor ||
          kind == CXCursor_Destructor || kind == CXCursor_FunctionTemplate);
}

static void mark_read(damage *d, unsigned offset) {
  if (offset < d->length) {
    d->read[offset] = true;
  }
}

static enum CXChildVisitResult note_names(CXCursor cursor, CXCursor parent, CXClientData data) {
  (void)parent;
  damage *d = data;
  CXFile file = NULL;
  unsigned offset = 0;
  clang_getFileLocation(clang_getCursorLocation(cursor), &file, NULL, NULL, &offset);
  mark_read(d, file != NULL && clang_File_isEqual(file, d->file) != 0 ? offset : UINT32_MAX);
  clang_getSpellingLocation(clang_getCursorLocation(cursor), &file, NULL, NULL, &offset);
  mark_read(d, file != NULL && clang_File_isEqual(file, d->file) != 0 ? offset : UINT32_MAX);
  return CXChildVisit_Recurse;
}

static void forget_name(host_tree *t, const char *name) {
  t->unread_launch =
      t->unread_launch || strcmp(name, "clEnqueueNDRangeKernel") == 0 || strcmp(name, "clEnqueueTask") == 0;
  t->unread_setting = t->unread_setting || strcmp(name, "clSetKernelArg") == 0;
  host_tree_forget(t, name);
}

static void forget_unread(damage *d, CXCursor function) {
  host_reader *r = d->reader;
  CXToken *tokens = NULL;
  unsigned count = 0;
  size_t length = 0;
  (void)clang_getFileContents(r->unit, d->file, &length);
  d->length = length;
  d->read = mem_calloc(length + 1, sizeof *d->read);
  (void)clang_visitChildren(function, note_names, d);
  clang_tokenize(r->unit, clang_getCursorExtent(function), &tokens, &count);
  for (unsigned i = 0; i < count; i++) {
    unsigned offset = 0;
    clang_getFileLocation(clang_getTokenLocation(r->unit, tokens[i]), NULL, NULL, NULL, &offset);
    if (clang_getTokenKind(tokens[i]) == CXToken_Identifier && offset < length && !d->read[offset]) {
      forget_name(r->tree, host_take_string(r, clang_getTokenSpelling(r->unit, tokens[i])));
    }
  }
  clang_disposeTokens(r->unit, tokens, count);
  free(d->read);
}

static enum CXChildVisitResult find_function(CXCursor cursor, CXCursor parent, CXClientData data) {
  (void)parent;
  damage *d = data;
  if (!is_body(cursor)) {
    return CXChildVisit_Recurse;
  }
  CXSourceRange range = clang_getCursorExtent(cursor);
  CXFile file = NULL;
  unsigned begin = 0;
  unsigned end = 0;
  clang_getFileLocation(clang_getRangeStart(range), &file, NULL, NULL, &begin);
  clang_getFileLocation(clang_getRangeEnd(range), NULL, NULL, NULL, &end);
  if (file == NULL || clang_File_isEqual(file, d->file) == 0 || d->offset < begin || d->offset > end) {
    return CXChildVisit_Continue;
  }
  d->in_function = true;
  if (d->macro) {
    host_decl_of(d->reader, cursor)->unstructured = true;
  } else {
    forget_unread(d, cursor);
  }
  return CXChildVisit_Break;
}

static bool is_missing_header(CXDiagnostic diagnostic, host_reader *r) {
  return strstr(host_take_string(r, clang_getDiagnosticSpelling(diagnostic)), "file not found") != NULL;
}

static void read_diagnostic(host_reader *r, CXDiagnostic diagnostic) {
  CXSourceLocation location = clang_getDiagnosticLocation(diagnostic);
  damage d = {.reader = r};
  unsigned line = 0;
  unsigned spelled = 0;
  clang_getFileLocation(location, &d.file, &line, NULL, &d.offset);
  clang_getSpellingLocation(location, NULL, NULL, NULL, &spelled);
  d.macro = spelled != d.offset;
  const char *file = d.file == NULL ? "" : host_take_string(r, clang_getFileName(d.file));
  const bool header = is_missing_header(diagnostic, r);
  r->tree->plain = false;
  if (!header && d.file != NULL) {
    (void)clang_visitChildren(clang_getTranslationUnitCursor(r->unit), find_function, &d);
    r->tree->complete = r->tree->complete && d.in_function;
  }
  host_tree_note(r->tree, "%s:%u: not read: %s", file, line,
                 host_take_string(r, clang_getDiagnosticSpelling(diagnostic)));
}

/* An attribute or a pragma that clang leaves out and other compilers may not. */
static void read_warning(host_reader *r, CXDiagnostic diagnostic) {
  CXFile file = NULL;
  unsigned line = 0, offset = 0;
  size_t length = 0;
  clang_getSpellingLocation(clang_getDiagnosticLocation(diagnostic), &file, &line, NULL, &offset);
  const char *text = file == NULL ? NULL : clang_getFileContents(r->unit, file, &length);
  const char *option = host_take_string(r, clang_getDiagnosticOption(diagnostic, NULL));
  const char *sentence = host_take_string(r, clang_getDiagnosticSpelling(diagnostic));
  if (!host_is_known_warning(option, sentence, text == NULL || offset >= length ? "" : text + offset)) {
    r->tree->unknown = true;
    host_tree_note(r->tree, "%s:%u: %s, which may change variables and launch kernels",
                   file == NULL ? "?" : host_take_string(r, clang_getFileName(file)), line, sentence);
  }
}

void host_read_damage(host_reader *r) {
  for (unsigned i = 0; i < clang_getNumDiagnostics(r->unit); i++) {
    CXDiagnostic diagnostic = clang_getDiagnostic(r->unit, i);
    if (clang_getDiagnosticSeverity(diagnostic) >= CXDiagnostic_Error) {
      read_diagnostic(r, diagnostic);
    } else if (clang_getDiagnosticSeverity(diagnostic) == CXDiagnostic_Warning) {
      read_warning(r, diagnostic);
    }
    clang_disposeDiagnostic(diagnostic);
  }
}
