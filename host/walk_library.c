/* Functions of the system: which of them end the program, give memory, or compute; the rest changes what its pointers
 * to other than constants point to. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "host/walk.h"

typedef enum library_kind {
  LIBRARY_NONE, /* changes nothing of ours */
  LIBRARY_EXIT,
  LIBRARY_HEAP,
  LIBRARY_ZEROS,
  LIBRARY_SCAN,  /* writes where all of its arguments behind the format point to */
  LIBRARY_PRINT, /* into its first argument */
  LIBRARY_REAL,  /* a function of numbers */
  LIBRARY_KEEP   /* keeps its pointers */
} library_kind;

static const struct {
  const char *name;
  library_kind kind;
  double (*compute)(double);
} functions[] = {
    {"printf", LIBRARY_NONE, NULL},
    {"fprintf", LIBRARY_NONE, NULL},
    {"puts", LIBRARY_NONE, NULL},
    {"fputs", LIBRARY_NONE, NULL},
    {"putchar", LIBRARY_NONE, NULL},
    {"perror", LIBRARY_NONE, NULL},
    {"fflush", LIBRARY_NONE, NULL},
    {"free", LIBRARY_NONE, NULL},
    {"fopen", LIBRARY_NONE, NULL},
    {"fclose", LIBRARY_NONE, NULL},
    {"atoi", LIBRARY_NONE, NULL},
    {"atol", LIBRARY_NONE, NULL},
    {"atof", LIBRARY_NONE, NULL},
    {"strlen", LIBRARY_NONE, NULL},
    {"strcmp", LIBRARY_NONE, NULL},
    {"strncmp", LIBRARY_NONE, NULL},
    {"memcmp", LIBRARY_NONE, NULL},
    {"rand", LIBRARY_NONE, NULL},
    {"srand", LIBRARY_NONE, NULL},
    {"clock", LIBRARY_NONE, NULL},
    {"getenv", LIBRARY_NONE, NULL},
    {"exit", LIBRARY_EXIT, NULL},
    {"_exit", LIBRARY_EXIT, NULL},
    {"_Exit", LIBRARY_EXIT, NULL},
    {"quick_exit", LIBRARY_EXIT, NULL},
    {"abort", LIBRARY_EXIT, NULL},
    {"longjmp", LIBRARY_EXIT, NULL},
    {"err", LIBRARY_EXIT, NULL},
    {"errx", LIBRARY_EXIT, NULL},
    {"terminate", LIBRARY_EXIT, NULL},
    {"__builtin_unreachable", LIBRARY_EXIT, NULL},
    {"__builtin_trap", LIBRARY_EXIT, NULL},
    {"__assert_fail", LIBRARY_EXIT, NULL},
    {"__assert_perror_fail", LIBRARY_EXIT, NULL},
    {"__assert_rtn", LIBRARY_EXIT, NULL},
    {"__assert", LIBRARY_EXIT, NULL},
    {"malloc", LIBRARY_HEAP, NULL},
    {"aligned_alloc", LIBRARY_HEAP, NULL},
    {"memalign", LIBRARY_HEAP, NULL},
    {"_mm_malloc", LIBRARY_HEAP, NULL},
    {"alloca", LIBRARY_HEAP, NULL},
    {"__builtin_alloca", LIBRARY_HEAP, NULL},
    {"calloc", LIBRARY_ZEROS, NULL},
    {"scanf", LIBRARY_SCAN, NULL},
    {"fscanf", LIBRARY_SCAN, NULL},
    {"sscanf", LIBRARY_SCAN, NULL},
    {"sprintf", LIBRARY_PRINT, NULL},
    {"snprintf", LIBRARY_PRINT, NULL},
    {"ceil", LIBRARY_REAL, ceil},
    {"ceilf", LIBRARY_REAL, ceil},
    {"floor", LIBRARY_REAL, floor},
    {"floorf", LIBRARY_REAL, floor},
    {"sqrt", LIBRARY_REAL, NULL},
    {"sqrtf", LIBRARY_REAL, NULL},
    {"log", LIBRARY_REAL, NULL},
    {"log2", LIBRARY_REAL, NULL},
    {"pow", LIBRARY_REAL, NULL},
    {"fabs", LIBRARY_REAL, fabs},
    {"abs", LIBRARY_REAL, NULL},
    {"pthread_create", LIBRARY_KEEP, NULL},
    {"signal", LIBRARY_KEEP, NULL},
    {"sigaction", LIBRARY_KEEP, NULL},
    {"setvbuf", LIBRARY_KEEP, NULL},
    {"setbuf", LIBRARY_KEEP, NULL},
    {"putenv", LIBRARY_KEEP, NULL},
};
enum { FUNCTION_COUNT = sizeof functions / sizeof functions[0] };

static size_t find(const char *name) {
  size_t i = 0;
  while (i < FUNCTION_COUNT && strcmp(functions[i].name, name) != 0) {
    i++;
  }
  return i;
}

/* Of functions that end the program, only those whose names nobody else uses. */
bool walk_is_library(const char *name) {
  const size_t f = find(name);
  return f < FUNCTION_COUNT &&
         (functions[f].kind != LIBRARY_EXIT || strcmp(name, "exit") == 0 || strcmp(name, "abort") == 0);
}

