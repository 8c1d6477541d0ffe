/* Databases with random changes of their bytes: opening and reading one ends well or with a sentence.
 * By hand: fuzz_database SEED COUNT DATABASE, of which a changed copy lies in /tmp. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/buffer.h"
#include "db/db.h"
#include "random.h"

static void expect_sentence(int status, const error *e) {
  if (status != 0 && e->text[0] == '\0') {
    fputs("refused without a sentence\n", stderr);
    abort();
  }
}

static bool took(const char *path, enum db_mode mode) {
  db *d = NULL;
  error e = {0};
  bool taken = false;
  const int status = db_open(&d, path, mode, &e);
  expect_sentence(status, &e);
  if (status == 0) {
    view v;
    const int loaded = db_load(d, NULL, 0, &v, &e);
    expect_sentence(loaded, &e);
    taken = loaded == 0;
    if (taken) {
      expect_sentence(db_load_trend(d, &v, &e), &e);
    }
    view_free(&v);
  }
  db_close(d);
  return taken;
}

static void write_changed(const char *path, const buffer *original, fuzz_random *r) {
  char *bytes = malloc(original->length);
  memcpy(bytes, original->data, original->length);
  for (size_t n = 1 + fuzz_below(r, 12); n > 0; n--) {
    const size_t at = fuzz_below(r, fuzz_below(r, 3) == 0 ? 120 : original->length);
    const uint64_t flip = fuzz_below(r, 2) == 0 ? fuzz_next(r) : UINT64_C(1) << fuzz_below(r, 8);
    bytes[at] = (char)((uint64_t)(unsigned char)bytes[at] ^ (flip & 0xff));
  }
  const size_t length = fuzz_below(r, 8) == 0 ? fuzz_below(r, original->length) : original->length;
  FILE *f = fopen(path, "wb");
  if (f == NULL || fwrite(bytes, 1, length, f) != length || fclose(f) != 0) {
    abort();
  }
  free(bytes);
}

static void read_original(const char *path, buffer *out) {
  char part[4096];
  size_t n = 0;
  FILE *f = fopen(path, "rb");
  while (f != NULL && (n = fread(part, 1, sizeof part, f)) > 0) {
    buffer_append(out, part, n);
  }
  if (f == NULL || out->length < 1024) {
    fprintf(stderr, "%s is no database\n", path);
    exit(2);
  }
  fclose(f);
}

int main(int argc, char **argv) {
  char folder[] = "/tmp/fuzz_database.XXXXXX";
  if (argc < 4 || mkdtemp(folder) == NULL) {
    fputs("fuzz_database: wants a seed, a count and a database\n", stderr);
    return 2;
  }
  const uint64_t seed = strtoull(argv[1], NULL, 10);
  const size_t count = (size_t)strtoull(argv[2], NULL, 10);
  size_t taken = 0;
  buffer original = {0}, path = {0};
  read_original(argv[3], &original);
  buffer_printf(&path, "%s/changed.db", folder);
  for (size_t i = 0; i < count; i++) {
    fuzz_random r = {seed * 1000003 + i};
    write_changed(buffer_text(&path), &original, &r);
    taken += took(buffer_text(&path), DB_READ);
  }
  printf("seed %" PRIu64 ": %zu databases, %zu of them read\n", seed, count, taken);
  (void)unlink(buffer_text(&path));
  (void)rmdir(folder);
  buffer_free(&path);
  buffer_free(&original);
  return 0;
}
