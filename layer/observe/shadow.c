/* The instrumented twin of a program and its kernel functions: asked for over the connection, built in the same context
 * and for the same devices, released with the user's. */
#include "layer/observe/shadow.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "detectors/gates/record.h"
#include "layer/common/builds.h"
#include "layer/common/guest.h"
#include "layer/observe/connection.h"
#include "layer/observe/enqueue.h"
#include "layer/observe/queue.h"
#include "layer/observe/turn.h"

/* ---- what compilers print ----
 *
 * PoCL's compiler counts its warnings and errors on standard error ("1 error generated."). The user's program must
 * not show those of our builds: while one runs, standard error goes to memory, and everything else that was written
 * there meanwhile is handed on. Other platforms print nothing and are left alone. */

typedef struct quiet {
  int saved, memory;
} quiet;

#define OPTION_QUIET "-w"

#define FIRST_DESCRIPTOR 200

static pthread_mutex_t quiet_lock = PTHREAD_MUTEX_INITIALIZER;

static char *join_options(const char *options, const char *more) {
  size_t length = strlen(options) + strlen(more) + 2;
  char *joined = malloc(length);
  if (joined != NULL) snprintf(joined, length, "%s%s%s", options, *more ? " " : "", more);
  return joined;
}

static bool prints_counts(cl_device_id device) {
  cl_platform_id platform = NULL;
  char name[256] = "";
  driver.clGetDeviceInfo(device, CL_DEVICE_PLATFORM, sizeof(cl_platform_id), &platform, NULL);
  if (platform != NULL && driver.clGetPlatformInfo != NULL)
    driver.clGetPlatformInfo(platform, CL_PLATFORM_NAME, sizeof name - 1, name, NULL);
  return strcmp(name, "Portable Computing Language") == 0;
}

static void quiet_begin(quiet *q, cl_device_id device) {
  *q = (quiet){.saved = -1, .memory = -1};
  if (device == NULL || !prints_counts(device)) return;
  pthread_mutex_lock(&quiet_lock);
  q->saved = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, FIRST_DESCRIPTOR);
  q->memory = q->saved >= 0 ? memfd_create("cltestcheck", MFD_CLOEXEC) : -1;
  if (q->memory >= 0 && dup2(q->memory, STDERR_FILENO) >= 0) return;
  if (q->saved >= 0) close(q->saved);
  if (q->memory >= 0) close(q->memory);
  q->saved = q->memory = -1;
  pthread_mutex_unlock(&quiet_lock);
}

static bool begins(const char *text, size_t length, const char *with) {
  size_t n = strlen(with);
  return length >= n && memcmp(text, with, n) == 0;
}

/* "2 warnings and 1 error generated." */
static bool is_count(const char *line, size_t length) {
  static const char end[] = " generated.\n";
  size_t n = sizeof end - 1, digits = 0;
  while (digits < length && line[digits] >= '0' && line[digits] <= '9') digits++;
  if (!digits || length < digits + n || !begins(line + length - n, n, end)) return false;
  return begins(line + digits, length - digits, " warning") || begins(line + digits, length - digits, " error");
}

static void hand_on(const char *text, size_t length) {
  while (length) {
    const char *newline = memchr(text, '\n', length);
    size_t line = newline != NULL ? (size_t)(newline - text) + 1 : length;
    if (!is_count(text, line) && write(STDERR_FILENO, text, line) < 0) return;
    text += line;
    length -= line;
  }
}

static void quiet_end(quiet *q) {
  if (q->saved < 0) return;
  dup2(q->saved, STDERR_FILENO);
  close(q->saved);
  off_t size = lseek(q->memory, 0, SEEK_END);
  scoped char *text = size > 0 ? malloc((size_t)size) : NULL;
  if (text != NULL) {
    ssize_t got = pread(q->memory, text, (size_t)size, 0);
    hand_on(text, got > 0 ? (size_t)got : 0);
  }
  close(q->memory);
  q->saved = -1;
  pthread_mutex_unlock(&quiet_lock);
}

