/* Runs clang 19 on a source that it reads from memory, with those build options that it knows.
 * Soundness: docs/verify.md, What a proof rests on, The compiler. */
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/buffer.h"
#include "base/clock.h"
#include "base/memory.h"
#include "base/opencl_compiler.h"
#include "base/subprocess.h"
#include "proofs/verify/module.h"

/* --- comments that say something ---------------------------------------------------------------------------------- */

/* Annotations become calls of functions without a body, which calls.c knows. */

static const char marker[] = "cltestcheck:";

/* What stands before a source: our own names, then GPUVerify's for the same. */
/* A function of a pointer into any memory. */
#define OF_SPACE(result, name, space) \
  result " __attribute__((overloadable)) __cltc_" name "(const volatile " space " void *);\n"
#define POINTERS(result, name) \
  OF_SPACE(result, name, "__global") OF_SPACE(result, name, "__local") OF_SPACE(result, name, "__private")
static const char declarations[] =
    "void __cltc_requires(bool); void __cltc_assume(bool); void __cltc_assert(bool); int __cltc_invariant(bool);\n"
    "int __cltc_candidate(bool); bool __cltc_any(void); bool __cltc_enabled(void); bool __cltc_same_group(void);\n"
    "bool __cltc_uniform(long); bool __cltc_distinct(long); long __cltc_other(long); bool __cltc_all(bool);\n"
    "#define __requires(e) __cltc_requires(e)\n"
    "#define __assume(e) __cltc_assume(e)\n"
    "#define __assert(e) __cltc_assert(e)\n"
    "#define __invariant(e) __cltc_invariant(e)\n"
    "#define __global_invariant(e) __cltc_invariant(e)\n"
    "#define __candidate_invariant(e) __cltc_candidate(e)\n"
    "#define __candidate_global_invariant(e) __cltc_candidate(e)\n"
    "#define __implies(a, b) (!(a) || (b))\n"
    "#define __ite(c, a, b) ((c) ? (a) : (b))\n"
    "#define __enabled() __cltc_enabled()\n"
    "#define __dominator_enabled() __cltc_any()\n"
    "#define __same_group __cltc_same_group()\n"
    "#define __uniform_int(e) __cltc_uniform(e)\n"
    "#define __uniform_bool(e) __cltc_uniform((long)(bool)(e))\n"
    "#define __distinct_int(e) __cltc_distinct(e)\n"
    "#define __distinct_bool(e) __cltc_distinct((long)(bool)(e))\n"
    "#define __other_int(e) ((int)__cltc_other(e))\n"
    "#define __other_bool(e) ((bool)__cltc_other((long)(bool)(e)))\n"
    "#define __other_ptr_base(e) __cltc_any()\n"
    "#define __all(e) __cltc_all(e)\n"
    "#define __exclusive(e) (!__cltc_all(e))\n"
    "#define __at_most_one(e) (!__cltc_all(e))\n"
    "#define __old_int(e) ((int)__cltc_any())\n"
    "#define __read_permission(...)\n"
    "#define __requires_fresh_array(...)\n"
    "#define __global_requires_fresh_array(...)\n"
    "void __cltc_global_requires(bool); void __cltc_global_assert(bool); void __cltc_unchecked(void);\n"
    "#define __global_requires(e) __cltc_global_requires(e)\n"
    "#define __global_assert(e) __cltc_global_assert(e)\n"
    "#define __function_wide_invariant(e) __cltc_assert(e)\n"
    "#define __function_wide_candidate_invariant(e)\n"
    "#define __ensures(e) __cltc_unchecked()\n"
    "#define __global_ensures(e) __cltc_unchecked()\n"
    "#define __array_snapshot(...) __cltc_unchecked()\n"
    POINTERS("bool", "read")
    POINTERS("bool", "written")
    POINTERS("size_t", "read_at")
    POINTERS("size_t", "written_at")
    POINTERS("size_t", "offset")
    POINTERS("void", "reads_from")
    POINTERS("void", "writes_to")
    "#define __read(p) __cltc_read(p)\n"
    "#define __write(p) __cltc_written(p)\n"
    "#define __no_read(p) (!__cltc_read(p))\n"
    "#define __no_write(p) (!__cltc_written(p))\n"
    "#define __read_implies(p, e) (!__cltc_read(p) | (bool)(e))\n"
    "#define __write_implies(p, e) (!__cltc_written(p) | (bool)(e))\n"
    "#define __read_offset_bytes(p) __cltc_read_at(p)\n"
    "#define __write_offset_bytes(p) __cltc_written_at(p)\n"
    "#define __ptr_offset_bytes(p) __cltc_offset(p)\n"
    "#define __read_offset(p) (__cltc_read_at(p) / sizeof(*(p)))\n"
    "#define __write_offset(p) (__cltc_written_at(p) / sizeof(*(p)))\n"
    "#define __reads_from(p) __cltc_reads_from(p)\n"
    "#define __reads_from_local(p) __cltc_reads_from(p)\n"
    "#define __writes_to(p) __cltc_writes_to(p)\n"
    "#define __writes_to_local(p) __cltc_writes_to(p)\n"
    "#define __atomic_has_taken_value(...) __cltc_any()\n"
    "#define __add_noovfl_unsigned_int(a, b) __cltc_sum(a, b)\n"
    "#define __add_noovfl_int(a, b) __cltc_sum_int(a, b)\n"
    "static inline uint __cltc_sum(uint a, uint b) { __cltc_assume(a + b >= a); return a + b; }\n"
    "static inline int __cltc_sum_int(int a, int b) { return a + b; }\n"
    "static inline bool __cltc_fits(uint a, uint b, uint c, uint d) {\n"
    "  return ((ulong)a + b + c + d) >> 32 == 0;\n"
    "}\n"
    "#define __cltc_of_four(a, b, c, d, ...) __cltc_fits(a, b, c, d)\n"
    "#define __add_noovfl(...) __cltc_of_four(__VA_ARGS__, 0, 0, 0, 0)\n"
    "#define __mod_pow2(a, b) ((a) & ((b) - 1))\n"
    "#define __non_temporal_loads_begin()\n"
    "#define __non_temporal_loads_end()\n";

