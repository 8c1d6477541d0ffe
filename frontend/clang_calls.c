/* The functions of libclang that we call. The library is loaded when one of them is called first: its relocations take longer
 * than all else that a command does which reads no kernel. Linking with it would load it each time a process starts. */
#include <clang-c/CXCompilationDatabase.h>
#include <clang-c/Index.h>
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "frontend/tree_internal.h"

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
