/* A host program, read: its files, the walk, and the facts of each launch; of Python its launches alone. */
#include "proofs/host/host.h"

#include <clang-c/CXCompilationDatabase.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/subprocess.h"
#include "proofs/host/walk.h"

/* --- Python, whose launches python_launches.py finds -------------------------------------------------------------- */

extern const char host_python_launches[];

enum { FIELDS_MOST = 16 };

typedef struct reading {
  host_facts *out;
  const char *file; /* of the pool */
  host_launch *launch;
  char *fields[FIELDS_MOST];
  size_t count;
  error *e;
} reading;

bool host_is_python(const char *file) {
  const size_t length = strlen(file);
  return length > 3 && strcmp(file + length - 3, ".py") == 0;
}

static const char *field(const reading *r, size_t i) { return i < r->count ? r->fields[i] : ""; }

/* One of 64 bits without a sign may be larger than `int64_t`, and is kept by its bits. */
static int64_t number(const reading *r, size_t i) {
  const char *text = field(r, i);
  return text[0] == '-' ? strtoll(text, NULL, 10) : (int64_t)strtoull(text, NULL, 10);
}

/* --- facts -------------------------------------------------------------------------------------------------------- */

static const host_expression *make(const reading *r, host_expression e) {
  host_expression *made = host_take(r->out->pool, sizeof *made);
  *made = e;
  return made;
}

/* That something that the kernel sees is a number. */
static host_fact *add_fact(reading *r, host_fact_kind kind, size_t at, host_expression seen, int64_t value) {
  static const host_integer int_type = {32, true}, long_type = {64, true};
  host_launch *l = r->launch;
  seen.kind = EXPRESSION_SEEN;
  const bool large = seen.type.bits == 64 && !seen.type.is_signed && value < 0;
  const bool fits = !large && value >= INT32_MIN && value <= INT32_MAX;
  const host_expression *constant = make(r, (host_expression){.kind = EXPRESSION_NUMBER,
                                                              .type = fits    ? int_type
                                                                      : large ? seen.type
                                                                              : long_type,
                                                              .value = value});
  l->facts = mem_realloc(l->facts, (l->fact_count + 1) * sizeof *l->facts);
  l->facts[l->fact_count] = (host_fact){
      .kind = kind,
      .expression =
          make(r,
               (host_expression){
                   .kind = EXPRESSION_BINARY, .op = OP_EQUAL, .type = int_type, .a = make(r, seen), .b = constant}),
      .file = r->file,
      .line = (unsigned)number(r, at)};
  return &l->facts[l->fact_count++];
}

static void add_size(reading *r, host_seen seen, unsigned d, uint64_t size) {
  const host_expression e = {.seen = seen, .index = d, .type = {64, false}};
  (void)add_fact(r, HOST_FACT_CONSTANT, 1, e, (int64_t)size);
}

static void add_sizes(reading *r) {
  enum { LOCAL = 4, GLOBAL = 7, OFFSET = 10 };
  host_launch *l = r->launch;
  for (unsigned d = 0; d < 3; d++) {
    const uint64_t local = (uint64_t)number(r, LOCAL + d), global = (uint64_t)number(r, GLOBAL + d);
    const bool divides = local > 0 && global > 0 && global % local == 0;
    l->local[d] = local;
    l->groups[d] = divides ? global / local : 0;
    l->offset_known[d] = number(r, OFFSET) == 1;
    if (d >= l->dimensions) continue;
    if (local > 0) add_size(r, SEEN_LOCAL_SIZE, d, local);
    if (global > 0) add_size(r, SEEN_GLOBAL_SIZE, d, global);
    if (l->offset_known[d]) add_size(r, SEEN_GLOBAL_OFFSET, d, 0);
  }
}

/* --- records ------------------------------------------------------------------------------------------------------ */

static void take_launch(reading *r) {
  host_facts *out = r->out;
  out->launches = mem_realloc(out->launches, (out->launch_count + 1) * sizeof *out->launches);
  r->launch = &out->launches[out->launch_count++];
  const char *kernel = field(r, 2), *options = field(r, 11);
  *r->launch = (host_launch){.kernel = kernel[0] == '\0' ? NULL : mem_strdup(kernel),
                             .file = r->file,
                             .line = (unsigned)number(r, 1),
                             .dimensions = (unsigned)number(r, 3),
                             .options_known = options[0] == '='};
  r->launch->options = options[0] == '=' ? mem_strdup(options + 1) : NULL;
  out->unknown_launches += kernel[0] == '\0' ? 1 : 0;
  add_sizes(r);
}

static host_argument_kind kind_named(const char *name) {
  static const char *const names[] = {[HOST_ARGUMENT_UNKNOWN] = "unknown",
                                      [HOST_ARGUMENT_VALUE] = "value",
                                      [HOST_ARGUMENT_MEMORY] = "memory",
                                      [HOST_ARGUMENT_LOCAL] = "local",
                                      [HOST_ARGUMENT_OTHER] = "other"};
  for (unsigned i = 0; i < sizeof names / sizeof names[0]; i++)
    if (strcmp(names[i], name) == 0) return (host_argument_kind)i;
  return HOST_ARGUMENT_UNKNOWN;
}

