/* Making JSON values; what the writers of JSON share. */
#ifndef CLTC_REPORTS_COMMON_JSON_VALUE_H
#define CLTC_REPORTS_COMMON_JSON_VALUE_H

#include <jansson.h>

#include "reports/common/json_stream.h"
#include "reports/common/report.h"

/* A JSON string; what is not UTF-8 becomes U+FFFD, as JSON cannot hold it. */
json_t *value_text(const char *text, size_t length);
json_t *value_string(const char *text);
/* A file's name, null for none. */
json_t *value_file(const view *v, uint32_t file);
/* What is covered of what. */
json_t *value_ratio(const ratio *r);
/* Gives `value` to an object or an array. */
void value_set(json_t *object, const char *key, json_t *value);
void value_add(json_t *array, json_t *value);

/* The findings of the JSON report (json_finding.c). */
void value_findings(json_stream *report, const view *v, const report_options *options);
/* The parts of the JSON report on mutants (json_mutation.c). */
void value_mutation(json_stream *report, const view *v, const report_options *options);
/* Those on launches and schedules (json_amplification.c). */
void value_amplification(json_stream *report, const view *v, const report_options *options);
/* Those on proofs (json_proof.c). */
void value_verification(json_stream *report, const view *v, const report_options *options);
/* `races`, where a run looked for them. */
void value_races(json_stream *report, const view *v, const report_options *options);
/* memory: nothing unless one of the runs looked for errors with it. */
void value_memory(json_stream *report, const view *v, const report_options *options);
/* Those on repairs (json_repair.c). */
void value_repairs(json_stream *report, const view *v);

#endif
