/* Requests, which are sources, options and launches as JSON, and the engine that gets them. */
#include "proofs/client/request.h"

#include <errno.h>
#include <fcntl.h>
#include <jansson.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/digest.h"
#include "base/memory.h"
#include "base/subprocess.h"
#include "runner/paths.h"

/* Text of anyone as a JSON string: JSON wants UTF-8, and a source may have other bytes in comments. Columns stay. */
static json_t *text_value(const char *text) {
  json_t *value = json_string(text);
  if (value == NULL) {
    char *copy = mem_strdup(text);
    for (char *c = copy; *c != '\0'; c++) *c = (unsigned char)*c < 0x80 ? *c : '?';
    value = json_string(copy);
    free(copy);
  }
  return value;
}

static void put(json_t *object, const char *key, json_t *value) { (void)json_object_set_new(object, key, value); }

static json_t *three(const uint64_t *numbers) {
  json_t *list = json_array();
  for (int i = 0; i < 3; i++) (void)json_array_append_new(list, json_integer((json_int_t)numbers[i]));
  return list;
}

/* Of the command line: 0 is any number; after the last dimension all are 1. */
static json_t *sizes(const uint64_t *numbers, unsigned given, unsigned dimensions) {
  json_t *list = json_array();
  for (unsigned i = 0; i < 3; i++) {
    const bool any = i < given ? numbers[i] == 0 : i < dimensions;
    (void)json_array_append_new(list, any         ? json_null()
                                      : i < given ? json_integer((json_int_t)numbers[i])
                                                  : json_integer(1));
  }
  return list;
}

/* --- observed launches -------------------------------------------------------------------------------------------- */

static json_t *hexadecimal(const unsigned char *bytes, uint64_t size) {
  buffer text = {0};
  for (uint64_t i = 0; i < size; i++) buffer_printf(&text, "%02x", (unsigned)bytes[i]);
  json_t *value = json_string(buffer_text(&text));
  buffer_free(&text);
  return value;
}

static json_t *facts_value(const contents_facts *f) {
  json_t *list = json_array();
  const struct {
    bool holds;
    const char *name;
  } named[] = {{f->distinct, "distinct"}, {f->ascending, "ascending"}, {f->identity, "identity"}};
  for (size_t i = 0; i < sizeof named / sizeof named[0]; i++)
    if (named[i].holds) (void)json_array_append_new(list, json_string(named[i].name));
  if (f->bounded)
    (void)json_array_append_new(list, json_sprintf("within:%lld:%lld", (long long)f->low, (long long)f->high));
  return list;
}

static json_t *buffer_value(const observed_argument *a, const parameter *p) {
  json_t *value = json_object();
  if (a->kind == OBSERVED_LOCAL) {
    put(value, "local_bytes", json_integer((json_int_t)a->size));
    return value;
  }
  if (a->null) {
    put(value, "null", json_true());
    return value;
  }
  put(value, "bytes", json_integer((json_int_t)a->size));
  put(value, "memory", json_integer(a->memory));
  put(value, "offset", json_integer((json_int_t)a->offset));
  put(value, "contents", facts_value(&a->facts));
  if (a->bytes != NULL) put(value, "held", hexadecimal(a->bytes, a->size));
  if (p->integer && p->is_unsigned && (a->facts.ascending || a->facts.identity || a->facts.bounded))
    put(value, "unsigned", json_true());
  return value;
}

static json_t *launch_value(const observed_launch *l, const signature *of) {
  json_t *value = json_object(), *arguments = json_object(), *buffers = json_object();
  put(value, "count", json_integer((json_int_t)l->count));
  put(value, "dimensions", json_integer(l->dimensions));
  put(value, "local", three(l->local));
  put(value, "groups", three(l->groups));
  put(value, "offset", three(l->offset));
  for (size_t i = 0; i < l->argument_count; i++) {
    const observed_argument *a = &l->arguments[i];
    const char *name = of->parameters[a->parameter].name;
    if (a->kind == OBSERVED_INTEGER) {
      put(arguments, name, json_integer((json_int_t)a->integer));
    } else if (a->kind == OBSERVED_BYTES) {
      json_t *bytes = json_object();
      put(bytes, "bytes", hexadecimal(a->bytes, a->size));
      put(arguments, name, bytes);
    } else {
      put(buffers, name, buffer_value(a, &of->parameters[a->parameter]));
    }
  }
  put(value, "arguments", arguments);
  put(value, "buffers", buffers);
  return value;
}

/* --- kernels ------------------------------------------------------------------------------------------------------ */

#define LETTERS "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_"
#define DIGITS "0123456789"

