/* What the launches of a kernel may depend on in a test case, as its capture has it.
 *
 * Launches have to do with each other through the memory objects that they share. So objects and kernels fall into
 * groups that have nothing to do with each other: each group gets a digest of all that is done in it, in order, and of
 * what its kernels are made of. */
#include <stdlib.h>
#include <string.h>

#include "base/digest.h"
#include "base/memory.h"
#include "runner/campaign/reuse.h"
#include "wire/capture_format.h"

/* --- fields of commands ------------------------------------------------------------------------------------------- */

#define AT(member) offsetof(capture_command, u.member)
#define NO_FIELD SIZE_MAX

/* Where a command names memory objects and bytes that it brings. */
typedef struct command_names {
  bool counts; /* it belongs to the group of its memory */
  size_t memory[2];
  size_t blob;
} command_names;

static const command_names names[CAPTURE_KINDS] = {
    [CAPTURE_BUFFER] = {true, {NO_FIELD, NO_FIELD}, AT(buffer.blob)},
    [CAPTURE_SUB_BUFFER] = {true, {AT(sub_buffer.parent), NO_FIELD}, NO_FIELD},
    [CAPTURE_IMAGE] = {true, {AT(image.buffer), NO_FIELD}, AT(image.blob)},
    [CAPTURE_WRITE] = {true, {AT(bytes.memory), NO_FIELD}, AT(bytes.blob)},
    [CAPTURE_WRITE_RECT] = {true, {AT(area.memory), NO_FIELD}, AT(area.blob)},
    [CAPTURE_WRITE_IMAGE] = {true, {AT(area.memory), NO_FIELD}, AT(area.blob)},
    [CAPTURE_FILL] = {true, {AT(bytes.memory), NO_FIELD}, NO_FIELD},
    [CAPTURE_FILL_IMAGE] = {true, {AT(area.memory), NO_FIELD}, NO_FIELD},
    [CAPTURE_COPY] = {true, {AT(copy.from), AT(copy.to)}, NO_FIELD},
    [CAPTURE_COPY_RECT] = {true, {AT(copy.from), AT(copy.to)}, NO_FIELD},
    [CAPTURE_COPY_IMAGE] = {true, {AT(copy.from), AT(copy.to)}, NO_FIELD},
    [CAPTURE_COPY_IMAGE_TO_BUFFER] = {true, {AT(copy.from), AT(copy.to)}, NO_FIELD},
    [CAPTURE_COPY_BUFFER_TO_IMAGE] = {true, {AT(copy.from), AT(copy.to)}, NO_FIELD},
    [CAPTURE_READ] = {true, {AT(bytes.memory), NO_FIELD}, NO_FIELD},
    [CAPTURE_READ_RECT] = {true, {AT(area.memory), NO_FIELD}, NO_FIELD},
    [CAPTURE_READ_IMAGE] = {true, {AT(area.memory), NO_FIELD}, NO_FIELD},
};

static uint32_t number_at(const capture_command *c, size_t field) {
  uint32_t number = CAPTURE_NONE;
  if (field != NO_FIELD) {
    memcpy(&number, (const char *)c + field, sizeof number);
  }
  return number;
}

/* --- the state of a reading --------------------------------------------------------------------------------------- */

typedef struct kernel_object {
  bool known;                        /* what it is made of is */
  size_t program;                    /* of the campaign */
  uint32_t kernel;                   /* of its model */
  const capture_command **arguments; /* as set last, NULL where none is */
  uint32_t argument_count;
} kernel_object;

