/* The steps of a case: launches, and between them what the host writes and reads. */
#include <stdlib.h>
#include <string.h>

#include "base/integer.h"
#include "base/memory.h"
#include "base/names.h"
#include "cases/internal.h"

/* The arguments of a launch, by name or by position. */

typedef struct giving {
  composing *c;
  const case_kernel *kernel;
  const case_parameter *parameter;
  yaml_value *v;
  capture_command *to;
} giving;

static int wrong_value(const giving *g, const char *what) {
  return case_wrong(&g->c->in, g->v, "argument %s of %s %s", g->parameter->name, g->kernel->name, what);
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
  for (size_t i = 0; i < c->object_count; i++)
    if (c->objects[i].kind == kind) suggest_consider(&near, c->objects[i].name);
  return case_wrong(&c->in, g->v, "argument %s of %s is %s %s, and there is no %s \"%s\"%s%s%s", g->parameter->name,
                    g->kernel->name, kind == OBJECT_IMAGE ? "an" : "a", kind_name(kind), kind_name(kind), name,
                    near.best == NULL ? "" : "; did you mean ", near.best == NULL ? "" : near.best,
                    near.best == NULL ? "" : "?");
}

/* {buffer: x, from: 16, elements: 32}: a part, which is a sub-buffer. */
static int give_part(const giving *g) {
  composing *c = g->c;
  yaml_value *name, *from, *elements;
  const yaml_key keys[] = {{"buffer", &name}, {"from", &from}, {"elements", &elements}};
  int64_t first = 0, count = 0;
  if (case_keys(&c->in, g->v, "a part of a buffer", keys, 3) != 0) return -1;
  case_object *o = name == NULL ? NULL : compose_find(c, yaml_text(name));
  if (o == NULL || o->kind != OBJECT_BUFFER)
    return wrong_value(g, "is a part of a buffer, and there is no such buffer");
  if (compose_part(c, o, from, elements, &first, &count) != 0) return -1;
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
  if (!yaml_is_map(g->v))
    return wrong_value(g, "is local memory, such as {local: float, elements: 64}, or {local: 256} of bytes");
  if (case_keys(&c->in, g->v, "local memory", keys, 2) != 0) return -1;
  if (local == NULL)
    return wrong_value(g, "is local memory, such as {local: float, elements: 64}, or {local: 256} of bytes");
  if (elements != NULL) {
    char *name = case_text(&c->in, local);
    const bool known = name != NULL && case_element_find(name, &c->kernels, &type);
    free(name);
    if (!known) return name == NULL ? -1 : case_wrong(&c->in, local, "there is no such type");
  }
  if (case_integer(&c->in, elements == NULL ? local : elements, "the size of local memory", 1, 1 << 30, &count) != 0)
    return -1;
  g->to->u.argument.kind = CAPTURE_LOCAL;
  g->to->u.argument.size = (uint64_t)count * type.size;
  return 0;
}

/* --- values ------------------------------------------------------------------------------------------------------- */

static int put_value(const giving *g, const element_type *t, yaml_value *v, unsigned char *to) {
  composing *c = g->c;
  formula_value value;
  if (case_number(&c->in, v, &value) != 0) return -1;
  if (case_put(t->number, value, to)) return 0;
  scoped_buffer what = {0};
  buffer_printf(&what, "argument %s of %s", g->parameter->name, g->kernel->name);
  return case_not_put(&c->in, t->number, buffer_text(&what), value, v);
}

/* {bytes: "00 01 ff"} */
static int put_bytes(const giving *g, unsigned char *to, size_t size) {
  yaml_value *bytes = yaml_find(g->c->in.file, g->v, "bytes");
  const char *at = bytes == NULL ? "" : yaml_text(bytes);
  size_t count = 0;
  while (*at != '\0') {
    const int high = hex_digit(at[0]), low = high < 0 ? -1 : hex_digit(at[1]);
    if (*at == ' ') {
      at++;
      continue;
    }
    if (low < 0 || count == size) break;
    to[count++] = (unsigned char)(high * 16 + low);
    at += 2;
  }
  return *at == '\0' && count == size && yaml_count(g->v) == 1
             ? 0
             : case_wrong(&g->c->in, g->v, "argument %s of %s is a %s of %zu bytes, as in {bytes: \"00 01 ff\"}",
                          g->parameter->name, g->kernel->name, g->parameter->type, size);
}

