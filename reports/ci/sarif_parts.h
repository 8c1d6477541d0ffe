/* What the files of the SARIF report share: sarif.c writes it, sarif_places.c says where things are, sarif_proof.c how
 * each work-item of a counterexample gets there. */
#ifndef CLTC_REPORTS_CI_SARIF_PARTS_H
#define CLTC_REPORTS_CI_SARIF_PARTS_H

#include "reports/common/issue.h"
#include "reports/common/json_stream.h"
#include "reports/common/json_value.h"
#include "reports/common/source_files.h"

typedef struct sarif {
  const view *v;
  const report_options *options;
  json_stream out;
  issues issues;
  source_paths paths;
  json_t *seen; /* fingerprints without their number: how many there were */
} sarif;

json_t *sarif_message(const char *text);
/* The text of a buffer, which is released. */
json_t *sarif_message_of(buffer *text);

/* Columns count in UTF-16 code units; ends are exclusive. */
json_t *sarif_region(uint32_t line, uint32_t column, uint32_t end_line, uint32_t end_column);
json_t *sarif_location(const sarif *s, uint32_t file, json_t *region);
/* A whole line, with words on what happens there. */
json_t *sarif_line_location(const sarif *s, uint32_t file, uint32_t line, buffer *words);
/* A character of it, given by its column in bytes; the whole line where that is not in it. */
json_t *sarif_point_location(const sarif *s, uint32_t file, uint32_t line, uint32_t column, buffer *words);

json_t *sarif_step(json_t *location);
/* A list of one code flow of these thread flows. */
json_t *sarif_one_flow(json_t *flows, buffer *words);

/* How each work-item of a counterexample gets to its place. */
void sarif_counterexample(const sarif *s, const db_finding *f, json_t *result);

#endif
