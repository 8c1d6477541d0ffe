/* The look at accesses that have left their objects: once, where the run that counts says that there were any. */
#include "runner/measure/look.h"

static bool next(session *s, look_run *r, char **note) {
  (void)s, (void)note;
  return r->number == 0;
}

const measure_look look_for_faults = {.form = FORM_MEMORY,
                                      .strict_form = FORM_MEMORY,
                                      .next = next,
                                      .reason = session_has_wrong,
                                      .end = session_end_memory,
                                      .doing = "its accesses were held against their memory",
                                      .unknown = "all its errors are listed"};

/* The same of every test case, whatever was seen before. */
const measure_look look_for_all_faults = {.form = FORM_MEMORY,
                                          .strict_form = FORM_MEMORY,
                                          .next = next,
                                          .end = session_end_memory,
                                          .doing = "its accesses were held against their memory",
                                          .unknown = "all its errors are listed"};