/* Memory objects, then the kernels of all programs: what belongs together has one root. */
typedef struct reading {
  const campaign *campaign;
  const capture *capture;
  uint32_t *parents; /* of the groups' forest */
  size_t object_count, node_count;
  size_t *first_kernel; /* node of a program's first kernel; one more than there are programs */
  double *items;        /* [node]: work-items of launches */
  const capture_command **samplers;
  size_t sampler_count, sampler_capacity;
  size_t *programs; /* capture's program -> campaign's */
  size_t program_count, program_capacity;
  kernel_object *kernels;
  size_t kernel_count, kernel_capacity;
  uint32_t made;     /* memory objects so far */
  digester *digests; /* [root], and one of everything at [node_count] */
  uint32_t *numbers; /* of a memory object among those of its group */
  uint32_t *counts;  /* [root] */
  char (*blobs)[65]; /* digests of those that were met */
  stored_objects stored;
  bool steady; /* repeats of no launch so far can differ */
} reading;

static uint32_t root_of(const reading *r, uint32_t node) {
  while (r->parents[node] != node) {
    r->parents[node] = r->parents[r->parents[node]];
    node = r->parents[node];
  }
  return node;
}

static void unite(const reading *r, uint32_t a, uint32_t b) { r->parents[root_of(r, a)] = root_of(r, b); }

static uint32_t node_of(const reading *r, const kernel_object *k) {
  return (uint32_t)(r->first_kernel[k->program] + k->kernel);
}

/* --- programs ----------------------------------------------------------------------------------------------------- */

/* Variables of a program would join its kernels; from OpenCL C 2.0 on there may be some. */
static bool may_have_variables(const program_request *r) {
  bool may = false;
  for (size_t i = 0; i < r->source_count; i++) {
    for (const char *at = strstr(r->sources[i].options, "-cl-std="); at != NULL; at = strstr(at + 1, "-cl-std=")) {
      may = may || strncmp(at, "-cl-std=CL1", strlen("-cl-std=CL1")) != 0;
    }
  }
  return may;
}

/* --- first: what belongs together --------------------------------------------------------------------------------- */

static void take_kernel(reading *r, const capture_command *made) {
  kernel_object *k = ARRAY_ADD(r->kernels, r->kernel_count, r->kernel_capacity);
  *k = (kernel_object){.program = r->programs[made->u.kernel.program]};
  if (k->program == SIZE_MAX) {
    return;
  }
  const campaign_program *p = r->campaign->programs.list[k->program];
  const model *m = &p->schema.model;
  while (k->kernel < m->kernel_count && strcmp(m->kernels[k->kernel].name, made->u.kernel.name) != 0) {
    k->kernel++;
  }
  k->known = k->kernel < p->schema.kernel_digest_count && p->request.others == 0;
}

static void take_clone(reading *r, const capture_command *made) {
  kernel_object *k = ARRAY_ADD(r->kernels, r->kernel_count, r->kernel_capacity);
  *k = r->kernels[made->u.clone.kernel];
  const capture_command **arguments = mem_calloc(k->argument_count, sizeof *arguments);
  if (k->argument_count > 0) {
    memcpy(arguments, k->arguments, k->argument_count * sizeof *arguments);
  }
  k->arguments = arguments;
}

static void take_argument(reading *r, const capture_command *set) {
  kernel_object *k = &r->kernels[set->u.argument.kernel];
  const uint32_t index = set->u.argument.index;
  if (index >= k->argument_count) {
    k->arguments = mem_realloc(k->arguments, (index + 1) * sizeof *k->arguments);
    memset(&k->arguments[k->argument_count], 0, (index + 1 - k->argument_count) * sizeof *k->arguments);
    k->argument_count = index + 1;
  }
  k->arguments[index] = set;
}

/* False: what is launched is not known. */
static bool take_launch(reading *r, const capture_command *c) {
  const kernel_object *k = &r->kernels[c->u.launch.kernel];
  if (!k->known) {
    return false;
  }
  const launch_setting all = {c, k->arguments, k->argument_count, &r->stored};
  r->steady = r->steady && note_launch(r->campaign->programs.list[k->program], k->kernel, &all);
  const uint32_t node = node_of(r, k);
  double items = 1;
  for (uint32_t d = 0; d < c->u.launch.dimensions && d < 3; d++) {
    items *= (double)c->u.launch.global[d];
  }
  r->items[node] += items;
  for (uint32_t i = 0; i < k->argument_count; i++) {
    const capture_command *a = k->arguments[i];
    if (a != NULL && a->u.argument.kind == CAPTURE_MEMORY && a->u.argument.object != CAPTURE_NONE) {
      unite(r, a->u.argument.object, node);
    }
  }
  if (may_have_variables(&r->campaign->programs.list[k->program]->request)) {
    unite(r, (uint32_t)r->first_kernel[k->program], node);
  }
  return true;
}

