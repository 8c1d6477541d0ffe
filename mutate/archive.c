/* The archive of a program's mutants, and what they own. */
#include "mutate/archive.h"

#include "instrument/archive_fields.h"
#include "mutate/place.h"

_Static_assert(sizeof(mutate_operator) == sizeof(uint32_t) && sizeof(mutant_form) == sizeof(uint32_t),
               "they are read and written as a u32");

ARCHIVE(static, mutants, mutant, U32(mutant, number), U32(mutant, id), U32(mutant, op), U32(mutant, form),
        U32(mutant, place), U32(mutant, file), U32(mutant, line), U32(mutant, column), U32(mutant, offset),
        U32(mutant, end_line), U32(mutant, end_column), U32(mutant, end_offset), U32(mutant, function),
        STRING(mutant, original), STRING(mutant, replacement), STRING(mutant, description),
        ARRAY(mutant, kernels, kernel_count, archive_numbers), STRING(mutant, change), FLAG(mutant, sizes),
        FLAG(mutant, invalid), FLAG(mutant, suppressed));
ARCHIVE(static, results, mutate_result, ARRAY(mutate_result, questions, question_count, archive_questions),
        PART(mutate_result, model, archive_models), ARRAY(mutate_result, mutants, mutant_count, mutants),
        ARRAY(mutate_result, kernel_digests, kernel_digest_count, archive_strings), FLAG(mutate_result, prints),
        ARRAY(mutate_result, kernel_parameters, kernel_parameter_count, archive_strings),
        U32(mutate_result, place_count), U32(mutate_result, flag_words),
        ARRAY(mutate_result, texts, source_count, archive_strings),
        AS_MANY(mutate_result, options, source_count, archive_strings));

void mutate_archive_write(const mutate_result *r, buffer *out) { archive_put(&results, r, out); }

int mutate_archive_read(const void *bytes, size_t length, mutate_result *out) {
  return archive_take(&results, bytes, length, out);
}

void mutant_free(mutant *m) { archive_free(&mutants, m); }

void mutate_free(mutate_result *r) {
  archive_free(&results, r);
  model_free(&r->model);
  *r = (mutate_result){0};
}
