/* Calls that the driver has refused. */
#include "runner/session/internal.h"
#include "runner/session/refusal.h"

int session_refused(session *s, const session_client *c, wire_reader *in, error *e) {
  refusal r;
  int result = refusal_read(in, &r) != 0 ? error_set(e, EXIT_INTERNAL, "the layer sent a malformed message")
               : c->repeats              ? 0
                                         : refusal_store(&r, s->db, s->run, e);
  if (result == 0 && r.launch && !c->repeats) {
    s->summary.refused_launches += r.count;
    if (s->refusal == NULL) {
      buffer words = {0};
      refusal_words(&r, &words);
      s->refusal = buffer_take(&words);
    }
  }
  refusal_free(&r);
  return result;
}
