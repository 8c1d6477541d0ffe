/* What host programs may use without doing anything unseen: attributes, pragmas, kinds of declarations, and functions of the
 * system. All else may change any variable and launch any kernel. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "proofs/host/tree.h"

static bool host_is_known_warning(const char *option, const char *sentence, const char *text);

/* --- what clang could not read ------------------------------------------------------------------------------------ */

/* Code that clang could not read: names that stand there and that its tree does not have. A variable of such a name may
 * change at any time, a function of such a name may run at any time. */

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
  if (offset < d->length) d->read[offset] = true;
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
    if (clang_getTokenKind(tokens[i]) == CXToken_Identifier && offset < length && !d->read[offset])
      forget_name(r->tree, host_take_string(r, clang_getTokenSpelling(r->unit, tokens[i])));
  }
  clang_disposeTokens(r->unit, tokens, count);
  free(d->read);
}

static enum CXChildVisitResult find_function(CXCursor cursor, CXCursor parent, CXClientData data) {
  (void)parent;
  damage *d = data;
  if (!is_body(cursor)) return CXChildVisit_Recurse;
  CXSourceRange range = clang_getCursorExtent(cursor);
  CXFile file = NULL;
  unsigned begin = 0;
  unsigned end = 0;
  clang_getFileLocation(clang_getRangeStart(range), &file, NULL, NULL, &begin);
  clang_getFileLocation(clang_getRangeEnd(range), NULL, NULL, NULL, &end);
  if (file == NULL || clang_File_isEqual(file, d->file) == 0 || d->offset < begin || d->offset > end)
    return CXChildVisit_Continue;
  d->in_function = true;
  if (d->macro)
    host_decl_of(d->reader, cursor)->unstructured = true;
  else
    forget_unread(d, cursor);
  return CXChildVisit_Break;
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
  const bool header = strstr(host_take_string(r, clang_getDiagnosticSpelling(diagnostic)), "file not found") != NULL;
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
    if (clang_getDiagnosticSeverity(diagnostic) >= CXDiagnostic_Error)
      read_diagnostic(r, diagnostic);
    else if (clang_getDiagnosticSeverity(diagnostic) == CXDiagnostic_Warning)
      read_warning(r, diagnostic);
    clang_disposeDiagnostic(diagnostic);
  }
}

/* Of a list of names with `|` between them: whether the text is one of them, or begins with one. */
static bool is_among(const char *names, const char *text, size_t length, bool begins) {
  bool found = false;
  for (const char *at = names; *at != '\0' && !found; at += *at == '|' ? 1 : 0) {
    const size_t one = strcspn(at, "|");
    found = (begins ? one <= length : one == length) && strncmp(text, at, one) == 0;
    at += one;
  }
  return found;
}

/* --- functions of the system -------------------------------------------------------------------------------------- */

static const char headers[] =
    "alloca.h|assert.h|complex.h|ctype.h|dirent.h|errno.h|fcntl.h|fenv.h|getopt.h|float.h|inttypes.h|"
    "libgen.h|limits.h|locale.h|malloc.h|math.h|omp.h|pthread.h|sched.h|semaphore.h|signal.h|stdatomic.h|"
    "stddef.h|stdint.h|stdio.h|stdlib.h|string.h|strings.h|tgmath.h|threads.h|time.h|timeb.h|times.h|types.h|"
    "uchar.h|unistd.h|wait.h|wchar.h|wctype.h|resource.h|stat.h|mman.h|stdarg.h|file.h|utsname.h|sysinfo.h";

/* Calls of OpenCL by the beginnings of their names. Of others a kernel may be launched, or get arguments. */
static const char opencl[] =
    "clGet|clRetain|clRelease|clUnload|clFlush|clFinish|clWaitFor|clCreate|clCloneKernel|clBuildProgram|"
    "clCompileProgram|clLinkProgram|clSVM|clSetUserEventStatus|clSetEventCallback|"
    "clSetMemObjectDestructorCallback|clSetContextDestructorCallback|clSetProgram|clSetCommandQueueProperty|"
    "clSetDefaultDeviceCommandQueue|clSetKernelExecInfo|clEnqueueRead|clEnqueueWrite|clEnqueueCopy|"
    "clEnqueueFill|clEnqueueMap|clEnqueueUnmap|clEnqueueMigrate|clEnqueueMarker|clEnqueueBarrier|"
    "clEnqueueWaitForEvents|clEnqueueSVM|clEnqueueAcquire|clEnqueueRelease|clEnqueueNativeKernel";

