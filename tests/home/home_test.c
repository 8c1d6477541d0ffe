/* Kernels in strings are found where they are written, to the character; what is not written there is not found.
 * `home_test [SEED [ROUNDS]]`. */
#include "base/home.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/memory.h"
#include "home/home.h"
#include "tests/home/written.h"

static char folder[64];
static int failures;

static void fail(const char *style, unsigned serial, const char *what, const written *w, size_t at) {
  const char *s = w == NULL ? "" : buffer_text(&w->built);
  if (failures++ < 10) (void)fprintf(stderr, "%s, kernel %u: %s: ...%.60s\n", style, serial, what, s + at);
}

static void save(const char *name, const buffer *text) {
  char path[128];
  (void)snprintf(path, sizeof path, "%s/%s", folder, name);
  FILE *f = fopen(path, "wb");
  if (f == NULL || fwrite(text->data, 1, text->length, f) != text->length || fclose(f) != 0) {
    (void)fprintf(stderr, "%s: %s\n", path, strerror(errno));
    exit(1);
  }
}

static const home_found *look_for(const buffer *built) {
  const char *const roots[] = {folder};
  home_search_in(roots, 1);
  return home_of(buffer_text(built), built->length);
}

/* Line and column of an offset, counted from the beginning. */
static void count(const char *text, uint32_t offset, uint32_t *line, uint32_t *column) {
  *line = 1;
  *column = 1;
  for (uint32_t i = 0; i < offset; i++) {
    *column = text[i] == '\n' ? 1 : *column + 1;
    *line += text[i] == '\n' ? 1 : 0;
  }
}

static bool is_blank(char c) { return c == ' ' || c == '\n' || c == '\t'; }

/* A character that was found, or not, against where it was written. */
static const char *judge(const home_index *x, const home_found *f, size_t at, const written *w, size_t i) {
  home_place place;
  bool found = home_find(x, (uint32_t)at, &place);
  uint32_t line = 0;
  uint32_t column = 0;
  if (!found) return w->kinds[i] == WRITTEN_CODE ? "not found" : NULL;
  if (w->places[i] == NOWHERE) return NULL; /* a value: what it is put in for may be told */
  count(buffer_text(&w->file), w->places[i], &line, &column);
  bool same = place.offset == w->places[i] && place.line == line && place.column == column;
  bool text = strcmp(f->homes[place.home].text, buffer_text(&w->file)) == 0;
  return !text ? "another file" : same ? NULL : "another place";
}

/* The source that is given back may have other blanks: characters that are none are compared in order. */
static void check_places(const written_style *style, unsigned serial, const written *w) {
  const home_found *f = look_for(&w->built);
  model_file file = {.text = f->text, .length = f->length, .homes = f->homes, .home_count = f->count};
  home_index x = home_index_of(&file);
  size_t at = 0;
  for (size_t i = 0; i < w->built.length; i++) {
    if (is_blank(w->built.data[i])) continue;
    while (at < f->length && is_blank(f->text[at])) at++;
    if (at >= f->length || f->text[at] != w->built.data[i]) {
      fail(style->name, serial, "the source became another", w, i);
      break;
    }
    const char *wrong = judge(&x, f, at, w, i);
    if (wrong != NULL) {
      fail(style->name, serial, wrong, w, i);
      break;
    }
    at++;
  }
  home_index_free(&x);
}

/* Lines on which code is written apart are apart in the source that is given back. */
static void check_lines(const written_style *style, unsigned serial, const written *w) {
  const home_found *f = look_for(&w->built);
  model_file file = {.text = f->text, .length = f->length, .homes = f->homes, .home_count = f->count};
  home_index x = home_index_of(&file);
  uint32_t line = 1;
  uint32_t wanted = 0;
  for (size_t at = 0; at < f->length; at++) {
    home_place place;
    home_place first;
    if (f->text[at] == '\n') {
      line++;
      wanted = 0;
    } else if (!is_blank(f->text[at]) && home_find(&x, (uint32_t)at, &place)) {
      bool list = strstr(style->name, "pieces") != NULL; /* there one line of the source is on several of the file */
      wanted = wanted == 0 || list ? place.line : wanted;
      if (place.line != wanted || !home_find_line(&x, line, &first) || (!list && first.line != wanted)) {
        fail(style->name, serial, "a line is on several lines of the file", w, 0);
        break;
      }
    }
  }
  home_index_free(&x);
}

