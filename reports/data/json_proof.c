/* The JSON report on proofs: `verification` and `proofs` (docs/formats/json.md). */
#include <string.h>

#include "reports/common/json_value.h"
#include "reports/common/verification.h"

/* Keys of the verdicts; the possible ones are one. */
static const struct {
  const char *key;
  proof_verdict verdicts[2];
} counts[] = {
    {"verified", {PROOF_VERIFIED, PROOF_VERDICTS}},
    {"race", {PROOF_RACE, PROOF_VERDICTS}},
    {"divergence", {PROOF_DIVERGENCE, PROOF_VERDICTS}},
    {"out_of_bounds", {PROOF_OUT_OF_BOUNDS, PROOF_VERDICTS}},
    {"possible", {PROOF_POSSIBLE_RACE, PROOF_POSSIBLE_DIVERGENCE}},
    {"unknown", {PROOF_UNKNOWN, PROOF_VERDICTS}},
    {"unsupported", {PROOF_UNSUPPORTED, PROOF_VERDICTS}},
};

static json_t *summary_of(const verification *all) {
  json_t *summary = json_object();
  value_set(summary, "kernels", json_integer((json_int_t)all->kernels));
  for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++) {
    unsigned long count = 0;
    for (size_t k = 0; k < 2; k++) {
      count += counts[i].verdicts[k] == PROOF_VERDICTS ? 0 : all->of[counts[i].verdicts[k]];
    }
    value_set(summary, counts[i].key, json_integer((json_int_t)count));
  }
  value_set(summary, "suppressed", json_integer((json_int_t)all->suppressed));
  return summary;
}

static json_t *texts_of(const db_proof_parts *parts) {
  json_t *list = json_array();
  for (size_t i = 0; i < parts->count; i++) {
    value_add(list, value_string(parts->list[i].text));
  }
  return list;
}

static json_t *invariants_of(const view *v, const db_proof_parts *parts) {
  json_t *list = json_array();
  for (size_t i = 0; i < parts->count; i++) {
    const db_proof_part *part = &parts->list[i];
    json_t *invariant = json_object();
    value_place(invariant, v, part->file, part->line);
    value_set(invariant, "text", value_string(part->text));
    value_add(list, invariant);
  }
  return list;
}

static json_t *barriers_of(const view *v, const db_proof_parts *parts) {
  json_t *list = json_array();
  for (size_t i = 0; i < parts->count; i++) {
    const db_proof_part *part = &parts->list[i];
    const bool needed = strcmp(part->text, "needed") == 0;
    json_t *barrier = json_object();
    value_set(barrier, "file", value_file(v, part->file));
    value_set(barrier, "line", json_integer(part->line));
    value_set(barrier, "column", json_integer(part->column));
    value_set(barrier, "needed", needed || strcmp(part->text, "redundant") == 0 ? json_boolean(needed) : json_null());
    value_add(list, barrier);
  }
  return list;
}

static json_t *launches_of(const db_proof *p) {
  if (p->launches == 0) {
    return json_null();
  }
  json_t *launches = json_object();
  value_set(launches, "given", json_integer(p->launches));
  value_set(launches, "proved", json_integer(p->proved));
  return launches;
}

static json_t *confirmed_of(const view *v, size_t proof) {
  const finding_confirmed confirmed = verification_confirmed(v, proof);
  return confirmed == CONFIRMED_YES ? json_true() : confirmed == CONFIRMED_NO ? json_false() : json_null();
}

static json_t *proof_of(const view *v, size_t i) {
  const db_proof *p = &v->proofs[i];
  json_t *proof = json_object();
  value_set(proof, "kernel", value_string(p->name));
  value_place(proof, v, p->file, p->line);
  value_set(proof, "options", value_string(p->options));
  value_set(proof, "verdict", json_string(proof_verdict_name(proof_verdict_of(p))));
  value_set(proof, "preconditions", texts_of(&p->parts[PROOF_PRECONDITION]));
  value_set(proof, "reason", value_string(p->reason));
  value_set(proof, "confirmed", confirmed_of(v, i));
  value_set(proof, "suppressed", json_boolean(verification_held_back(v, i)));
  value_set(proof, "launches", launches_of(p));
  const db_proof_parts *host = &p->parts[PROOF_HOST];
  value_set(proof, "host", host->count > 0 ? value_string(host->list[0].text) : json_null());
  value_set(proof, "facts", texts_of(&p->parts[PROOF_FACT]));
  value_set(proof, "assumptions", texts_of(&p->parts[PROOF_ASSUMPTION]));
  value_set(proof, "invariants", invariants_of(v, &p->parts[PROOF_INVARIANT]));
  value_set(proof, "barriers", barriers_of(v, &p->parts[PROOF_BARRIER]));
  value_set(proof, "seconds", json_real(p->seconds));
  value_set(proof, "queries", json_integer((json_int_t)p->queries));
  value_set(proof, "memory", json_integer((json_int_t)p->memory));
  value_set(proof, "reused", json_boolean(p->reused));
  return proof;
}

void value_verification(json_stream *report, const view *v, const report_options *options) {
  if (!verification_is(v)) {
    return;
  }
  verification all;
  verification_totals(v, options, &all);
  json_stream_value(report, "verification", summary_of(&all));
  json_stream_array(report, "proofs");
  for (size_t i = 0; i < v->proof_count; i++) {
    if (report_selects(options, v->proofs[i].name)) {
      json_stream_item(report, proof_of(v, i));
    }
  }
  json_stream_close(report);
}