static const char *const names[] = {"__requires",   "__assume",  "__assert",  "__invariant",      "__global_",
                                    "__candidate_", "__ensures", "__enabled", "__function_wide_", "__barrier_invariant",
                                    "__read",       "__no_",     "__write",   "__add_noovfl",     "__array_snapshot"};

static bool has_annotation(const char *source) {
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (strstr(source, names[i]) != NULL) return true;
  return strstr(source, marker) != NULL;
}

/* Appends what has to stand before a source that has annotations; nothing where it has none. */
static void annotations_declare(const char *source, buffer *to) {
  static const struct {
    const char *kind;
    int most;
  } invariants[] = {{"", 20}, {"binary_", 10}}; /* what holds in front of a barrier, for both work-items of a group */
  if (!has_annotation(source)) return;
  for (size_t i = 0; i < sizeof invariants / sizeof *invariants; i++) {
    for (int n = 1; n <= invariants[i].most; n++)
      buffer_printf(to, "#define __barrier_invariant_%s%d(e, ...) __cltc_assert((!__cltc_same_group()) | (bool)(e))\n",
                    invariants[i].kind, n);
  }
  buffer_puts(to, declarations);
}

/* The call for a comment's text from after the marker to the end of the line; false: it is another kind. */
static bool expand_comment(const char *at, size_t length, buffer *to) {
  static const struct {
    const char *word, *call;
  } kinds[] = {{"invariant", "__cltc_invariant"}, {"requires", "__cltc_requires"}, {"assert", "__cltc_assert"}};
  const size_t space = strspn(at, " \t");
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
    const size_t word = strlen(kinds[i].word);
    if (space + word < length && strncmp(at + space, kinds[i].word, word) == 0 && at[space + word] == ' ') {
      buffer_printf(to, "%s(%.*s);", kinds[i].call, (int)(length - space - word), at + space + word);
      return true;
    }
  }
  return false;
}

/* Appends the source with annotations in comments as calls, on their lines. */
static void annotations_expand(const char *source, buffer *to) {
  for (const char *line = source; *line != '\0';) {
    const size_t length = strcspn(line, "\n");
    const char *comment = strstr(line, "//");
    const char *mark = comment == NULL || comment >= line + length ? NULL : strstr(comment, marker);
    const bool ours =
        mark != NULL && mark < line + length && strspn(comment + 2, " \t") == (size_t)(mark - comment - 2);
    if (ours) {
      const char *text = mark + sizeof marker - 1;
      buffer_append(to, line, (size_t)(comment - line));
      if (!expand_comment(text, (size_t)(line + length - text), to))
        buffer_append(to, comment, (size_t)(line + length - comment));
    } else {
      buffer_append(to, line, length);
    }
    line += length;
    if (*line == '\n') {
      buffer_putc(to, '\n');
      line++;
    }
  }
}

enum { NO_DIRECTORY = 126 }; /* exit status where there is no such folder */
#define COMPILER_BYTES (UINT64_C(4) << 30)

typedef struct words {
  char **items;
  size_t count, capacity;
} words;

static void add(words *w, const char *word) { *ARRAY_ADD(w->items, w->count, w->capacity) = mem_strdup(word); }

