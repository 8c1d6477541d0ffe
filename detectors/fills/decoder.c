/* Keeping what the host reads. */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "runner/session/internal.h"
#include "wire/protocol.h"

void result_reads_free(result_reads *r) {
  for (size_t i = 0; i < r->count; i++) {
    free(r->items[i].kernel);
    free(r->items[i].bytes);
  }
  free(r->items);
  *r = (result_reads){0};
}

int session_host_read(session *s, const session_client *c, wire_reader *in, error *e) {
  result_read r = {0};
  if (c->form != FORM_FILLED) return 0;
  (void)wire_u64(in);
  r.kernel = wire_string(in, NULL);
  r.argument = wire_u32(in);
  (void)wire_u64(in); /* launch */
  (void)wire_u64(in); /* program */
  s->reads.unordered = wire_u32(in) != 0 || s->reads.unordered;
  const uint64_t size = wire_u64(in);
  (void)wire_u64(in), (void)wire_u64(in); /* digest */
  for (uint32_t blocks = wire_u32(in); blocks > 0 && !in->failed; blocks--) (void)wire_u32(in);
  r.bytes = (unsigned char *)wire_string(in, &r.size);
  r.known = r.size == size;
  r.memory = wire_u32(in);
  r.copied = wire_u32(in) != 0;
  const uint32_t made = wire_u32(in);
  s->reads.made = made > s->reads.made ? made : s->reads.made;
  if (in->failed) {
    free(r.kernel);
    free(r.bytes);
    return error_set(e, EXIT_INTERNAL, "the layer sent a malformed message");
  }
  *ARRAY_ADD(s->reads.items, s->reads.count, s->reads.capacity) = r;
  return 0;
}

/* Whether a kernel of this name may read what its parameter leads to: a kernel that is not known may. */
static bool may_read(const session *s, const char *kernel, uint32_t argument) {
  bool known = false, reads = false;
  for (size_t i = 0; i < s->program_count; i++) {
    const session_program *p = &s->programs[i];
    for (size_t k = 0; p->reason == NULL && k < p->result.model.kernel_count; k++) {
      const instrument_kernel *of = &p->result.kernels[k];
      if (strcmp(p->result.model.kernels[k].name, kernel) == 0) {
        const instrument_parameter *at = argument < of->parameter_count ? &of->parameters[argument] : NULL;
        known = true;
        reads = reads || at == NULL || at->type[0] == '\0' || at->escapes;
        for (size_t a = 0; at != NULL && a < at->access_count; a++) reads = reads || !at->accesses[a].writes;
      }
    }
  }
  return reads || !known;
}

void session_bare(session *s, wire_reader *in) {
  const uint32_t use = wire_u32(in);
  char *kernel = wire_string(in, NULL);
  const uint32_t argument = wire_u32(in);
  if (in->failed || use != BARE_HOST)
    s->reads.bare = s->reads.bare || in->failed || use != BARE_LAUNCH || may_read(s, kernel, argument);
  else
    s->reads.bare_host = true;
  free(kernel);
}

result_reads session_take_reads(session *s) {
  result_reads all = s->reads;
  s->reads = (result_reads){0};
  return all;
}

static const instrument_object *object_of(const instrument_result *made, const char *kernel, uint32_t argument) {
  for (size_t k = 0; k < made->model.kernel_count; k++) {
    const instrument_kernel *of = &made->kernels[k];
    for (size_t i = 0; strcmp(made->model.kernels[k].name, kernel) == 0 && i < of->object_count; i++)
      if (of->objects[i].parameter == argument) return &of->objects[i];
  }
  return NULL;
}

void session_element(const session *s, const char *kernel, uint32_t argument, size_t *size, size_t *data) {
  *size = *data = 0;
  for (size_t i = 0; i < s->program_count; i++) {
    const session_program *p = &s->programs[i];
    const instrument_object *o = p->reason == NULL ? object_of(&p->result, kernel, argument) : NULL;
    if (o != NULL) {
      *size = o->size;
      *data = o->plain;
    }
  }
}

size_t session_filled(const session *s, uint32_t number, filled_place *out) {
  size_t first = 0;
  for (size_t i = 0; i < s->program_count; i++) {
    const session_program *p = &s->programs[i];
    if (number >= first && number - first < p->result.filled_count) {
      const instrument_filled *f = &p->result.filled[number - first];
      *out = (filled_place){f->name, f->local, f->plain, f->file, f->line, f->column, p->stored.id, 0};
      for (size_t k = 0; k < p->result.model.kernel_count; k++)
        out->kernel = strcmp(p->result.model.kernels[k].name, f->function) == 0 ? p->stored.kernels[k] : out->kernel;
    }
    first += p->result.filled_count;
  }
  return first;
}
