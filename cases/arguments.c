/* The arguments of a launch, by name or by position. */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/suggest.h"
#include "capture/number.h"
#include "cases/internal.h"

typedef struct giving {
  composing *c;
  const case_kernel *kernel;
  const case_parameter *parameter;
  yaml_value *v;
  capture_command *to;
} giving;

static int wrong_value(const giving *g, const char *what) {
  return yaml_wrong(g->c->suite->file, g->v, g->c->e, "argument %s of %s %s", g->parameter->name, g->kernel->name,
                    what);
}

/* --- memory ------------------------------------------------------------------------------------------------------- */

static const char *kind_name(case_object_kind kind) {
  return kind == OBJECT_BUFFER ? "buffer" : kind == OBJECT_IMAGE ? "image" : "sampler";
}

static int give_object(const giving *g, case_object_kind kind) {
  composing *c = g->c;
  const char *name = yaml_text(g->v);
  if (kind == OBJECT_BUFFER && yaml_is_plain(g->v) && (strcmp(name, "null") == 0 || strcmp(name, "~") == 0)) {
    g->to->u.argument.object = CAPTURE_NONE;
    return 0;
  }
  case_object *o = yaml_is_text(g->v) ? compose_find(c, name) : NULL;
  if (o != NULL && o->kind == kind) {
    g->to->u.argument.object = o->number;
    o->written = o->written || (kind != OBJECT_SAMPLER && !g->parameter->read_only);
    return 0;
  }
  suggestion near = {.word = name};
  for (size_t i = 0; i < c->object_count; i++) {
    if (c->objects[i].kind == kind) {
      suggest_consider(&near, c->objects[i].name);
    }
  }
  return yaml_wrong(c->suite->file, g->v, c->e, "argument %s of %s is %s %s, and there is no %s \"%s\"%s%s%s",
                    g->parameter->name, g->kernel->name, kind == OBJECT_IMAGE ? "an" : "a", kind_name(kind),
                    kind_name(kind), name, near.best == NULL ? "" : "; did you mean ",
                    near.best == NULL ? "" : near.best, near.best == NULL ? "" : "?");
}

/* {buffer: x, from: 16, elements: 32}: a part, which is a sub-buffer. */
static int give_part(const giving *g) {
  composing *c = g->c;
  yaml_value *name, *from, *elements;
  const yaml_key keys[] = {{"buffer", &name}, {"from", &from}, {"elements", &elements}};
  int64_t first = 0, count = 0;
  if (yaml_keys(c->suite->file, g->v, "a part of a buffer", keys, 3, c->e) != 0) {
    return -1;
  }
  case_object *o = name == NULL ? NULL : compose_find(c, yaml_text(name));
  if (o == NULL || o->kind != OBJECT_BUFFER) {
    return wrong_value(g, "is a part of a buffer, and there is no such buffer");
  }
  if (compose_part(c, o, from, elements, &first, &count) != 0) {
    return -1;
  }
  o->written = o->written || !g->parameter->read_only;
  const capture_command argument = *g->to;
  c->out->capture.places[c->out->capture.place_count - 1].element = o->type.size;
  g->to->kind = CAPTURE_SUB_BUFFER;
  g->to->u.sub_buffer.parent = o->number;
  g->to->u.sub_buffer.flags = 0;
  g->to->u.sub_buffer.origin = (uint64_t)first * o->type.size;
  g->to->u.sub_buffer.size = (uint64_t)count * o->type.size;
  capture_command *next = compose_command(c, CAPTURE_ARGUMENT);
  *next = argument;
  next->u.argument.object = c->memory_count++;
  return 0;
}

static int give_memory(const giving *g) {
  g->to->u.argument.kind = CAPTURE_MEMORY;
  return yaml_is_map(g->v) ? give_part(g) : give_object(g, OBJECT_BUFFER);
}

