/* The walk through expressions: the places that they name, and what pointers point to. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "proofs/host/walk.h"

/* --- functions of libraries --------------------------------------------------------------------------------------- */

/* Functions of the system: which of them end the program, give memory, or compute; the rest changes what its pointers
 * to other than constants point to. */

typedef enum library_kind {
  LIBRARY_NONE, /* changes nothing of ours */
  LIBRARY_EXIT,
  LIBRARY_HEAP,
  LIBRARY_ZEROS,
  LIBRARY_SCAN,   /* writes where all of its arguments after the format point to */
  LIBRARY_PRINT,  /* into its first argument */
  LIBRARY_REAL,   /* a function of numbers */
  LIBRARY_SAME,   /* its first argument */
  LIBRARY_APPEND, /* a text to a text */
  LIBRARY_COPY,   /* of a text */
  LIBRARY_REACH,  /* changes all that its pointers lead to, by way of others too */
  LIBRARY_KEEP    /* keeps its pointers */
} library_kind;

static const struct {
  const char *names;
  library_kind kind;
  double (*compute)(double);
} functions[] = {
    {"printf fprintf puts fputs putchar perror fflush free fopen fclose atoi atol atof strlen strcmp "
     "strncmp memcmp rand srand clock getenv __builtin_isnan __builtin_isinf __builtin_isinf_sign "
     "__builtin_isfinite __builtin_isnormal __builtin_signbit __builtin_signbitf __builtin_va_start "
     "__builtin_va_end",
     LIBRARY_NONE, NULL},
    {"strcat", LIBRARY_APPEND, NULL},
    {"strcpy", LIBRARY_COPY, NULL},
    {"exit _exit _Exit quick_exit abort longjmp err errx terminate __builtin_unreachable __builtin_trap "
     "__assert_fail __assert_perror_fail __assert_rtn __assert",
     LIBRARY_EXIT, NULL},
    {"__builtin_expect", LIBRARY_SAME, NULL},
    {"__builtin_fabs __builtin_fabsf fabs", LIBRARY_REAL, fabs},
    {"malloc aligned_alloc memalign _mm_malloc alloca __builtin_alloca", LIBRARY_HEAP, NULL},
    {"calloc", LIBRARY_ZEROS, NULL},
    {"scanf fscanf sscanf", LIBRARY_SCAN, NULL},
    {"sprintf snprintf", LIBRARY_PRINT, NULL},
    {"ceil ceilf", LIBRARY_REAL, ceil},
    {"floor floorf", LIBRARY_REAL, floor},
    {"sqrt sqrtf log log2 pow abs", LIBRARY_REAL, NULL},
    {"pthread_create signal sigaction setvbuf setbuf putenv", LIBRARY_KEEP, NULL},
    {"getopt_long getopt_long_only", LIBRARY_REACH, NULL},
};
enum { FUNCTION_COUNT = sizeof functions / sizeof functions[0] };

static size_t find(const char *name) {
  const size_t length = strlen(name);
  for (size_t i = 0; i < FUNCTION_COUNT; i++) {
    for (const char *at = strstr(functions[i].names, name); at != NULL; at = strstr(at + 1, name))
      if ((at == functions[i].names || at[-1] == ' ') && (at[length] == ' ' || at[length] == '\0') && length > 0)
        return i;
  }
  return FUNCTION_COUNT;
}

/* Of functions that end the program, only those whose names nobody else uses. */
bool walk_is_library(const char *name) {
  const size_t f = find(name);
  return f < FUNCTION_COUNT &&
         (functions[f].kind != LIBRARY_EXIT || strcmp(name, "exit") == 0 || strcmp(name, "abort") == 0);
}