/* ---- functions: a list of all, in which equal ones are one ---- */

static pthread_mutex_t function_lock = PTHREAD_MUTEX_INITIALIZER;
static function *functions;

void function_retain(function *f) { atomic_fetch_add(&f->references, 1); }

static void function_free(function *f) {
  free(f->name);
  free(f->schema.kernel);
  free(f->objects);
  free(f);
}

void function_release(function *f) {
  if (f == NULL) return;
  pthread_mutex_lock(&function_lock);
  bool gone = atomic_fetch_sub(&f->references, 1) == 1;
  function **at = &functions;
  while (gone && *at != NULL && *at != f) at = &(*at)->next;
  if (gone && *at != NULL) *at = f->next;
  pthread_mutex_unlock(&function_lock);
  if (gone) function_free(f);
}

static bool same_schema(const schema *a, const schema *b) {
  if (a->kernel == NULL || b->kernel == NULL) return a->kernel == NULL && b->kernel == NULL;
  return a->mutant == b->mutant && a->fuel == b->fuel && strcmp(a->kernel, b->kernel) == 0;
}

static bool same_function(const function *a, const function *b) {
  return a->context == b->context && a->program == b->program && a->kernel == b->kernel && a->form == b->form &&
         a->item_bytes == b->item_bytes && a->flag_words == b->flag_words && a->total_words == b->total_words &&
         a->planes == b->planes && same_schema(&a->schema, &b->schema) && strcmp(a->name, b->name) == 0;
}

/* The known function equal to `f`, which is freed then, or `f`. */
static function *function_intern(function *f) {
  pthread_mutex_lock(&function_lock);
  function *known = functions;
  while (known != NULL && !same_function(known, f)) known = known->next;
  if (known != NULL) {
    function_retain(known);
  } else {
    f->next = functions;
    functions = f;
  }
  pthread_mutex_unlock(&function_lock);
  if (known == NULL) return f;
  function_free(f);
  return known;
}

static bool read_planes(wire_reader *r, function *f) {
  const uint32_t planes = wire_u32(r);
  f->planes = planes & ~PLANES_IN_SLOTS;
  f->planes_in_slots = planes & PLANES_IN_SLOTS;
  return f->planes < PROTOCOL_MESSAGE_CAP / 8;
}

static bool read_item_bytes(wire_reader *r, function *f) {
  f->item_bytes = wire_u32(r);
  const uint32_t item_words = f->item_bytes < 4 ? 1 : f->item_bytes / 4;
  const bool whole = f->item_bytes == 1 || f->item_bytes == 2 || (f->item_bytes > 0 && f->item_bytes % 4 == 0);
  return whole && f->total_words >= item_words;
}

static bool read_bits(wire_reader *r, function *f) {
  f->bits = wire_u32(r);
  return f->bits <= f->flag_words * 32;
}

static bool read_mutant(wire_reader *r, function *f) {
  f->schema.kernel = read_string(r);
  f->schema.mutant = wire_u32(r);
  f->schema.fuel = wire_u32(r);
  return true;
}

static bool read_area(wire_reader *r, function *f) {
  f->area = wire_u32(r);
  return true;
}

static bool read_objects(wire_reader *r, function *f) {
  const uint32_t count = wire_u32(r);
  if (r->failed || count > r->left / 16) return false;
  f->objects = calloc((size_t)count + 1, sizeof *f->objects);
  for (; f->objects != NULL && f->object_count < count; f->object_count++) {
    checked_object *o = &f->objects[f->object_count];
    o->argument = wire_u32(r);
    o->local = wire_u32(r) != 0;
    o->shift = wire_u32(r) % 5u;
    o->writes = wire_u32(r) != 0;
  }
  return f->objects != NULL;
}

