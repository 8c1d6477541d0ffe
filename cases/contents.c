/* What a buffer or an image holds: one of some forms. */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/memory.h"
#include "capture/number.h"
#include "cases/formula.h"
#include "cases/internal.h"

/* Bytes that are being filled. */
typedef struct filling {
  case_suite *suite;
  const scope *names;
  const element_type *type;
  uint64_t elements, first, numbers; /* numbers: of all elements */
  unsigned char *bytes;
  error *e;
} filling;

int case_contents_form(case_suite *s, const contents_keys *k, yaml_value **out, error *e) {
  yaml_value *const forms[] = {k->values, k->ramp, k->random, k->permutation, k->file, k->formula, k->fill};
  *out = NULL;
  for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
    if (forms[i] != NULL && *out != NULL) {
      return yaml_wrong(s->file, forms[i], e,
                        "one of values, ramp, random, permutation, file, formula and fill says what it holds, not two");
    }
    *out = forms[i] != NULL ? forms[i] : *out;
  }
  return 0;
}

/* --- numbers ------------------------------------------------------------------------------------------------------ */

static int put(const filling *f, uint64_t number, formula_value v, yaml_value *at) {
  const element_type *t = f->type;
  const size_t many = case_element_numbers(t), lane = (size_t)(number % many);
  unsigned char *to = f->bytes + (size_t)(number / many) * t->size + lane * number_size(t->number);
  if (number_is_real(t->number)) {
    number_put_real(t->number, to, formula_real(v));
    return 0;
  }
  number_wide integer = 0;
  if (case_whole(t->number, v, &integer)) {
    number_put_integer(t->number, to, integer);
    return 0;
  }
  char what[40];
  (void)snprintf(what, sizeof what, "number %llu", (unsigned long long)number);
  return case_not_whole(f->suite, t->number, what, v, at, f->e);
}

static int put_values(const filling *f, yaml_value *list) {
  if (!yaml_is_list(list)) {
    return yaml_wrong(f->suite->file, list, f->e, "values is a list of numbers");
  }
  if (yaml_count(list) != f->numbers) {
    return yaml_wrong(f->suite->file, list, f->e, "these are %zu numbers, and there are %llu in %llu element%s",
                      yaml_count(list), (unsigned long long)f->numbers, (unsigned long long)f->elements,
                      f->elements == 1 ? "" : "s");
  }
  for (uint64_t i = 0; i < f->numbers; i++) {
    formula_value v;
    yaml_value *item = yaml_item(f->suite->file, list, (size_t)i);
    if (case_number(f->suite, f->names, item, &v, f->e) != 0 || put(f, i, v, item) != 0) {
      return -1;
    }
  }
  return 0;
}

static int put_formula(const filling *f, yaml_value *text) {
  formula_error why;
  if (!yaml_is_text(text)) {
    return yaml_wrong(f->suite->file, text, f->e, "a formula is wanted here, such as \"2 * i\"");
  }
  formula *what = formula_read(yaml_text(text), f->names, f->numbers, &why);
  int result = what == NULL ? yaml_wrong_in(f->suite->file, text, why.offset, f->e, "%s", why.text) : 0;
  const uint64_t before = f->first * case_element_numbers(f->type);
  for (uint64_t i = 0; i < f->numbers && result == 0; i++) {
    formula_value v;
    if (formula_at(what, (int64_t)(before + i), &v, &why) != 0) {
      result = yaml_wrong_in(f->suite->file, text, why.offset, f->e, "where i is %llu: %s",
                             (unsigned long long)(before + i), why.text);
    } else {
      result = put(f, i, v, text);
    }
  }
  formula_free(what);
  return result;
}