void walk_havoc_target(host_walk *w, const host_term *pointer, const host_type *type) {
  if (pointer->kind == TERM_TEXT || pointer->kind == TERM_FUNCTION || pointer->bits > 0 || pointer->real_number ||
      pointer->kind == TERM_REAL || term_is_null(pointer))
    return;
  const host_place *place = walk_target(w, pointer);
  if (place == NULL) {
    memory_expose(&w->memory, &w->state, pointer);
    memory_havoc_exposed(&w->memory, &w->state, type);
    return;
  }
  const host_object *o = place->object;
  if (o->kind == OBJECT_VARIABLE || o->kind == OBJECT_HEAP) {
    /* One element, or one field, may be the first of many. */
    memory_havoc(&w->memory, &w->state, place->kind == PLACE_FIELD ? place : o->place);
  }
}

/* Handles of OpenCL and files are pointers to structs that nobody sees. */
static bool is_handle(const host_type *type) {
  return type != NULL && type->kind == HOST_POINTER && type->target->kind == HOST_RECORD &&
         (strstr(type->target->name, "_cl_") != NULL || strcmp(type->target->name, "struct _IO_FILE") == 0);
}

static void change_targets(host_walk *w, const host_node *n, const host_term *const *values, size_t count,
                           size_t first) {
  bool callback = false;
  for (size_t i = first; i < count; i++) {
    const host_type *type = i < n->decl->type_count ? n->decl->types[i] : NULL;
    const bool pointer = type == NULL || type->kind == HOST_POINTER || type->kind == HOST_REFERENCE;
    callback = callback || values[i]->kind == TERM_FUNCTION;
    if (!pointer || is_handle(type) || (type != NULL && type->target->is_const)) continue;
    if (type == NULL && n->decl->type_count > 0 && !n->decl->variadic) continue;
    if (n->decl->method) memory_expose(&w->memory, &w->state, values[i]);
    walk_havoc_target(w, values[i], type == NULL || type->target->kind == HOST_VOID ? NULL : type->target);
  }
  for (size_t i = 0; i < count && callback; i++) memory_expose(&w->memory, &w->state, values[i]);
  if (callback) walk_havoc_world(w);
}

static const host_term *heap(host_walk *w, const host_node *n, bool zeros) {
  const host_object *o = memory_object(&w->memory, OBJECT_HEAP, n, w->context, NULL);
  memory_forget_object(&w->memory, &w->state, o);
  memory_begin(&w->memory, &w->state, o,
               zeros ? term_number(&w->memory.terms, 0, 32, true) : term_unset(&w->memory.terms));
  return term_address(&w->memory.terms, o->place);
}

static const host_term *real(host_walk *w, const host_node *n, const host_term *const *values, size_t count, size_t f) {
  if (count == 0 || count > 2) return walk_new(w, n->type);
  if (count == 1 && values[0]->kind == TERM_REAL && functions[f].compute != NULL)
    return term_real(&w->memory.terms, functions[f].compute(values[0]->real));
  return term_apply(&w->memory.terms, n->decl->name, values[0], count == 2 ? values[1] : NULL, n->type);
}

/* --- texts -------------------------------------------------------------------------------------------------------- */

/* The text that a pointer leads to; NULL where it is not known. */
static const host_term *text_at(host_walk *w, const host_term *pointer) {
  const host_place *place = pointer->kind == TERM_ADDRESS ? walk_target(w, pointer) : NULL;
  const host_term *text = place == NULL ? pointer : memory_load(&w->memory, &w->state, place);
  return text != NULL && (text->kind == TERM_TEXT || text->kind == TERM_FORMAT) && text->weight < 40 ? text : NULL;
}

/* A buffer holds a text from now on; NULL: one that is not known. */
static void put_text(host_walk *w, const host_term *pointer, const host_term *text) {
  walk_havoc_target(w, pointer, NULL);
  const host_place *place = walk_target(w, pointer);
  if (place != NULL && place->kind == PLACE_ELEMENT && place->index == 0 && text != NULL)
    state_set(&w->state, place, text);
}

/* One text after another. */
static const host_term *both(host_walk *w, const host_term *first, const host_term *second) {
  host_terms *t = &w->memory.terms;
  return first == NULL || second == NULL
             ? NULL
             : term_format(t, "%s%s", term_pair(t, first, term_pair(t, second, term_null(t))));
}