/* In the order in which the message has them. */
static const struct {
  uint32_t field;
  bool (*read)(wire_reader *, function *);
} fields[] = {{FIELD_PLANES, read_planes}, {FIELD_ITEM_BYTES, read_item_bytes},
              {FIELD_BITS, read_bits},     {FIELD_MUTANT, read_mutant},
              {FIELD_AREA, read_area},     {FIELD_OBJECTS, read_objects}};

static bool read_fields(wire_reader *r, function *f) {
  if (f->form == KERNEL_UNKNOWN || f->form >= KERNEL_FORM_COUNT) return false;
  bool valid = f->total_words > 0;
  for (size_t i = 0; valid && i < sizeof fields / sizeof fields[0]; i++)
    valid = (kernel_forms[f->form].fields & fields[i].field) == 0 || fields[i].read(r, f);
  return valid;
}

cl_uint function_hidden(const function *f) {
  cl_uint count = 0;
  for (const hidden_value *v = kernel_forms[f->form].hidden; *v != HIDDEN_END; v++)
    count += *v == HIDDEN_OBJECTS ? f->object_count : 1;
  return count;
}

/* Reads one from a message, for this number among its program's; NULL: it is none, or there is no memory. */
static function *function_read(wire_reader *r, cl_context c, uint32_t program_number, uint32_t index) {
  function *f = calloc(1, sizeof *f);
  if (f == NULL) return NULL;
  atomic_init(&f->references, 1);
  f->context = c;
  f->program = program_number;
  f->kernel = index;
  f->name = read_string(r);
  f->form = (kernel_form)wire_u32(r);
  f->flag_words = wire_u32(r);
  f->total_words = wire_u32(r);
  bool valid = read_fields(r, f);
  if (!r->failed && valid && f->total_words <= PROTOCOL_MESSAGE_CAP / 8) return function_intern(f);
  function_free(f);
  return NULL;
}

/* The same function as one of a schema; NULL without memory. */
static function *function_like(const function *f, const schema *now) {
  function *made = calloc(1, sizeof *made);
  if (made == NULL) return NULL;
  *made = (function){.context = f->context,
                     .program = f->program,
                     .kernel = f->kernel,
                     .form = f->form,
                     .flag_words = f->flag_words,
                     .total_words = f->total_words};
  atomic_init(&made->references, 1);
  made->name = strdup(f->name);
  made->schema = (schema){.kernel = strdup(now->kernel), .mutant = now->mutant, .fuel = now->fuel};
  if (made->name != NULL && made->schema.kernel != NULL) return function_intern(made);
  function_free(made);
  return NULL;
}

typedef struct fact {
  uint32_t source;
  char *expression;
  uint32_t value;
} fact;

extern const char probe_text[]; /* probe.cl */

/* The names of the program's kernels, or NULL if the source does not build. Free it. */
static char *kernel_names(const context *c, const executable *r, const char *options, const char *source) {
  cl_int result = CL_SUCCESS;
  cl_program p = announced_build(c->object.handle, r->device_count, r->devices, source, options, &result);
  if (p == NULL) return NULL;
  char *names = NULL;
  size_t size = 0;
  if (result == CL_SUCCESS && driver.clGetProgramInfo(p, CL_PROGRAM_KERNEL_NAMES, 0, NULL, &size) == CL_SUCCESS) {
    names = calloc(1, size + 2);
    if (names != NULL && driver.clGetProgramInfo(p, CL_PROGRAM_KERNEL_NAMES, size, names, NULL) != CL_SUCCESS)
      names[0] = '\0';
  }
  driver.clReleaseProgram(p);
  return names;
}

static bool contains(const char *names, const char *name) {
  size_t length = strlen(name);
  for (const char *at = names; (at = strstr(at, name)) != NULL; at += length)
    if ((at == names || at[-1] == ';') && (at[length] == ';' || at[length] == '\0')) return true;
  return false;
}

