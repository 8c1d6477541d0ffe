/* The steps of a case: launches, and between them what the host writes and reads. */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/suggest.h"
#include "cases/internal.h"

/* --- sizes -------------------------------------------------------------------------------------------------------- */

/* One to three numbers, or none; returns how many, -1 with the error set. */
static int take_sizes(composing *c, yaml_value *v, const char *what, int64_t least, uint64_t out[3]) {
  const size_t count = v == NULL ? 0 : yaml_is_list(v) ? yaml_count(v) : 1;
  if (v != NULL && (count < 1 || count > 3 || yaml_is_map(v))) {
    return yaml_wrong(c->suite->file, v, c->e, "%s is one to three numbers, as in [64, 4]", what);
  }
  for (size_t i = 0; i < count; i++) {
    yaml_value *one = yaml_is_list(v) ? yaml_item(c->suite->file, v, i) : v;
    int64_t size = 0;
    if (case_integer(c->suite, &c->names, one, what, least, INT64_C(1) << 40, &size, c->e) != 0) {
      return -1;
    }
    out[i] = (uint64_t)size;
  }
  return (int)count;
}

static int take_geometry(composing *c, yaml_value *at, yaml_value *global, yaml_value *local, yaml_value *offset,
                         capture_command *launch) {
  if (global == NULL) {
    return yaml_wrong(c->suite->file, at, c->e, "this launch wants a global size, such as global: [64]");
  }
  const int dimensions = take_sizes(c, global, "a global size", 1, launch->u.launch.global);
  const int of_local = dimensions < 0 ? -1 : take_sizes(c, local, "a local size", 1, launch->u.launch.local);
  const int of_offset = of_local < 0 ? -1 : take_sizes(c, offset, "an offset", 0, launch->u.launch.offset);
  if (of_offset < 0) {
    return -1;
  }
  if ((of_local > 0 && of_local != dimensions) || (of_offset > 0 && of_offset != dimensions)) {
    return yaml_wrong(c->suite->file, of_local > 0 && of_local != dimensions ? local : offset, c->e,
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
  const kernel_file *files = c->suite->files;
  const case_kernel *found = NULL;
  suggestion near = {.word = name};
  for (size_t i = 0; i < c->kernels.count; i++) {
    if (strcmp(c->kernels.items[i].name, name) != 0) {
      suggest_consider(&near, c->kernels.items[i].name);
    } else if (found == NULL) {
      *index = i;
      found = &c->kernels.items[i];
    } else {
      (void)yaml_wrong(c->suite->file, v, c->e,
                       "%s and %s both have a kernel \"%s\": a suite for each tells them apart",
                       files[c->programs[*index]].path, files[c->programs[i]].path, name);
      return NULL;
    }
  }
  if (found != NULL) {
    return found;
  }
  (void)yaml_wrong(c->suite->file, v, c->e, "%s has no kernel \"%s\"%s%s%s",
                   c->suite->file_count == 1 ? files[0].path : "none of the kernel files", name,
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
  if (yaml_keys(c->suite->file, v, "a launch", keys, sizeof keys / sizeof *keys, c->e) != 0) {
    return -1;
  }
  char *name = case_text(c->suite, &c->names, kernel, c->e);
  const case_kernel *k = name == NULL ? NULL : find_kernel(c, kernel, name, &index);
  free(name);
  if (k == NULL || take_geometry(c, v, global, local, offset, &launch) != 0) {
    return -1;
  }
  buffer of = {0};
  buffer_printf(&of, "%zu of kernel %s", ++c->launches, k->name);
  compose_at(c, v, "launch", buffer_text(&of));
  buffer_free(&of);
  launch.u.launch.kernel = make_kernel(c, index);
  if (compose_arguments(c, k, launch.u.launch.kernel, args, v) != 0) {
    return -1;
  }
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
  if (yaml_keys(c->suite->file, v, "write", keys, sizeof keys / sizeof *keys, c->e) != 0 ||
      case_contents_form(c->suite, &k, &form, c->e) != 0) {
    return -1;
  }
  const case_object *o = name == NULL ? NULL : compose_find(c, yaml_text(name));
  if (o == NULL || o->kind != OBJECT_BUFFER || form == NULL) {
    return yaml_wrong(c->suite->file, name != NULL && form != NULL ? name : v, c->e,
                      "write wants a buffer of the case and what it gets, as in {buffer: x, fill: 0}");
  }
  if (compose_part(c, o, from, elements, &first, &count) != 0) {
    return -1;
  }
  unsigned char *bytes = NULL;
  if (case_contents_make(c->suite, &c->names, &k, &o->type, (uint64_t)count, (uint64_t)first, &bytes, c->e) != 0) {
    return -1;
  }
  const uint32_t number = o->number;
  const size_t size = o->type.size;
  capture_command *write = compose_command(c, CAPTURE_WRITE);
  write->u.bytes.memory = number;
  write->u.bytes.offset = (uint64_t)first * size;
  write->u.bytes.size = (uint64_t)count * size;
  write->u.bytes.blob = compose_blob(c, bytes, (size_t)count * size);
  return 0;
}

static int take_buffer(composing *c, yaml_value *v, yaml_value *at, case_object **out) {
  *out = v == NULL ? NULL : compose_find(c, yaml_text(v));
  return *out != NULL && (*out)->kind == OBJECT_BUFFER
             ? 0
             : yaml_wrong(c->suite->file, v == NULL ? at : v, c->e,
                          "copy wants two buffers of the case, as in {from: x, to: y}");
}

static int compose_copy(composing *c, yaml_value *v) {
  compose_at(c, v, "a", "copy");
  yaml_value *from, *to, *first, *at, *elements;
  const yaml_key keys[] = {{"from", &from}, {"to", &to}, {"first", &first}, {"at", &at}, {"elements", &elements}};
  case_object *source, *target;
  int64_t begin = 0, place = 0, count = 0;
  if (yaml_keys(c->suite->file, v, "copy", keys, sizeof keys / sizeof *keys, c->e) != 0 ||
      take_buffer(c, from, v, &source) != 0 || take_buffer(c, to, v, &target) != 0) {
    return -1;
  }
  if (source->type.size != target->type.size) {
    return yaml_wrong(c->suite->file, v, c->e, "copy wants buffers whose elements have the same size");
  }
  const int64_t all = (int64_t)source->elements, room = (int64_t)target->elements;
  if ((first != NULL && case_integer(c->suite, &c->names, first, "the first element", 0, all - 1, &begin, c->e) != 0) ||
      (at != NULL && case_integer(c->suite, &c->names, at, "the first element", 0, room - 1, &place, c->e) != 0)) {
    return -1;
  }
  const int64_t most = all - begin < room - place ? all - begin : room - place;
  count = most;
  if (elements != NULL &&
      case_integer(c->suite, &c->names, elements, "the number of elements", 1, most, &count, c->e) != 0) {
    return -1;
  }
  target->written = true;
  capture_command *copy = compose_command(c, CAPTURE_COPY);
  copy->u.copy.from = source->number;
  copy->u.copy.to = target->number;
  copy->u.copy.from_offset = (uint64_t)begin * source->type.size;
  copy->u.copy.to_offset = (uint64_t)place * source->type.size;
  copy->u.copy.size = (uint64_t)count * source->type.size;
  return 0;
}

/* --- steps -------------------------------------------------------------------------------------------------------- */

static int compose_step(composing *c, yaml_value *step) {
  static const struct {
    const char *key;
    int (*compose)(composing *c, yaml_value *v);
  } others[] = {{"write", compose_write}, {"copy", compose_copy}, {"expect", compose_expect}};
  yaml_file *file = c->suite->file;
  for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
    yaml_value *v = yaml_find(file, step, others[i].key);
    if (v != NULL) {
      return yaml_count(step) == 1
                 ? others[i].compose(c, v)
                 : yaml_wrong(file, step, c->e,
                              "a step is a launch, a write, a copy or an expect, not several of them");
    }
  }
  return yaml_find(file, step, "kernel") != NULL
             ? compose_launch(c, step)
             : yaml_wrong(file, step, c->e, "a launch wants a kernel, such as {kernel: scale, global: [64]}");
}

int compose_launches(composing *c) {
  yaml_file *file = c->suite->file;
  yaml_value *steps = c->keys.launches;
  if (!yaml_is_list(steps) || yaml_count(steps) == 0) {
    return yaml_wrong(file, steps, c->e, "launches is a list of launches, such as - {kernel: scale, global: [64]}");
  }
  for (size_t i = 0; i < yaml_count(steps); i++) {
    yaml_value *step = yaml_item(file, steps, i);
    if (compose_step(c, step) != 0) {
      return -1;
    }
  }
  return 0;
}