/* What both walks through the commands need to know of them. */
static void follow(reading *r, const capture_command *c) {
  switch (c->kind) {
    case CAPTURE_SAMPLER:
      *ARRAY_ADD(r->samplers, r->sampler_count, r->sampler_capacity) = c;
      break;
    case CAPTURE_PROGRAM:
      *ARRAY_ADD(r->programs, r->program_count, r->program_capacity) = campaign_program_of(&r->campaign->programs, c);
      break;
    case CAPTURE_KERNEL:
      take_kernel(r, c);
      break;
    case CAPTURE_CLONE:
      take_clone(r, c);
      break;
    case CAPTURE_ARGUMENT:
      take_argument(r, c);
      break;
    default:
      break;
  }
}

/* False: not all is known of what is done. */
static bool join(reading *r, const capture_command *c) {
  const command_names *n = &names[c->kind];
  const uint32_t first = number_at(c, n->memory[0]);
  const uint32_t second = capture_makes_memory(c) ? r->made++ : number_at(c, n->memory[1]);
  if (n->counts && first != CAPTURE_NONE && second != CAPTURE_NONE) {
    unite(r, first, second);
  }
  return c->kind != CAPTURE_LAUNCH || take_launch(r, c);
}

static void forget_objects(reading *r) {
  for (size_t i = 0; i < r->kernel_count; i++) {
    free(r->kernels[i].arguments);
  }
  r->kernel_count = r->program_count = r->sampler_count = 0;
  r->made = 0;
}

/* --- second: digests ---------------------------------------------------------------------------------------------- */

/* Bytes may come in often: they are looked at once. */
static void put_blob(const reading *r, digester *d, uint32_t blob) {
  if (blob == CAPTURE_NONE) {
    digest_text(d, "");
    return;
  }
  if (r->blobs[blob][0] == '\0') {
    digester bytes;
    digest_begin(&bytes);
    digest_bytes(&bytes, r->capture->blobs[blob].bytes, r->capture->blobs[blob].size);
    digest_end(&bytes, r->blobs[blob]);
  }
  digest_text(d, r->blobs[blob]);
}

static void put_field(digester *d, const capture_command *c, const capture_field *f) {
  const unsigned char *at = (const unsigned char *)c + f->offset;
  switch (f->type) {
    case FIELD_U32:
      digest_bytes(d, at, sizeof(uint32_t));
      break;
    case FIELD_U64:
      digest_bytes(d, at, sizeof(uint64_t));
      break;
    case FIELD_FLAG:
      digest_number(d, *(const bool *)at);
      break;
    case FIELD_THREE:
      digest_bytes(d, at, 3 * sizeof(uint64_t));
      break;
    case FIELD_COLOR:
      digest_bytes(d, at, sizeof c->u.area.color);
      break;
    case FIELD_PATTERN:
      digest_bytes(d, c->u.bytes.pattern, c->u.bytes.pattern_size);
      break;
    case FIELD_DIGEST:
      digest_number(d, c->known);
      digest_number(d, c->low);
      digest_number(d, c->high);
      break;
    default:
      break; /* of no command that comes here */
  }
}

static void put_fields(digester *d, const capture_command *c) {
  digest_number(d, (uint64_t)c->kind);
  for (const capture_field *f = capture_fields[c->kind]; f->type != FIELD_NONE; f++) {
    put_field(d, c, f);
  }
}

static uint32_t number_in_group(const reading *r, uint32_t object) {
  return object == CAPTURE_NONE ? CAPTURE_NONE : r->numbers[object];
}