static bool ask(const context *c, const executable *r, const char *options, fact **facts, size_t count) {
  size_t size = strlen(probe_text) + 1;
  for (size_t i = 0; i < count; i++) size += strlen(facts[i]->expression) + 96;
  scoped char *source = malloc(size);
  if (source == NULL) return false;
  size_t length = (size_t)snprintf(source, size, "%s", probe_text);
  for (size_t i = 0; i < count; i++) {
    length += (size_t)snprintf(source + length, size - length, "#if %s\n__kernel void cltc_q%zu(void) {}\n#endif\n",
                               facts[i]->expression, i);
  }
  scoped char *names = kernel_names(c, r, options, source);
  if (names == NULL) return false;
  for (size_t i = 0; i < count; i++) {
    char name[48];
    snprintf(name, sizeof name, "cltc_q%zu", i);
    facts[i]->value = contains(names, name);
  }
  return true;
}

/* Sets the value of `count` facts of one source. */
static void probe_answer(const context *c, const executable *r, const char *options, fact **facts, size_t count) {
  scoped char *quietly = count ? join_options(options, OPTION_QUIET) : NULL;
  if (quietly == NULL) return;
  quiet silence;
  quiet_begin(&silence, first_device(c, r));
  bool together = ask(c, r, quietly, facts, count);
  for (size_t i = 0; !together && i < count; i++)
    if (!ask(c, r, quietly, &facts[i], 1)) facts[i]->value = 0;
  quiet_end(&silence);
}

#define ROUNDS 16 /* of questions */

/* ---- the exchange ---- */

typedef struct facts {
  fact **items;
  size_t count;
} facts;

static void facts_free(facts *f) {
  for (size_t i = 0; i < f->count; i++) {
    free(f->items[i]->expression);
    free(f->items[i]);
  }
  free(f->items);
}

cl_device_id first_device(const context *c, const executable *r) {
  cl_device_id devices[64];
  size_t size = 0;
  if (r->device_count) return r->devices[0];
  if (driver.clGetContextInfo(c->object.handle, CL_CONTEXT_DEVICES, sizeof devices, devices, &size) != CL_SUCCESS)
    return NULL;
  return size ? devices[0] : NULL;
}

static void write_question(message *m, const char *key, const executable *r, const facts *known) {
  char directory[4096];
  message_start(m, MESSAGE_INSTRUMENT);
  MESSAGE_PUT(m, TEXT(key), TEXT(getcwd(directory, sizeof directory) != NULL ? directory : ""),
              U32((uint32_t)r->recipe.units.count));
  for (size_t i = 0; i < r->recipe.units.count; i++) {
    const unit *u = r->recipe.units.items[i];
    MESSAGE_PUT(m, COUNTED(u->text, u->length), TEXT(u->options), U32((uint32_t)u->header_count));
    for (size_t h = 0; h < u->header_count; h++) {
      message_string(m, u->headers[h].name);
      message_bytes(m, u->headers[h].text, u->headers[h].length);
    }
  }
  MESSAGE_PUT(m, U32(r->recipe.linked ? 1 : 0), TEXT(r->recipe.link_options), U32((uint32_t)r->input_count),
              U32((uint32_t)known->count));
  for (size_t i = 0; i < known->count; i++)
    MESSAGE_PUT(m, U32(known->items[i]->source), TEXT(known->items[i]->expression), U32(known->items[i]->value));
}

/* Reads questions and has the device's compiler answer them. */
static bool answer_questions(const context *c, const executable *r, wire_reader *in, facts *known) {
  uint32_t count = wire_u32(in);
  if (in->failed || !count || count > in->left / 8) return false;
  fact **grown = realloc(known->items, (known->count + count) * sizeof *grown);
  if (grown == NULL) return false;
  known->items = grown;
  size_t begin = known->count;
  for (uint32_t i = 0; i < count; i++) {
    fact *f = calloc(1, sizeof *f);
    if (f == NULL) return false;
    known->items[known->count++] = f;
    f->source = wire_u32(in);
    f->expression = read_string(in);
    if (in->failed || f->source >= r->recipe.units.count) return false;
  }
  scoped fact **batch = malloc(count * sizeof *batch);
  if (batch == NULL) return false;
  for (uint32_t source = 0; source < r->recipe.units.count; source++) {
    size_t asked = 0;
    for (size_t i = begin; i < known->count; i++)
      if (known->items[i]->source == source) batch[asked++] = known->items[i];
    probe_answer(c, r, r->recipe.units.items[source]->options, batch, asked);
  }
  return true;
}

