/* Results of a case: what it reads back and must be, and `--update`, which writes what it was. */
#define XXH_INLINE_ALL
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <xxhash.h>

#include "base/files.h"
#include "base/memory.h"
#include "cases/internal.h"

/* Of an image everything. */
static capture_command *read_object(composing *c, const case_object *o, uint64_t first, uint64_t elements,
                                    yaml_value *entry) {
  const capture_expectation shape = {
      .number = o->type.number, .lanes = o->type.lanes, .used = o->type.used, .first = first, .blob = CAPTURE_NONE};
  *ARRAY_ADD(c->out->results, c->out->result_count, c->result_capacity) =
      (case_result){entry, mem_strdup(o->name), c->out->capture.command_count, elements * o->type.size, shape};
  capture_command *read = compose_command(c, o->kind == OBJECT_IMAGE ? CAPTURE_READ_IMAGE : CAPTURE_READ);
  read->u.transfer.at.memory = o->number;
  if (o->kind == OBJECT_IMAGE) {
    memcpy(read->u.transfer.region, o->extent, sizeof o->extent);
  } else {
    read->u.transfer.at.offset = first * o->type.size;
    read->u.transfer.size = elements * o->type.size;
  }
  return read;
}

/* --- what it must be ---------------------------------------------------------------------------------------------- */

typedef struct expect_keys {
  yaml_value *object, *image, *range, *tolerance, *digest;
  contents_keys contents;
} expect_keys;

static int take_real(composing *c, yaml_value *v, const char *what, double *out) {
  formula_value value;
  if (v == NULL) return 0;
  if (case_number(&c->in, v, &value) != 0) return -1;
  *out = formula_real(value);
  return *out >= 0 && isfinite(*out) ? 0 : case_wrong(&c->in, v, "a tolerance (%s) is a number from 0 on", what);
}

static int take_tolerance(composing *c, yaml_value *v, capture_expectation *x) {
  yaml_value *ulp, *relative, *absolute;
  const yaml_key keys[] = {{"ulp", &ulp}, {"relative", &relative}, {"absolute", &absolute}};
  int64_t places = 0;
  if (v == NULL) return 0;
  if (case_keys(&c->in, v, "a tolerance", keys, 3) != 0 ||
      case_integer(&c->in, ulp, "a tolerance in ULP", 0, INT64_MAX, &places) != 0)
    return -1;
  x->ulp = (uint64_t)places;
  return take_real(c, relative, "relative", &x->relative) != 0 ? -1 : take_real(c, absolute, "absolute", &x->absolute);
}

/* [first, after] */
static int take_range(composing *c, yaml_value *v, const case_object *o, uint64_t *first, uint64_t *elements) {
  int64_t from = 0, to = (int64_t)o->elements;
  if (v != NULL) {
    if (!yaml_is_list(v) || yaml_count(v) != 2 || o->kind == OBJECT_IMAGE)
      return case_wrong(&c->in, v, "range is the first element of a buffer and the one after the last, as in [0, n]");
    if (case_integer(&c->in, yaml_item(c->in.file, v, 0), "the first element", 0, to - 1, &from) != 0 ||
        case_integer(&c->in, yaml_item(c->in.file, v, 1), "the end of a range", from + 1, to, &to) != 0)
      return -1;
  }
  *first = (uint64_t)from;
  *elements = (uint64_t)(to - from);
  return 0;
}

static int take_digest(composing *c, yaml_value *v, capture_command *read) {
  char *text = case_text(&c->in, v);
  if (text == NULL) return -1;
  const bool right = strlen(text) == 32 && strspn(text, "0123456789abcdef") == 32;
  if (right) {
    read->low = strtoull(text + 16, NULL, 16);
    text[16] = '\0';
    read->high = strtoull(text, NULL, 16);
    read->known = true;
  }
  free(text);
  return right ? 0
               : case_wrong(&c->in, v,
                            "a digest is 32 digits of 0 to 9 and a to f, which `cltestcheck run --update` writes");
}