static bool is_name(const char *at, size_t length, const signature *of) {
  static const char *const others[] = {"get_global_size",
                                       "get_local_size",
                                       "get_num_groups",
                                       "get_global_offset",
                                       "get_work_dim",
                                       "elements",
                                       "power_of_two",
                                       "char",
                                       "uchar",
                                       "short",
                                       "ushort",
                                       "int",
                                       "uint",
                                       "long",
                                       "ulong",
                                       "size_t",
                                       "unsigned",
                                       "signed"};
  for (size_t i = 0; i < sizeof others / sizeof others[0]; i++)
    if (strlen(others[i]) == length && strncmp(at, others[i], length) == 0) return true;
  for (size_t i = 0; i < of->count; i++)
    if (strlen(of->parameters[i].name) == length && strncmp(at, of->parameters[i].name, length) == 0) return true;
  return false;
}

bool request_knows_names(const char *assumption, const signature *of, const char **name, size_t *length) {
  const char *at = assumption;
  while ((at += strcspn(at, LETTERS DIGITS)), *at != '\0') {
    *length = strspn(at, LETTERS DIGITS);
    *name = at;
    const bool index = at > assumption && at[-1] == '['; /* x[i] */
    if (!index && strchr(DIGITS, *at) == NULL && at[*length] != '(' &&
        !is_name(at, *length, of)) /* calls the engine knows */
      return false;
    at += *length;
  }
  return true;
}

/* Assumptions about arguments that a kernel has not are about others. */
static void put_assumptions(const prove_options *o, const signature *of, json_t *to) {
  const char *name = NULL;
  size_t length = 0;
  for (size_t i = 0; i < o->assume.count; i++)
    if (of == NULL || request_knows_names(o->assume.items[i], of, &name, &length))
      (void)json_array_append_new(to, text_value(o->assume.items[i]));
}

/* `of` NULL: what arguments there are is not known. */
static void put_assumed(json_t *value, const prove_options *o, const signature *of) {
  const unsigned most = o->local.dimensions > o->groups.dimensions ? o->local.dimensions : o->groups.dimensions;
  const unsigned dimensions = most > 0 ? most : of != NULL ? of->dimensions : 0;
  if (dimensions > 0) {
    put(value, "local", sizes(o->local.sizes, o->local.dimensions, dimensions));
    put(value, "groups", sizes(o->groups.sizes, o->groups.dimensions, dimensions));
    put(value, "dimensions", json_integer(dimensions));
  }
  json_t *assume = json_array();
  put_assumptions(o, of, assume);
  put(value, "assume", assume);
}

static json_t *kernel_value(const asked_source *s, const prove_options *o, const asked_kernel *k) {
  json_t *value = json_object();
  if (k->name != NULL) put(value, "kernel", text_value(k->name));
  if (!s->observed) {
    put_assumed(value, o, k->name == NULL ? NULL : asked_signature(s, k->name));
    return value;
  }
  const signature *of = asked_signature(s, k->name);
  json_t *launches = json_array();
  for (size_t i = 0; i < k->launch_count && of != NULL; i++)
    (void)json_array_append_new(launches, launch_value(&k->launches[i], of));
  put(value, "launches", launches);
  return value;
}

static json_t *common_value(const asked_source *s, const prove_options *o) {
  json_t *value = json_object();
  put(value, "source", text_value(asked_text(s)->text));
  put(value, "bitcode", json_null());
  put(value, "timeout", json_real(o->timeout));
  put(value, "query_timeout", json_real(o->query_timeout));
  put(value, "memory", json_integer((json_int_t)o->memory << 20));
  if (o->only != NULL) put(value, "only", text_value(o->only));
  put(value, "benign", json_boolean(!o->no_benign));
  put(value, "bounds", json_boolean(!o->no_bounds));
  put(value, "alias", json_boolean(o->alias));
  put(value, "barriers", json_boolean(o->barriers));
  put(value, "explain", json_boolean(o->explain));
  put(value, "all", json_boolean(!o->first_only));
  put(value, "warp", json_integer(o->warp));
  put(value, "warp_resync", json_boolean(o->warp_resync));
  return value;
}

static json_t *request_value(const asked_source *s, const prove_options *o) {
  json_t *request = common_value(s, o);
  /* Headers that the program handed over are searched first. */
  buffer options = {0};
  if (s->search != NULL) buffer_printf(&options, "-I %s ", s->search);
  buffer_puts(&options, asked_text(s)->input.options);
  put(request, "options", text_value(buffer_text(&options)));
  buffer_free(&options);
  put(request, "file", text_value(asked_text(s)->name));
  put(request, "directory", text_value(s->request.directory));
  put(request, "jobs", json_integer(o->jobs));
  return request;
}

/* Writes and frees it. */
static void write_value(json_t *request, buffer *out) {
  char *text = json_dumps(request, JSON_COMPACT);
  buffer_puts(out, text == NULL ? "{}" : text);
  buffer_putc(out, '\n');
  free(text);
  json_decref(request);
}