void walk_havoc_target(host_walk *w, const host_term *pointer, const host_type *type, host_where where) {
  if (pointer->kind == TERM_TEXT || pointer->kind == TERM_FUNCTION || pointer->bits > 0 || pointer->real_number ||
      pointer->kind == TERM_REAL || term_is_null(pointer)) {
    return;
  }
  const host_place *place = walk_target(w, pointer);
  if (place == NULL) {
    memory_expose(&w->memory, &w->state, pointer);
    memory_havoc_exposed(&w->memory, &w->state, type, where);
    return;
  }
  const host_object *o = place->object;
  if (o->kind == OBJECT_VARIABLE || o->kind == OBJECT_HEAP) {
    /* One element, or one field, may be the first of many. */
    memory_havoc(&w->memory, &w->state, place->kind == PLACE_FIELD ? place : o->place, where);
  }
}

/* Handles of OpenCL are pointers to structs that nobody sees. */
static bool is_handle(const host_type *type) {
  return type != NULL && type->kind == HOST_POINTER && type->target->kind == HOST_RECORD &&
         strstr(type->target->name, "_cl_") != NULL;
}

static void change_targets(host_walk *w, const host_node *n, const host_term *const *values, size_t count,
                           size_t first) {
  bool callback = false;
  for (size_t i = first; i < count; i++) {
    const host_type *type = i < n->decl->type_count ? n->decl->types[i] : NULL;
    const bool pointer = type == NULL || type->kind == HOST_POINTER || type->kind == HOST_REFERENCE;
    callback = callback || values[i]->kind == TERM_FUNCTION;
    if (!pointer || is_handle(type) || (type != NULL && type->target->is_const)) {
      continue;
    }
    if (type == NULL && n->decl->type_count > 0 && !n->decl->variadic) {
      continue;
    }
    if (n->decl->method) {
      memory_expose(&w->memory, &w->state, values[i]);
    }
    walk_havoc_target(w, values[i], type == NULL || type->target->kind == HOST_VOID ? NULL : type->target, n->where);
  }
  for (size_t i = 0; i < count && callback; i++) {
    memory_expose(&w->memory, &w->state, values[i]);
  }
  if (callback) {
    walk_havoc_world(w, n->where);
  }
}

static const host_term *heap(host_walk *w, const host_node *n, bool zeros) {
  const host_object *o = memory_object(&w->memory, OBJECT_HEAP, n, w->context, NULL);
  memory_forget_object(&w->memory, &w->state, o);
  memory_begin(&w->memory, &w->state, o,
               zeros ? term_number(&w->memory.terms, 0, 32, true) : term_unset(&w->memory.terms));
  return term_address(&w->memory.terms, o->place);
}

static const host_term *real(host_walk *w, const host_node *n, const host_term *const *values, size_t count, size_t f) {
  if (count == 0 || count > 2) {
    return walk_new(w, n->type, "", n->where);
  }
  if (count == 1 && values[0]->kind == TERM_REAL && functions[f].compute != NULL) {
    return term_real(&w->memory.terms, functions[f].compute(values[0]->real));
  }
  return term_apply(&w->memory.terms, functions[f].name, values[0], count == 2 ? values[1] : NULL, n->type);
}

/* The text that a buffer holds behind sprintf, with the values that are printed into it. */
static void print(host_walk *w, const host_node *n, const host_term *const *values, size_t count) {
  const size_t format = strcmp(n->decl->name, "sprintf") == 0 ? 1 : 2;
  if (count == 0) {
    return;
  }
  walk_havoc_target(w, values[0], NULL, n->where);
  const host_place *place = walk_target(w, values[0]);
  if (count <= format || place == NULL || values[format]->kind != TERM_TEXT) {
    return;
  }
  const host_term *list = term_null(&w->memory.terms);
  for (size_t i = count; i-- > format + 1;) {
    const host_term *value = values[i];
    const host_place *inner = value->kind == TERM_ADDRESS ? walk_target(w, value) : NULL;
    const host_term *text = inner == NULL ? NULL : memory_load(&w->memory, &w->state, inner);
    list = term_pair(&w->memory.terms,
                     text != NULL && (text->kind == TERM_TEXT || text->kind == TERM_FORMAT) ? text : value, list);
  }
  if (place->kind == PLACE_ELEMENT && place->index == 0 && list->weight < 40) {
    state_set(&w->state, place, term_format(&w->memory.terms, values[format]->text, list));
  }
}

const host_term *walk_library(host_walk *w, const host_node *n, const host_term *const *values, size_t count) {
  const size_t f = find(n->decl->name);
  const library_kind kind = f < FUNCTION_COUNT ? functions[f].kind : LIBRARY_NONE;
  if (f == FUNCTION_COUNT || n->decl->method) {
    change_targets(w, n, values, count, 0);
    return walk_new(w, n->type, n->decl->name, n->where);
  }
  switch (kind) {
    case LIBRARY_EXIT:
      w->state.dead = true;
      break;
    case LIBRARY_HEAP:
      return heap(w, n, false);
    case LIBRARY_ZEROS:
      return heap(w, n, true);
    case LIBRARY_REAL:
      return real(w, n, values, count, f);
    case LIBRARY_PRINT:
      print(w, n, values, count);
      break;
    case LIBRARY_SCAN:
      for (size_t i = 1; i < count; i++) {
        walk_havoc_target(w, values[i], NULL, n->where);
      }
      break;
    case LIBRARY_KEEP:
      for (size_t i = 0; i < count; i++) {
        memory_expose(&w->memory, &w->state, values[i]);
      }
      walk_havoc_world(w, n->where);
      break;
    default:
      break;
  }
  return walk_new(w, n->type, n->decl->name, n->where);
}
