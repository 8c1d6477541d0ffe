/* The archive of an instrumentation, and what it owns. */
#include "instrument/archive.h"

#include "instrument/archive_fields.h"

ARCHIVE(static, implied, instrument_implication, U32(instrument_implication, bit),
        U32(instrument_implication, term.site), U32(instrument_implication, term.outcome));
ARCHIVE(static, planes, instrument_plane, U32(instrument_plane, site), U32(instrument_plane, record),
        FLAG(instrument_plane, barrier), FLAG(instrument_plane, async), FLAG(instrument_plane, arguments),
        ARRAY(instrument_plane, guards, guard_count, archive_numbers));
ARCHIVE(static, accesses, instrument_access, U32(instrument_access, file), U32(instrument_access, line),
        FLAG(instrument_access, writes));
ARCHIVE(static, parameters, instrument_parameter, STRING(instrument_parameter, name),
        STRING(instrument_parameter, type), FLAG(instrument_parameter, escapes),
        ARRAY(instrument_parameter, accesses, access_count, accesses));
ARCHIVE(static, objects, instrument_object, STRING(instrument_object, name), U32(instrument_object, parameter),
        U32(instrument_object, size), FLAG(instrument_object, local), FLAG(instrument_object, image),
        U32(instrument_object, shift), FLAG(instrument_object, writes), U32(instrument_object, space),
        U32(instrument_object, plain));
ARCHIVE(static, filled, instrument_filled, STRING(instrument_filled, name), STRING(instrument_filled, function),
        U32(instrument_filled, plain), FLAG(instrument_filled, local), U32(instrument_filled, file),
        U32(instrument_filled, line), U32(instrument_filled, column));
ARCHIVE(static, kernels, instrument_kernel, ARRAY(instrument_kernel, bits, bit_count, archive_terms),
        ARRAY(instrument_kernel, implied, implied_count, implied), U32(instrument_kernel, plane_bit),
        U32(instrument_kernel, item_bytes), U32(instrument_kernel, flag_words), U32(instrument_kernel, total_words),
        FLAG(instrument_kernel, planes_in_slots), ARRAY(instrument_kernel, planes, plane_count, planes),
        ARRAY(instrument_kernel, parameters, parameter_count, parameters), U32(instrument_kernel, area),
        FLAG(instrument_kernel, atomics), ARRAY(instrument_kernel, objects, object_count, objects),
        ARRAY(instrument_kernel, written, written_count, archive_numbers));
ARCHIVE(static, checks, instrument_check, U32(instrument_check, file), U32(instrument_check, line),
        U32(instrument_check, column), U32(instrument_check, offset), U32(instrument_check, kind),
        FLAG(instrument_check, local));
ARCHIVE(static, results, instrument_result, ARRAY(instrument_result, questions, question_count, archive_questions),
        PART(instrument_result, model, archive_models),
        AS_MANY(instrument_result, kernels, model.kernel_count, kernels),
        ARRAY(instrument_result, checks, check_count, checks), ARRAY(instrument_result, arrays, array_count, objects),
        ARRAY(instrument_result, filled, filled_count, filled), ARRAY(instrument_result, calls, call_count, checks),
        FLAG(instrument_result, left_out), FLAG(instrument_result, ordered),
        ARRAY(instrument_result, texts, source_count, archive_strings),
        AS_MANY(instrument_result, options, source_count, archive_strings));

void archive_write(const instrument_result *r, buffer *out) { archive_put(&results, r, out); }

int archive_read(const void *bytes, size_t length, instrument_result *out) {
  return archive_take(&results, bytes, length, out);
}

void instrument_free(instrument_result *r) {
  archive_free(&results, r);
  model_free(&r->model);
  *r = (instrument_result){0};
}