static const host_term *printed(host_walk *w, const host_term *const *values, size_t count, size_t format) {
  host_terms *t = &w->memory.terms;
  if (count <= format || values[format]->kind != TERM_TEXT) return NULL;
  const host_term *list = term_null(t);
  for (size_t i = count; i-- > format + 1;) {
    const host_term *text = values[i]->kind == TERM_ADDRESS ? text_at(w, values[i]) : NULL;
    list = term_pair(t, text == NULL ? values[i] : text, list);
  }
  return list->weight < 40 ? term_format(t, values[format]->text, list) : NULL;
}

static const host_node *without_casts(const host_node *n) {
  while (n->kind == HOST_CAST && n->count == 1) n = n->children[0];
  return n;
}

/* Evaluating it again changes nothing. */
static bool is_named(const host_node *n) {
  n = without_casts(n);
  return n->kind == HOST_NAME || (n->kind == HOST_MEMBER && (n->count == 0 || is_named(n->children[0])));
}

/* `text + strlen(text)`: the buffer; NULL for anything else. */
static const host_term *appended_to(host_walk *w, const host_node *n) {
  n = without_casts(n);
  if (n->kind == HOST_ADDRESS && n->children[0]->kind == HOST_SUBSCRIPT) /* &text[strlen(text)] */
    n = n->children[0];
  else if (n->kind != HOST_BINARY || n->op != OP_ADD)
    return NULL;
  const host_node *length = without_casts(n->children[1]);
  if (length->kind != HOST_CALL || length->decl == NULL || length->count != 2 ||
      strcmp(length->decl->name, "strlen") != 0 || !is_named(n->children[0]) || !is_named(length->children[1]))
    return NULL;
  const host_term *begin = walk_value(w, n->children[0]);
  const host_term *measured = walk_value(w, length->children[1]);
  return begin == measured && begin->kind == TERM_ADDRESS ? begin : NULL;
}

/* What a buffer holds after sprintf, with the values that are printed into it. */
static void print(host_walk *w, const host_node *n, const host_term *const *values, size_t count) {
  if (count == 0) return;
  const host_term *text = printed(w, values, count, strcmp(n->decl->name, "sprintf") == 0 ? 1 : 2);
  const host_term *before = appended_to(w, n->children[1]);
  if (before != NULL)
    put_text(w, before, both(w, text_at(w, before), text));
  else
    put_text(w, values[0], text);
}

static const host_term *copy_text(host_walk *w, const host_node *n, const host_term *const *values, size_t count,
                                  bool append) {
  if (count != 2) return walk_new(w, n->type);
  const host_term *text = text_at(w, values[1]);
  put_text(w, values[0], append ? both(w, text_at(w, values[0]), text) : text);
  return values[0];
}

/* Numbers out of texts, which the user of the program gives. */
static const host_term *number_of_text(host_walk *w, const host_node *n) {
  static const char *const names[] = {"atoi", "atol", "atoll", "strtol", "strtoul", "strtoll", "strtoull"};
  for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
    if (strcmp(names[i], n->decl->name) == 0) return term_given(&w->memory.terms, n->type);
  return NULL;
}

/* Whether it may be that a format stores how much was printed. */
static bool counts(const host_term *format) {
  bool found = format->kind != TERM_TEXT;
  for (const char *c = found ? NULL : strchr(format->text, '%'); c != NULL && !found; c = strchr(c, '%')) {
    c += 1 + strspn(c + 1, "-+ #0123456789.*hljztL");
    found = *c == 'n';
    c += *c == '%' ? 1 : 0;
  }
  return found;
}

/* What printf and its like are given. */
static void change_counted(host_walk *w, const host_node *n, const host_term *const *values, size_t count) {
  const size_t format = n->decl->type_count - 1;
  for (size_t i = format + 1; i < count && counts(values[format]); i++) walk_havoc_target(w, values[i], NULL);
}