/* {local: float, elements: 64}, or {local: 256} bytes. */
static int give_local(const giving *g) {
  composing *c = g->c;
  yaml_value *local, *elements;
  const yaml_key keys[] = {{"local", &local}, {"elements", &elements}};
  element_type type = {.size = 1};
  int64_t count = 0;
  if (!yaml_is_map(g->v)) {
    return wrong_value(g, "is local memory, such as {local: float, elements: 64}, or {local: 256} of bytes");
  }
  if (yaml_keys(c->suite->file, g->v, "local memory", keys, 2, c->e) != 0) {
    return -1;
  }
  if (local == NULL) {
    return wrong_value(g, "is local memory, such as {local: float, elements: 64}, or {local: 256} of bytes");
  }
  if (elements != NULL) {
    char *name = case_text(c->suite, &c->names, local, c->e);
    const bool known = name != NULL && case_element_find(name, &c->kernels, &type);
    free(name);
    if (!known) {
      return name == NULL ? -1 : yaml_wrong(c->suite->file, local, c->e, "there is no such type");
    }
  }
  if (case_integer(c->suite, &c->names, elements == NULL ? local : elements, "the size of local memory", 1, 1 << 30,
                   &count, c->e) != 0) {
    return -1;
  }
  g->to->u.argument.kind = CAPTURE_LOCAL;
  g->to->u.argument.size = (uint64_t)count * type.size;
  return 0;
}

/* --- values ------------------------------------------------------------------------------------------------------- */

static int put_value(const giving *g, const element_type *t, yaml_value *v, unsigned char *to) {
  composing *c = g->c;
  formula_value value;
  if (case_number(c->suite, &c->names, v, &value, c->e) != 0) {
    return -1;
  }
  if (number_is_real(t->number)) {
    number_put_real(t->number, to, formula_real(value));
    return 0;
  }
  number_wide integer = 0;
  if (case_whole(t->number, value, &integer)) {
    number_put_integer(t->number, to, integer);
    return 0;
  }
  buffer what = {0};
  buffer_printf(&what, "argument %s of %s", g->parameter->name, g->kernel->name);
  const int result = case_not_whole(c->suite, t->number, buffer_text(&what), value, v, c->e);
  buffer_free(&what);
  return result;
}

static int digit(char c) {
  static const char digits[] = "0123456789abcdef";
  const char *at = c == '\0' ? NULL : strchr(digits, c >= 'A' && c <= 'F' ? c - 'A' + 'a' : c);
  return at == NULL ? -1 : (int)(at - digits);
}

/* {bytes: "00 01 ff"} */
static int put_bytes(const giving *g, unsigned char *to, size_t size) {
  yaml_value *bytes = yaml_find(g->c->suite->file, g->v, "bytes");
  const char *at = bytes == NULL ? "" : yaml_text(bytes);
  size_t count = 0;
  while (*at != '\0') {
    const int high = digit(at[0]), low = high < 0 ? -1 : digit(at[1]);
    if (*at == ' ') {
      at++;
      continue;
    }
    if (low < 0 || count == size) {
      break;
    }
    to[count++] = (unsigned char)(high * 16 + low);
    at += 2;
  }
  return *at == '\0' && count == size && yaml_count(g->v) == 1
             ? 0
             : yaml_wrong(g->c->suite->file, g->v, g->c->e,
                          "argument %s of %s is a %s of %zu bytes, as in {bytes: \"00 01 ff\"}", g->parameter->name,
                          g->kernel->name, g->parameter->type, size);
}

static int give_value(const giving *g) {
  element_type type;
  const bool number = case_element_find(g->parameter->type, NULL, &type);
  const bool counts = strncmp(g->parameter->type, "enum ", 5) == 0 && g->parameter->size == 4;
  const size_t size = number ? type.size : g->parameter->size;
  if (counts) {
    type = (element_type){NUMBER_INT, 1, 1, 4};
  }
  if (size == 0) {
    return wrong_value(g, "has a type that is not known here");
  }
  unsigned char *bytes = mem_calloc(1, size);
  g->to->u.argument.kind = CAPTURE_VALUE;
  g->to->u.argument.size = size;
  g->to->u.argument.bytes = bytes;
  if (yaml_is_map(g->v) || (!number && !counts)) {
    return put_bytes(g, bytes, size);
  }
  if (!yaml_is_list(g->v)) {
    for (uint32_t lane = 0; lane < type.used; lane++) {
      if (put_value(g, &type, g->v, bytes + lane * number_size(type.number)) != 0) {
        return -1;
      }
    }
    return 0;
  }
  if (yaml_count(g->v) != type.used) {
    return yaml_wrong(g->c->suite->file, g->v, g->c->e, "argument %s of %s is a %s, and these are %zu numbers",
                      g->parameter->name, g->kernel->name, g->parameter->type, yaml_count(g->v));
  }
  for (uint32_t lane = 0; lane < type.used; lane++) {
    yaml_value *item = yaml_item(g->c->suite->file, g->v, lane);
    if (put_value(g, &type, item, bytes + lane * number_size(type.number)) != 0) {
      return -1;
    }
  }
  return 0;
}

