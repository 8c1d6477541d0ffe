/* Runs clang 19 on a source that it reads from memory, with those build options that it knows. */
#include "verify/compile.h"

#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/memory.h"
#include "base/opencl_compiler.h"
#include "base/subprocess.h"
#include "verify/annotations.h"

enum { NO_DIRECTORY = 126 }; /* exit status where there is no such folder */
#define COMPILER_BYTES (UINT64_C(4) << 30)

typedef struct words {
  char **items;
  size_t count, capacity;
} words;

static void add(words *w, const char *word) { *ARRAY_ADD(w->items, w->count, w->capacity) = mem_strdup(word); }

static void words_free(words *w) {
  for (size_t i = 0; i < w->count; i++) {
    free(w->items[i]);
  }
  free(w->items);
}

/* The next word of build options, quotes and backslashes taken off; NULL: none is left. To be freed. */
static char *next_word(const char **at) {
  const char *c = *at + strspn(*at, " \t\n");
  if (*c == '\0') {
    return NULL;
  }
  buffer word = {0};
  buffer_puts(&word, "");
  for (char quote = '\0'; *c != '\0' && (quote != '\0' || strchr(" \t\n", *c) == NULL); c++) {
    if (quote != '\0' ? *c == quote : *c == '"' || *c == '\'') {
      quote = quote != '\0' ? '\0' : *c;
    } else {
      if (*c == '\\' && c[1] != '\0' && quote != '\'') {
        c++;
      }
      buffer_putc(&word, *c);
    }
  }
  *at = c;
  return word.data == NULL ? mem_strdup("") : buffer_take(&word);
}

/* Options whose value may be a word of its own, and of which clang has the same. */
static const char *const with_value[] = {"-D", "-U", "-I", "-include"};

/* The language that the options ask for, and what a device of that version defines. */
static void take_standard(const char *options, words *argv) {
  char *standard = NULL, *word = NULL;
  for (const char *at = options; (word = next_word(&at)) != NULL; free(word)) {
    if (strncmp(word, "-cl-std=", 8) == 0) {
      free(standard);
      standard = mem_strdup(word + 8);
    }
  }
  add(argv, opencl_version_macro(standard));
  free(standard);
}

static void take_options(const char *options, words *argv) {
  char *word = NULL;
  for (const char *at = options; (word = next_word(&at)) != NULL; free(word)) {
    for (size_t i = 0; i < sizeof with_value / sizeof *with_value; i++) {
      if (strncmp(word, with_value[i], strlen(with_value[i])) != 0) {
        continue;
      }
      add(argv, word);
      if (strcmp(word, with_value[i]) == 0) {
        char *value = next_word(&at);
        add(argv, value == NULL ? "" : value);
        free(value);
      }
      break;
    }
    if (strncmp(word, "-cl-std=", 8) == 0 || strcmp(word, "-cl-single-precision-constant") == 0) {
      add(argv, word);
    } else if (opencl_option_macro(word) != NULL) {
      add(argv, opencl_option_macro(word));
    }
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
  for (size_t i = 0; i < sizeof before / sizeof *before; i++) {
    add(argv, before[i]);
  }
  take_standard(input->options, argv);
  take_options(input->options, argv);
  char *folder = mem_strdup(input->file);
  char *slash = strrchr(folder, '/');
  if (slash != NULL) {
    slash[slash == folder ? 1 : 0] = '\0';
  }
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
} job;

static void run(void *context, int out) {
  const job *j = context;
  if (j->directory != NULL && chdir(j->directory) != 0) {
    _exit(NO_DIRECTORY);
  }
  const struct rlimit most = {COMPILER_BYTES, COMPILER_BYTES};
  (void)setrlimit(RLIMIT_AS, &most);
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
  job j = {argv.items, input->directory, check_only};
  const subprocess s = {.work = run, .context = &j, .quiet = true, .deadline = clock_now() + input->seconds};
  subprocess_end end = SUBPROCESS_ENDED;
  const int result = subprocess_read(&s, out, &end, status, e);
  words_free(&argv);
  if (result == 0 && end != SUBPROCESS_ENDED) {
    return error_set(e, EXIT_USAGE, "%s: %s took longer than %.0f seconds to compile it", input->file, OPENCL_COMPILER,
                     input->seconds);
  }
  return result;
}

/* The first line that says "error:", or the first line. */
static int say_error(const compile_input *input, const char *messages, error *e) {
  const char *at = strstr(messages, "error:");
  while (at != NULL && at > messages && at[-1] != '\n') {
    at--;
  }
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
  buffer_puts(&text, "#line 1 \"");
  for (const char *c = input->file; *c != '\0'; c++) {
    if (*c == '"' || *c == '\\') {
      buffer_putc(&text, '\\');
    }
    buffer_putc(&text, *c);
  }
  buffer_puts(&text, "\"\n");
  annotations_expand(input->source, &text);
  buffer_putc(&text, '\n');
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
  const int fd = put_source(input);
  if (fd < 0) {
    return error_set(e, EXIT_INTERNAL, "there is no memory for the source of %s", input->file);
  }
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