/* A command with numbers that count in its group alone, and what it brings instead of where that is. */
static void put_command(const reading *r, digester *d, const capture_command *c) {
  const command_names *n = &names[c->kind];
  capture_command own = *c;
  for (size_t i = 0; i < 2; i++) {
    if (n->memory[i] != NO_FIELD) {
      const uint32_t number = number_in_group(r, number_at(c, n->memory[i]));
      memcpy((char *)&own + n->memory[i], &number, sizeof number);
    }
  }
  if (n->blob != NO_FIELD) {
    put_blob(r, d, number_at(c, n->blob));
    memset((char *)&own + n->blob, 0, sizeof(uint32_t));
  }
  put_fields(d, &own);
}

static void put_argument(const reading *r, digester *d, const capture_command *a) {
  digest_number(d, a == NULL ? CAPTURE_NONE : (uint64_t)a->u.argument.kind);
  if (a == NULL) {
    return;
  }
  digest_number(d, a->u.argument.size);
  if (a->u.argument.kind == CAPTURE_VALUE) {
    digest_bytes(d, a->u.argument.bytes, (size_t)a->u.argument.size);
  } else if (a->u.argument.kind == CAPTURE_MEMORY) {
    digest_number(d, number_in_group(r, a->u.argument.object));
  } else if (a->u.argument.kind == CAPTURE_SAMPLE && a->u.argument.object != CAPTURE_NONE) {
    put_fields(d, r->samplers[a->u.argument.object]);
  }
}

static void put_launch(const reading *r, digester *d, const capture_command *c) {
  const kernel_object *k = &r->kernels[c->u.launch.kernel];
  const campaign_program *p = r->campaign->programs.list[k->program];
  capture_command own = *c;
  own.u.launch.kernel = 0;
  put_fields(d, &own);
  digest_text(d, p->schema.model.kernels[k->kernel].name);
  digest_text(d, p->schema.kernel_digests[k->kernel]);
  digest_text(d, p->request.linked ? p->request.link_options : "");
  digest_number(d, k->argument_count);
  for (uint32_t i = 0; i < k->argument_count; i++) {
    put_argument(r, d, k->arguments[i]);
  }
}

/* Into the digest of its group and into that of everything. */
static void put(reading *r, const capture_command *c) {
  const bool launch = c->kind == CAPTURE_LAUNCH;
  const uint32_t made = capture_makes_memory(c) ? r->made++ : CAPTURE_NONE;
  const uint32_t node = launch                 ? node_of(r, &r->kernels[c->u.launch.kernel])
                        : made != CAPTURE_NONE ? made
                                               : number_at(c, names[c->kind].memory[0]);
  if (!launch && !names[c->kind].counts) {
    return;
  }
  const uint32_t root = root_of(r, node);
  if (made != CAPTURE_NONE) {
    r->numbers[made] = r->counts[root]++;
  }
  digester *const both[] = {&r->digests[root], &r->digests[r->node_count]};
  digest_number(both[1], root);
  for (size_t i = 0; i < 2; i++) {
    if (launch) {
      put_launch(r, both[i], c);
    } else {
      put_command(r, both[i], c);
    }
  }
}

/* --- both --------------------------------------------------------------------------------------------------------- */

static void begin_reading(reading *r) {
  for (size_t i = 0; i < r->capture->command_count; i++) {
    r->object_count += capture_makes_memory(&r->capture->commands[i]) ? 1 : 0;
  }
  r->first_kernel = mem_calloc(r->campaign->programs.count + 1, sizeof *r->first_kernel);
  r->node_count = r->object_count;
  for (size_t p = 0; p < r->campaign->programs.count; p++) {
    r->first_kernel[p] = r->node_count;
    r->node_count += r->campaign->programs.list[p]->schema.model.kernel_count;
  }
  r->parents = mem_calloc(r->node_count + 1, sizeof *r->parents);
  r->items = mem_calloc(r->node_count + 1, sizeof *r->items);
  r->digests = mem_calloc(r->node_count + 1, sizeof *r->digests);
  r->numbers = mem_calloc(r->object_count + 1, sizeof *r->numbers);
  r->counts = mem_calloc(r->node_count + 1, sizeof *r->counts);
  r->blobs = mem_calloc(r->capture->blob_count + 1, sizeof *r->blobs);
  for (uint32_t i = 0; i <= r->node_count; i++) {
    r->parents[i] = i;
    digest_begin(&r->digests[i]);
  }
}

