/* The front end: libclang's parse and the walk over its tree. */
#include <clang-c/CXCompilationDatabase.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/opencl_compiler.h"
#include "frontend/tree_internal.h"

enum { MAX_ARGUMENTS = 64 };

/* --- tokens and cursors ------------------------------------------------------------------------------------------- */

uint32_t front_offset(CXSourceLocation location) {
  unsigned offset = 0;
  clang_getFileLocation(location, NULL, NULL, NULL, &offset);
  return offset;
}

uint32_t front_token_at(const pp_result *text, uint32_t offset) {
  size_t low = 0;
  size_t high = text->token_count;
  while (low < high) {
    size_t middle = (low + high) / 2;
    if (text->tokens[middle].begin <= offset)
      low = middle + 1;
    else
      high = middle;
  }
  return low == 0 ? 0 : (uint32_t)(low - 1);
}

/* Brackets of a span that are not closed in it. */
static int open_brackets(const pp_result *text, span s) {
  int depth = 0;
  for (uint32_t t = s.first; t <= s.last; t++) {
    depth += token_is(text, t, "(") || token_is(text, t, "[") || token_is(text, t, "{") ? 1 : 0;
    depth -= token_is(text, t, ")") || token_is(text, t, "]") || token_is(text, t, "}") ? 1 : 0;
  }
  return depth;
}

/* libclang ends the vector literal `(int4)(7)` after the 7. */
span front_span(const walker *w, CXCursor cursor) {
  CXSourceRange range = clang_getCursorExtent(cursor);
  uint32_t begin = front_offset(clang_getRangeStart(range));
  uint32_t end = front_offset(clang_getRangeEnd(range));
  span s = {front_token_at(w->text, begin), front_token_at(w->text, end > begin ? end - 1 : begin)};
  if (!token_is(w->text, s.last + 1, ")")) return s;
  for (int open = open_brackets(w->text, s); open > 0 && token_is(w->text, s.last + 1, ")"); open--) s.last++;
  return s;
}

bool front_in_text(CXCursor cursor) { return clang_Location_isFromMainFile(clang_getCursorLocation(cursor)) != 0; }

char *front_take_string(CXString s) {
  const char *c = clang_getCString(s);
  char *copy = mem_strdup(c == NULL ? "" : c);
  clang_disposeString(s);
  return copy;
}

/* --- expressions -------------------------------------------------------------------------------------------------- */

static enum CXChildVisitResult take_first(CXCursor cursor, CXCursor parent, CXClientData data) {
  (void)parent;
  *(CXCursor *)data = cursor;
  return CXChildVisit_Break;
}

CXCursor front_first_child(CXCursor cursor) {
  CXCursor child = clang_getNullCursor();
  (void)clang_visitChildren(cursor, take_first, &child);
  return child;
}

/* --- parsing ------------------------------------------------------------------------------------------------------ */

static const char *const base_arguments[] = {
    "-x",         "cl",
    "-target",    "spir64-unknown-unknown",
    "-Xclang",    "-finclude-default-header",
    "-Xclang",    "-fdeclare-opencl-builtins",
    "-w",         "-Wno-everything",
    "-Wno-error", "-ferror-limit=40",
};

/* Where clang's own headers lie: beside our program in a packed folder, else where they were when we were built.
 * libclang looks for them relative to where it was itself loaded from, and lets nobody choose another resource
 * directory. */
const char *front_clang_headers(void) {
  static char path[4096];
  ssize_t length = readlink("/proc/self/exe", path, sizeof path - 64);
  if (length > 0) {
    path[length] = '\0';
    char *slash = strrchr(path, '/');
    (void)snprintf(slash, 64, "/../lib/clang/19/include");
    if (access(path, R_OK) == 0) return path;
  }
  return CLTC_CLANG_RESOURCES "/include";
}