/* One number, or one for each of an element. */
static int put_fill(const filling *f, yaml_value *fill) {
  const size_t many = case_element_numbers(f->type);
  const bool list = yaml_is_list(fill);
  if (list && yaml_count(fill) != many) {
    return yaml_wrong(f->suite->file, fill, f->e, "an element has %zu number%s, not %zu", many, many == 1 ? "" : "s",
                      yaml_count(fill));
  }
  for (size_t lane = 0; lane < many; lane++) {
    formula_value v;
    yaml_value *item = list ? yaml_item(f->suite->file, fill, lane) : fill;
    if (case_number(f->suite, f->names, item, &v, f->e) != 0) {
      return -1;
    }
    for (uint64_t i = lane; i < f->numbers; i += many) {
      if (put(f, i, v, item) != 0) {
        return -1;
      }
    }
  }
  return 0;
}

/* --- sequences ---------------------------------------------------------------------------------------------------- */

/* A number of a map, or what it is where the map does not have it. */
static int read_number(const filling *f, yaml_value *v, int64_t otherwise, formula_value *out) {
  *out = (formula_value){.integer = otherwise};
  return v == NULL ? 0 : case_number(f->suite, f->names, v, out, f->e);
}

static int put_ramp(const filling *f, yaml_value *ramp) {
  yaml_value *from, *step;
  const yaml_key keys[] = {{"from", &from}, {"step", &step}};
  formula_value a, b;
  if (yaml_keys(f->suite->file, ramp, "a ramp", keys, 2, f->e) != 0 || read_number(f, from, 0, &a) != 0 ||
      read_number(f, step, 1, &b) != 0) {
    return -1;
  }
  for (uint64_t i = 0; i < f->numbers; i++) {
    formula_value v = {.real = a.real || b.real};
    v.number = formula_real(a) + (double)i * formula_real(b);
    v.integer = v.real ? 0 : a.integer + (number_wide)i * b.integer;
    if (!number_fits(v.integer)) {
      return yaml_wrong(f->suite->file, ramp, f->e, "the ramp leaves 64 bits");
    }
    if (put(f, i, v, ramp) != 0) {
      return -1;
    }
  }
  return 0;
}

/* The numbers of splitmix64: each from a state that goes up by a constant. */
static uint64_t next_random(uint64_t *state) {
  uint64_t x = *state += UINT64_C(0x9e3779b97f4a7c15);
  x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
  x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
  return x ^ x >> 31;
}

static int read_seed(const filling *f, yaml_value *v, uint64_t *out) {
  formula_value seed;
  if (read_number(f, v, 1, &seed) != 0) {
    return -1;
  }
  *out = (uint64_t)seed.integer;
  return seed.real ? yaml_wrong(f->suite->file, v, f->e, "a seed is an integer, and this is %g", seed.number) : 0;
}

static int put_random(const filling *f, yaml_value *random) {
  yaml_value *seed, *from, *to;
  const yaml_key keys[] = {{"seed", &seed}, {"from", &from}, {"to", &to}};
  formula_value a, b;
  uint64_t state = 0;
  if (yaml_keys(f->suite->file, random, "random", keys, 3, f->e) != 0 || read_seed(f, seed, &state) != 0 ||
      read_number(f, from, 0, &a) != 0 || read_number(f, to, number_is_real(f->type->number) ? 1 : 100, &b) != 0) {
    return -1;
  }
  if (!(formula_real(a) <= formula_real(b)) || !isfinite(formula_real(b) - formula_real(a))) {
    return yaml_wrong(f->suite->file, random, f->e, "from is not above to");
  }
  const bool real = number_is_real(f->type->number);
  if (!real && (a.real || b.real)) {
    return yaml_wrong(f->suite->file, random, f->e, "from and to of %s are integers", number_name(f->type->number));
  }
  const number_wide range = real ? 1 : b.integer - a.integer + 1;
  for (uint64_t i = 0; i < f->numbers; i++) {
    const uint64_t drawn = next_random(&state);
    formula_value v = {.real = real};
    v.number = formula_real(a) + (formula_real(b) - formula_real(a)) * ((double)(drawn >> 11) * 0x1p-53);
    v.integer = a.integer + drawn % range;
    if (put(f, i, v, random) != 0) {
      return -1;
    }
  }
  return 0;
}

uint64_t *case_permutation(uint64_t seed, uint64_t count) {
  uint64_t state = seed, *order = mem_calloc((size_t)count + 1, sizeof *order);
  for (uint64_t i = 0; i < count; i++) {
    const uint64_t k = next_random(&state) % (i + 1);
    order[i] = order[k];
    order[k] = i;
  }
  return order;
}

