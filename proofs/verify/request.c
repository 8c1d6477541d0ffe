/* A request, read as docs/formats/verify-engine.md describes it, and the processor time that it grants. */
#include "proofs/verify/request.h"

#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/integer.h"
#include "base/memory.h"

static const char *text_of(const json_t *object, const char *key, const char *otherwise) {
  const char *text = json_string_value(json_object_get(object, key));
  return text == NULL ? otherwise : text;
}

static double number_of(const json_t *object, const char *key, double otherwise) {
  const json_t *n = json_object_get(object, key);
  return json_is_number(n) ? json_number_value(n) : otherwise;
}

static bool truth_of(const json_t *object, const char *key, bool otherwise) {
  const json_t *n = json_object_get(object, key);
  return json_is_boolean(n) ? json_is_true(n) : otherwise;
}

/* Sizes; what is not given stays `otherwise` in the dimensions that there are, and 1 beyond. */
static void read_sizes(const json_t *list, unsigned dimensions, uint64_t otherwise, uint64_t beyond,
                       uint64_t sizes[3]) {
  for (unsigned d = 0; d < 3; d++) {
    const json_t *n = json_array_get(list, d);
    sizes[d] = json_is_integer(n) && json_integer_value(n) >= 0 ? (uint64_t)json_integer_value(n)
               : d < dimensions                                 ? otherwise
                                                                : beyond;
  }
}

static uint8_t *read_bytes(const char *hex, size_t *length) {
  uint8_t *bytes = mem_calloc(strlen(hex) / 2 + 1, 1);
  *length = 0;
  for (size_t i = 0; hex[i] != '\0' && hex[i + 1] != '\0' && hex_digit(hex[i]) >= 0 && hex_digit(hex[i + 1]) >= 0;
       i += 2)
    bytes[(*length)++] = (uint8_t)(hex_digit(hex[i]) * 16 + hex_digit(hex[i + 1]));
  return bytes;
}

static argument_given read_argument(const char *name, const json_t *given) {
  argument_given a = {.name = name};
  if (json_is_integer(given)) {
    const uint64_t number = (uint64_t)json_integer_value(given);
    a.integer = true;
    a.length = sizeof number;
    a.bytes = mem_calloc(a.length, 1);
    memcpy(a.bytes, &number, sizeof number);
    return a;
  }
  a.bytes = read_bytes(text_of(given, "bytes", ""), &a.length);
  return a;
}

static contents_known read_contents(const json_t *facts) {
  contents_known c = {0};
  size_t i = 0;
  json_t *fact = NULL;
  json_array_foreach(facts, i, fact) {
    const char *text = json_string_value(fact);
    if (text == NULL) continue;
    c.distinct = c.distinct || strcmp(text, "distinct") == 0;
    c.ascending = c.ascending || strcmp(text, "ascending") == 0;
    c.identity = c.identity || strcmp(text, "identity") == 0;
    if (strncmp(text, "within:", 7) == 0) {
      char *end = NULL;
      c.low = strtoll(text + 7, &end, 10);
      c.high = *end == ':' ? strtoll(end + 1, NULL, 10) : c.low;
      c.within = *end == ':';
    }
  }
  return c;
}

static buffer_given read_buffer(const char *name, const json_t *given) {
  buffer_given b = {.name = name, .memory = -1};
  const json_t *local = json_object_get(given, "local_bytes");
  b.local = json_is_integer(local);
  const json_int_t bytes = json_integer_value(b.local ? local : json_object_get(given, "bytes"));
  b.bytes = bytes > 0 ? (uint64_t)bytes : 0;
  b.null = truth_of(given, "null", !b.local && json_is_integer(json_object_get(given, "bytes")) && bytes == 0);
  const json_t *memory = json_object_get(given, "memory");
  b.memory = json_is_integer(memory) ? (int64_t)json_integer_value(memory) : -1;
  b.offset = (int64_t)json_integer_value(json_object_get(given, "offset"));
  b.contents = read_contents(json_object_get(given, "contents"));
  b.contents.is_unsigned = truth_of(given, "unsigned", false);
  const char *held = text_of(given, "held", "");
  size_t length = 0;
  b.held = held[0] == '\0' ? NULL : read_bytes(held, &length);
  if (b.held != NULL && length != b.bytes) {
    free(b.held);
    b.held = NULL;
  }
  return b;
}

