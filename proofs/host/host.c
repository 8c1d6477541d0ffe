/* Reading a host program: its files, the walk, and the facts of each launch. */
#include "proofs/host/host.h"

#include <clang-c/CXCompilationDatabase.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/memory.h"
#include "proofs/host/facts.h"
#include "proofs/host/python.h"

/* --- the files ---------------------------------------------------------------------------------------------------- */

static bool is_source(const char *file) {
  static const char *const ends[] = {".c", ".cc", ".cpp", ".cxx", ".C", ".c++"};
  const char *dot = strrchr(file, '.');
  for (size_t i = 0; dot != NULL && i < sizeof ends / sizeof ends[0]; i++)
    if (strcmp(dot, ends[i]) == 0) return true;
  return false;
}

/* A path as seen from a folder. */
static const char *path_in(host_tree *t, const char *folder, const char *path) {
  return path[0] == '/' || folder[0] == '\0' ? host_text(t->pool, path)
                                             : host_text_printf(t->pool, "%s/%s", folder, path);
}

/* The words of a compiler's command that say what the source means. */
static const char **wanted_words(host_tree *t, CXCompileCommand command, const char *folder, size_t *count) {
  const unsigned all = clang_CompileCommand_getNumArgs(command);
  const char **words = mem_calloc((size_t)all + 3, sizeof(*words));
  *count = 0;
  words[(*count)++] = "-working-directory";
  words[(*count)++] = folder;
  for (unsigned i = 1; i < all; i++) {
    CXString s = clang_CompileCommand_getArg(command, i);
    const char *word = host_text(t->pool, clang_getCString(s));
    clang_disposeString(s);
    const char *last = words[*count - 1];
    const bool value = strcmp(last, "-I") == 0 || strcmp(last, "-D") == 0 || strcmp(last, "-U") == 0 ||
                       strcmp(last, "-isystem") == 0 || strcmp(last, "-include") == 0 || strcmp(last, "-iquote") == 0 ||
                       strcmp(last, "-x") == 0;
    if (value || strncmp(word, "-I", 2) == 0 || strncmp(word, "-D", 2) == 0 || strncmp(word, "-U", 2) == 0 ||
        strncmp(word, "-i", 2) == 0 || strncmp(word, "-std=", 5) == 0 || strncmp(word, "-x", 2) == 0 ||
        strcmp(word, "-m32") == 0 || strcmp(word, "-funsigned-char") == 0)
      words[(*count)++] = word;
  }
  return words;
}

static int add_command(host_tree *t, CXCompileCommand command, error *e) {
  CXString name = clang_CompileCommand_getFilename(command);
  CXString directory = clang_CompileCommand_getDirectory(command);
  const char *folder = host_text(t->pool, clang_getCString(directory));
  const char *file = path_in(t, folder, clang_getCString(name));
  clang_disposeString(name);
  clang_disposeString(directory);
  if (!is_source(file)) return 0;
  size_t count = 0;
  const char **words = wanted_words(t, command, folder, &count);
  const int result = host_tree_add(t, file, words, count, e);
  free(words);
  return result;
}

static int add_database(host_tree *t, const char *path, error *e) {
  const char *slash = strrchr(path, '/');
  const char *name = slash == NULL ? path : slash + 1;
  if (access(path, R_OK) != 0) return error_set(e, EXIT_USAGE, "cannot read the compile commands %s", path);
  if (strcmp(name, "compile_commands.json") != 0)
    return error_set(e, EXIT_USAGE, "%s is not called compile_commands.json", path);
  char *folder = slash == NULL ? mem_strdup(".") : mem_strndup(path, (size_t)(slash - path) + 1);
  CXCompilationDatabase_Error code = CXCompilationDatabase_NoError;
  CXCompilationDatabase database = clang_CompilationDatabase_fromDirectory(folder, &code);
  free(folder);
  if (code != CXCompilationDatabase_NoError)
    return error_set(e, EXIT_USAGE, "%s holds no compile commands that libclang can read", path);
  CXCompileCommands commands = clang_CompilationDatabase_getAllCompileCommands(database);
  int result = 0;
  for (unsigned i = 0; i < clang_CompileCommands_getSize(commands) && result == 0; i++)
    result = add_command(t, clang_CompileCommands_getCommand(commands, i), e);
  clang_CompileCommands_dispose(commands);
  clang_CompilationDatabase_dispose(database);
  return result;
}

static int add_files(host_tree *t, const host_input *in, error *e) {
  int result = 0;
  for (size_t i = 0; i < in->source_count && result == 0; i++) {
    const host_source *s = &in->sources[i];
    result = host_tree_add(t, s->file, s->options, s->option_count, e);
  }
  if (result == 0 && in->compile_commands != NULL) result = add_database(t, in->compile_commands, e);
  return result;
}

/* --- the facts ---------------------------------------------------------------------------------------------------- */

static void tell(host_walk *w, host_facts *out) {
  out->launches = mem_calloc(w->launch_count + 1, sizeof *out->launches);
  const bool lost = w->exhausted || w->tree->unknown;
  for (size_t i = 0; i < w->launch_count; i++) {
    host_launch *l = &out->launches[out->launch_count++];
    met_launch nothing = {.node = w->launches[i]->node, .context = w->launches[i]->context};
    facts_of_launch(w, lost ? &nothing : w->launches[i], l);
    out->unknown_launches += l->kernel == NULL ? 1 : 0;
  }
  if (w->exhausted) host_tree_note(w->tree, "the program is too large to be followed: no facts are given");
  out->complete = !lost && w->tree->complete && !w->tree->unread_launch;
  out->notes = mem_calloc(w->tree->note_count + 1, sizeof *out->notes);
  for (size_t i = 0; i < w->tree->note_count; i++) out->notes[out->note_count++] = mem_strdup(w->tree->notes[i]);
}

/* Files of Python, all of them. */
static int read_python(const host_input *in, host_facts *out, error *e) {
  *out = (host_facts){.complete = true, .pool = host_pool_new()};
  int result = 0;
  for (size_t i = 0; i < in->source_count && result == 0; i++) {
    const char *file = in->sources[i].file;
    result = host_is_python(file)
                 ? host_python_read(file, out, e)
                 : error_set(e, EXIT_USAGE, "%s is no Python: the files of one program are in one language", file);
  }
  return result;
}

int host_read(const host_input *in, host_facts *out, error *e) {
  if (in->source_count > 0 && host_is_python(in->sources[0].file)) return read_python(in, out, e);
  *out = (host_facts){0};
  host_tree *t = host_tree_new();
  const int result = add_files(t, in, e);
  if (result == 0) {
    host_walk w = {.tree = t};
    walk_program(&w);
    tell(&w, out);
    walk_free(&w);
  }
  out->pool = t->pool;
  t->pool = NULL;
  host_tree_free(t);
  return result;
}

static void free_launch(host_launch *l) {
  free(l->arguments);
  free(l->facts);
  free(l->kernel);
  free(l->options);
}

void host_free(host_facts *f) {
  for (size_t i = 0; i < f->launch_count; i++) free_launch(&f->launches[i]);
  for (size_t i = 0; i < f->note_count; i++) free(f->notes[i]);
  free(f->launches);
  free(f->notes);
  host_pool_free(f->pool);
  *f = (host_facts){0};
}
