/* Results in the place of what was expected: in the suite file, at the place where it stands, or in files of their own.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "base/memory.h"
#include "capture/compare.h"
#include "capture/number.h"
#include "cases/internal.h"

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
  for (size_t i = 0; i < c->capture.expectation_count; i++) {
    const capture_expectation *x = &c->capture.expectations[i];
    if (x->command == r->command) {
      return x->blob == CAPTURE_NONE ? NULL : c->capture.blobs[x->blob].bytes;
    }
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
  char *name = case_text(u->suite, names, v, e);
  if (name == NULL) {
    return -1;
  }
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

static int take_digest(case_update *u, yaml_value *v, const unsigned char *bytes, size_t size, error *e) {
  const XXH128_hash_t hash = XXH3_128bits(bytes, size);
  buffer text = {0};
  buffer_printf(&text, "%016llx%016llx", (unsigned long long)hash.high64, (unsigned long long)hash.low64);
  const bool other = strcmp(buffer_text(&text), yaml_text(v)) != 0;
  buffer quoted = {0};
  buffer_printf(&quoted, "\"%s\"", buffer_text(&text));
  buffer_free(&text);
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
  if (entry == NULL) {
    return 0;
  }
  if ((v = yaml_find(file, entry, "digest")) != NULL) {
    return take_digest(u, v, bytes, (size_t)r->size, e);
  }
  if ((v = yaml_find(file, entry, "file")) != NULL) {
    return other ? take_file(u, &of->names, v, bytes, (size_t)r->size, e) : 0;
  }
  if ((v = yaml_find(file, entry, "values")) != NULL) {
    return take_values(u, v, r, other ? bytes : wanted, other, e);
  }
  if (wanted == NULL || !other) {
    return 0;
  }
  buffer difference = {0};
  numbers_say(&r->shape, wanted, bytes, &d, &difference);
  const int status =
      yaml_wrong(file, entry, e, "%s: %s: this is no list of values, no file and no digest: change it yourself",
                 of->name, buffer_text(&difference));
  buffer_free(&difference);
  return status;
}

/* --- writing ------------------------------------------------------------------------------------------------------ */

/* In full or not at all. */
static int write_whole(const char *path, const void *bytes, size_t size, error *e) {
  buffer temporary = {0};
  buffer_printf(&temporary, "%s.XXXXXX", path);
  const int fd = mkstemp(temporary.data);
  FILE *f = fd < 0 ? NULL : fdopen(fd, "wb");
  bool written = f != NULL && fwrite(bytes, 1, size, f) == size;
  written = f != NULL && fclose(f) == 0 && written;
  const int result = written && rename(temporary.data, path) == 0
                         ? 0
                         : error_set(e, EXIT_USAGE, "cannot write %s: %s", path, strerror(errno));
  if (result != 0 && fd >= 0) {
    (void)unlink(temporary.data);
  }
  buffer_free(&temporary);
  return result;
}

static int by_place(const void *a, const void *b) {
  const yaml_place one = yaml_at(((const replacement *)a)->at), other = yaml_at(((const replacement *)b)->at);
  if (one.line != other.line) {
    return one.line < other.line ? -1 : 1;
  }
  return one.column < other.column ? -1 : one.column > other.column;
}

static int write_suite(case_update *u, size_t *changed, error *e) {
  size_t length = 0, done = 0, count = 0;
  const char *text = yaml_source(u->suite->file, &length);
  buffer out = {0};
  if (u->replacement_count > 0) {
    qsort(u->replacements, u->replacement_count, sizeof *u->replacements, by_place);
  }
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
  buffer_free(&out);
  *changed += count;
  return result;
}

int case_update_write(case_update *u, size_t *changed, error *e) {
  *changed = u->file_count;
  for (size_t i = 0; i < u->file_count; i++) {
    if (write_whole(u->files[i].path, u->files[i].bytes, u->files[i].size, e) != 0) {
      return -1;
    }
  }
  return write_suite(u, changed, e);
}

void case_update_close(case_update *u) {
  if (u == NULL) {
    return;
  }
  for (size_t i = 0; i < u->replacement_count; i++) {
    free(u->replacements[i].text);
  }
  for (size_t i = 0; i < u->file_count; i++) {
    free(u->files[i].path);
    free(u->files[i].bytes);
  }
  free(u->replacements);
  free(u->files);
  free(u);
}