/* A number between these; what is outside becomes the nearer of them. */
static uint64_t whole_of(const json_t *object, const char *key, uint64_t otherwise, uint64_t most) {
  const double n = number_of(object, key, (double)otherwise);
  return n >= (double)most ? most : n >= 0 ? (uint64_t)n : 0;
}

static launch read_launch(json_t *given, bool observed) {
  launch l = {.dimensions = (unsigned)whole_of(given, "dimensions", 0, 3)};
  const unsigned dimensions = l.dimensions == 0 ? 1 : l.dimensions;
  const size_t locals = json_array_size(json_object_get(given, "local"));
  const size_t groups = json_array_size(json_object_get(given, "groups"));
  const size_t longest = locals > groups ? locals : groups;
  const unsigned named = longest > 3 ? 3 : (unsigned)longest;
  const unsigned used = named > dimensions && l.dimensions == 0 ? named : dimensions;
  l.dimensions = named > 0 ? used : l.dimensions;
  read_sizes(json_object_get(given, "local"), used, SIZE_FREE, 1, l.local);
  read_sizes(json_object_get(given, "groups"), used, SIZE_FREE, 1, l.groups);
  read_sizes(json_object_get(given, "offset"), 0, 0, 0, l.offset);
  l.count = observed ? whole_of(given, "count", 1, UINT32_MAX) : 0;
  l.count = observed && l.count == 0 ? 1 : l.count;
  const char *name = NULL;
  json_t *one = NULL;
  json_t *all = json_object_get(given, "arguments");
  l.arguments = mem_calloc(json_object_size(all) + 1, sizeof *l.arguments);
  json_object_foreach(all, name, one) { l.arguments[l.argument_count++] = read_argument(name, one); }
  all = json_object_get(given, "buffers");
  l.buffers = mem_calloc(json_object_size(all) + 1, sizeof *l.buffers);
  json_object_foreach(all, name, one) { l.buffers[l.buffer_count++] = read_buffer(name, one); }
  all = json_object_get(given, "assume");
  l.assume = mem_calloc(json_array_size(all) + 1, sizeof *l.assume);
  size_t i = 0;
  json_array_foreach(all, i, one) {
    if (json_is_string(one)) l.assume[l.assume_count++] = json_string_value(one);
  }
  return l;
}

static kernel_request read_kernel(json_t *given) {
  kernel_request k = {.name = text_of(given, "kernel", ""), .any = read_launch(given, false)};
  json_t *launches = json_object_get(given, "launches");
  k.launches = mem_calloc(json_array_size(launches) + 1, sizeof *k.launches);
  size_t i = 0;
  json_t *one = NULL;
  json_array_foreach(launches, i, one) { k.launches[k.launch_count++] = read_launch(one, true); }
  return k;
}

int request_read(const char *text, size_t length, request *out, error *e) {
  *out = (request){0};
  json_error_t wrong;
  json_t *json = json_loadb(text, length, JSON_REJECT_DUPLICATES, &wrong);
  if (!json_is_object(json) || !json_is_string(json_object_get(json, "source"))) {
    json_decref(json);
    return error_set(e, EXIT_USAGE, "the request is no JSON object with a source: %s", json == NULL ? wrong.text : "");
  }
  out->json = json;
  out->source = text_of(json, "source", "");
  out->file = text_of(json, "file", "kernel.cl");
  out->options = text_of(json, "options", "");
  out->directory = text_of(json, "directory", NULL);
  out->timeout = number_of(json, "timeout", 30);
  out->query_timeout = number_of(json, "query_timeout", 10);
  out->memory = whole_of(json, "memory", 1 << 30, UINT64_C(1) << 40);
  out->jobs = (unsigned)whole_of(json, "jobs", 1, 1024);
  out->only = text_of(json, "only", NULL);
  out->benign = truth_of(json, "benign", true);
  out->bounds = truth_of(json, "bounds", true);
  out->alias = truth_of(json, "alias", false);
  out->barriers = truth_of(json, "barriers", false);
  out->explain = truth_of(json, "explain", false);
  out->all = truth_of(json, "all", true);
  out->warp = (unsigned)whole_of(json, "warp", 0, 1024);
  out->warp_resync = truth_of(json, "warp_resync", false);
  json_t *kernels = json_object_get(json, "kernels");
  out->kernels = mem_calloc(json_array_size(kernels) + 1, sizeof *out->kernels);
  size_t i = 0;
  json_t *one = NULL;
  json_array_foreach(kernels, i, one) { out->kernels[out->kernel_count++] = read_kernel(one); }
  return 0;
}