void request_write(const asked_source *s, const prove_options *o, const bool *wanted, buffer *out) {
  json_t *request = request_value(s, o), *kernels = json_array();
  for (size_t i = 0; i < s->kernel_count; i++)
    if (wanted == NULL || wanted[i]) (void)json_array_append_new(kernels, kernel_value(s, o, &s->kernels[i]));
  const asked_kernel any = {0};
  if (s->every && (o->assume.count > 0 || o->local.dimensions > 0 || o->groups.dimensions > 0))
    (void)json_array_append_new(kernels, kernel_value(s, o, &any));
  put(request, "kernels", kernels);
  write_value(request, out);
}

/* Sizes and ids' offsets go as numbers; facts that say the same are left out. */
static json_t *assumed_by(const struct host_way *w, const prove_options *o, const signature *of) {
  json_t *assume = json_array();
  put_assumptions(o, of, assume);
  for (size_t i = 0; i < w->fact_count; i++)
    if (!w->facts[i].size && !w->facts[i].offset) (void)json_array_append_new(assume, text_value(w->facts[i].text));
  return assume;
}

void request_way(const asked_source *s, const prove_options *o, const asked_kernel *k, const struct host_way *w,
                 buffer *out) {
  json_t *request = request_value(s, o), *kernels = json_array(), *kernel = json_object();
  const unsigned dimensions = w->dimensions == 0 ? 3 : w->dimensions;
  put(kernel, "kernel", text_value(k->name));
  put(kernel, "dimensions", json_integer(dimensions));
  put(kernel, "local", sizes(w->local, dimensions, dimensions));
  put(kernel, "groups", sizes(w->groups, dimensions, dimensions));
  if (w->offset_known) put(kernel, "offset", three(w->offset));
  put(kernel, "assume", assumed_by(w, o, asked_signature(s, k->name)));
  (void)json_array_append_new(kernels, kernel);
  put(request, "kernels", kernels);
  put(request, "alias", json_boolean(o->alias || w->shared));
  write_value(request, out);
}

/* --- keys --------------------------------------------------------------------------------------------------------- */

void request_launch_text(const observed_launch *l, const signature *of, buffer *out) {
  json_t *value = launch_value(l, of);
  (void)json_object_del(value, "count");
  /* Proofs rest on what is said of contents, not on these. */
  const char *name = NULL;
  json_t *one = NULL;
  json_object_foreach(json_object_get(value, "buffers"), name, one) { (void)json_object_del(one, "held"); }
  char *text = json_dumps(value, JSON_COMPACT | JSON_SORT_KEYS);
  buffer_puts(out, text == NULL ? "" : text);
  free(text);
  json_decref(value);
}

/* How often a launch was made proves nothing. */
static void drop_counts(json_t *kernel) {
  json_t *launches = json_object_get(kernel, "launches");
  for (size_t i = 0; i < json_array_size(launches); i++) (void)json_object_del(json_array_get(launches, i), "count");
}

void request_key(const asked_source *s, const prove_options *o, const asked_kernel *k, const char *engine,
                 char out[65]) {
  out[0] = '\0';
  if (s->digests.files[0] == '\0') return;
  json_t *all = common_value(s, o);
  put(all, "options", text_value(asked_text(s)->input.options));
  put(all, "kernel", kernel_value(s, o, k));
  drop_counts(json_object_get(all, "kernel"));
  char *text = json_dumps(all, JSON_COMPACT | JSON_SORT_KEYS);
  if (text != NULL) {
    digester d;
    digest_begin(&d);
    digest_text(&d, "proof");
    digest_text(&d, CLTC_VERSION);
    digest_text(&d, engine);
    digest_text(&d, s->digests.files);
    digest_text(&d, text);
    digest_end(&d, out);
  }
  free(text);
  json_decref(all);
}

/* --- the engine, in a process group of its own -------------------------------------------------------------------- */

enum { LINE_MOST = 64 << 20, LOOK_MS = 200 };

/* --- where it is -------------------------------------------------------------------------------------------------- */

static bool has_clang(void) {
  const char *const argv[] = {"clang-19", "--version", NULL};
  buffer ignored = {0};
  const int status = subprocess_ask(argv, &ignored);
  buffer_free(&ignored);
  return status == 0;
}

char *engine_find(error *e) {
  char *program = own_path("cltestcheck-verify");
  if (program == NULL) {
    (void)error_set(e, EXIT_USAGE, ENGINE_MISSING);
  } else if (!has_clang()) {
    free(program);
    program = NULL;
    (void)error_set(e, EXIT_USAGE, CLANG_MISSING);
  }
  return program;
}

void engine_digest(const char *program, char out[65]) {
  digester d;
  char part[1 << 16];
  size_t n = 0;
  FILE *f = fopen(program, "rbe");
  digest_begin(&d);
  while (f != NULL && (n = fread(part, 1, sizeof part, f)) > 0) digest_bytes(&d, part, n);
  digest_end(&d, out);
  if (f != NULL) (void)fclose(f);
}