static void end_reading(reading *r) {
  forget_objects(r);
  free(r->first_kernel);
  free(r->parents);
  free(r->items);
  free(r->digests);
  free(r->numbers);
  free(r->counts);
  free(r->blobs);
  stored_free(&r->stored);
  free(r->samplers);
  free(r->programs);
  free(r->kernels);
}

static bool read_commands(reading *r) {
  const capture *c = r->capture;
  for (size_t i = 0; i < c->command_count; i++) {
    follow(r, &c->commands[i]);
    if (!join(r, &c->commands[i])) {
      return false;
    }
  }
  forget_objects(r);
  for (size_t i = 0; i < c->command_count; i++) {
    follow(r, &c->commands[i]);
    put(r, &c->commands[i]);
  }
  return true;
}

/* Takes the digests out of a reading. */
static void fill_inputs(reading *r, case_inputs *out) {
  const campaign *c = r->campaign;
  char(*ends)[65] = mem_calloc(r->node_count + 1, sizeof *ends);
  for (size_t i = 0; i <= r->node_count; i++) {
    digest_end(&r->digests[i], ends[i]);
  }
  memcpy(out->all, ends[r->node_count], sizeof out->all);
  out->kernels = mem_calloc(c->programs.count, sizeof *out->kernels);
  out->items = mem_calloc(c->programs.count, sizeof *out->items);
  out->program_count = c->programs.count;
  for (size_t p = 0; p < c->programs.count; p++) {
    const size_t kernels = c->programs.list[p]->schema.model.kernel_count;
    out->kernels[p] = mem_calloc(kernels + 1, sizeof **out->kernels);
    out->items[p] = mem_calloc(kernels + 1, sizeof **out->items);
    for (size_t k = 0; k < kernels; k++) {
      const uint32_t node = (uint32_t)(r->first_kernel[p] + k);
      out->items[p][k] = r->items[node];
      if (r->items[node] > 0) {
        memcpy(out->kernels[p][k], ends[root_of(r, node)], sizeof ends[0]);
      }
    }
  }
  free(ends);
}

/* --- all ---------------------------------------------------------------------------------------------------------- */

case_inputs *case_inputs_of(const campaign *c, const capture *captured) {
  reading r = {.campaign = c, .capture = captured, .stored = stored_of(captured), .steady = true};
  case_inputs *out = NULL;
  begin_reading(&r);
  const bool known = captured->unsuitable == NULL && read_commands(&r);
  const bool steady = noted_are_steady(&c->programs, known && r.steady);
  if (known) {
    out = mem_calloc(1, sizeof *out);
    out->device = mem_strdup(captured->device);
    out->steady = steady;
    fill_inputs(&r, out);
  }
  end_reading(&r);
  return out;
}

case_inputs *case_inputs_read(const campaign *c, size_t test) {
  const experiment_case *t = &c->base.cases[test];
  capture captured;
  error ignored;
  if (!case_is_captured(t->state) || capture_read(t->capture.path, &captured, &ignored) != 0) {
    return NULL;
  }
  case_inputs *out = case_inputs_of(c, &captured);
  capture_free(&captured);
  return out;
}

void case_inputs_free(case_inputs *i) {
  for (size_t p = 0; i != NULL && p < i->program_count; p++) {
    free(i->kernels[p]);
    free(i->items[p]);
  }
  if (i != NULL) {
    free(i->kernels);
    free(i->items);
    free(i->device);
  }
  free(i);
}