static void launch_free(launch *l) {
  for (size_t i = 0; i < l->argument_count; i++) free(l->arguments[i].bytes);
  free(l->arguments);
  for (size_t i = 0; i < l->buffer_count; i++) free(l->buffers[i].held);
  free(l->buffers);
  free((void *)l->assume);
}

void request_free(request *r) {
  for (size_t i = 0; i < r->kernel_count; i++) {
    launch_free(&r->kernels[i].any);
    for (size_t n = 0; n < r->kernels[i].launch_count; n++) launch_free(&r->kernels[i].launches[n]);
    free(r->kernels[i].launches);
  }
  free(r->kernels);
  json_decref(r->json);
  *r = (request){0};
}

const kernel_request *request_kernel(const request *r, const char *name) {
  const kernel_request *others = NULL;
  for (size_t i = 0; i < r->kernel_count; i++) {
    if (strcmp(r->kernels[i].name, name) == 0) return &r->kernels[i];
    others = r->kernels[i].name[0] == '\0' ? &r->kernels[i] : others;
  }
  return others;
}

/* --- processor time, and a solver that is interrupted when it has used enough of it ------------------------------- */

double effort_now(void) { return clock_processor(); }

/* The query that is asked. */
static struct {
  pthread_mutex_t lock;
  Z3_context context;
  Z3_solver solver; /* NULL: none */
  double end;       /* effort_now() */
  timer_t timer;
  pid_t owner; /* the process that has the timer: a child has none */
} asked = {.lock = PTHREAD_MUTEX_INITIALIZER};

/* In a thread of its own. It may come late, when another query is asked. */
static void ring(union sigval unused) {
  (void)unused;
  (void)pthread_mutex_lock(&asked.lock);
  if (asked.solver != NULL && effort_now() >= asked.end) Z3_solver_interrupt(asked.context, asked.solver);
  (void)pthread_mutex_unlock(&asked.lock);
}

/* From then on it rings, again and again: an interrupt is lost before the solver has begun. 0: no more. */
static void wind(double seconds) {
  struct itimerspec when = {.it_interval = {.tv_nsec = seconds > 0 ? 50000000 : 0}};
  when.it_value.tv_sec = (time_t)seconds;
  when.it_value.tv_nsec = (long)((seconds - (double)when.it_value.tv_sec) * 1e9);
  (void)timer_settime(asked.timer, 0, &when, NULL);
}

static bool has_timer(void) {
  struct sigevent event = {.sigev_notify = SIGEV_THREAD, .sigev_notify_function = ring};
  if (asked.owner != getpid())
    asked.owner = timer_create(CLOCK_PROCESS_CPUTIME_ID, &event, &asked.timer) == 0 ? getpid() : 0;
  return asked.owner != 0;
}

static void note(Z3_context c, Z3_solver s, double end) {
  (void)pthread_mutex_lock(&asked.lock);
  asked.context = c;
  asked.solver = s;
  asked.end = end;
  (void)pthread_mutex_unlock(&asked.lock);
}

Z3_lbool effort_check(Z3_context c, Z3_solver s, unsigned count, const Z3_ast *assumptions, double seconds) {
  if (!has_timer()) return Z3_L_UNDEF;
  note(c, s, effort_now() + seconds);
  wind(seconds > 0.001 ? seconds : 0.001);
  const Z3_lbool result = Z3_solver_check_assumptions(c, s, count, assumptions);
  wind(0);
  note(NULL, NULL, 0);
  return result;
}