static int give_value(const giving *g) {
  element_type type;
  const bool number = case_element_find(g->parameter->type, NULL, &type);
  const bool counts = strncmp(g->parameter->type, "enum ", 5) == 0 && g->parameter->size == 4;
  const size_t size = number ? type.size : g->parameter->size;
  if (counts) type = (element_type){NUMBER_INT, 1, 1, 4};
  if (size == 0) return wrong_value(g, "has a type that is not known here");
  unsigned char *bytes = mem_calloc(1, size);
  g->to->u.argument.kind = CAPTURE_VALUE;
  g->to->u.argument.size = size;
  g->to->u.argument.bytes = bytes;
  if (yaml_is_map(g->v) || (!number && !counts)) return put_bytes(g, bytes, size);
  if (!yaml_is_list(g->v)) {
    for (uint32_t lane = 0; lane < type.used; lane++)
      if (put_value(g, &type, g->v, bytes + lane * number_size(type.number)) != 0) return -1;
    return 0;
  }
  if (yaml_count(g->v) != type.used) {
    return case_wrong(&g->c->in, g->v, "argument %s of %s is a %s, and these are %zu numbers", g->parameter->name,
                      g->kernel->name, g->parameter->type, yaml_count(g->v));
  }
  for (uint32_t lane = 0; lane < type.used; lane++) {
    yaml_value *item = yaml_item(g->c->in.file, g->v, lane);
    if (put_value(g, &type, item, bytes + lane * number_size(type.number)) != 0) return -1;
  }
  return 0;
}

/* --- all ---------------------------------------------------------------------------------------------------------- */