const host_term *walk_library(host_walk *w, const host_node *n, const host_term *const *values, size_t count) {
  const size_t f = find(n->decl->name);
  const library_kind kind = f < FUNCTION_COUNT ? functions[f].kind : LIBRARY_NONE;
  if (f == FUNCTION_COUNT || n->decl->method) {
    change_targets(w, n, values, count, 0);
    const host_term *number = n->decl->method ? NULL : number_of_text(w, n);
    return number != NULL ? number : walk_new(w, n->type);
  }
  if ((kind == LIBRARY_NONE || kind == LIBRARY_PRINT) && n->decl->variadic && n->decl->type_count > 0 &&
      n->decl->type_count <= count)
    change_counted(w, n, values, count);
  switch (kind) {
    case LIBRARY_EXIT: w->state.dead = true; break;
    case LIBRARY_HEAP: return heap(w, n, false);
    case LIBRARY_ZEROS: return heap(w, n, true);
    case LIBRARY_REAL: return real(w, n, values, count, f);
    case LIBRARY_PRINT: print(w, n, values, count); break;
    case LIBRARY_SAME: return count > 0 ? values[0] : walk_new(w, n->type);
    case LIBRARY_APPEND:
    case LIBRARY_COPY: return copy_text(w, n, values, count, kind == LIBRARY_APPEND);
    case LIBRARY_SCAN:
      for (size_t i = 1; i < count; i++) walk_havoc_target(w, values[i], NULL);
      break;
    case LIBRARY_REACH:
    case LIBRARY_KEEP:
      for (size_t i = 0; i < count; i++) memory_expose(&w->memory, &w->state, values[i]);
      if (kind == LIBRARY_KEEP)
        walk_havoc_world(w);
      else
        memory_havoc_exposed(&w->memory, &w->state, NULL);
      break;
    default: break;
  }
  const host_term *number = number_of_text(w, n);
  return number != NULL ? number : walk_new(w, n->type);
}

const host_place *walk_variable_place(host_walk *w, const host_decl *d) {
  const host_context *context = d->global ? NULL : w->context;
  return memory_object(&w->memory, OBJECT_VARIABLE, d, context, d->type)->place;
}

static bool same_layout(const host_type *a, const host_type *b) {
  if (a == b || a == NULL || b == NULL) return true;
  const bool plain = a->kind == HOST_INTEGER || a->kind == HOST_FLOAT || a->kind == HOST_POINTER;
  if (plain)
    return a->kind == b->kind && a->size == b->size && a->is_signed == b->is_signed && a->is_bool == b->is_bool;
  const char *left = strncmp(a->name, "const ", 6) == 0 ? a->name + 6 : a->name;
  const char *right = strncmp(b->name, "const ", 6) == 0 ? b->name + 6 : b->name;
  return a->kind == b->kind && strcmp(left, right) == 0;
}

/* The only address among what a value may be; the null pointer points to nothing. */
static const host_term *only_address(const host_term *value, bool *several) {
  if (value->kind == TERM_CHOICE) {
    const host_term *a = only_address(value->b, several);
    const host_term *b = only_address(value->c, several);
    *several = *several || (a != NULL && b != NULL && a != b);
    return a == NULL ? b : a;
  }
  if (value->kind == TERM_ADDRESS) return value;
  *several = *several || !term_is_null(value);
  return NULL;
}

host_lvalue walk_pointee(host_walk *w, const host_term *pointer, const host_type *type) {
  bool several = false;
  const host_term *address = only_address(memory_given(&w->state, pointer), &several);
  if (address == NULL || several) {
    memory_expose(&w->memory, &w->state, pointer);
    return (host_lvalue){.type = type};
  }
  const host_place *place = address->place;
  if (place->kind == PLACE_ALL && place->object->kind == OBJECT_HEAP && place->type == NULL)
    place = memory_place(&w->memory, place, PLACE_ELEMENT, NULL, 0, type);
  if (!same_layout(place->type, type)) return (host_lvalue){.within = place->object->place, .type = type};
  return (host_lvalue){.place = place, .type = type};
}