static case_object *take_object(composing *c, yaml_value *entry, const expect_keys *k) {
  yaml_value *v = k->object != NULL ? k->object : k->image;
  case_object *o = v == NULL ? NULL : compose_find(c, yaml_text(v));
  const case_object_kind kind = k->object != NULL ? OBJECT_BUFFER : OBJECT_IMAGE;
  if (v == NULL || (k->object != NULL && k->image != NULL)) {
    (void)case_wrong(&c->in, entry, "what is expected is of a buffer or of an image, as in {buffer: y, values: [1]}");
    return NULL;
  }
  if (o == NULL || o->kind != kind) {
    (void)case_wrong(&c->in, v, "there is no %s \"%s\"", kind == OBJECT_BUFFER ? "buffer" : "image", yaml_text(v));
    return NULL;
  }
  return o;
}

/* A file that `run --update` is to make may be missing then. */
static bool left_to_update(const composing *c, const contents_keys *k) {
  error ignored;
  uint64_t count = 0;
  const element_type any = {.size = 1};
  const case_reader in = {c->in.suite, c->in.file, &c->names, &ignored};
  return c->in.suite->updating && k->file != NULL &&
         case_contents_count(&in, &(contents_keys){.file = k->file}, &any, &count) != 0;
}

/* Of the read that was made last. */
static int add_expectation(composing *c, const case_object *o, const expect_keys *k, uint64_t elements) {
  unsigned char *bytes = NULL;
  capture *to = &c->out->capture;
  capture_expectation x = c->out->results[c->out->result_count - 1].shape;
  const uint64_t first = x.first;
  x.command = to->command_count - 1;
  if (k->digest == NULL) {
    if (case_contents_make(&c->in, &k->contents, &o->type, elements, first, &bytes) != 0) return -1;
    x.blob = compose_blob(c, bytes, (size_t)elements * o->type.size);
  }
  c->out->expects = true;
  x.name = mem_strdup(o->name);
  *ARRAY_ADD(to->expectations, to->expectation_count, c->expectation_capacity) = x;
  return 0;
}

int compose_expect(composing *c, yaml_value *entry) {
  expect_keys k;
  const yaml_key keys[] = {{"buffer", &k.object},       {"image", &k.image},   {"range", &k.range},
                           {"tolerance", &k.tolerance}, {"digest", &k.digest}, CONTENTS_KEYS(k.contents)};
  capture_expectation x = {0};
  case_result *result = NULL;
  uint64_t first = 0, elements = 0;
  yaml_value *form = NULL;
  if (case_keys(&c->in, entry, "what is expected", keys, sizeof keys / sizeof *keys) != 0) return -1;
  const case_object *o = take_object(c, entry, &k);
  if (o == NULL || case_contents_form(&c->in, &k.contents, &form) != 0 ||
      take_range(c, k.range, o, &first, &elements) != 0 || take_tolerance(c, k.tolerance, &x) != 0)
    return -1;
  if (k.digest != NULL && (form != NULL || k.tolerance != NULL)) {
    return case_wrong(&c->in, k.digest,
                      "a digest stands alone: it has no tolerance, and nothing else says what is expected");
  }
  capture_command *read = read_object(c, o, first, elements, entry);
  result = &c->out->results[c->out->result_count - 1];
  result->shape.ulp = x.ulp;
  result->shape.relative = x.relative;
  result->shape.absolute = x.absolute;
  if ((form == NULL && k.digest == NULL) || left_to_update(c, &k.contents)) return 0;
  if (k.digest != NULL && c->in.suite->updating) return 0;
  if (k.digest != NULL && take_digest(c, k.digest, read) != 0) return -1;
  return add_expectation(c, o, &k, elements);
}

/* --- all ---------------------------------------------------------------------------------------------------------- */

int compose_results(composing *c) {
  yaml_value *expect = c->keys.expect;
  if (expect != NULL && !yaml_is_list(expect))
    return case_wrong(&c->in, expect, "expect is a list, such as - {buffer: y, formula: \"2 * i\"}");
  for (size_t i = 0; expect != NULL && i < yaml_count(expect); i++)
    if (compose_expect(c, yaml_item(c->in.file, expect, i)) != 0) return -1;
  const bool all = c->out->result_count == 0; /* nobody said what is read back: all that may have changed */
  for (size_t i = 0; i < c->object_count && all; i++)
    if (c->objects[i].written) (void)read_object(c, &c->objects[i], 0, c->objects[i].elements, NULL);
  return 0;
}