/* Takes the `-cl-…` options that change what a source means; the others are of no interest here. */
static size_t parse_arguments(char *options, const char **arguments) {
  size_t count = 0;
  for (; count < sizeof base_arguments / sizeof base_arguments[0]; count++) arguments[count] = base_arguments[count];
  arguments[count++] = "-isystem";
  arguments[count++] = front_clang_headers();
  const char *standard = NULL;
  char *rest = NULL;
  for (char *word = strtok_r(options, " \t\n\r", &rest); word != NULL; word = strtok_r(NULL, " \t\n\r", &rest)) {
    if (strncmp(word, "-cl-std=", 8) == 0 && count < MAX_ARGUMENTS - 2) {
      arguments[count++] = word;
      standard = word + 8;
    } else if (strcmp(word, "-cl-single-precision-constant") == 0 && count < MAX_ARGUMENTS - 2) {
      arguments[count++] = word;
    } else if (opencl_option_macro(word) != NULL && count < MAX_ARGUMENTS - 2) {
      arguments[count++] = opencl_option_macro(word);
    }
  }
  if (standard == NULL) arguments[count++] = "-cl-std=CL1.2";
  arguments[count++] = opencl_version_macro(standard);
  return count;
}

static int first_error(CXTranslationUnit unit, const pp_result *text, error *e) {
  for (unsigned i = 0; i < clang_getNumDiagnostics(unit); i++) {
    CXDiagnostic diagnostic = clang_getDiagnostic(unit, i);
    if (clang_getDiagnosticSeverity(diagnostic) >= CXDiagnostic_Error) {
      char *message = front_take_string(clang_getDiagnosticSpelling(diagnostic));
      uint32_t token = front_token_at(text, front_offset(clang_getDiagnosticLocation(diagnostic)));
      const pp_position *where = token < text->token_count ? &text->tokens[token].expanded : NULL;
      (void)error_set(e, EXIT_INTERNAL, "%s:%u: the front end (libclang) cannot read it: %s",
                      where == NULL ? "kernel" : text->files[where->file].name, where == NULL ? 0 : where->line,
                      message);
      free(message);
      clang_disposeDiagnostic(diagnostic);
      return -1;
    }
    clang_disposeDiagnostic(diagnostic);
  }
  return 0;
}

static CXTranslationUnit parse(CXIndex index, const char *source, size_t length, const char *options) {
  char *copy = mem_strdup(options == NULL ? "" : options);
  const char *arguments[MAX_ARGUMENTS];
  size_t count = parse_arguments(copy, arguments);
  struct CXUnsavedFile file = {"cltestcheck.cl", source, length};
  /* Where libclang crashes it writes its own command line to standard error; the caller has a sentence for that. */
  const int kept = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1),
            nothing = open("/dev/null", O_WRONLY | O_CLOEXEC);
  if (kept >= 0 && nothing >= 0) (void)dup2(nothing, STDERR_FILENO);
  if (nothing >= 0) close(nothing);
  CXTranslationUnit unit =
      clang_parseTranslationUnit(index, "cltestcheck.cl", arguments, (int)count, &file, 1, CXTranslationUnit_None);
  if (kept >= 0) {
    (void)dup2(kept, STDERR_FILENO);
    close(kept);
  }
  free(copy);
  return unit;
}

int front_parse(const pp_result *text, const char *options, void (*read)(CXTranslationUnit unit, void *context),
                void *context, error *e) {
  CXIndex index = clang_createIndex(0, 0);
  CXTranslationUnit unit = parse(index, text->text, text->length, options);
  int result = 0;
  if (unit == NULL)
    result = error_set(e, EXIT_INTERNAL, "the front end (libclang) gave up on the source");
  else
    result = first_error(unit, text, e);
  if (result == 0) read(unit, context);
  if (unit != NULL) clang_disposeTranslationUnit(unit);
  clang_disposeIndex(index);
  return result;
}

/* --- texts of ours ------------------------------------------------------------------------------------------------ */

typedef struct enclosing {
  uint32_t offset;
  char *name;
} enclosing;

static enum CXChildVisitResult find_enclosing(CXCursor cursor, CXCursor parent, CXClientData data) {
  (void)parent;
  enclosing *wanted = data;
  CXSourceRange range = clang_getCursorExtent(cursor);
  if (front_in_text(cursor) && clang_getCursorKind(cursor) == CXCursor_FunctionDecl &&
      front_offset(clang_getRangeStart(range)) <= wanted->offset &&
      wanted->offset <= front_offset(clang_getRangeEnd(range))) {
    wanted->name = front_take_string(clang_getCursorSpelling(cursor));
    return CXChildVisit_Break;
  }
  return CXChildVisit_Continue;
}