/* The body of an answer of status OK after the status, or NULL. */
static unsigned char *exchange(const context *c, const executable *r, wire_reader *in) {
  cl_device_id device = first_device(c, r);
  scoped char *key = device != NULL ? device_key(device) : NULL;
  unsigned char *body = NULL;
  facts known = {0};
  for (int round = 0; key != NULL && round < ROUNDS; round++) {
    message m;
    size_t length = 0;
    write_question(&m, key, r, &known);
    if (!connection_ask(&m, MESSAGE_INSTRUMENTED, &body, &length)) {
      body = NULL;
      break;
    }
    *in = (wire_reader){.at = body, .left = length};
    uint32_t status = wire_u32(in);
    if (!in->failed && status == INSTRUMENTED_OK) break;
    bool again = !in->failed && status == INSTRUMENTED_QUESTIONS && answer_questions(c, r, in, &known);
    free(body);
    body = NULL;
    if (!again) break;
  }
  facts_free(&known);
  return body;
}

static bool read_answer(wire_reader *in, shadow *s) {
  s->number = wire_u32(in);
  uint32_t sources = wire_u32(in);
  if (in->failed || !sources || sources > in->left / 8) return false;
  s->sources = calloc(sources, sizeof *s->sources);
  if (s->sources == NULL) return false;
  for (s->source_count = 0; s->source_count < sources; s->source_count++) {
    s->sources[s->source_count].text = read_string(in);
    s->sources[s->source_count].options = read_string(in);
    const char *options = s->sources[s->source_count].options;
    s->watched = s->watched || (options != NULL && strstr(options, GATE_OPTION_WATCH) != NULL);
  }
  uint32_t kernels = wire_u32(in);
  if (in->failed || kernels > in->left / 16) return false;
  s->functions = calloc((size_t)kernels + 1, sizeof(function *));
  for (uint32_t i = 0; s->functions != NULL && i < kernels; i++) {
    function *f = function_read(in, s->context->object.handle, s->number, i);
    if (f == NULL) return false;
    s->functions[s->function_count++] = f;
    s->gated = s->gated || f->form == KERNEL_GATED;
  }
  return s->functions != NULL;
}

/* ---- building ---- */

/* Creates and builds (or only compiles) one source; the program also when that fails, for its log. */
static cl_program build_source(const shadow *s, size_t index, const char *more, bool compile_only, cl_int *result) {
  const char *text = s->sources[index].text;
  const executable *r = &s->executable;
  scoped char *options = join_options(s->sources[index].options, more);
  cl_program p = NULL;
  *result = CL_OUT_OF_HOST_MEMORY;
  if (options != NULL && compile_only) {
    p = driver.clCreateProgramWithSource(s->context->object.handle, 1, &text, NULL, result);
    *result = p == NULL ? *result
                        : driver.clCompileProgram(p, r->device_count, r->devices, options, 0, NULL, NULL, NULL, NULL);
  } else if (options != NULL) {
    p = announced_build(s->context->object.handle, r->device_count, r->devices, text, options, result);
  }
  return p;
}

