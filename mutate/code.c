/* Code of mutants: LLVM assembly of a kernel, in which all names and numbers are replaced by the order in which they
 * come. */
#include "mutate/code.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/buffer.h"
#include "base/clock.h"
#include "base/digest.h"
#include "base/memory.h"
#include "base/opencl_compiler.h"
#include "base/subprocess.h"
#include "mutate/mutate.h"

enum { PATIENCE_SECONDS = 60, LANGUAGE_OPTIONS = 8 };

/* --- the parts of LLVM assembly ----------------------------------------------------------------------------------- */

/* A definition: `@name` of a function or variable, `%name` of a type, `#1` of attributes, `!1` of metadata. */
typedef struct definition {
  const char *name;
  size_t name_length;
  const char *text;
  size_t length;
} definition;

/* What one text became. */
typedef struct module {
  char *assembly;
  definition *definitions;
  size_t count, capacity;
} module;

struct mutate_code {
  module *modules;
  size_t count;
};

static bool is_name(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '.' ||
         c == '$' || c == '-';
}

/* Of the name that begins at `at` with its sigil: `@f`, `@"f g"`, `%struct.s`, `#0`, `!12`. */
static size_t length_of_name(const char *at) {
  if (at[1] == '"') {
    const char *end = strchr(at + 2, '"');
    return end == NULL ? strlen(at) : (size_t)(end - at) + 1;
  }
  size_t length = 1;
  while (is_name(at[length])) length++;
  return length;
}

static void add(module *m, const char *name, const char *text, const char *end) {
  *ARRAY_ADD(m->definitions, m->count, m->capacity) =
      (definition){name, length_of_name(name), text, (size_t)(end - text)};
}

/* Takes the definition that begins with this line; returns where it ends. */
static const char *read_definition(module *m, const char *line) {
  static const char function[] = "define ", attributes[] = "attributes ";
  const char *end = line + strcspn(line, "\n");
  const char *name = line;
  if (strncmp(line, function, sizeof function - 1) == 0) {
    const char *body_end = strstr(line, "\n}");
    end = body_end == NULL ? line + strlen(line) : body_end + 2;
    name = memchr(line, '@', (size_t)(end - line));
  } else if (strncmp(line, attributes, sizeof attributes - 1) == 0) {
    name = line + sizeof attributes - 1;
  }
  if (name != NULL && strchr("@%#!", *name) != NULL && *name != '\0' && is_name(name[1] == '"' ? 'a' : name[1]))
    add(m, name, name == line ? line + length_of_name(line) : line, end);
  return end;
}

/* What the optimiser found out about a function on its way says nothing that its code does not say, and two functions
 * that became the same need not have the same of it. */
static const char *const facts[] = {"nocapture", "readonly",   "writeonly",  "readnone",    "mustprogress",
                                    "nofree",    "nosync",     "nounwind",   "memory",      "local_unnamed_addr",
                                    "norecurse", "willreturn", "nocallback", "speculatable"};

/* After the fact that begins at `at`, with its brackets and the space after it; `at` if there is none. */
static const char *behind_fact(const char *at) {
  size_t length = 0;
  while (is_name(at[length])) length++;
  for (size_t i = 0; i < sizeof facts / sizeof facts[0]; i++) {
    if (strlen(facts[i]) == length && memcmp(at, facts[i], length) == 0) {
      at += length;
      at += *at == '(' ? strcspn(at, ")") + 1 : 0;
      return at + (*at == ' ' ? 1 : 0);
    }
  }
  return at;
}

static void leave_out_facts(char *assembly) {
  char *to = assembly;
  bool quoted = false;
  for (const char *from = assembly; *from != '\0';) {
    const bool begins = from == assembly || from[-1] == ' ' || from[-1] == '(';
    const char *behind = begins && !quoted ? behind_fact(from) : from;
    quoted = behind == from && *from == '"' ? !quoted : quoted;
    if (behind == from) *to++ = *from++;
    from = behind > from ? behind : from;
  }
  *to = '\0';
}

static void read_module(module *m) {
  leave_out_facts(m->assembly);
  for (const char *at = m->assembly; *at != '\0';) {
    at = read_definition(m, at);
    at += *at == '\n' ? 1 : 0;
  }
}