void case_capture_free(case_capture *c) {
  capture_free(&c->capture);
  for (size_t i = 0; i < c->result_count; i++) free(c->results[i].name);
  free(c->results);
  *c = (case_capture){0};
}

/* Results in the place of what was expected: in the suite file, at the place where it stands, or in files of their own.
 */

/* A text that takes the place of a value. */
typedef struct replacement {
  yaml_value *at;
  char *text;
  bool other; /* than what stands there */
} replacement;

typedef struct result_file {
  char *path;
  unsigned char *bytes;
  size_t size;
} result_file;

struct case_update {
  case_suite *suite;
  replacement *replacements;
  size_t replacement_count, replacement_capacity;
  result_file *files;
  size_t file_count, file_capacity;
};

case_update *case_update_open(case_suite *s) {
  case_update *u = mem_calloc(1, sizeof *u);
  u->suite = s;
  s->updating = true;
  return u;
}

/* What is expected of a result, with its bytes; NULL: nothing, or a digest. */
static const unsigned char *case_expected(const case_capture *c, const case_result *r) {
  EACH(const capture_expectation, x, c->capture.expectations, c->capture.expectation_count) {
    if (x->command == r->command) return x->blob == CAPTURE_NONE ? NULL : c->capture.blobs[x->blob].bytes;
  }
  return NULL;
}

/* --- what is taken ------------------------------------------------------------------------------------------------ */

/* Cases of one entry share what stands there. */
static int replace(case_update *u, yaml_value *at, char *text, bool other, error *e) {
  for (size_t i = 0; i < u->replacement_count; i++) {
    replacement *r = &u->replacements[i];
    if (r->at == at && strcmp(r->text, text) != 0) {
      free(text);
      return yaml_wrong(u->suite->file, at, e,
                        "the cases of this entry have different results: write file: \"NAME-{n}.bin\" with the names "
                        "of each: in it");
    }
    if (r->at == at) {
      r->other = r->other || other;
      free(text);
      return 0;
    }
  }
  *ARRAY_ADD(u->replacements, u->replacement_count, u->replacement_capacity) = (replacement){at, text, other};
  return 0;
}

static int take_file(case_update *u, const scope *names, yaml_value *v, const unsigned char *bytes, size_t size,
                     error *e) {
  char *name = case_text(&(case_reader){u->suite, u->suite->file, names, e}, v);
  if (name == NULL) return -1;
  char *path = case_path(u->suite, name);
  free(name);
  for (size_t i = 0; i < u->file_count; i++) {
    if (strcmp(u->files[i].path, path) == 0) {
      const bool same = u->files[i].size == size && memcmp(u->files[i].bytes, bytes, size) == 0;
      free(path);
      return same ? 0
                  : yaml_wrong(u->suite->file, v, e,
                               "several cases have different results for this file: write the names of each: in it, "
                               "as in \"NAME-{n}.bin\"");
    }
  }
  unsigned char *copy = mem_calloc(1, size + 1);
  memcpy(copy, bytes, size);
  *ARRAY_ADD(u->files, u->file_count, u->file_capacity) = (result_file){path, copy, size};
  return 0;
}

static void put_digest(const unsigned char *bytes, size_t size, buffer *out) {
  const XXH128_hash_t hash = XXH3_128bits(bytes, size);
  buffer_printf(out, "%016llx%016llx", (unsigned long long)hash.high64, (unsigned long long)hash.low64);
}

void case_digest(const unsigned char *bytes, size_t size, buffer *out) {
  buffer_puts(out, "digest: \"");
  put_digest(bytes, size, out);
  buffer_putc(out, '"');
}

static int update_digest(case_update *u, yaml_value *v, const unsigned char *bytes, size_t size, error *e) {
  scoped_buffer text = {0};
  put_digest(bytes, size, &text);
  const bool other = strcmp(buffer_text(&text), yaml_text(v)) != 0;
  buffer quoted = {0};
  buffer_printf(&quoted, "\"%s\"", buffer_text(&text));
  return replace(u, v, buffer_take(&quoted), other, e);
}