static int put_permutation(const filling *f, yaml_value *permutation) {
  yaml_value *seed;
  const yaml_key keys[] = {{"seed", &seed}};
  uint64_t state = 0;
  if (yaml_keys(f->suite->file, permutation, "a permutation", keys, 1, f->e) != 0 || read_seed(f, seed, &state) != 0) {
    return -1;
  }
  uint64_t *order = case_permutation(state, f->numbers);
  int result = 0;
  for (uint64_t i = 0; i < f->numbers && result == 0; i++) {
    result = put(f, i, (formula_value){.integer = order[i]}, permutation);
  }
  free(order);
  return result;
}

/* --- files -------------------------------------------------------------------------------------------------------- */

/* Its bytes, and path, which is to be freed. */
static int file_size(case_suite *s, const scope *names, yaml_value *v, char **path, uint64_t *size, error *e) {
  struct stat status;
  char *name = case_text(s, names, v, e);
  if (name == NULL) {
    return -1;
  }
  *path = case_path(s, name);
  free(name);
  if (stat(*path, &status) != 0 || !S_ISREG(status.st_mode)) {
    const int result =
        yaml_wrong(s->file, v, e, "there is no file %s; `cltestcheck run --update` makes those of results", *path);
    free(*path);
    return result;
  }
  *size = (uint64_t)status.st_size;
  return 0;
}

static int put_file(const filling *f, yaml_value *v) {
  char *path = NULL;
  uint64_t size = 0;
  const uint64_t wanted = f->elements * f->type->size;
  if (file_size(f->suite, f->names, v, &path, &size, f->e) != 0) {
    return -1;
  }
  int result = 0;
  if (size != wanted) {
    result = yaml_wrong(f->suite->file, v, f->e, "%s has %llu bytes, and %llu elements have %llu", path,
                        (unsigned long long)size, (unsigned long long)f->elements, (unsigned long long)wanted);
  } else {
    FILE *in = fopen(path, "rbe");
    if (in == NULL || fread(f->bytes, 1, (size_t)wanted, in) != wanted) {
      result = yaml_wrong(f->suite->file, v, f->e, "%s cannot be read", path);
    }
    if (in != NULL) {
      (void)fclose(in);
    }
  }
  free(path);
  return result;
}

/* --- all ---------------------------------------------------------------------------------------------------------- */

int case_contents_count(case_suite *s, const scope *names, const contents_keys *k, const element_type *type,
                        uint64_t *out, error *e) {
  *out = 0;
  if (k->values != NULL && yaml_is_list(k->values)) {
    *out = yaml_count(k->values) / case_element_numbers(type);
  } else if (k->file != NULL) {
    char *path = NULL;
    uint64_t size = 0;
    if (file_size(s, names, k->file, &path, &size, e) != 0) {
      return -1;
    }
    free(path);
    *out = size / type->size;
  }
  return 0;
}

static int put_form(const filling *f, const contents_keys *k) {
  if (k->values != NULL) {
    return put_values(f, k->values);
  }
  if (k->ramp != NULL) {
    return put_ramp(f, k->ramp);
  }
  if (k->random != NULL) {
    return put_random(f, k->random);
  }
  if (k->permutation != NULL) {
    return put_permutation(f, k->permutation);
  }
  if (k->file != NULL) {
    return put_file(f, k->file);
  }
  return k->formula != NULL ? put_formula(f, k->formula) : put_fill(f, k->fill);
}

int case_contents_make(case_suite *s, const scope *names, const contents_keys *k, const element_type *type,
                       uint64_t elements, uint64_t first, unsigned char **out, error *e) {
  filling f = {s, names, type, elements, first, elements * case_element_numbers(type), NULL, e};
  f.bytes = mem_calloc((size_t)elements + 1, type->size);
  if (put_form(&f, k) != 0) {
    free(f.bytes);
    return -1;
  }
  *out = f.bytes;
  return 0;
}