/* The file has a kernel with one token changed: that one is written nowhere, in most styles none of it is. */
static void check_other(const written_style *style, unsigned serial, random_source *r, const kernel_text *k) {
  written w = {0};
  written changed = {0};
  random_source again = *r;
  kernel_text other = changed_kernel(r, k);
  again = *r;
  style->write(r, k, &w);
  style->write(&again, &other, &changed);
  char name[128];
  (void)snprintf(name, sizeof name, "similar.%s", style->extension);
  save(name, &changed.file);
  const home_found *f = look_for(&w.built);
  model_file file = {.text = f->text, .length = f->length, .homes = f->homes, .home_count = f->count};
  home_index x = home_index_of(&file);
  if (style->whole && f->count != 0) fail(style->name, serial, "found where another kernel is", &w, 0);
  for (size_t i = 0; i < w.built.length && f->length == w.built.length; i++) {
    home_place place;
    if (w.built.data[i] != changed.built.data[i] && home_find(&x, (uint32_t)i, &place) &&
        file.homes[place.home].text[place.offset] == 'q') /* the same line may be there once more */
      fail(style->name, serial, "what differs was found", &w, i);
  }
  home_index_free(&x);
  written_free(&w);
  written_free(&changed);
  kernel_free(&other);
  (void)snprintf(name, sizeof name, "%s/similar.%s", folder, style->extension);
  (void)unlink(name);
}

static void check(const written_style *style, unsigned serial, random_source *r) {
  kernel_text k = random_kernel(r, serial);
  written w = {0};
  char name[64];
  check_other(style, serial, r, &k);
  style->write(r, &k, &w);
  (void)snprintf(name, sizeof name, "file%u.%s", serial, style->extension); /* others stay as distraction */
  save(name, &w.file);
  check_places(style, serial, &w);
  check_lines(style, serial, &w);
  written_free(&w);
  kernel_free(&k);
}

/* Of two files that have a kernel alike the first by path is taken, and a sentence says so. */
static void check_alike(const written_style *style, unsigned serial, random_source *r) {
  char names[2][32];
  kernel_text k = random_kernel(r, serial);
  written w = {0};
  style->write(r, &k, &w);
  for (int i = 0; i < 2; i++) {
    (void)snprintf(names[i], sizeof names[i], "alike%d.%.16s", i, style->extension);
    save(names[i], &w.file);
    const home_found *f = look_for(&w.built);
    const char *note = home_note();
    const bool told = note != NULL && strstr(note, names[0]) != NULL && strstr(note, names[1]) != NULL;
    if (f->count == 0 || strstr(f->homes[0].name, names[0]) == NULL || told != (i == 1))
      fail(style->name, serial, "two files alike", NULL, 0);
  }
  for (int i = 0; i < 2; i++) {
    char path[128];
    (void)snprintf(path, sizeof path, "%s/%s", folder, names[i]);
    (void)unlink(path);
  }
  written_free(&w);
  kernel_free(&k);
}

int main(int argc, char **argv) {
  uint64_t seed = argc > 1 ? strtoull(argv[1], NULL, 10) : 1;
  unsigned rounds = argc > 2 ? (unsigned)strtoul(argv[2], NULL, 10) : 12;
  random_source r = {seed * UINT64_C(0x9E3779B97F4A7C15) + 1};
  unsigned serial = 0;
  (void)strcpy(folder, "/tmp/cltestcheck-home-XXXXXX");
  if (mkdtemp(folder) == NULL) return 1;
  for (unsigned round = 0; round < rounds; round++)
    for (const written_style *s = written_styles; s->name != NULL; s++) check(s, serial++, &r);
  for (const written_style *s = written_styles; s->name != NULL; s++) check_alike(s, serial++, &r);
  home_forget();
  char command[128];
  (void)snprintf(command, sizeof command, "rm -rf %s", folder);
  (void)system(command);  // NOLINT(cert-env33-c)
  (void)printf("%u kernels, %d failures\n", serial, failures);
  return failures == 0 ? 0 : 1;
}