static void take_argument(reading *r) {
  host_launch *l = r->launch;
  l->arguments = mem_realloc(l->arguments, (l->argument_count + 1) * sizeof *l->arguments);
  l->arguments[l->argument_count++] = (host_argument){.kind = kind_named(field(r, 1)),
                                                      .size = (unsigned)number(r, 2),
                                                      .is_signed = number(r, 3) == 1,
                                                      .memory = (int)number(r, 4)};
}

static void take_value(reading *r) {
  const host_launch *l = r->launch;
  const unsigned index = (unsigned)number(r, 1);
  host_expression e = {.seen = SEEN_ARGUMENT, .index = index};
  if (index < l->argument_count) {
    e.type = (host_integer){l->arguments[index].size * 8, l->arguments[index].is_signed};
    (void)add_fact(r, HOST_FACT_CONSTANT, 3, e, number(r, 2));
  }
}

static void take_elements(reading *r) {
  const unsigned index = (unsigned)number(r, 1);
  const host_expression e = {.seen = SEEN_ELEMENTS, .index = index, .type = {64, false}};
  host_fact *f = add_fact(r, HOST_FACT_ELEMENTS, 4, e, number(r, 2));
  f->argument = index;
  f->element_size = (unsigned)number(r, 3);
}

/* Code that is not followed may make a launch of any kernel. */
static void take_note(reading *r) {
  host_facts *out = r->out;
  if (strcmp(field(r, 0), "incomplete") == 0) {
    out->launches = mem_realloc(out->launches, (out->launch_count + 1) * sizeof *out->launches);
    out->launches[out->launch_count++] = (host_launch){.file = r->file, .line = (unsigned)number(r, 1)};
    out->unknown_launches++;
    out->complete = false;
    r->launch = NULL;
  }
  buffer text = {0};
  buffer_printf(&text, "%s:%s: %s", r->file, field(r, 1), field(r, 2));
  out->notes = mem_realloc(out->notes, (out->note_count + 1) * sizeof *out->notes);
  out->notes[out->note_count++] = buffer_take(&text);
}

static int take(reading *r) {
  static const struct {
    const char *name;
    void (*take)(reading *r);
    bool of_launch;
  } records[] = {{"launch", take_launch, false}, {"argument", take_argument, true},
                 {"value", take_value, true},    {"elements", take_elements, true},
                 {"note", take_note, false},     {"incomplete", take_note, false}};
  if (strcmp(field(r, 0), "error") == 0)
    return error_set(r->e, EXIT_USAGE, "%s cannot be read: %s", r->file, field(r, 1));
  for (size_t i = 0; i < sizeof records / sizeof records[0]; i++)
    if (strcmp(records[i].name, field(r, 0)) == 0 && (!records[i].of_launch || r->launch != NULL)) records[i].take(r);
  return 0;
}

/* Whether sizes and numbers are constants. */
static bool is_followed(const host_launch *l) {
  bool followed = l->dimensions > 0;
  for (unsigned d = 0; d < 3; d++) followed = followed && l->local[d] > 0 && l->groups[d] > 0;
  for (size_t i = 0; i < l->argument_count; i++) {
    bool known = l->arguments[i].kind != HOST_ARGUMENT_VALUE;
    for (size_t k = 0; k < l->fact_count; k++) {
      const host_expression *seen = l->facts[k].expression->a;
      known = known || (seen->seen == SEEN_ARGUMENT && seen->index == i);
    }
    followed = followed && known;
  }
  return followed;
}

/* Adds the launches of a file to `out`, whose pool must be there. Python 3 reads it. */
static int host_python_read(const char *file, host_facts *out, error *e) {
  const char *const argv[] = {"python3", "-c", host_python_launches, file, NULL};
  buffer text = {0};
  if (subprocess_ask(argv, &text) != 0) {
    buffer_free(&text);
    return error_set(e, EXIT_USAGE, "%s cannot be read: that takes python3 in PATH, version 3.8 or newer", file);
  }
  reading r = {.out = out, .file = host_text(out->pool, file), .e = e};
  int result = 0;
  char *next = NULL;
  char *whole = buffer_take(&text);
  for (char *line = strtok_r(whole, "\n", &next); line != NULL && result == 0; line = strtok_r(NULL, "\n", &next)) {
    r.count = 0;
    for (char *at = line; at != NULL && r.count < FIELDS_MOST;) {
      char *tab = strchr(at, '\t');
      if (tab != NULL) *tab++ = '\0';
      r.fields[r.count++] = at;
      at = tab;
    }
    result = take(&r);
  }
  free(whole);
  for (size_t i = 0; i < out->launch_count; i++) out->launches[i].followed = is_followed(&out->launches[i]);
  return result;
}

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

void host_free(host_facts *f) {
  for (size_t i = 0; i < f->launch_count; i++) {
    free(f->launches[i].arguments);
    free(f->launches[i].facts);
    free(f->launches[i].kernel);
    free(f->launches[i].options);
  }
  for (size_t i = 0; i < f->note_count; i++) free(f->notes[i]);
  free(f->launches);
  free(f->notes);
  host_pool_free(f->pool);
  *f = (host_facts){0};
}