static void words_free(words *w) {
  for (size_t i = 0; i < w->count; i++) free(w->items[i]);
  free(w->items);
}

/* The next word of build options, quotes and backslashes taken off; NULL: none is left. To be freed. */
static char *next_word(const char **at) {
  const char *c = *at + strspn(*at, " \t\n");
  if (*c == '\0') return NULL;
  buffer word = {0};
  buffer_puts(&word, "");
  for (char quote = '\0'; *c != '\0' && (quote != '\0' || strchr(" \t\n", *c) == NULL); c++) {
    if (quote != '\0' ? *c == quote : *c == '"' || *c == '\'') {
      quote = quote != '\0' ? '\0' : *c;
    } else {
      if (*c == '\\' && c[1] != '\0' && quote != '\'') c++;
      buffer_putc(&word, *c);
    }
  }
  *at = c;
  return word.data == NULL ? mem_strdup("") : buffer_take(&word);
}

/* Options whose value may be a word of its own, and of which clang has the same. */
static const char *const with_value[] = {"-D", "-U", "-I", "-include"};

/* The language that the options ask for; NULL: none. */
static char *standard_of(const char *options) {
  char *standard = NULL, *word = NULL;
  for (const char *at = options; (word = next_word(&at)) != NULL; free(word)) {
    if (strncmp(word, "-cl-std=", 8) == 0) {
      free(standard);
      standard = mem_strdup(word + 8);
    }
  }
  return standard;
}

/* What a device of that version defines. */
static void take_standard(const char *options, words *argv) {
  char *standard = standard_of(options);
  add(argv, opencl_version_macro(standard));
  free(standard);
}

static void take_options(const char *options, words *argv) {
  char *word = NULL;
  for (const char *at = options; (word = next_word(&at)) != NULL; free(word)) {
    for (size_t i = 0; i < sizeof with_value / sizeof *with_value; i++) {
      if (strncmp(word, with_value[i], strlen(with_value[i])) != 0) continue;
      add(argv, word);
      if (strcmp(word, with_value[i]) == 0) {
        char *value = next_word(&at);
        add(argv, value == NULL ? "" : value);
        free(value);
      }
      break;
    }
    if (strncmp(word, "-cl-std=", 8) == 0 || strcmp(word, "-cl-single-precision-constant") == 0)
      add(argv, word);
    else if (opencl_option_macro(word) != NULL)
      add(argv, opencl_option_macro(word));
  }
}

/* The command line; `source` is the path of the text. */
static void make_command(const compile_input *input, const char *source, bool check_only, words *argv) {
  static const char *const before[] = {
      OPENCL_COMPILER_WORDS, "-cl-std=CL1.2", "-O0", "-Xclang", "-disable-O0-optnone", "-fno-discard-value-names",
      "-fno-delete-null-pointer-checks",      /* else passes drop what goes through null */
      "-gline-tables-only", "-fgnu89-inline", /* else helpers that are `inline` have no body */
      /* of what clang makes of these LLVM reads nothing */
      "-D__builtin_assume_aligned(p, ...)=(p)", "-D__builtin_readcyclecounter()=__builtin_nondeterministic_value(0ul)",
      "-D__builtin_readsteadycounter()=__builtin_nondeterministic_value(0ul)", "-fno-color-diagnostics",
      "-fno-caret-diagnostics"};
  for (size_t i = 0; i < sizeof before / sizeof *before; i++) add(argv, before[i]);
  take_standard(input->options, argv);
  take_options(input->options, argv);
  char *folder = mem_strdup(input->file);
  char *slash = strrchr(folder, '/');
  if (slash != NULL) slash[slash == folder ? 1 : 0] = '\0';
  add(argv, "-I");
  add(argv, slash == NULL ? "." : folder);
  free(folder);
  if (check_only) {
    add(argv, "-fsyntax-only");
  } else {
    add(argv, "-emit-llvm");
    add(argv, "-c");
    add(argv, "-o");
    add(argv, "-");
  }
  add(argv, source);
  *ARRAY_ADD(argv->items, argv->count, argv->capacity) = NULL;
}

typedef struct job {
  char **argv;
  const char *directory;
  bool check_only; /* messages are what is read */
  double seconds;
} job;

static void run(void *context, int out) {
  const job *j = context;
  if (j->directory != NULL && chdir(j->directory) != 0) _exit(NO_DIRECTORY);
  const struct rlimit most = {COMPILER_BYTES, COMPILER_BYTES};
  (void)setrlimit(RLIMIT_AS, &most);
  const struct rlimit time = {(rlim_t)j->seconds, (rlim_t)j->seconds}; /* of the processor; killed then */
  (void)setrlimit(RLIMIT_CPU, &time);
  const int nothing = open("/dev/null", O_RDWR | O_CLOEXEC);
  (void)dup2(nothing, STDIN_FILENO);
  (void)dup2(j->check_only ? out : nothing, STDERR_FILENO);
  (void)dup2(j->check_only ? nothing : out, STDOUT_FILENO);
  (void)execvp(j->argv[0], j->argv);
  _exit(SUBPROCESS_NO_PROGRAM);
}

