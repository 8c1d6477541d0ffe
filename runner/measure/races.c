/* The look at accesses to memory: in as many rounds as it takes until all memory was checked; first in the form that costs
 * least, and once more where that was not enough. */
#include <stdlib.h>

#include "base/buffer.h"
#include "runner/measure/look.h"

static bool next(session *s, look_run *r, char **note) {
  if (r->number == 0) {
    session_check_apart(s, true);
    return true;
  }
  if (++r->round < session_check_rounds(s)) {
    buffer text = {0};
    buffer_printf(&text, "its memory is too large to be checked in one run; run %u of %u", r->round + 1,
                  session_check_rounds(s));
    *note = buffer_take(&text);
    return true;
  }
  if (r->whole || !session_has_shared(s)) {
    return false;
  }
  session_check_apart(s, false);
  r->whole = true;
  r->round = 0;
  return true;
}

const measure_look look_for_races = {.form = FORM_CHECKED,
                                     .strict_form = FORM_CHECKED_STRICT,
                                     .next = next,
                                     .end = session_end_checks,
                                     .doing = "its accesses were checked",
                                     .unknown = "its work-items race"};