static front_error read_error(CXTranslationUnit unit, CXDiagnostic diagnostic) {
  CXSourceLocation location = clang_getDiagnosticLocation(diagnostic);
  CXString file;
  unsigned line = 0;
  clang_getPresumedLocation(location, &file, &line, NULL);
  enclosing at = {.offset = front_offset(location)};
  (void)clang_visitChildren(clang_getTranslationUnitCursor(unit), find_enclosing, &at);
  return (front_error){.file = front_take_string(file),
                       .line = line,
                       .function = at.name == NULL ? mem_strdup("") : at.name,
                       .message = front_take_string(clang_getDiagnosticSpelling(diagnostic))};
}

front_error *front_check(const char *text, const char *options, size_t *count) {
  front_error *errors = NULL;
  size_t capacity = 0;
  *count = 0;
  CXIndex index = clang_createIndex(0, 0);
  CXTranslationUnit unit = parse(index, text, strlen(text), options);
  for (unsigned i = 0; unit != NULL && i < clang_getNumDiagnostics(unit); i++) {
    CXDiagnostic diagnostic = clang_getDiagnostic(unit, i);
    if (clang_getDiagnosticSeverity(diagnostic) >= CXDiagnostic_Error)
      *ARRAY_ADD(errors, *count, capacity) = read_error(unit, diagnostic);
    clang_disposeDiagnostic(diagnostic);
  }
  if (unit == NULL) {
    *ARRAY_ADD(errors, *count, capacity) =
        (front_error){mem_strdup(""), 0, mem_strdup(""), mem_strdup("libclang gave up on it")};
  } else {
    clang_disposeTranslationUnit(unit);
  }
  clang_disposeIndex(index);
  return errors;
}

void front_errors_free(front_error *errors, size_t count) {
  for (size_t i = 0; i < count; i++) {
    free(errors[i].file);
    free(errors[i].function);
    free(errors[i].message);
  }
  free(errors);
}

/* --- questions ---------------------------------------------------------------------------------------------------- */

static enum CXChildVisitResult find_answer(CXCursor cursor, CXCursor parent, CXClientData data) {
  (void)parent;
  if (front_in_text(cursor) && clang_getCursorKind(cursor) == CXCursor_FunctionDecl) *(bool *)data = true;
  return CXChildVisit_Continue;
}

bool front_answer(const char *expression, const char *options) {
  buffer source = {0};
  buffer_printf(&source, OPENCL_COMPILER_FIRST "#if %s\nvoid answer(void);\n#endif\n", expression);
  CXIndex index = clang_createIndex(0, 0);
  CXTranslationUnit unit = parse(index, buffer_text(&source), source.length, options);
  bool answer = false;
  if (unit != NULL) {
    (void)clang_visitChildren(clang_getTranslationUnitCursor(unit), find_answer, &answer);
    clang_disposeTranslationUnit(unit);
  }
  clang_disposeIndex(index);
  buffer_free(&source);
  return answer;
}

int front_source(const pp_input *in, pp_result *text, tree **t, error *e) {
  pp_input alone = *in;
  alone.alone = true;
  *t = NULL;
  return pp_run(&alone, text, e) != 0 ? -1 : tree_build(text, text->other_options, t, e);
}

/* The functions of libclang that we call. The library is loaded when one of them is called first: its relocations take longer
 * than all else that a command does which reads no kernel. Linking with it would load it each time a process starts. */

static void *library;

static void load(void) { library = dlopen(CLTC_CLANG_LIBRARY, RTLD_LAZY | RTLD_LOCAL); }

void front_load(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  (void)pthread_once(&once, load);
}

/* Ends the process where there is none: nothing can be said of a kernel without it. */
static void find(const char *name, void *function, size_t size) {
  front_load();
  void *found = library == NULL ? NULL : dlsym(library, name);
  if (found == NULL) {
    (void)fprintf(stderr, "cltestcheck: kernels cannot be read: %s; install " CLTC_CLANG_LIBRARY " of LLVM\n",
                  dlerror());
    exit(EXIT_INTERNAL);
  }
  memcpy(function, &found, size);
}