static int compile(const compile_input *input, const char *source, bool check_only, buffer *out, int *status,
                   error *e) {
  words argv = {0};
  make_command(input, source, check_only, &argv);
  enum { PATIENCE = 100 }; /* it gets next to no processor */
  job j = {argv.items, input->directory, check_only, input->seconds};
  const subprocess s = {.work = run, .context = &j, .quiet = true, .deadline = clock_now() + PATIENCE * input->seconds};
  subprocess_end end = SUBPROCESS_ENDED;
  const int result = subprocess_read(&s, out, &end, status, e);
  words_free(&argv);
  const bool spent = WIFSIGNALED(*status) && WTERMSIG(*status) == SIGKILL;
  if (result == 0 && (end != SUBPROCESS_ENDED || spent)) {
    return error_set(e, EXIT_USAGE, "%s: %s took longer than %.0f seconds to compile it", input->file, OPENCL_COMPILER,
                     input->seconds);
  }
  return result;
}

/* The first line that says "error:", or the first line. */
static int say_error(const compile_input *input, const char *messages, error *e) {
  if (strstr(messages, "PLEASE submit a bug report") != NULL) /* the rest is a trace of its own calls */
    return error_set(e, EXIT_USAGE, "%s: clang 19 crashes while it compiles this", input->file);
  const char *at = strstr(messages, "error:");
  while (at != NULL && at > messages && at[-1] != '\n') at--;
  at = at == NULL ? messages : at;
  const int length = (int)strcspn(at, "\n");
  return error_set(e, EXIT_USAGE, "%s does not compile with clang 19: %.*s", input->file, length == 0 ? 24 : length,
                   length == 0 ? "it ended without a reason" : at);
}

/* A file in memory with the text after a line that says where it comes from; -1: no room. */
static int put_source(const compile_input *input) {
  buffer text = {0};
  buffer_puts(&text, OPENCL_COMPILER_FIRST);
  annotations_declare(input->source, &text);
  buffer_puts(&text,
              "#pragma clang attribute push(__attribute__((annotate(\"" MODULE_OWN "\"))), apply_to = function)\n");
  buffer_puts(&text, "#line 1 \"");
  for (const char *c = input->file; *c != '\0'; c++) {
    if (*c == '"' || *c == '\\') buffer_putc(&text, '\\');
    buffer_putc(&text, *c);
  }
  buffer_puts(&text, "\"\n");
  annotations_expand(input->source, &text);
  buffer_puts(&text, "\n\n#pragma clang attribute pop\n"); /* the last line may go on */
  const int fd = memfd_create("source.cl", 0);
  if (fd >= 0 && !subprocess_write(fd, text.data, text.length)) {
    close(fd);
    buffer_free(&text);
    return -1;
  }
  buffer_free(&text);
  return fd;
}

int compile_source(const compile_input *input, buffer *out, error *e) {
  char *standard = standard_of(input->options);
  const bool other = standard != NULL && strncasecmp(standard, "clc++", 5) == 0;
  if (other) {
    (void)error_set(
        e, EXIT_USAGE,
        "%s is C++ for OpenCL (-cl-std=%s), of which nothing can be proved: proofs read OpenCL C, up to -cl-std=CL3.0",
        input->file, standard);
  }
  free(standard);
  if (other) return -1;
  const int fd = put_source(input);
  if (fd < 0) return error_set(e, EXIT_INTERNAL, "there is no memory for the source of %s", input->file);
  buffer path = {0};
  buffer_printf(&path, "/dev/fd/%d", fd);
  int status = 0;
  int result = compile(input, path.data, false, out, &status, e);
  if (result == 0 && WIFEXITED(status) && WEXITSTATUS(status) == SUBPROCESS_NO_PROGRAM) {
    result = error_set(e, EXIT_USAGE, "clang 19 is missing: apt-get install clang-19");
  } else if (result == 0 && WIFEXITED(status) && WEXITSTATUS(status) == NO_DIRECTORY) {
    result = error_set(e, EXIT_USAGE, "there is no folder %s", input->directory);
  } else if (result == 0 && status != 0) {
    buffer messages = {0};
    result = compile(input, path.data, true, &messages, &status, e);
    result = result == 0 ? say_error(input, buffer_text(&messages), e) : result;
    buffer_free(&messages);
  }
  buffer_free(&path);
  close(fd);
  return result;
}
