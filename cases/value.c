/* Numbers and texts of the file. */
#include <math.h>
#include <stdlib.h>

#include "cases/formula.h"
#include "cases/internal.h"

int case_number(case_suite *s, const scope *names, yaml_value *v, formula_value *out, error *e) {
  formula_error why;
  if (!yaml_is_text(v)) {
    return yaml_wrong(s->file, v, e, "a number or a formula is wanted here");
  }
  formula *f = formula_read(yaml_text(v), names, 0, &why);
  const bool known = f != NULL && formula_at(f, 0, out, &why) == 0;
  formula_free(f);
  return known ? 0 : yaml_wrong_in(s->file, v, why.offset, e, "%s", why.text);
}

bool case_whole(uint32_t kind, formula_value v, number_wide *out) {
  const bool whole = !v.real || (floor(v.number) == v.number && fabs(v.number) < 0x1p64);
  *out = !whole ? 0 : v.real ? (number_wide)v.number : v.integer;
  return whole && number_holds(kind, *out);
}

int case_not_whole(case_suite *s, uint32_t kind, const char *what, formula_value v, yaml_value *at, error *e) {
  buffer is = {0};
  if (!v.real) {
    number_put_wide(v.integer, &is);
  } else {
    buffer_printf(&is, "%g", v.number);
  }
  const int result = yaml_wrong(s->file, at, e, "%s is an integer of type %s, which does not hold %s", what,
                                number_name(kind), buffer_text(&is));
  buffer_free(&is);
  return result;
}

int case_integer(case_suite *s, const scope *names, yaml_value *v, const char *what, int64_t least, int64_t most,
                 int64_t *out, error *e) {
  formula_value value;
  if (case_number(s, names, v, &value, e) != 0) {
    return -1;
  }
  if (value.real) {
    return yaml_wrong(s->file, v, e, "%s is an integer, and this is %g", what, value.number);
  }
  buffer is = {0};
  number_put_wide(value.integer, &is);
  const int result = value.integer >= least && value.integer <= most
                         ? 0
                         : yaml_wrong(s->file, v, e, "%s is from %lld to %lld, and this is %s", what, (long long)least,
                                      (long long)most, buffer_text(&is));
  buffer_free(&is);
  *out = (int64_t)value.integer;
  return result;
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
