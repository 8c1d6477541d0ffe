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
  if (f == NULL) {
    return;
  }
  pthread_mutex_lock(&function_lock);
  bool gone = atomic_fetch_sub(&f->references, 1) == 1;
  function **at = &functions;
  while (gone && *at != NULL && *at != f) {
    at = &(*at)->next;
  }
  if (gone && *at != NULL) {
    *at = f->next;
  }
  pthread_mutex_unlock(&function_lock);
  if (gone) {
    function_free(f);
  }
}

void function_after_fork(void) {
  pthread_mutex_t fresh = PTHREAD_MUTEX_INITIALIZER;
  function_lock = fresh;
  functions = NULL;
}

static bool same_schema(const schema *a, const schema *b) {
  if (a->kernel == NULL || b->kernel == NULL) {
    return a->kernel == NULL && b->kernel == NULL;
  }
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
  while (known != NULL && !same_function(known, f)) {
    known = known->next;
  }
  if (known != NULL) {
    function_retain(known);
  } else {
    f->next = functions;
    functions = f;
  }
  pthread_mutex_unlock(&function_lock);
  if (known == NULL) {
    return f;
  }
  function_free(f);
  return known;
}

static bool read_planes(reader *r, function *f) {
  uint32_t planes = read_u32(r);
  f->planes = planes & ~PLANES_IN_SLOTS;
  f->planes_in_slots = planes & PLANES_IN_SLOTS;
  return f->planes < PROTOCOL_MESSAGE_CAP / 8;
}

static bool read_counted(reader *r, function *f) {
  bool valid = read_planes(r, f);
  f->item_bytes = read_u32(r);
  uint32_t item_words = f->item_bytes < 4 ? 1 : f->item_bytes / 4;
  bool whole = f->item_bytes == 1 || f->item_bytes == 2 || (f->item_bytes > 0 && f->item_bytes % 4 == 0);
  return valid && whole && f->total_words >= item_words;
}

static bool read_gated(reader *r, function *f) { return read_planes(r, f) && f->total_words > 0; }

static bool read_mutated(reader *r, function *f) {
  f->schema.kernel = read_string(r);
  f->schema.mutant = read_u32(r);
  f->schema.fuel = read_u32(r);
  return f->total_words > 0;
}

static bool read_checked(reader *r, function *f) {
  f->area = read_u32(r);
  const uint32_t count = read_u32(r);
  if (r->failed || count > r->left / 16) {
    return false;
  }
  f->objects = calloc((size_t)count + 1, sizeof *f->objects);
  for (; f->objects != NULL && f->object_count < count; f->object_count++) {
    checked_object *o = &f->objects[f->object_count];
    o->argument = read_u32(r);
    o->local = read_u32(r) != 0;
    o->shift = read_u32(r) % 5u;
    o->writes = read_u32(r) != 0;
  }
  return f->objects != NULL && f->total_words > 0;
}

cl_uint function_hidden(const function *f) {
  return HIDDEN_ARGUMENTS + (f->form == KERNEL_CHECKED ? 1 + f->object_count : 0);
}

static bool read_form(reader *r, function *f) {
  switch (f->form) {
    case KERNEL_COUNTED:
      return read_counted(r, f);
    case KERNEL_GATED:
      return read_gated(r, f);
    case KERNEL_MUTATED:
      return read_mutated(r, f);
    case KERNEL_CHECKED:
      return read_checked(r, f);
    default:
      return false;
  }
}

function *function_read(reader *r, cl_context c, uint32_t program_number, uint32_t index) {
  function *f = calloc(1, sizeof *f);
  if (f == NULL) {
    return NULL;
  }
  atomic_init(&f->references, 1);
  f->context = c;
  f->program = program_number;
  f->kernel = index;
  f->name = read_string(r);
  f->form = (enum kernel_form)read_u32(r);
  f->flag_words = read_u32(r);
  f->total_words = read_u32(r);
  bool valid = read_form(r, f);
  if (!r->failed && valid && f->total_words <= PROTOCOL_MESSAGE_CAP / 8) {
    return function_intern(f);
  }
  function_free(f);
  return NULL;
}

function *function_like(const function *f, const schema *now) {
  function *made = calloc(1, sizeof *made);
  if (made == NULL) {
    return NULL;
  }
  *made = (function){.context = f->context,
                     .program = f->program,
                     .kernel = f->kernel,
                     .flag_words = f->flag_words,
                     .total_words = f->total_words};
  atomic_init(&made->references, 1);
  made->name = strdup(f->name);
  made->schema = (schema){.kernel = strdup(now->kernel), .mutant = now->mutant, .fuel = now->fuel};
  if (made->name != NULL && made->schema.kernel != NULL) {
    return function_intern(made);
  }
  function_free(made);
  return NULL;
}