static const definition *find_in(const module *m, const char *name, size_t length) {
  for (size_t i = 0; i < m->count; i++) {
    const definition *d = &m->definitions[i];
    if (d->name_length == length && memcmp(d->name, name, length) == 0) return d;
  }
  return NULL;
}

/* --- a kernel's part ---------------------------------------------------------------------------------------------- */

/* A definition that was named, of this module. */
typedef struct named {
  const definition *is;
  const module *in;
} named;

typedef struct writer {
  const mutate_code *code;
  named *named; /* in the order in which they came */
  size_t count, capacity;
  buffer text;
} writer;

/* Linked programs find functions in each other's modules. */
static named look_up(const writer *w, const module *in, const char *name, size_t length) {
  named found = {find_in(in, name, length), in};
  for (size_t i = 0; i < w->code->count && found.is == NULL && *name == '@'; i++)
    found = (named){find_in(&w->code->modules[i], name, length), &w->code->modules[i]};
  return found;
}

static void write_number(writer *w, char sigil, named n) {
  size_t number = 0;
  while (number < w->count && w->named[number].is != n.is) number++;
  if (number == w->count) *ARRAY_ADD(w->named, w->count, w->capacity) = n;
  buffer_printf(&w->text, "%c<%zu>", sigil, number);
}

/* Names of clones stand in metadata, too. */
static void write_without_numbers_of_clones(writer *w, const char *text, size_t length) {
  static const char infix[] = MUTANT_CLONE_INFIX;
  const char *end = text + length;
  const char *found = NULL;
  while ((found = memmem(text, (size_t)(end - text), infix, sizeof infix - 1)) != NULL) {
    found += sizeof infix - 1;
    buffer_append(&w->text, text, (size_t)(found - text));
    text = found;
    while (text < end && *text >= '0' && *text <= '9') text++;
  }
  buffer_append(&w->text, text, (size_t)(end - text));
}

/* Copies a definition; what it names gets a number, unless it is defined nowhere. */
static void write_definition(writer *w, named n) {
  const char *end = n.is->text + n.is->length;
  for (const char *at = n.is->text; at < end;) {
    const size_t plain = strcspn(at, "@%#!;\"");
    buffer_append(&w->text, at, at + plain < end ? plain : (size_t)(end - at));
    at += plain;
    if (at >= end) break;
    const size_t length = *at == '"' ? length_of_name(at - 1) - 1 : length_of_name(at);
    const named to = *at == ';' || *at == '"' ? (named){0} : look_up(w, n.in, at, length);
    if (*at == ';') { /* a comment, after spaces */
      at += strcspn(at, "\n");
      while (w->text.length > 0 && w->text.data[w->text.length - 1] == ' ') w->text.length--;
      continue;
    }
    if (to.is != NULL)
      write_number(w, *at, to);
    else
      write_without_numbers_of_clones(w, at, length);
    at += length;
  }
  buffer_putc(&w->text, '\n');
}

bool mutate_code_digest(const mutate_code *c, const char *const *kernels, size_t count, char digest[65]) {
  writer w = {.code = c};
  bool found = count > 0 && c->count > 0;
  for (size_t i = 0; i < count && found; i++) {
    scoped_buffer name = buffer_with("@%s", kernels[i]);
    const named kernel = look_up(&w, &c->modules[0], buffer_text(&name), name.length);
    found = kernel.is != NULL;
    if (found) write_number(&w, '@', kernel);
  }
  for (size_t i = 0; i < w.count && found; i++) /* it grows on the way */
    write_definition(&w, w.named[i]);
  digester d;
  digest_begin(&d);
  digest_bytes(&d, buffer_text(&w.text), w.text.length);
  digest_end(&d, digest);
  buffer_free(&w.text);
  free(w.named);
  return found && !w.text.overflowed;
}

/* --- compiling ---------------------------------------------------------------------------------------------------- */

bool mutate_code_available(void) {
  static const char *const argv[] = {OPENCL_COMPILER, "--version", NULL};
  scoped_buffer ignored = {0};
  return subprocess_ask(argv, &ignored) == 0;
}

