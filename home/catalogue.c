/* The catalogue of a project's files: listed, and read when asked. */
#include "home/catalogue.h"

#include <ctype.h>
#include <fcntl.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buffer.h"
#include "base/clock.h"
#include "base/files.h"
#include "base/memory.h"
#include "base/subprocess.h"

enum { MOST_FILES = 200000, LARGEST_FILE = 4 << 20, SHORTEST_WORD = 3, MOST_BITS = 1 << 16, LEVELS = 40 };

/* --- listing ----------------------------------------------------------------------------------------------------- */

/* source-XXXXXXXX.cl: a copy that a report left behind. */
static bool is_copy(const char *path) {
  static const char before[] = "source-";
  static const char behind[] = ".cl";
  size_t length = strlen(path);
  size_t size = sizeof before - 1 + 8 + sizeof behind - 1;
  const char *name = length < size ? "" : path + length - size;
  return strncmp(name, before, sizeof before - 1) == 0 && strspn(name + sizeof before - 1, "0123456789abcdef") == 8 &&
         strcmp(name + size - (sizeof behind - 1), behind) == 0;
}

static void add_file(catalogue *c, const char *path) {
  struct stat status;
  const language *l = is_copy(path) ? NULL : language_of(path);
  if (c->count >= MOST_FILES) {
    c->incomplete = true;
  } else if (l != NULL && lstat(path, &status) == 0 && S_ISREG(status.st_mode) && status.st_size > 0 &&
             status.st_size <= LARGEST_FILE) {
    *ARRAY_ADD(c->files, c->count, c->capacity) = (catalogue_file){.path = mem_strdup(path), .language = l};
  }
}

/* The paths that git prints, each ended by a NUL. Returns false when git cannot tell. */
static bool list_by(catalogue *c, const char *root, const char *const *arguments) {
  buffer paths = {0};
  const int status = subprocess_ask(arguments, &paths);
  for (size_t at = 0; at < paths.length; at += strlen(paths.data + at) + 1) {
    buffer full = {0};
    buffer_printf(&full, "%s/%s", root, paths.data + at);
    add_file(c, buffer_text(&full));
    buffer_free(&full);
  }
  buffer_free(&paths);
  return status == 0;
}

static bool list_repository(catalogue *c, const char *root) {
  const char *const tracked[] = {
      "git", "-C", root, "-c", "core.fsmonitor=false", "ls-files", "-z", "--cached", "--recurse-submodules", NULL};
  const char *const others[] = {
      "git", "-C", root, "-c", "core.fsmonitor=false", "ls-files", "-z", "--others", "--exclude-standard", NULL};
  return list_by(c, root, tracked) && list_by(c, root, others);
}

/* nftw() has no argument for its caller. */
static catalogue *walked;
static double walked_until;

static int look_at(const char *path, const struct stat *status, int type, struct FTW *where) {
  static const char *const others[] = {"node_modules", "build", "target", "__pycache__", "venv", "site-packages"};
  (void)status;
  const char *name = path + where->base;
  bool skip = type == FTW_D && where->level > 0 && (name[0] == '.' || where->level > LEVELS);
  for (size_t i = 0; type == FTW_D && where->level > 0 && i < sizeof others / sizeof others[0]; i++) {
    skip = skip || strcmp(name, others[i]) == 0;
  }
  if (type == FTW_F) {
    add_file(walked, path);
  }
  walked->incomplete = walked->incomplete || clock_now() > walked_until;
  return skip ? FTW_SKIP_SUBTREE : walked->incomplete ? FTW_STOP : FTW_CONTINUE;
}

static void list_folder(catalogue *c, const char *root, double until) {
  walked = c;
  walked_until = until;
  (void)nftw(root, look_at, 16, FTW_PHYS | FTW_ACTIONRETVAL);
}

static int compare_files(const void *a, const void *b) {
  return strcmp(((const catalogue_file *)a)->path, ((const catalogue_file *)b)->path);
}