const host_place *walk_target(host_walk *w, const host_term *pointer) {
  bool several = false;
  const host_term *address = only_address(memory_given(&w->state, pointer), &several);
  return several || address == NULL ? NULL : address->place;
}

/* An index that leaves an array which lies in something: there is another part of that. */
static bool leaves_row(const host_place *array, int64_t index, int64_t more) {
  const host_type *t = array->type;
  if (array->parent == NULL || t == NULL || t->kind != HOST_ARRAY || t->target == NULL || t->target->size == 0)
    return false;
  return index < 0 || index >= (int64_t)(t->size / t->target->size) + more;
}

const host_place *walk_element(host_walk *w, const host_term *pointer, int64_t index, const host_type *type) {
  const host_place *place = walk_target(w, pointer);
  if (place == NULL) return NULL;
  if (place->kind == PLACE_ALL && place->object->kind == OBJECT_HEAP && place->type == NULL)
    return memory_place(&w->memory, place, PLACE_ELEMENT, NULL, index, type);
  if (place->type != NULL && place->type->kind == HOST_ARRAY)
    place = memory_place(&w->memory, place, PLACE_ELEMENT, NULL, 0, place->type->target);
  if (!same_layout(place->type, type)) return NULL;
  if (place->kind == PLACE_ELEMENT && leaves_row(place->parent, place->index + index, 0)) return NULL;
  if (place->kind == PLACE_ELEMENT)
    return memory_place(&w->memory, place->parent, PLACE_ELEMENT, NULL, place->index + index, place->type);
  return index == 0 ? place : NULL;
}

const host_term *walk_lost(host_walk *w, const host_term *value, const host_type *type) {
  memory_expose(&w->memory, &w->state, value);
  return walk_new(w, type);
}

const host_term *walk_shifted(host_walk *w, const host_term *pointer, const host_term *by, c_operator op) {
  pointer = memory_given(&w->state, pointer);
  if (pointer->kind == TERM_ADDRESS && term_is_number(by)) {
    const host_place *place = pointer->place;
    const int64_t distance = op == OP_SUBTRACT ? -by->value : by->value;
    if (distance == 0) return pointer;
    if (place->kind == PLACE_ELEMENT && !leaves_row(place->parent, place->index + distance, 1)) {
      return term_address(&w->memory.terms, memory_place(&w->memory, place->parent, PLACE_ELEMENT, NULL,
                                                         place->index + distance, place->type));
    }
  }
  return walk_lost(w, pointer, NULL);
}

/* --- lvalues ------------------------------------------------------------------------------------------------------ */

static host_lvalue named(host_walk *w, const host_node *n) {
  const host_place *place = walk_variable_place(w, n->decl);
  if (n->decl->type->kind == HOST_REFERENCE) return walk_pointee(w, memory_load(&w->memory, &w->state, place), n->type);
  return (host_lvalue){.place = place, .type = n->type};
}

static host_lvalue member(host_walk *w, const host_node *n) {
  if (n->decl->kind == HOST_OBJECT) /* a static member */
    return (host_lvalue){.place = walk_variable_place(w, n->decl), .type = n->type};
  host_lvalue object = {0};
  if (n->count == 0)
    object.place = w->frame->self;
  else if (n->arrow)
    object = walk_pointee(w, walk_value(w, n->children[0]), n->children[0]->type->target);
  else
    object = walk_lvalue(w, n->children[0]);
  if (n->decl->kind != HOST_FIELD || n->decl->type->kind == HOST_REFERENCE || object.place == NULL)
    return (host_lvalue){.within = object.within, .type = n->type};
  return (host_lvalue){.place = memory_place(&w->memory, object.place, PLACE_FIELD, n->decl, 0, n->decl->type),
                       .type = n->type};
}