static const char *const base_arguments[] = {OPENCL_COMPILER_WORDS,
                                             "-D",
                                             "CLTC_COMPARE",

                                             "-S",
                                             "-emit-llvm",
                                             "-O2",
                                             "-g0",
                                             "-fdiscard-value-names",
                                             "-fno-finite-loops",
                                             "-fno-strict-aliasing",
                                             "-fno-strict-float-cast-overflow",
                                             "-fsanitize=integer-divide-by-zero,array-bounds",
                                             "-fsanitize-minimal-runtime",
                                             "-ftrivial-auto-var-init=pattern",
                                             "-o",
                                             "-"};
enum { BASE_ARGUMENTS = sizeof base_arguments / sizeof base_arguments[0] };

/* Adds the options that change what a source means; `options` is cut into words. */
static size_t add_language_options(char *options, const char **argv, size_t count) {
  const char *standard = NULL;
  const size_t room = count + LANGUAGE_OPTIONS;
  char *rest = NULL;
  for (char *word = strtok_r(options, " \t\n\r", &rest); word != NULL && count < room;
       word = strtok_r(NULL, " \t\n\r", &rest)) {
    const bool is_standard = strncmp(word, "-cl-std=", 8) == 0;
    if (is_standard || strcmp(word, "-cl-single-precision-constant") == 0) {
      argv[count++] = word;
      standard = is_standard ? word + 8 : standard;
    }
  }
  if (standard == NULL) argv[count++] = "-cl-std=CL1.2";
  argv[count++] = opencl_version_macro(standard);
  return count;
}

/* NULL: refused. To be freed. */
static char *compile(const char *text, const char *options) {
  scoped char *words = mem_strdup(options == NULL ? "" : options);
  const char *argv[BASE_ARGUMENTS + LANGUAGE_OPTIONS + 4];
  memcpy(argv, base_arguments, sizeof base_arguments);
  size_t count = add_language_options(words, argv, BASE_ARGUMENTS);
  const int source = memfd_create("source.cl", 0); /* the compiler opens it by its number */
  char path[32];
  (void)snprintf(path, sizeof path, "/proc/self/fd/%d", source);
  argv[count++] = path;
  argv[count] = NULL;
  buffer out = {0};
  subprocess_end end = SUBPROCESS_INTERRUPTED;
  int status = -1;
  error ignored;
  const subprocess s = {.argv = (char *const *)argv, .quiet = true, .deadline = clock_now() + PATIENCE_SECONDS};
  const bool compiled = source >= 0 && subprocess_write(source, text, strlen(text)) &&
                        subprocess_read(&s, &out, &end, &status, &ignored) == 0 && end == SUBPROCESS_ENDED &&
                        status == 0;
  (void)close(source);
  if (!compiled) {
    buffer_free(&out);
    return NULL;
  }
  buffer_puts(&out, "");
  return buffer_take(&out);
}

mutate_code *mutate_code_read(char *const *assemblies, size_t count) {
  mutate_code *c = mem_calloc(1, sizeof *c);
  c->modules = mem_calloc(count, sizeof *c->modules);
  c->count = count;
  for (size_t i = 0; i < count; i++) {
    c->modules[i].assembly = assemblies[i];
    read_module(&c->modules[i]);
  }
  return c;
}

mutate_code *mutate_code_compile(char *const *texts, char *const *options, size_t count) {
  scoped char **assemblies = mem_calloc(count, sizeof *assemblies);
  size_t compiled = 0;
  while (compiled < count && (assemblies[compiled] = compile(texts[compiled], options[compiled])) != NULL) compiled++;
  mutate_code *c = compiled == count ? mutate_code_read(assemblies, count) : NULL;
  for (size_t i = 0; i < compiled && c == NULL; i++) free(assemblies[i]);
  return c;
}

void mutate_code_free(mutate_code *c) {
  for (size_t i = 0; c != NULL && i < c->count; i++) {
    free(c->modules[i].assembly);
    free(c->modules[i].definitions);
  }
  if (c != NULL) {
    free(c->modules);
    free(c);
  }
}