static int give(const giving *g) {
  switch (g->parameter->kind) {
    case CASE_MEMORY: return give_memory(g);
    case CASE_LOCAL: return give_local(g);
    case CASE_IMAGE: g->to->u.argument.kind = CAPTURE_MEMORY; return give_object(g, OBJECT_IMAGE);
    case CASE_SAMPLER: g->to->u.argument.kind = CAPTURE_SAMPLE; return give_object(g, OBJECT_SAMPLER);
    case CASE_VALUE: return give_value(g);
    default: return wrong_value(g, "is of a kind that a case cannot give");
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
  scoped_buffer list = {0};
  for (size_t i = 0; i < k->count; i++) {
    suggest_consider(&near, k->parameters[i].name);
    buffer_printf(&list, "%s%s", i == 0 ? "" : ", ", k->parameters[i].name);
  }
  const int result = near.best != NULL
                         ? case_wrong(&c->in, at, "%s has no argument %s; did you mean %s?", k->name, name, near.best)
                         : case_wrong(&c->in, at, "%s has no argument %s, but %s", k->name, name,
                                      k->count == 0 ? "none at all" : buffer_text(&list));
  return result;
}

static int by_name(composing *c, const case_kernel *k, uint32_t number, yaml_value *args) {
  scoped bool *given = mem_calloc(k->count + 1, sizeof *given);
  int result = 0;
  for (size_t i = 0; i < yaml_count(args) && result == 0; i++) {
    const char *name = NULL;
    yaml_value *at = NULL, *v = yaml_pair(c->in.file, args, i, &name, &at);
    size_t p = 0;
    while (p < k->count && strcmp(k->parameters[p].name, name) != 0) p++;
    if (p == k->count) {
      result = unknown_name(c, k, name, at);
    } else if (given[p]) {
      result = case_wrong(&c->in, at, "argument %s of %s is there twice", name, k->name);
    } else {
      given[p] = true;
      result = give_one(c, k, number, p, v);
    }
  }
  for (size_t p = 0; p < k->count && result == 0; p++)
    if (!given[p]) result = case_wrong(&c->in, args, "argument %s of %s is missing", k->parameters[p].name, k->name);
  return result;
}

static int compose_arguments(composing *c, const case_kernel *k, uint32_t number, yaml_value *args,
                             yaml_value *launch) {
  if (args == NULL) {
    return k->count == 0 ? 0
                         : case_wrong(&c->in, launch, "this launch wants args: %s has %zu argument%s", k->name,
                                      k->count, k->count == 1 ? "" : "s");
  }
  if (yaml_is_map(args)) return by_name(c, k, number, args);
  if (!yaml_is_list(args) || yaml_count(args) != k->count) {
    return case_wrong(&c->in, args, "%s has %zu argument%s: args gives each, by name or in order", k->name, k->count,
                      k->count == 1 ? "" : "s");
  }
  for (size_t i = 0; i < k->count; i++)
    if (give_one(c, k, number, i, yaml_item(c->in.file, args, i)) != 0) return -1;
  return 0;
}

/* One to three numbers, or none; returns how many, -1 with the error set. */
static int take_sizes(composing *c, yaml_value *v, const char *what, int64_t least, uint64_t out[3]) {
  const size_t count = v == NULL ? 0 : yaml_is_list(v) ? yaml_count(v) : 1;
  if (v != NULL && (count < 1 || count > 3 || yaml_is_map(v)))
    return case_wrong(&c->in, v, "%s is one to three numbers, as in [64, 4]", what);
  for (size_t i = 0; i < count; i++) {
    yaml_value *one = yaml_is_list(v) ? yaml_item(c->in.file, v, i) : v;
    int64_t size = 0;
    if (case_integer(&c->in, one, what, least, INT64_C(1) << 40, &size) != 0) return -1;
    out[i] = (uint64_t)size;
  }
  return (int)count;
}

static int take_geometry(composing *c, yaml_value *at, yaml_value *global, yaml_value *local, yaml_value *offset,
                         capture_command *launch) {
  if (global == NULL) return case_wrong(&c->in, at, "this launch wants a global size, such as global: [64]");
  const int dimensions = take_sizes(c, global, "a global size", 1, launch->u.launch.global);
  const int of_local = dimensions < 0 ? -1 : take_sizes(c, local, "a local size", 1, launch->u.launch.local);
  const int of_offset = of_local < 0 ? -1 : take_sizes(c, offset, "an offset", 0, launch->u.launch.offset);
  if (of_offset < 0) return -1;
  if ((of_local > 0 && of_local != dimensions) || (of_offset > 0 && of_offset != dimensions)) {
    return case_wrong(&c->in, of_local > 0 && of_local != dimensions ? local : offset,
                      "the global size has %d dimension%s, and this has %d", dimensions, dimensions == 1 ? "" : "s",
                      of_local > 0 && of_local != dimensions ? of_local : of_offset);
  }
  launch->u.launch.dimensions = (uint32_t)dimensions;
  launch->u.launch.has_local = of_local > 0;
  launch->u.launch.has_offset = of_offset > 0;
  return 0;
}

/* --- launches ----------------------------------------------------------------------------------------------------- */

static const case_kernel *find_kernel(composing *c, yaml_value *v, const char *name, size_t *index) {
  const kernel_file *files = c->in.suite->files;
  const case_kernel *found = NULL;
  suggestion near = {.word = name};
  for (size_t i = 0; i < c->kernels.count; i++) {
    if (strcmp(c->kernels.items[i].name, name) != 0) {
      suggest_consider(&near, c->kernels.items[i].name);
    } else if (found == NULL) {
      *index = i;
      found = &c->kernels.items[i];
    } else {
      (void)case_wrong(&c->in, v, "%s and %s both have a kernel \"%s\": a suite for each tells them apart",
                       files[c->programs[*index]].path, files[c->programs[i]].path, name);
      return NULL;
    }
  }
  if (found != NULL) return found;
  (void)case_wrong(&c->in, v, "%s has no kernel \"%s\"%s%s%s",
                   c->in.suite->file_count == 1 ? files[0].path : "none of the kernel files", name,
                   near.best == NULL ? "" : "; did you mean ", near.best == NULL ? "" : near.best,
                   near.best == NULL ? "" : "?");
  return NULL;
}

/* Its number in the capture, in which it is made before its first launch. */
static uint32_t make_kernel(composing *c, size_t index) {
  if (c->made[index] == 0) {
    capture_command *kernel = compose_command(c, CAPTURE_KERNEL);
    kernel->u.kernel.name = mem_strdup(c->kernels.items[index].name);
    kernel->u.kernel.program = c->programs[index];
    c->made[index] = ++c->made_count;
  }
  return c->made[index] - 1;
}

static int compose_launch(composing *c, yaml_value *v) {
  yaml_value *kernel, *global, *local, *offset, *args;
  const yaml_key keys[] = {
      {"kernel", &kernel}, {"global", &global}, {"local", &local}, {"offset", &offset}, {"args", &args}};
  capture_command launch = {.kind = CAPTURE_LAUNCH};
  size_t index = 0;
  if (case_keys(&c->in, v, "a launch", keys, sizeof keys / sizeof *keys) != 0) return -1;
  char *name = case_text(&c->in, kernel);
  const case_kernel *k = name == NULL ? NULL : find_kernel(c, kernel, name, &index);
  free(name);
  if (k == NULL || take_geometry(c, v, global, local, offset, &launch) != 0) return -1;
  scoped_buffer of = {0};
  buffer_printf(&of, "%zu of kernel %s", ++c->launches, k->name);
  compose_at(c, v, "launch", buffer_text(&of));
  launch.u.launch.kernel = make_kernel(c, index);
  if (compose_arguments(c, k, launch.u.launch.kernel, args, v) != 0) return -1;
  *compose_command(c, CAPTURE_LAUNCH) = launch;
  return 0;
}

/* --- writes ------------------------------------------------------------------------------------------------------- */

static int compose_write(composing *c, yaml_value *v) {
  compose_at(c, v, "a", "write");
  yaml_value *name, *elements, *from, *form = NULL;
  contents_keys k;
  const yaml_key keys[] = {{"buffer", &name}, {"elements", &elements}, {"from", &from}, CONTENTS_KEYS(k)};
  int64_t first = 0, count = 0;
  if (case_keys(&c->in, v, "write", keys, sizeof keys / sizeof *keys) != 0 ||
      case_contents_form(&c->in, &k, &form) != 0)
    return -1;
  const case_object *o = name == NULL ? NULL : compose_find(c, yaml_text(name));
  if (o == NULL || o->kind != OBJECT_BUFFER || form == NULL) {
    return case_wrong(&c->in, name != NULL && form != NULL ? name : v,
                      "write wants a buffer of the case and what it gets, as in {buffer: x, fill: 0}");
  }
  if (compose_part(c, o, from, elements, &first, &count) != 0) return -1;
  unsigned char *bytes = NULL;
  if (case_contents_make(&c->in, &k, &o->type, (uint64_t)count, (uint64_t)first, &bytes) != 0) return -1;
  const uint32_t number = o->number;
  const size_t size = o->type.size;
  capture_command *write = compose_command(c, CAPTURE_WRITE);
  write->u.transfer.at.memory = number;
  write->u.transfer.at.offset = (uint64_t)first * size;
  write->u.transfer.size = (uint64_t)count * size;
  write->u.transfer.blob = compose_blob(c, bytes, (size_t)count * size);
  return 0;
}

static int take_buffer(composing *c, yaml_value *v, yaml_value *at, case_object **out) {
  *out = v == NULL ? NULL : compose_find(c, yaml_text(v));
  return *out != NULL && (*out)->kind == OBJECT_BUFFER
             ? 0
             : case_wrong(&c->in, v == NULL ? at : v, "copy wants two buffers of the case, as in {from: x, to: y}");
}

static int compose_copy(composing *c, yaml_value *v) {
  compose_at(c, v, "a", "copy");
  yaml_value *from, *to, *first, *at, *elements;
  const yaml_key keys[] = {{"from", &from}, {"to", &to}, {"first", &first}, {"at", &at}, {"elements", &elements}};
  case_object *source, *target;
  int64_t begin = 0, place = 0, count = 0;
  if (case_keys(&c->in, v, "copy", keys, sizeof keys / sizeof *keys) != 0 || take_buffer(c, from, v, &source) != 0 ||
      take_buffer(c, to, v, &target) != 0)
    return -1;
  if (source->type.size != target->type.size)
    return case_wrong(&c->in, v, "copy wants buffers whose elements have the same size");
  const int64_t all = (int64_t)source->elements, room = (int64_t)target->elements;
  if (case_integer(&c->in, first, "the first element", 0, all - 1, &begin) != 0 ||
      case_integer(&c->in, at, "the first element", 0, room - 1, &place) != 0)
    return -1;
  const int64_t most = all - begin < room - place ? all - begin : room - place;
  count = most;
  if (case_integer(&c->in, elements, "the number of elements", 1, most, &count) != 0) return -1;
  target->written = true;
  capture_command *copy = compose_command(c, CAPTURE_COPY);
  copy->u.transfer.at.memory = source->number;
  copy->u.transfer.to.memory = target->number;
  copy->u.transfer.at.offset = (uint64_t)begin * source->type.size;
  copy->u.transfer.to.offset = (uint64_t)place * source->type.size;
  copy->u.transfer.size = (uint64_t)count * source->type.size;
  return 0;
}

static int compose_step(composing *c, yaml_value *step) {
  static const struct {
    const char *key;
    int (*compose)(composing *c, yaml_value *v);
  } others[] = {{"write", compose_write}, {"copy", compose_copy}, {"expect", compose_expect}};
  for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
    yaml_value *v = yaml_find(c->in.file, step, others[i].key);
    if (v != NULL) {
      return yaml_count(step) == 1
                 ? others[i].compose(c, v)
                 : case_wrong(&c->in, step, "a step is a launch, a write, a copy or an expect, not several of them");
    }
  }
  return yaml_find(c->in.file, step, "kernel") != NULL
             ? compose_launch(c, step)
             : case_wrong(&c->in, step, "a launch wants a kernel, such as {kernel: scale, global: [64]}");
}

int compose_launches(composing *c) {
  yaml_value *steps = c->keys.launches;
  if (!yaml_is_list(steps) || yaml_count(steps) == 0)
    return case_wrong(&c->in, steps, "launches is a list of launches, such as - {kernel: scale, global: [64]}");
  for (size_t i = 0; i < yaml_count(steps); i++) {
    yaml_value *step = yaml_item(c->in.file, steps, i);
    if (compose_step(c, step) != 0) return -1;
  }
  return 0;
}
