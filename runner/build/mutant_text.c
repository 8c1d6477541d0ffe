/* A mutant that is written into its source. */
#include "runner/build/mutant_text.h"

#include <stdint.h>
#include <string.h>

#include "base/buffer.h"

size_t mutant_source(const pp_input *inputs, size_t count, const model *of, const mutant *m) {
  const model_file *file = &of->files[m->file];
  for (size_t i = 0; i < count; i++) {
    const pp_input *in = &inputs[i];
    if (strnlen(in->text, in->length) == file->length && memcmp(in->text, file->text, file->length) == 0) {
      return i;
    }
  }
  return SIZE_MAX;
}

char *mutant_text(const pp_input *source, const mutant *m) {
  buffer text = {0};
  buffer_append(&text, source->text, m->offset);
  buffer_puts(&text, m->replacement);
  buffer_puts(&text, source->text + m->end_offset);
  return buffer_take(&text);
}