static cl_program link_sources(const shadow *s, const char *more, cl_int *result) {
  size_t count = 0, total = s->source_count + s->executable.input_count;
  scoped cl_program *inputs = calloc(total, sizeof(cl_program));
  cl_program made = NULL;
  *result = inputs != NULL ? CL_SUCCESS : CL_OUT_OF_HOST_MEMORY;
  for (size_t i = 0; *result == CL_SUCCESS && i < s->source_count; i++) {
    cl_program p = build_source(s, i, more, true, result);
    if (p != NULL) inputs[count++] = p;
  }
  size_t own = count;
  if (*result == CL_SUCCESS) {
    for (size_t i = 0; i < s->executable.input_count; i++) inputs[count++] = s->executable.inputs[i];
    made = driver.clLinkProgram(s->context->object.handle, s->executable.device_count, s->executable.devices,
                                s->executable.recipe.link_options, (cl_uint)count, inputs, NULL, NULL, result);
  } else if (own) {
    made = inputs[--own]; /* its log says why */
  }
  while (own) driver.clReleaseProgram(inputs[--own]);
  return made;
}

static cl_program build(const shadow *s, const char *more, cl_int *result) {
  quiet silence;
  quiet_begin(&silence, first_device(s->context, &s->executable));
  cl_program p = s->executable.recipe.linked ? link_sources(s, more, result) : build_source(s, 0, more, false, result);
  quiet_end(&silence);
  if (p != NULL) atomic_fetch_add(&s->context->programs, 1);
  return p;
}

static void release_program(const shadow *s, cl_program p) {
  if (p == NULL) return;
  atomic_fetch_sub(&s->context->programs, 1);
  driver.clReleaseProgram(p);
}

/* The extension that a kernel's form needs and the device does not have, or NULL. */
static const char *missing_extension(const shadow *s) {
  cl_device_id device = first_device(s->context, &s->executable);
  size_t size = 0;
  const char *missing = NULL;
  if (driver.clGetDeviceInfo(device, CL_DEVICE_EXTENSIONS, 0, NULL, &size) != CL_SUCCESS) return NULL;
  scoped char *extensions = calloc(1, size + 1);
  if (extensions == NULL || driver.clGetDeviceInfo(device, CL_DEVICE_EXTENSIONS, size, extensions, NULL) != CL_SUCCESS)
    return NULL;
  for (size_t i = 0; i < s->function_count && missing == NULL; i++) {
    const char *needed = kernel_forms[s->functions[i]->form].extension;
    missing = needed != NULL && strstr(extensions, needed) == NULL ? needed : NULL;
  }
  return missing;
}

static void send_refused(const shadow *s, const char *why) { TELL(MESSAGE_REFUSED, U32(s->number), TEXT(why)); }

/* Whether the device cannot run these forms of the kernels, which is said; building them would only fail. */
static bool is_beyond_device(const shadow *s) {
  const char *missing = missing_extension(s);
  char text[160];
  if (missing != NULL) {
    snprintf(text, sizeof text, REFUSED_BEFORE "%s, which the check of accesses needs", missing);
    send_refused(s, text);
  }
  return missing != NULL;
}

static void tell_refused(const shadow *s, cl_program p, cl_int error) {
  cl_device_id device = first_device(s->context, &s->executable);
  size_t size = 0;
  scoped char *log = NULL;
  if (p != NULL && device != NULL &&
      driver.clGetProgramBuildInfo(p, device, CL_PROGRAM_BUILD_LOG, 0, NULL, &size) == CL_SUCCESS && size)
    log = calloc(1, size + 1);
  if (log != NULL) driver.clGetProgramBuildInfo(p, device, CL_PROGRAM_BUILD_LOG, size, log, NULL);
  char text[64];
  snprintf(text, sizeof text, "OpenCL error %d", error);
  send_refused(s, log != NULL && log[0] ? log : text);
}

/* ---- the shadow ---- */

/* Of gated kernels it must be known which arguments are memory; compilers before OpenCL 1.2 have no words for it. */
static const char *build_options(const shadow *s) {
  cl_device_id device = s->gated ? first_device(s->context, &s->executable) : NULL;
  char version[1024] = "OpenCL 1.0";
  if (device != NULL) driver.clGetDeviceInfo(device, CL_DEVICE_VERSION, sizeof version, version, NULL);
  bool old = strncmp(version, "OpenCL 1.0", 10) == 0 || strncmp(version, "OpenCL 1.1", 10) == 0;
  return old ? OPTION_QUIET : OPTION_QUIET " -cl-kernel-arg-info";
}

