/* Reading patches: which lines they are about. */
#include "reports/common/repairs.h"

#include <stdio.h>
#include <string.h>

#include "reports/common/report.h"

static const struct {
  const char *outcome, *words;
} outcomes[] = {{"fine", "nothing to repair"},
                {"repaired", "repaired"},
                {"part", "repaired in part"},
                {"remains", "not repaired"},
                {"refused", "patch not offered"}};

bool repairs_are(const view *v) { return v->repair_count > 0 || report_has_run(v, "repair"); }

const char *repair_words(const db_repair *r) {
  for (size_t i = 0; i < sizeof outcomes / sizeof *outcomes; i++) {
    if (strcmp(outcomes[i].outcome, r->outcome) == 0) {
      return outcomes[i].words;
    }
  }
  return r->outcome;
}

const char *repair_line(const char **at, size_t *length) {
  const char *line = *at;
  if (line[0] == '\0') {
    return NULL;
  }
  const size_t all = strcspn(line, "\n");
  *at = line + all + (line[all] == '\n' ? 1 : 0);
  *length = all > 0 && line[all - 1] == '\r' ? all - 1 : all;
  return line;
}

bool repair_touches(const db_repair *r, uint32_t line) {
  const char *at = r->patch, *one = NULL;
  size_t length = 0;
  unsigned here = 0; /* line of the file that comes next; 0: in front of the first part */
  bool put_in = false;
  while ((one = repair_line(&at, &length)) != NULL) {
    if (one[0] == '@') {
      here = sscanf(one, "@@ -%u", &here) == 1 ? here : 0;
      put_in = false;
    } else if (here > 0 && one[0] == '+') {
      put_in = true;
    } else if (here > 0 && (one[0] == '-' || one[0] == ' ')) {
      if (here == line && (put_in || one[0] == '-')) {
        return true;
      }
      put_in = false;
      here++;
    }
  }
  return false;
}