#define FUNCTION(type, name, parameters, arguments) \
  type name parameters {                            \
    static type(*_Atomic function) parameters;      \
    type(*known) parameters = function;             \
    if (known == NULL) {                            \
      find(#name, &known, sizeof known);            \
      function = known;                             \
    }                                               \
    return known arguments;                         \
  }
#define ACTION(name, parameters, arguments)    \
  void name parameters {                       \
    static void(*_Atomic function) parameters; \
    void(*known) parameters = function;        \
    if (known == NULL) {                       \
      find(#name, &known, sizeof known);       \
      function = known;                        \
    }                                          \
    known arguments;                           \
  }

FUNCTION(unsigned, clang_CXXMethod_isVirtual, (CXCursor c), (c))
ACTION(clang_CompilationDatabase_dispose, (CXCompilationDatabase a), (a))
FUNCTION(CXCompilationDatabase, clang_CompilationDatabase_fromDirectory,
         (const char *folder, CXCompilationDatabase_Error *status), (folder, status))
FUNCTION(CXCompileCommands, clang_CompilationDatabase_getAllCompileCommands, (CXCompilationDatabase a), (a))
FUNCTION(CXString, clang_CompileCommand_getArg, (CXCompileCommand a, unsigned i), (a, i))
FUNCTION(CXString, clang_CompileCommand_getDirectory, (CXCompileCommand a), (a))
FUNCTION(CXString, clang_CompileCommand_getFilename, (CXCompileCommand a), (a))
FUNCTION(unsigned, clang_CompileCommand_getNumArgs, (CXCompileCommand a), (a))
ACTION(clang_CompileCommands_dispose, (CXCompileCommands a), (a))
FUNCTION(CXCompileCommand, clang_CompileCommands_getCommand, (CXCompileCommands a, unsigned i), (a, i))
FUNCTION(unsigned, clang_CompileCommands_getSize, (CXCompileCommands a), (a))
FUNCTION(CXEvalResult, clang_Cursor_Evaluate, (CXCursor c), (c))
FUNCTION(CXCursor, clang_Cursor_getArgument, (CXCursor c, unsigned i), (c, i))
FUNCTION(int, clang_Cursor_getNumArguments, (CXCursor c), (c))
FUNCTION(enum CX_StorageClass, clang_Cursor_getStorageClass, (CXCursor a), (a))
FUNCTION(CXTranslationUnit, clang_Cursor_getTranslationUnit, (CXCursor a), (a))
FUNCTION(CXCursor, clang_Cursor_getVarDeclInitializer, (CXCursor cursor), (cursor))
FUNCTION(unsigned, clang_Cursor_isAnonymousRecordDecl, (CXCursor c), (c))
FUNCTION(unsigned, clang_Cursor_isBitField, (CXCursor c), (c))
FUNCTION(int, clang_Cursor_isNull, (CXCursor cursor), (cursor))
ACTION(clang_EvalResult_dispose, (CXEvalResult e), (e))
FUNCTION(double, clang_EvalResult_getAsDouble, (CXEvalResult e), (e))
FUNCTION(long long, clang_EvalResult_getAsLongLong, (CXEvalResult e), (e))
FUNCTION(unsigned long long, clang_EvalResult_getAsUnsigned, (CXEvalResult e), (e))
FUNCTION(CXEvalResultKind, clang_EvalResult_getKind, (CXEvalResult e), (e))
FUNCTION(unsigned, clang_EvalResult_isUnsignedInt, (CXEvalResult e), (e))
FUNCTION(int, clang_File_isEqual, (CXFile file1, CXFile file2), (file1, file2))
FUNCTION(CXString, clang_File_tryGetRealPathName, (CXFile file), (file))
FUNCTION(int, clang_Location_isFromMainFile, (CXSourceLocation location), (location))
FUNCTION(int, clang_Location_isInSystemHeader, (CXSourceLocation location), (location))
FUNCTION(long long, clang_Type_getSizeOf, (CXType t), (t))
FUNCTION(long long, clang_Type_getAlignOf, (CXType t), (t))
FUNCTION(CXType, clang_Type_getValueType, (CXType CT), (CT))
FUNCTION(unsigned, clang_Type_visitFields, (CXType t, CXFieldVisitor visitor, CXClientData client_data),
         (t, visitor, client_data))
FUNCTION(CXIndex, clang_createIndex, (int excludeDeclarationsFromPCH, int displayDiagnostics),
         (excludeDeclarationsFromPCH, displayDiagnostics))
ACTION(clang_disposeDiagnostic, (CXDiagnostic diagnostic), (diagnostic))
ACTION(clang_disposeIndex, (CXIndex index), (index))
ACTION(clang_disposeString, (CXString string), (string))
ACTION(clang_disposeTokens, (CXTranslationUnit unit, CXToken *tokens, unsigned token_count),
       (unit, tokens, token_count))
ACTION(clang_disposeTranslationUnit, (CXTranslationUnit a), (a))
FUNCTION(unsigned, clang_equalLocations, (CXSourceLocation loc1, CXSourceLocation loc2), (loc1, loc2))
FUNCTION(unsigned, clang_getAddressSpace, (CXType t), (t))
FUNCTION(CXType, clang_getArgType, (CXType t, unsigned i), (t, i))
FUNCTION(CXType, clang_getArrayElementType, (CXType t), (t))
FUNCTION(long long, clang_getArraySize, (CXType t), (t))
FUNCTION(const char *, clang_getCString, (CXString string), (string))
FUNCTION(CXCursor, clang_getCanonicalCursor, (CXCursor a), (a))
FUNCTION(CXType, clang_getCanonicalType, (CXType t), (t))
FUNCTION(enum CXBinaryOperatorKind, clang_getCursorBinaryOperatorKind, (CXCursor cursor), (cursor))
FUNCTION(CXCursor, clang_getCursorDefinition, (CXCursor a), (a))
FUNCTION(CXSourceRange, clang_getCursorExtent, (CXCursor a), (a))
FUNCTION(enum CXCursorKind, clang_getCursorKind, (CXCursor a), (a))
FUNCTION(enum CXLinkageKind, clang_getCursorLinkage, (CXCursor cursor), (cursor))
FUNCTION(CXSourceLocation, clang_getCursorLocation, (CXCursor a), (a))
FUNCTION(CXCursor, clang_getCursorReferenced, (CXCursor a), (a))
FUNCTION(CXCursor, clang_getCursorSemanticParent, (CXCursor cursor), (cursor))
FUNCTION(CXString, clang_getCursorSpelling, (CXCursor a), (a))
FUNCTION(enum CXTLSKind, clang_getCursorTLSKind, (CXCursor cursor), (cursor))
FUNCTION(CXType, clang_getCursorType, (CXCursor c), (c))
FUNCTION(CXString, clang_getCursorUSR, (CXCursor a), (a))
FUNCTION(enum CXUnaryOperatorKind, clang_getCursorUnaryOperatorKind, (CXCursor cursor), (cursor))
FUNCTION(CXString, clang_getDiagnosticOption, (CXDiagnostic diagnostic, CXString *disable), (diagnostic, disable))
FUNCTION(CXDiagnostic, clang_getDiagnostic, (CXTranslationUnit Unit, unsigned index), (Unit, index))
FUNCTION(CXSourceLocation, clang_getDiagnosticLocation, (CXDiagnostic a), (a))
FUNCTION(enum CXDiagnosticSeverity, clang_getDiagnosticSeverity, (CXDiagnostic a), (a))
FUNCTION(CXString, clang_getDiagnosticSpelling, (CXDiagnostic a), (a))
FUNCTION(CXType, clang_getElementType, (CXType t), (t))
FUNCTION(long long, clang_getEnumConstantDeclValue, (CXCursor c), (c))
FUNCTION(CXType, clang_getEnumDeclIntegerType, (CXCursor c), (c))
FUNCTION(CXFile, clang_getFile, (CXTranslationUnit tu, const char *file_name), (tu, file_name))
FUNCTION(const char *, clang_getFileContents, (CXTranslationUnit tu, CXFile file, size_t *size), (tu, file, size))
ACTION(clang_getFileLocation,
       (CXSourceLocation location, CXFile *file, unsigned *line, unsigned *column, unsigned *offset),
       (location, file, line, column, offset))
FUNCTION(CXString, clang_getFileName, (CXFile SFile), (SFile))
FUNCTION(CXSourceLocation, clang_getLocationForOffset, (CXTranslationUnit tu, CXFile file, unsigned offset),
         (tu, file, offset))
FUNCTION(CXCursor, clang_getNullCursor, (void), ())
FUNCTION(int, clang_getNumArgTypes, (CXType t), (t))
FUNCTION(unsigned, clang_getNumDiagnostics, (CXTranslationUnit Unit), (Unit))
FUNCTION(long long, clang_getNumElements, (CXType t), (t))
FUNCTION(CXType, clang_getPointeeType, (CXType t), (t))
ACTION(clang_getPresumedLocation, (CXSourceLocation location, CXString *filename, unsigned *line, unsigned *column),
       (location, filename, line, column))
FUNCTION(CXSourceRange, clang_getRange, (CXSourceLocation begin, CXSourceLocation end), (begin, end))
FUNCTION(CXSourceLocation, clang_getRangeEnd, (CXSourceRange range), (range))
FUNCTION(CXSourceLocation, clang_getRangeStart, (CXSourceRange range), (range))
FUNCTION(CXType, clang_getResultType, (CXType t), (t))
ACTION(clang_getSpellingLocation,
       (CXSourceLocation location, CXFile *file, unsigned *line, unsigned *column, unsigned *offset),
       (location, file, line, column, offset))
FUNCTION(CXSourceRange, clang_getTokenExtent, (CXTranslationUnit a, CXToken b), (a, b))
FUNCTION(CXTokenKind, clang_getTokenKind, (CXToken a), (a))
FUNCTION(CXSourceLocation, clang_getTokenLocation, (CXTranslationUnit a, CXToken b), (a, b))
FUNCTION(CXString, clang_getTokenSpelling, (CXTranslationUnit a, CXToken b), (a, b))
FUNCTION(CXCursor, clang_getTranslationUnitCursor, (CXTranslationUnit a), (a))
FUNCTION(CXCursor, clang_getTypeDeclaration, (CXType t), (t))
FUNCTION(CXString, clang_getTypeSpelling, (CXType CT), (CT))
FUNCTION(CXType, clang_getTypedefDeclUnderlyingType, (CXCursor c), (c))
FUNCTION(CXType, clang_getUnqualifiedType, (CXType CT), (CT))
FUNCTION(unsigned, clang_isAttribute, (enum CXCursorKind kind), (kind))
FUNCTION(unsigned, clang_isConstQualifiedType, (CXType t), (t))
FUNCTION(unsigned, clang_isCursorDefinition, (CXCursor a), (a))
FUNCTION(unsigned, clang_isDeclaration, (enum CXCursorKind kind), (kind))
FUNCTION(unsigned, clang_isExpression, (enum CXCursorKind kind), (kind))
FUNCTION(unsigned, clang_isFunctionTypeVariadic, (CXType t), (t))
FUNCTION(unsigned, clang_isInvalidDeclaration, (CXCursor a), (a))
FUNCTION(unsigned, clang_isPODType, (CXType t), (t))
FUNCTION(unsigned, clang_isRestrictQualifiedType, (CXType t), (t))
FUNCTION(unsigned, clang_isStatement, (enum CXCursorKind kind), (kind))
FUNCTION(unsigned, clang_isVolatileQualifiedType, (CXType t), (t))
FUNCTION(CXTranslationUnit, clang_parseTranslationUnit,
         (CXIndex CIdx, const char *source_filename, const char *const *command_line_args, int num_command_line_args,
          struct CXUnsavedFile *unsaved_files, unsigned num_unsaved_files, unsigned options),
         (CIdx, source_filename, command_line_args, num_command_line_args, unsaved_files, num_unsaved_files, options))
FUNCTION(enum CXErrorCode, clang_parseTranslationUnit2,
         (CXIndex CIdx, const char *source_filename, const char *const *command_line_args, int num_command_line_args,
          struct CXUnsavedFile *unsaved_files, unsigned num_unsaved_files, unsigned options, CXTranslationUnit *out_TU),
         (CIdx, source_filename, command_line_args, num_command_line_args, unsaved_files, num_unsaved_files, options,
          out_TU))
ACTION(clang_tokenize, (CXTranslationUnit unit, CXSourceRange range, CXToken **tokens, unsigned *token_count),
       (unit, range, tokens, token_count))
FUNCTION(unsigned, clang_visitChildren, (CXCursor parent, CXCursorVisitor visitor, CXClientData client_data),
         (parent, visitor, client_data))