/* Roots may overlap. */
static void sort_files(catalogue *c) {
  if (c->count == 0) {
    return;
  }
  qsort(c->files, c->count, sizeof *c->files, compare_files);
  size_t kept = 1;
  for (size_t i = 1; i < c->count; i++) {
    if (strcmp(c->files[kept - 1].path, c->files[i].path) == 0) {
      free(c->files[i].path);
    } else {
      c->files[kept++] = c->files[i];
    }
  }
  c->count = kept;
}

/* --- reading ----------------------------------------------------------------------------------------------------- */

char *catalogue_read(const char *path, size_t *length) {
  struct stat status;
  int file = is_open_here(path) ? -1 : open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
  bool fine = file >= 0 && fstat(file, &status) == 0 && S_ISREG(status.st_mode) && status.st_size <= LARGEST_FILE;
  char *text = fine ? mem_calloc((size_t)status.st_size + 1, 1) : NULL;
  *length = 0;
  while (fine && *length < (size_t)status.st_size) {
    ssize_t got = read(file, text + *length, (size_t)status.st_size - *length);
    if (got <= 0) {
      fine = got == 0;
      break;
    }
    *length += (size_t)got;
  }
  if (file >= 0) {
    (void)close(file);
  }
  if (text != NULL && (!fine || memchr(text, '\0', *length) != NULL)) {
    free(text);
    text = NULL;
  }
  return text;
}

uint32_t catalogue_word(const char *s, size_t length) {
  uint32_t hash = 0x811c9dc5u;
  for (size_t i = 0; i < length; i++) {
    hash = (hash ^ (unsigned char)s[i]) * 0x01000193u;
  }
  return hash ^ hash >> 15;
}

static void add_words(catalogue_file *f, const char *text, size_t length) {
  for (size_t i = 0; i < length;) {
    size_t end = i;
    while (end < length && (isalnum((unsigned char)text[end]) != 0 || text[end] == '_')) {
      end++;
    }
    if (end - i >= SHORTEST_WORD) {
      uint32_t word = catalogue_word(text + i, end - i) & (f->bits - 1);
      f->words[word / 8] |= (unsigned char)(1u << word % 8);
    }
    /* "\nint" holds the word "int" after an escape sequence */
    if (i > 0 && text[i - 1] == '\\' && end - i > SHORTEST_WORD) {
      uint32_t word = catalogue_word(text + i + 1, end - i - 1) & (f->bits - 1);
      f->words[word / 8] |= (unsigned char)(1u << word % 8);
    }
    i = end + 1;
  }
}

static void read_words(catalogue_file *f) {
  size_t length = 0;
  char *text = catalogue_read(f->path, &length);
  if (text == NULL) {
    return;
  }
  for (f->bits = 256; f->bits < length / 4 && f->bits < MOST_BITS; f->bits *= 2) {
  }
  f->words = mem_calloc(f->bits / 8, 1);
  add_words(f, text, length);
  free(text);
}

bool catalogue_has(const catalogue_file *f, uint32_t word) {
  uint32_t bit = word & (f->bits - 1);
  return f->words != NULL && (f->words[bit / 8] >> bit % 8 & 1) != 0;
}

void catalogue_fill(catalogue *c, const char *const *roots, size_t count, double until) {
  for (size_t i = 0; i < count; i++) {
    if (!list_repository(c, roots[i])) {
      list_folder(c, roots[i], until);
    }
  }
  sort_files(c);
  for (size_t i = 0; i < c->count && !c->incomplete; i++) {
    read_words(&c->files[i]);
    c->incomplete = clock_now() > until;
  }
}

void catalogue_free(catalogue *c) {
  for (size_t i = 0; i < c->count; i++) {
    free(c->files[i].path);
    free(c->files[i].words);
  }
  free(c->files);
  *c = (catalogue){0};
}
