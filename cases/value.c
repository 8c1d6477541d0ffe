/* Numbers and texts of the file. */
#include <stdlib.h>

#include "cases/formula.h"
#include "cases/internal.h"

int case_number(case_suite *s, const scope *names, yaml_value *v, formula_value *out, error *e) {
  formula_error why;
  if (!yaml_is_text(v)) {
    return yaml_wrong(s->file, v, e, "a number or a formula is wanted here");
  }
  formula *f = formula_read(yaml_text(v), names, false, &why);
  const bool known = f != NULL && formula_at(f, 0, out, &why) == 0;
  formula_free(f);
  return known ? 0 : yaml_wrong_in(s->file, v, why.offset, e, "%s", why.text);
}

int case_integer(case_suite *s, const scope *names, yaml_value *v, const char *what, int64_t least, int64_t most,
                 int64_t *out, error *e) {
  formula_value value;
  if (case_number(s, names, v, &value, e) != 0) {
    return -1;
  }
  if (value.real || value.integer < least || value.integer > most) {
    return value.real ? yaml_wrong(s->file, v, e, "%s is an integer, and this is %g", what, value.number)
                      : yaml_wrong(s->file, v, e, "%s is from %lld to %lld, and this is %lld", what, (long long)least,
                                   (long long)most, (long long)value.integer);
  }
  *out = value.integer;
  return 0;
}

char *case_text(case_suite *s, const scope *names, yaml_value *v, error *e) {
  buffer out = {0};
  if (!yaml_is_text(v)) {
    (void)yaml_wrong(s->file, v, e, "a text is wanted here");
    return NULL;
  }
  const long wrong = scope_fill(names, yaml_text(v), &out);
  if (wrong >= 0) {
    buffer_free(&out);
    (void)yaml_wrong_in(s->file, v, (size_t)wrong, e,
                        "{…} takes a name of each: or let:, and there is none such; {{ is a brace");
    return NULL;
  }
  return buffer_take(&out);
}