static host_lvalue element_of(host_walk *w, const host_place *array, const host_term *index, const host_type *type) {
  if (!term_is_number(index)) return (host_lvalue){.within = array, .type = type};
  if (leaves_row(array, index->value, 0)) return (host_lvalue){.within = array->object->place, .type = type};
  return (host_lvalue){.place = memory_place(&w->memory, array, PLACE_ELEMENT, NULL, index->value, type), .type = type};
}

static host_lvalue subscript(host_walk *w, const host_node *n) {
  const host_node *base = n->children[0];
  const host_node *index = n->children[1];
  if (base->type->kind == HOST_INTEGER) { /* 2[a] */
    base = n->children[1];
    index = n->children[0];
  }
  const host_term *pointer = memory_given(&w->state, walk_value(w, base));
  const host_term *by = memory_given(&w->state, walk_value(w, index));
  host_lvalue first = walk_pointee(w, pointer, n->type);
  if (first.place == NULL || term_is(by, 0)) return first;
  if (first.place->kind != PLACE_ELEMENT) /* of one object, only the first is there */
    return (host_lvalue){.within = first.place->object->place, .type = n->type};
  if (term_is_number(by)) by = term_number(&w->memory.terms, by->value + first.place->index, 64, true);
  return element_of(w, first.place->parent, by, n->type);
}

host_lvalue walk_lvalue(host_walk *w, const host_node *n) {
  w->steps++;
  switch (n->kind) {
    case HOST_NAME:
      if (n->decl->kind == HOST_OBJECT) return named(w, n);
      break;
    case HOST_MEMBER: return member(w, n);
    case HOST_SUBSCRIPT: return subscript(w, n);
    case HOST_DEREFERENCE: return walk_pointee(w, walk_value(w, n->children[0]), n->type);
    case HOST_CAST: { /* of an object: the same object, where it is no copy */
      const host_type *from = n->children[0]->type;
      if (same_layout(from, n->type)) return walk_lvalue(w, n->children[0]);
      (void)walk_value(w, n->children[0]);
      walk_havoc_named(w, n);
      return (host_lvalue){.type = n->type};
    }
    case HOST_ASSIGN:
    case HOST_UPDATE: (void)walk_value(w, n); return walk_lvalue(w, n->children[0]);
    case HOST_STEP:
      (void)walk_value(w, n);
      if (!n->postfix) return walk_lvalue(w, n->children[0]);
      break;
    case HOST_COMMA: (void)walk_value(w, n->children[0]); return walk_lvalue(w, n->children[1]);
    case HOST_STRING: break;
    default: /* one of several objects, or what a function gives of those that it is given */
      memory_expose(&w->memory, &w->state, walk_value(w, n));
      if (n->kind == HOST_CONDITIONAL || (n->kind == HOST_CALL && (n->decl == NULL || n->decl->body == NULL)))
        walk_havoc_named(w, n);
      break;
  }
  return (host_lvalue){.type = n->type};
}

const host_term *walk_load(host_walk *w, host_lvalue l) {
  if (l.place != NULL) return memory_load(&w->memory, &w->state, l.place);
  const bool plain = l.type != NULL && (l.type->kind == HOST_INTEGER || l.type->kind == HOST_FLOAT);
  if (l.within != NULL && !plain) /* any of the addresses in there */
    memory_expose(&w->memory, &w->state, term_address(&w->memory.terms, l.within));
  return walk_new(w, l.type);
}

void walk_store(host_walk *w, host_lvalue l, const host_term *value) {
  if (l.place != NULL) {
    memory_store(&w->memory, &w->state, l.place, value);
    return;
  }
  memory_expose(&w->memory, &w->state, value);
  if (l.within != NULL)
    memory_havoc(&w->memory, &w->state, l.within);
  else
    memory_havoc_exposed(&w->memory, &w->state, l.type);
}

/* --- initialisers ------------------------------------------------------------------------------------------------- */