shadow *shadow_retain(shadow *s) {
  if (s != NULL) atomic_fetch_add(&s->references, 1);
  return s;
}

void shadow_release(shadow *s) {
  if (s == NULL || atomic_fetch_sub(&s->references, 1) != 1) return;
  turn_forget(s);
  release_program(s, s->program);
  release_program(s, s->direct);
  for (size_t i = 0; i < s->source_count; i++) {
    free(s->sources[i].text);
    free(s->sources[i].options);
  }
  for (size_t i = 0; i < s->function_count; i++) function_release(s->functions[i]);
  free(s->sources);
  free(s->functions);
  executable_free(&s->executable);
  context_unhold(s->context);
  pthread_mutex_destroy(&s->lock);
  free(s);
}

/* Everything but the units moves from the executable to the shadow. */
static void take_executable(shadow *s, executable *r) {
  s->executable = *r;
  s->executable.recipe.units = (unit_list){0};
  *r = (executable){.recipe = {.units = r->recipe.units}};
}

shadow *shadow_make(context *c, executable *r) {
  wire_reader in = {0};
  scoped unsigned char *body = exchange(c, r, &in);
  shadow *s = body != NULL ? calloc(1, sizeof *s) : NULL;
  if (s == NULL) return NULL;
  atomic_init(&s->references, 1);
  pthread_mutex_init(&s->lock, NULL);
  s->context = context_hold(c->object.handle);
  bool understood = s->context != NULL && read_answer(&in, s) && (r->recipe.linked || s->source_count == 1);
  if (!understood) {
    note_uninstrumented(s->number, "the layer did not understand the answer for a program, which runs uninstrumented");
    shadow_release(s);
    return NULL;
  }
  take_executable(s, r);
  if (is_beyond_device(s)) {
    shadow_release(s);
    return NULL;
  }
  cl_int result = CL_SUCCESS;
  if (s->gated) atomic_store(&waits_wanted, true);
  s->program = build(s, build_options(s), &result);
  if (s->program == NULL || result != CL_SUCCESS) {
    tell_refused(s, s->program, result);
    shadow_release(s);
    return NULL;
  }
  TELL(MESSAGE_BUILT, U32(s->number));
  turn_shadow(s);
  return s;
}

function *shadow_function(const shadow *s, const char *name) {
  for (size_t i = 0; i < s->function_count; i++)
    if (strcmp(s->functions[i]->name, name) == 0) return s->functions[i];
  return NULL;
}

void shadow_switch(shadow *s, const char *name, const schema *now) {
  for (size_t i = 0; i < s->function_count; i++) {
    function *old = s->functions[i];
    function *made = strcmp(old->name, name) == 0 && old->schema.kernel != NULL ? function_like(old, now) : NULL;
    if (made != NULL) {
      s->functions[i] = made;
      function_release(old);
    }
  }
}

cl_program shadow_direct(shadow *s) {
  pthread_mutex_lock(&s->lock);
  if (!s->direct_tried) {
    s->direct_tried = true;
    cl_int result = CL_SUCCESS;
    s->direct = build(s, OPTION_QUIET " " OPTION_DIRECT, &result);
    if (result != CL_SUCCESS) {
      release_program(s, s->direct);
      s->direct = NULL;
      note_uninstrumented(s->number, "an instrumented program did not build with " OPTION_DIRECT
                                     "; launches too large for slots run uninstrumented");
    }
  }
  pthread_mutex_unlock(&s->lock);
  return s->direct;
}

void shadow_after_fork(void) {
  quiet_lock = (pthread_mutex_t)PTHREAD_MUTEX_INITIALIZER;
  function_lock = (pthread_mutex_t)PTHREAD_MUTEX_INITIALIZER;
  functions = NULL;
}
