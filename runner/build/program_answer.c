/* The kernels are described by what instrumenting said of them. */
#include "runner/build/program_answer.h"

#include <stdlib.h>

#include "base/memory.h"
#include "wire/answer.h"
#include "wire/fields.h"
#include "wire/protocol.h"

/* Those of arguments: __local arrays are part of the area. To be freed. */
static answer_object *objects_of(const instrument_kernel *k, uint32_t *count) {
  answer_object *objects = mem_calloc(k->object_count + 1, sizeof *objects);
  *count = 0;
  for (size_t i = 0; i < k->object_count; i++) {
    const instrument_object *o = &k->objects[i];
    if (o->parameter != MODEL_NONE) {
      objects[(*count)++] = (answer_object){o->parameter, o->shift, o->local, o->writes};
    }
  }
  return objects;
}

static void put_kernel(buffer *answer, const char *name, const instrument_kernel *k, const form_row *form) {
  const uint32_t planes = (uint32_t)k->plane_count | (k->planes_in_slots ? PLANES_IN_SLOTS : 0);
  answer_kernel said = {.name = name,
                        .form = form->kernels,
                        .flag_words = k->flag_words,
                        .total_words = k->total_words,
                        .planes = form->bare ? 0 : planes,
                        .item_bytes = k->item_bytes,
                        .area = k->area};
  answer_object *objects = objects_of(k, &said.object_count);
  said.objects = objects;
  answer_kernel_put(answer, &said);
  free(objects);
}

void program_answer(buffer *answer, uint32_t number, const instrument_result *r, const bool *left, const form_row *form,
                    const char *more) {
  buffer options = {0};
  buffer_printf(&options, "%s%s", form->options, more);
  answer_begin(answer, number, r->texts, r->options, r->source_count, buffer_text(&options));
  answer_kernels(answer, r->model.kernel_count);
  for (size_t i = 0; i < r->model.kernel_count; i++) {
    put_kernel(answer, left != NULL && left[i] ? "" : r->model.kernels[i].name, &r->kernels[i], form);
  }
  wire_end(answer);
  buffer_free(&options);
}