/* --- all ---------------------------------------------------------------------------------------------------------- */

static int give(const giving *g) {
  switch (g->parameter->kind) {
    case CASE_MEMORY:
      return give_memory(g);
    case CASE_LOCAL:
      return give_local(g);
    case CASE_IMAGE:
      g->to->u.argument.kind = CAPTURE_MEMORY;
      return give_object(g, OBJECT_IMAGE);
    case CASE_SAMPLER:
      g->to->u.argument.kind = CAPTURE_SAMPLE;
      return give_object(g, OBJECT_SAMPLER);
    case CASE_VALUE:
      return give_value(g);
    default:
      return wrong_value(g, "is of a kind that a case cannot give");
  }
}

static int give_one(composing *c, const case_kernel *k, uint32_t number, size_t index, yaml_value *v) {
  capture_command *to = compose_command(c, CAPTURE_ARGUMENT);
  to->u.argument.kernel = number;
  to->u.argument.index = (uint32_t)index;
  to->u.argument.object = CAPTURE_NONE;
  const giving g = {c, k, &k->parameters[index], v, to};
  return give(&g);
}

static int unknown_name(composing *c, const case_kernel *k, const char *name, yaml_value *at) {
  suggestion near = {.word = name};
  buffer list = {0};
  for (size_t i = 0; i < k->count; i++) {
    suggest_consider(&near, k->parameters[i].name);
    buffer_printf(&list, "%s%s", i == 0 ? "" : ", ", k->parameters[i].name);
  }
  const int result = near.best != NULL ? yaml_wrong(c->suite->file, at, c->e, "%s has no argument %s; did you mean %s?",
                                                    k->name, name, near.best)
                                       : yaml_wrong(c->suite->file, at, c->e, "%s has no argument %s, but %s", k->name,
                                                    name, k->count == 0 ? "none at all" : buffer_text(&list));
  buffer_free(&list);
  return result;
}

static int by_name(composing *c, const case_kernel *k, uint32_t number, yaml_value *args) {
  bool *given = mem_calloc(k->count + 1, sizeof *given);
  int result = 0;
  for (size_t i = 0; i < yaml_count(args) && result == 0; i++) {
    const char *name = NULL;
    yaml_value *at = NULL, *v = yaml_pair(c->suite->file, args, i, &name, &at);
    size_t p = 0;
    while (p < k->count && strcmp(k->parameters[p].name, name) != 0) {
      p++;
    }
    if (p == k->count) {
      result = unknown_name(c, k, name, at);
    } else if (given[p]) {
      result = yaml_wrong(c->suite->file, at, c->e, "argument %s of %s is there twice", name, k->name);
    } else {
      given[p] = true;
      result = give_one(c, k, number, p, v);
    }
  }
  for (size_t p = 0; p < k->count && result == 0; p++) {
    if (!given[p]) {
      result = yaml_wrong(c->suite->file, args, c->e, "argument %s of %s is missing", k->parameters[p].name, k->name);
    }
  }
  free(given);
  return result;
}

int compose_arguments(composing *c, const case_kernel *k, uint32_t number, yaml_value *args, yaml_value *launch) {
  if (args == NULL) {
    return k->count == 0 ? 0
                         : yaml_wrong(c->suite->file, launch, c->e, "this launch wants args: %s has %zu argument%s",
                                      k->name, k->count, k->count == 1 ? "" : "s");
  }
  if (yaml_is_map(args)) {
    return by_name(c, k, number, args);
  }
  if (!yaml_is_list(args) || yaml_count(args) != k->count) {
    return yaml_wrong(c->suite->file, args, c->e, "%s has %zu argument%s: args gives each, by name or in order",
                      k->name, k->count, k->count == 1 ? "" : "s");
  }
  for (size_t i = 0; i < k->count; i++) {
    if (give_one(c, k, number, i, yaml_item(c->suite->file, args, i)) != 0) {
      return -1;
    }
  }
  return 0;
}
