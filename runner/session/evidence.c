/* Evidence: the records of kernels, which the decoder of their form reads. */
#include <stdlib.h>

#include "base/memory.h"
#include "runner/session/internal.h"

int session_store_evidence(session *s, const form_record *r, const model_term *items, size_t count, error *e) {
  const session_program *p = &s->programs[r->program];
  db_evidence *evidence = mem_calloc(count, sizeof *evidence);
  for (size_t i = 0; i < count; i++) evidence[i] = (db_evidence){p->stored.sites[items[i].site], items[i].outcome};
  int result = db_add_evidence(s->db, r->row, p->stored.kernels[r->kernel], r->launches, evidence, count, e);
  free(evidence);
  return result;
}

int session_launched(session *s, const form_record *r, error *e) {
  s->summary.launches += r->launches;
  return session_store_evidence(s, r, NULL, 0, e);
}

/* What reads the record of a form. */
#define DECODER(name) name
#define NO_DECODER NULL
#define FORM_DECODER(NAME, CALLED, FIELDS, HIDDEN, EXTENSION, WRITTEN, LAUNCHED, DECODED) [KERNEL_##NAME] = DECODED,
static session_decoder *const decoders[] = {CLTC_FORMS(FORM_DECODER, FORMS_IGNORED)};

int session_evidence(session *s, session_client *c, wire_reader *in, error *e) {
  uint32_t number = wire_u32(in);
  uint32_t kernel = wire_u32(in);
  uint64_t launches = wire_u64(in);
  const uint32_t first = wire_u32(in), end = wire_u32(in);
  const int64_t row = session_row(s, c, wire_u32(in));
  uint32_t count = wire_u32(in);
  if (in->failed || number >= s->program_count || s->programs[number].reason != NULL ||
      kernel >= s->programs[number].result.model.kernel_count ||
      count != s->programs[number].result.kernels[kernel].total_words || (size_t)count * 4 != in->left)
    return error_set(e, EXIT_INTERNAL, "the layer sent evidence that fits no kernel");
  client_leaves(c, number, kernel);
  session_program *p = &s->programs[number];
  p->launched = true;
  s->summary.observed = true;
  if (session_is_bare(c)) return 0;
  uint32_t *words = mem_calloc(count, sizeof *words);
  for (uint32_t i = 0; i < count; i++) words[i] = wire_u32(in);
  const int result =
      decoders[s->kernels](s, &(form_record){number, kernel, row, c->repeats ? 0 : launches, first, end, words}, e);
  free(words);
  return result;
}