/* Where a call returns twice, the walk would see one of the two. */
static bool returns_twice(const char *name) {
  return strstr(name, "setjmp") != NULL || strstr(name, "context") != NULL;
}

bool host_is_known_function(const host_decl *d) {
  const char *file = d->where.file;
  const char *slash = strrchr(file, '/');
  const char *name = slash == NULL ? file : slash + 1;
  if (!d->system) return false;
  if (strncmp(d->name, "cl", 2) == 0 && isupper((unsigned char)d->name[2]) != 0)
    return is_among(opencl, d->name, strlen(d->name), true);
  return !returns_twice(d->name) && (is_among(headers, name, strlen(name), false) || strstr(file, "/bits/") != NULL ||
                                     strstr(file, "/c++/") != NULL || strstr(file, "/clang/") != NULL);
}

/* --- attributes --------------------------------------------------------------------------------------------------- */

static const char harmless[] =
    "unused|maybe_unused|used|noreturn|noinline|always_inline|gnu_inline|artificial|cold|hot|flatten|format|"
    "format_arg|nonnull|returns_nonnull|sentinel|warn_unused_result|nodiscard|deprecated|warning|error|"
    "aligned|alignas|packed|const|pure|malloc|alloc_size|alloc_align|assume_aligned|visibility|fallthrough|"
    "likely|unlikely|nothrow|no_instrument_function|no_sanitize|no_sanitize_address|no_sanitize_thread|"
    "optimize|noclone|noipa|leaf|externally_visible|target|access|tls_model|nocommon|override|final|"
    "carries_dependency|no_unique_address|availability|nonstring|designated_init|abi_tag|_Noreturn|_Alignas";

static bool is_of_name(char c) { return isalnum((unsigned char)c) != 0 || c == '_'; }

/* `__cold__`, `gnu::cold` and `cold` are one name. */
static const char *plain_name(const char *text, size_t *length) {
  *length = 0;
  while (is_of_name(text[*length])) (*length)++;
  if (strncmp(text + *length, "::", 2) == 0) return plain_name(text + *length + 2, length);
  if (*length > 4 && strncmp(text, "__", 2) == 0 && strncmp(text + *length - 2, "__", 2) == 0) {
    *length -= 4;
    return text + 2;
  }
  return text;
}

static void refuse(host_reader *r, CXCursor at, const char *what) {
  CXFile file = NULL;
  unsigned line = 0;
  clang_getFileLocation(clang_getCursorLocation(at), &file, &line, NULL, NULL);
  r->tree->unknown = true;
  host_tree_note(r->tree, "%s:%u: %s is not followed: it may change variables and launch kernels",
                 file == NULL ? "?" : host_take_string(r, clang_getFileName(file)), line, what);
}

/* The text where something begins, as it is written, also in a macro; "" where it is written nowhere. */
static const char *text_of(host_reader *r, CXCursor cursor) {
  CXFile file = NULL;
  unsigned offset = 0;
  size_t length = 0;
  clang_getSpellingLocation(clang_getRangeStart(clang_getCursorExtent(cursor)), &file, NULL, NULL, &offset);
  const char *text = file == NULL ? NULL : clang_getFileContents(r->unit, file, &length);
  return text == NULL || offset >= length ? "" : text + offset;
}

/* The function that an attribute calls when a variable ends; false where it is none of the program's. */
static bool hide_cleanup(host_reader *r, const char *text, size_t length) {
  const char *name = text + length + strspn(text + length, "_ (");
  size_t count = 0;
  bool found = false;
  while (is_of_name(name[count])) count++;
  for (size_t i = 0; i < r->tree->all_count; i++) {
    host_decl *f = r->tree->all[i];
    if (f->kind == HOST_FUNCTION && strlen(f->name) == count && strncmp(f->name, name, count) == 0) {
      f->hidden_calls = true;
      found = found || f->body != NULL || host_is_known_function(f);
    }
  }
  return found;
}

/* What compilers say themselves of a function that the language knows, as of printf. */
static bool is_implied(const char *text, const host_decl *d) {
  const size_t length = strlen(d->name);
  return d->kind == HOST_FUNCTION && d->body == NULL &&
         (text[0] == '\0' || (strncmp(text, d->name, length) == 0 && text[length] == '('));
}

