/* The archive of an instrumentation. */
#include "instrument/archive.h"

#include "instrument/archive_fields.h"

static void kernel(archive *a, instrument_kernel *k) {
  ARCHIVE_ARRAY(a, k->bits, k->bit_count);
  for (size_t i = 0; i < k->bit_count; i++) {
    archive_term(a, &k->bits[i]);
  }
  ARCHIVE_ARRAY(a, k->implied, k->implied_count);
  for (size_t i = 0; i < k->implied_count; i++) {
    archive_u32(a, &k->implied[i].bit);
    archive_term(a, &k->implied[i].term);
  }
  archive_u32(a, &k->plane_bit);
  archive_u32(a, &k->item_bytes);
  archive_u32(a, &k->flag_words);
  archive_u32(a, &k->total_words);
  archive_flag(a, &k->planes_in_slots);
  ARCHIVE_ARRAY(a, k->planes, k->plane_count);
  for (size_t i = 0; i < k->plane_count; i++) {
    instrument_plane *p = &k->planes[i];
    archive_u32(a, &p->site);
    archive_u32(a, &p->record);
    archive_flag(a, &p->barrier);
    archive_flag(a, &p->async);
    archive_flag(a, &p->arguments);
    ARCHIVE_ARRAY(a, p->guards, p->guard_count);
    for (size_t g = 0; g < p->guard_count; g++) {
      archive_u32(a, &p->guards[g]);
    }
  }
}

static void parameters(archive *a, instrument_kernel *k) {
  ARCHIVE_ARRAY(a, k->parameters, k->parameter_count);
  for (size_t i = 0; i < k->parameter_count; i++) {
    instrument_parameter *p = &k->parameters[i];
    archive_string(a, &p->name, NULL);
    archive_string(a, &p->type, NULL);
    archive_flag(a, &p->escapes);
    ARCHIVE_ARRAY(a, p->accesses, p->access_count);
    for (size_t n = 0; n < p->access_count; n++) {
      archive_u32(a, &p->accesses[n].file);
      archive_u32(a, &p->accesses[n].line);
      archive_flag(a, &p->accesses[n].writes);
    }
  }
}

static void objects(archive *a, instrument_kernel *k) {
  archive_u32(a, &k->area);
  ARCHIVE_ARRAY(a, k->objects, k->object_count);
  for (size_t i = 0; i < k->object_count; i++) {
    instrument_object *o = &k->objects[i];
    archive_string(a, &o->name, NULL);
    archive_u32(a, &o->parameter);
    archive_u32(a, &o->size);
    archive_flag(a, &o->local);
    archive_flag(a, &o->image);
    archive_u32(a, &o->shift);
    archive_flag(a, &o->writes);
  }
}

static void checks(archive *a, instrument_result *r) {
  ARCHIVE_ARRAY(a, r->checks, r->check_count);
  for (size_t i = 0; i < r->check_count; i++) {
    instrument_check *c = &r->checks[i];
    uint32_t kind = (uint32_t)c->kind;
    archive_u32(a, &c->file);
    archive_u32(a, &c->line);
    archive_u32(a, &c->column);
    archive_u32(a, &kind);
    c->kind = (check_kind)kind;
    archive_flag(a, &c->local);
  }
  archive_flag(a, &r->left_out);
}

static void result(archive *a, instrument_result *r) {
  archive_questions(a, &r->questions, &r->question_count);
  if (r->question_count > 0) {
    return;
  }
  archive_model(a, &r->model);
  size_t kernels = r->model.kernel_count;
  if (a->out == NULL) {
    r->kernels = mem_calloc(kernels, sizeof *r->kernels);
  }
  for (size_t i = 0; i < kernels; i++) {
    kernel(a, &r->kernels[i]);
    parameters(a, &r->kernels[i]);
    objects(a, &r->kernels[i]);
  }
  checks(a, r);
  archive_sources(a, &r->texts, &r->options, &r->source_count);
}

void archive_write(const instrument_result *r, buffer *out) {
  archive a = {.out = out};
  result(&a, (instrument_result *)r); /* writing changes nothing */
}

int archive_read(const void *bytes, size_t length, instrument_result *out) {
  *out = (instrument_result){0};
  archive a = {.in = bytes, .left = length};
  result(&a, out);
  return a.failed ? -1 : 0;
}
