/* From a kernel's flags buffer to rows of evidence and findings. */
#ifndef CLTC_RUNNER_SESSION_EVIDENCE_H
#define CLTC_RUNNER_SESSION_EVIDENCE_H

#include "runner/session/session.h"
#include "wire/fields.h"

/* A record of a kernel as it came. */
typedef struct form_record {
  uint32_t program, kernel;
  int64_t row;         /* of its test case */
  uint64_t launches;   /* that count */
  uint32_t first, end; /* numbers of those that ran as twins, as of MESSAGE_EVIDENCE */
  const uint32_t *words;
} form_record;
/* Who reads the records of a form: they stand in the rows of wire/forms.h. */
typedef int session_decoder(session *s, const form_record *r, error *e);
#define READ_BY(name) session_decoder name;
#define READ_ELSEWHERE
#define FORM_READER(NAME, CALLED, FIELDS, HIDDEN, EXTENSION, PASSES, TEXT, LAUNCH, READER) READER
CLTC_FORMS(FORM_READER, FORMS_IGNORED)
#undef READ_BY
#undef READ_ELSEWHERE

/* Takes the payload of MESSAGE_EVIDENCE. */
int session_evidence(session *s, session_client *c, wire_reader *in, error *e);

#endif