/* --- the process -------------------------------------------------------------------------------------------------- */

typedef struct engine {
  pid_t process;
  int out;
  buffer text; /* what came and is no whole line yet */
} engine;

/* The request as a file that can be read from its beginning; -1: no. */
static int request_file(const char *request, size_t length) {
  const int file = memfd_create("cltestcheck-request", MFD_CLOEXEC);
  if (file >= 0 && (!subprocess_write(file, request, length) || lseek(file, 0, SEEK_SET) != 0)) {
    (void)close(file);
    return -1;
  }
  return file;
}

/* In the new process. */
static void become(const char *program, int in, int out, const interrupts *signals) {
  (void)setpgid(0, 0);
  interrupts_forget(signals);
  if (dup2(in, STDIN_FILENO) >= 0 && dup2(out, STDOUT_FILENO) >= 0) {
    char *const argv[] = {(char *)program, NULL};
    (void)execv(program, argv);
  }
  _exit(SUBPROCESS_NO_PROGRAM);
}

static int start(engine *g, const char *program, const char *request, size_t length, const interrupts *signals,
                 error *e) {
  int ends[2];
  const int in = request_file(request, length);
  if (in < 0 || pipe2(ends, O_CLOEXEC) != 0) {
    const int reason = errno;
    (void)(in < 0 ? 0 : close(in));
    return error_set(e, EXIT_INTERNAL, "the proof engine could not be given its request: %s", strerror(reason));
  }
  g->process = subprocess_fork(false);
  if (g->process == 0) become(program, in, ends[1], signals);
  const int reason = errno;
  (void)close(in);
  (void)close(ends[1]);
  g->out = ends[0];
  if (g->process < 0) {
    (void)close(g->out);
    return error_set(e, EXIT_INTERNAL, "the proof engine could not be started: %s", strerror(reason));
  }
  (void)setpgid(g->process, g->process);
  return 0;
}

/* Hands on the lines that are whole; the last one may lack its end. */
static int hand_on(engine *g, const engine_listener *listener, bool last, error *e) {
  size_t at = 0;
  int result = 0;
  while (result == 0 && at < g->text.length) {
    const char *line = g->text.data + at;
    const char *end = memchr(line, '\n', g->text.length - at);
    if (end == NULL && !last) break;
    const size_t length = end == NULL ? g->text.length - at : (size_t)(end - line);
    result = length == 0 ? 0 : listener->line(listener->context, line, length, e);
    at += length + 1;
  }
  at = at > g->text.length ? g->text.length : at;
  if (at > 0) {
    memmove(g->text.data, g->text.data + at, g->text.length - at + 1);
    g->text.length -= at;
  }
  return result;
}

/* Reads until the engine closes its output (0), `end` says that it was stopped (0), or something fails (-1). */
static int listen_to(engine *g, double patience, const interrupts *signals, const engine_listener *listener,
                     engine_end *end, error *e) {
  double heard = clock_now();
  for (;;) {
    struct pollfd p[2] = {{.fd = g->out, .events = POLLIN}, {.fd = signals->signals, .events = POLLIN}};
    (void)poll(p, 2, LOOK_MS);
    end->interrupted = interrupts_came(signals);
    end->silent = clock_now() - heard > patience;
    if (end->interrupted || end->silent) return 0;
    if ((p[0].revents & (POLLIN | POLLHUP)) == 0) continue;
    char chunk[1 << 16];
    const ssize_t n = read(g->out, chunk, sizeof chunk);
    if (n == 0 || (n < 0 && errno != EINTR)) return hand_on(g, listener, true, e);
    if (n > 0) {
      heard = clock_now();
      buffer_append(&g->text, chunk, (size_t)n);
      if (hand_on(g, listener, false, e) != 0) return -1;
      if (g->text.length > LINE_MOST)
        return error_set(e, EXIT_INTERNAL, "the proof engine gave an answer of more than %d MiB", LINE_MOST >> 20);
    }
  }
}

int engine_run(const char *program, const char *request, size_t length, double patience, const interrupts *signals,
               const engine_listener *listener, engine_end *end, error *e) {
  engine g = {0};
  *end = (engine_end){0};
  if (start(&g, program, request, length, signals, e) != 0) return -1;
  const int result = listen_to(&g, patience, signals, listener, end, e);
  (void)close(g.out);
  buffer_free(&g.text);
  int status = 0;
  if (result != 0 || end->interrupted || end->silent) (void)kill(-g.process, SIGKILL);
  while (waitpid(g.process, &status, 0) < 0 && errno == EINTR) {
  }
  (void)kill(-g.process, SIGKILL); /* what it may have left */
  end->status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  return result;
}