static int take_values(case_update *u, yaml_value *v, const case_result *r, const unsigned char *bytes, bool other,
                       error *e) {
  const size_t size = number_size(r->shape.number), element = size * r->shape.lanes;
  buffer text = {0};
  buffer_puts(&text, "[");
  for (size_t i = 0; i < r->size / element; i++) {
    for (uint32_t lane = 0; lane < r->shape.used; lane++) {
      buffer_puts(&text, text.length > 1 ? ", " : "");
      number_write(r->shape.number, bytes + i * element + lane * size, &text);
    }
  }
  buffer_puts(&text, "]");
  return replace(u, v, buffer_take(&text), other, e);
}

int case_update_take(case_update *u, size_t number, const case_capture *c, size_t result, const unsigned char *bytes,
                     error *e) {
  const case_result *r = &c->results[result];
  const kernel_case *of = &u->suite->cases[number];
  yaml_file *file = u->suite->file;
  const unsigned char *wanted = case_expected(c, r);
  number_difference d;
  const bool other = wanted == NULL || numbers_differ(&r->shape, wanted, bytes, (size_t)r->size, &d);
  yaml_value *entry = r->expects, *v = NULL;
  if (entry == NULL) return 0;
  if ((v = yaml_find(file, entry, "digest")) != NULL) return update_digest(u, v, bytes, (size_t)r->size, e);
  if ((v = yaml_find(file, entry, "file")) != NULL)
    return other ? take_file(u, &of->names, v, bytes, (size_t)r->size, e) : 0;
  if ((v = yaml_find(file, entry, "values")) != NULL) return take_values(u, v, r, other ? bytes : wanted, other, e);
  if (wanted == NULL || !other) return 0;
  scoped_buffer difference = {0};
  numbers_say(&r->shape, wanted, bytes, &d, &difference);
  const int status =
      yaml_wrong(file, entry, e, "%s: %s: this is no list of values, no file and no digest: change it yourself",
                 of->name, buffer_text(&difference));
  return status;
}

/* --- writing ------------------------------------------------------------------------------------------------------ */

static int write_whole(const char *path, const void *bytes, size_t size, error *e) {
  const int reason = file_replace(path, bytes, size);
  return reason == 0 ? 0 : error_set(e, EXIT_USAGE, "cannot write %s: %s", path, strerror(reason));
}

static int by_place(const void *a, const void *b) {
  const yaml_place one = yaml_at(((const replacement *)a)->at), other = yaml_at(((const replacement *)b)->at);
  if (one.line != other.line) return one.line < other.line ? -1 : 1;
  return one.column < other.column ? -1 : one.column > other.column;
}

static int write_suite(case_update *u, size_t *changed, error *e) {
  size_t length = 0, done = 0, count = 0;
  const char *text = yaml_source(u->suite->file, &length);
  scoped_buffer out = {0};
  if (u->replacement_count > 0) qsort(u->replacements, u->replacement_count, sizeof *u->replacements, by_place);
  for (size_t i = 0; i < u->replacement_count; i++) {
    size_t begin = 0, end = 0;
    yaml_span(u->suite->file, u->replacements[i].at, &begin, &end);
    if (u->replacements[i].other) {
      buffer_append(&out, text + done, begin - done);
      buffer_puts(&out, u->replacements[i].text);
      done = end;
      count++;
    }
  }
  buffer_append(&out, text + done, length - done);
  const int result = count > 0 ? write_whole(yaml_path(u->suite->file), out.data, out.length, e) : 0;
  *changed += count;
  return result;
}

int case_update_write(case_update *u, size_t *changed, error *e) {
  *changed = u->file_count;
  for (size_t i = 0; i < u->file_count; i++)
    if (write_whole(u->files[i].path, u->files[i].bytes, u->files[i].size, e) != 0) return -1;
  return write_suite(u, changed, e);
}

void case_update_close(case_update *u) {
  if (u == NULL) return;
  for (size_t i = 0; i < u->replacement_count; i++) free(u->replacements[i].text);
  for (size_t i = 0; i < u->file_count; i++) {
    free(u->files[i].path);
    free(u->files[i].bytes);
  }
  free(u->replacements);
  free(u->files);
  free(u);
}
