/* A list of all functions, in which equal ones are one. */
#include "layer/observe/function.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "wire/protocol.h"

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

void function_after_fork(void) {
  pthread_mutex_t fresh = PTHREAD_MUTEX_INITIALIZER;
  function_lock = fresh;
  functions = NULL;
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
} fields[] = {{FIELD_PLANES, read_planes},
              {FIELD_ITEM_BYTES, read_item_bytes},
              {FIELD_MUTANT, read_mutant},
              {FIELD_AREA, read_area},
              {FIELD_OBJECTS, read_objects}};

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

function *function_read(wire_reader *r, cl_context c, uint32_t program_number, uint32_t index) {
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

function *function_like(const function *f, const schema *now) {
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
