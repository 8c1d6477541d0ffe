/* Searching for a source by content. */
#include "runner/source_name.h"

#include <ftw.h>
#include <limits.h>
#include <sha2.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/buffer.h"
#include "base/memory.h"

enum { MAX_LEVEL = 4, MAX_ENTRIES = 5000 };

/* nftw() has no argument for its caller. */
static struct {
  const char *text;
  size_t length;
  int entries;
  char *found;
} search;

static bool same_content(const char *path) {
  FILE *f = fopen(path, "rb");
  if (f == NULL) {
    return false;
  }
  char *content = mem_calloc(search.length + 1, 1);
  bool same = fread(content, 1, search.length, f) == search.length && memcmp(content, search.text, search.length) == 0;
  free(content);
  (void)fclose(f);
  return same;
}

/* A link to a file counts as the file: build systems put kernels beside programs that way. */
static bool is_candidate(const char *path, const struct stat *status, int type) {
  struct stat target;
  if (type == FTW_SL) {
    return stat(path, &target) == 0 && S_ISREG(target.st_mode) && (size_t)target.st_size == search.length;
  }
  return type == FTW_F && (size_t)status->st_size == search.length;
}

static int look_at(const char *path, const struct stat *status, int type, struct FTW *where) {
  if (++search.entries > MAX_ENTRIES) {
    return FTW_STOP;
  }
  if (type == FTW_D && (where->level > MAX_LEVEL || (where->level > 0 && path[where->base] == '.'))) {
    return FTW_SKIP_SUBTREE;
  }
  if (is_candidate(path, status, type) && same_content(path)) {
    search.found = mem_strdup(path);
    return FTW_STOP;
  }
  return FTW_CONTINUE;
}

/* The path as a person in the current directory would write it; a link keeps its own name. */
static char *shorten(char *path) {
  char folder[PATH_MAX];
  char here[PATH_MAX];
  char *slash = strrchr(path, '/');
  const char *name = slash == NULL ? path : slash + 1;
  if (slash != NULL) {
    *slash = '\0';
  }
  if (realpath(slash == NULL ? "." : path, folder) == NULL || getcwd(here, sizeof here) == NULL) {
    (void)snprintf(folder, sizeof folder, "%s", slash == NULL ? "." : path);
    here[0] = '\0';
  }
  size_t length = strlen(here);
  bool below = length > 0 && strncmp(folder, here, length) == 0 && (folder[length] == '/' || folder[length] == '\0');
  buffer result = {0};
  const char *rest = below ? folder + length + (folder[length] == '/' ? 1 : 0) : folder;
  buffer_printf(&result, "%s%s%s", rest, rest[0] == '\0' ? "" : "/", name);
  free(path);
  return buffer_take(&result);
}

char *source_name(const char *text, size_t length, const char *const *directories, size_t directory_count) {
  search.text = text;
  search.length = length;
  search.found = NULL;
  for (size_t i = 0; i < directory_count && search.found == NULL && length > 0; i++) {
    search.entries = 0;
    (void)nftw(directories[i], look_at, 16, FTW_PHYS | FTW_ACTIONRETVAL);
  }
  if (search.found != NULL) {
    return shorten(search.found);
  }
  char digest[SHA256_DIGEST_STRING_LENGTH];
  (void)SHA256Data((const uint8_t *)text, length, digest);
  buffer name = {0};
  buffer_printf(&name, "source-%.8s.cl", digest);
  return buffer_take(&name);
}

void add_directories(char *const *argv, char ***directories, size_t *count, size_t *capacity) {
  for (char *const *word = argv; *word != NULL; word++) {
    const char *slash = strrchr(*word, '/');
    if (slash != NULL && slash != *word) {
      *ARRAY_ADD(*directories, *count, *capacity) = mem_strndup(*word, (size_t)(slash - *word));
    }
  }
}