/* Are braces left out, so that several values fill one field or element? */
static bool is_elided(const host_type *type, const host_node *list) {
  for (size_t i = 0; i < list->count; i++) {
    const host_type *slot = type->kind == HOST_ARRAY ? type->target
                            : i < type->field_count  ? type->fields[i]->type
                                                     : NULL;
    const host_node *value = list->children[i];
    const bool whole = slot != NULL && (slot->kind == HOST_RECORD || slot->kind == HOST_ARRAY);
    if (whole && value->kind != HOST_LIST && value->kind != HOST_STRING && value->type->kind != slot->kind) return true;
  }
  return false;
}

/* A list of values; what it has no values for is 0. Where fields are not known, anything may be in them. */
static void fill(host_walk *w, const host_place *place, const host_node *list) {
  const host_type *type = place->type;
  const host_term *zero = term_number(&w->memory.terms, 0, 32, true);
  const bool array = type->kind == HOST_ARRAY;
  const bool zeros =
      list->count == 0 || (list->count == 1 && list->children[0]->kind == HOST_NUMBER && list->children[0]->value == 0);
  const bool known = !list->designated && !type->begins && !is_elided(type, list) &&
                     (array || zeros || list->count <= type->field_count);
  memory_havoc(&w->memory, &w->state, place);
  if (known) state_set(&w->state, memory_place(&w->memory, place, PLACE_REST, NULL, 0, NULL), zero);
  for (size_t i = 0; i < list->count; i++) {
    if (known && array) {
      walk_initialise(w, memory_place(&w->memory, place, PLACE_ELEMENT, NULL, (int64_t)i, type->target),
                      list->children[i]);
    } else if (known && i < type->field_count) {
      host_decl *field = type->fields[i];
      walk_initialise(w, memory_place(&w->memory, place, PLACE_FIELD, field, 0, field->type), list->children[i]);
    } else {
      memory_expose(&w->memory, &w->state, walk_value(w, list->children[i]));
    }
  }
}

static const host_node *without_class_casts(const host_node *n) {
  while (n->kind == HOST_CAST && n->type->kind == HOST_RECORD && n->count == 1) n = n->children[0];
  return n;
}

void walk_initialise(host_walk *w, const host_place *place, const host_node *first) {
  const host_type *type = place->type;
  if (type != NULL && (type->kind == HOST_RECORD || type->kind == HOST_ARRAY)) {
    const host_node *plain = without_class_casts(first);
    if (plain->kind == HOST_CONSTRUCT && plain->count == 1 && plain->children[0]->type->kind == HOST_RECORD &&
        same_layout(plain->children[0]->type, type) && plain->decl->body == NULL)
      plain = without_class_casts(plain->children[0]); /* a copy */
    if (plain->kind == HOST_LIST) {
      fill(w, place, plain);
      return;
    }
    if (plain->kind == HOST_NAME || plain->kind == HOST_MEMBER || plain->kind == HOST_SUBSCRIPT ||
        plain->kind == HOST_DEREFERENCE) {
      host_lvalue from = walk_lvalue(w, plain);
      if (from.place != NULL && same_layout(from.place->type, type)) {
        memory_copy(&w->memory, &w->state, place, from.place);
        return;
      }
    }
    const host_term *value = walk_value(w, first);
    memory_havoc(&w->memory, &w->state, place);
    memory_expose(&w->memory, &w->state, value);
    return;
  }
  if (type != NULL && type->kind == HOST_REFERENCE) {
    const host_term *to = walk_reference(w, first);
    memory_expose(&w->memory, &w->state, to);
    state_set(&w->state, place, to);
    return;
  }
  /* in lists of C++ libclang shows no conversion to the type of what is initialised */
  const host_term *value = walk_value(w, first);
  const bool converted = type != NULL && (type->kind == HOST_INTEGER || term_is_integer(value));
  memory_store(&w->memory, &w->state, place, converted ? walk_convert(w, value, type) : value);
}