static void read_attribute(host_reader *r, CXCursor attribute, CXCursor of) {
  size_t length = 0;
  const char *text = text_of(r, attribute), *name = plain_name(text, &length);
  host_decl *d = clang_isDeclaration(clang_getCursorKind(of)) != 0 ? host_decl_of(r, of) : NULL;
  const bool runs =
      length > 0 && (strncmp(name, "constructor", length) == 0 || strncmp(name, "destructor", length) == 0);
  if (clang_getCursorKind(attribute) != CXCursor_AsmLabelAttr) {
    if (is_among(harmless, name, length, false) || (d != NULL && is_implied(text, d))) return;
    if (d != NULL && runs && length > 9) { /* the system calls it */
      d->hidden_calls = true;
      return;
    }
    if (d != NULL && length == 7 && strncmp(name, "cleanup", 7) == 0 && hide_cleanup(r, name, length)) {
      d->wild = true;
      return;
    }
  }
  char what[120];
  (void)snprintf(what, sizeof what, "the attribute %.*s", (int)(length > 60 ? 60 : length), length == 0 ? "" : name);
  refuse(r, attribute, length == 0 ? "another name (asm)" : what);
}

/* --- declarations ------------------------------------------------------------------------------------------------- */

static bool is_known_declaration(host_reader *r, CXCursor cursor) {
  static const enum CXCursorKind kinds[] = {CXCursor_StructDecl,
                                            CXCursor_UnionDecl,
                                            CXCursor_ClassDecl,
                                            CXCursor_EnumDecl,
                                            CXCursor_FieldDecl,
                                            CXCursor_EnumConstantDecl,
                                            CXCursor_FunctionDecl,
                                            CXCursor_VarDecl,
                                            CXCursor_ParmDecl,
                                            CXCursor_TypedefDecl,
                                            CXCursor_CXXMethod,
                                            CXCursor_Namespace,
                                            CXCursor_LinkageSpec,
                                            CXCursor_Constructor,
                                            CXCursor_Destructor,
                                            CXCursor_ConversionFunction,
                                            CXCursor_FunctionTemplate,
                                            CXCursor_ClassTemplate,
                                            CXCursor_NamespaceAlias,
                                            CXCursor_UsingDirective,
                                            CXCursor_UsingDeclaration,
                                            CXCursor_TypeAliasDecl,
                                            CXCursor_TypeAliasTemplateDecl,
                                            CXCursor_CXXAccessSpecifier,
                                            CXCursor_StaticAssert,
                                            CXCursor_FriendDecl,
                                            CXCursor_TemplateTypeParameter,
                                            CXCursor_NonTypeTemplateParameter,
                                            CXCursor_TemplateTemplateParameter,
                                            CXCursor_ClassTemplatePartialSpecialization};
  static const char words[] = ";|extern|template|friend|}";
  const enum CXCursorKind kind = clang_getCursorKind(cursor);
  for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
    if (kinds[i] == kind) return true;
  return kind == CXCursor_UnexposedDecl && is_among(words, text_of(r, cursor), SIZE_MAX, true);
}

static enum CXChildVisitResult look(CXCursor cursor, CXCursor parent, CXClientData data) {
  host_reader *r = data;
  const enum CXCursorKind kind = clang_getCursorKind(cursor);
  if (clang_isDeclaration(kind) != 0) {
    if (clang_Location_isInSystemHeader(clang_getCursorLocation(cursor)) != 0) return CXChildVisit_Continue;
    if (!is_known_declaration(r, cursor)) refuse(r, cursor, "a declaration");
  } else if (clang_isAttribute(kind) != 0) {
    read_attribute(r, cursor, parent);
  }
  return CXChildVisit_Recurse;
}

void host_read_known(host_reader *r) { (void)clang_visitChildren(clang_getTranslationUnitCursor(r->unit), look, r); }

static const char pragmas[] =
    "omp|acc|GCC optimize|GCC target|GCC ivdep|GCC unroll|ivdep|unroll|nounroll|vector|simd|region|endregion|"
    "mark|comment|warning|once|GCC diagnostic";

/* Whether a warning is of an attribute or a pragma without meaning for us; `text`: what stands at its place. */
static bool host_is_known_warning(const char *option, const char *sentence, const char *text) {
  if (strcmp(option, "-Wunknown-pragmas") == 0) return is_among(pragmas, text, strlen(text), true);
  const char *quote = strchr(sentence, '\'');
  size_t length = 0;
  const char *name = plain_name(quote == NULL ? sentence : quote + 1, &length);
  return is_among(harmless, name, length, false);
}
