/* Searching for a source by content. */
#include "runner/build/source_name.h"

#include <sha2.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/buffer.h"
#include "base/files.h"
#include "base/memory.h"
#include "base/project.h"
#include "runner/build/source_files.h"

typedef struct wanted {
  const char *text;
  size_t length;
  const char *made_up; /* the name that it gets if it is in no file */
} wanted;

/* Reports leave copies of this name behind; these are not what it came from. */
static bool is_copy(const char *path, const wanted *w) {
  const char *slash = strrchr(path, '/');
  return slash != NULL && strcmp(slash + 1, w->made_up) == 0;
}

static bool same_content(const char *path, const wanted *w) {
  FILE *f = is_open_here(path) ? NULL : fopen(path, "rbe");
  if (f == NULL) {
    return false;
  }
  char *content = mem_calloc(w->length + 1, 1);
  bool same = fread(content, 1, w->length, f) == w->length && memcmp(content, w->text, w->length) == 0;
  free(content);
  (void)fclose(f);
  return same;
}

/* The nearest file below a real folder with this content, lent; NULL if there is none. */
static const char *search(const char *folder, const wanted *w) {
  const file_listing *l = w->length == 0 ? NULL : files_below(folder);
  for (size_t i = 0; l != NULL && i < l->count; i++) {
    if ((size_t)l->files[i].size == w->length && !is_copy(l->files[i].path, w) && same_content(l->files[i].path, w)) {
      return l->files[i].path;
    }
  }
  return NULL;
}

/* Below the first of these folders that has such a file. Takes them over. */
static const char *search_all(char **folders, size_t count, const wanted *w) {
  const char *found = NULL;
  for (size_t i = 0; i < count; i++) {
    bool new = folders[i] != NULL;
    for (size_t k = 0; k < i && new; k++) {
      new = folders[k] == NULL || strcmp(folders[i], folders[k]) != 0;
    }
    found = found == NULL && new ? search(folders[i], w) : found;
  }
  mem_free_all(folders, count);
  return found;
}

static char *name_of_digest(const char *text, size_t length) {
  char digest[SHA256_DIGEST_STRING_LENGTH];
  (void)SHA256Data((const uint8_t *)text, length, digest);
  buffer name = {0};
  buffer_printf(&name, "source-%.8s.cl", digest);
  return buffer_take(&name);
}

/* Of several files with the same text a program was given the one that its arguments name. */
static char *named_file(const char *const *paths, size_t count, const wanted *w) {
  for (size_t i = 0; i < count && w->length > 0; i++) {
    struct stat status;
    if (stat(paths[i], &status) == 0 && S_ISREG(status.st_mode) && (size_t)status.st_size == w->length &&
        same_content(paths[i], w)) {
      return realpath(paths[i], NULL);
    }
  }
  return NULL;
}

char *source_name(const char *text, size_t length, const char *const *directories, size_t directory_count,
                  char **root) {
  char *made_up = name_of_digest(text, length);
  const wanted w = {text, length, made_up};
  char *named = named_file(directories, directory_count, &w);
  char **folders = mem_calloc(directory_count + 4, sizeof *folders);
  size_t count = 0;
  folders[count++] = directory_count == 0 ? NULL : realpath(directories[0], NULL);
  folders[count++] = realpath(".", NULL);
  folders[count++] = project_repository(".");
  folders[count++] = project_chosen_root() == NULL ? NULL : mem_strdup(project_chosen_root());
  for (size_t i = 1; i < directory_count; i++) {
    folders[count++] = realpath(directories[i], NULL);
  }
  const char *below = search_all(folders, count, &w);
  const char *found = named != NULL ? named : below;
  if (found == NULL) {
    *root = mem_strdup("");
    return made_up;
  }
  free(made_up);
  char *name = project_name(found, root);
  free(named);
  return name;
}

void add_directories(char *const *argv, char ***directories, size_t *count, size_t *capacity) {
  for (char *const *word = argv; *word != NULL; word++) {
    struct stat status;
    if (word != argv && stat(*word, &status) == 0 && S_ISREG(status.st_mode)) {
      *ARRAY_ADD(*directories, *count, *capacity) = mem_strdup(*word);
    }
    const char *slash = strrchr(*word, '/');
    if (slash != NULL && slash != *word) {
      *ARRAY_ADD(*directories, *count, *capacity) = mem_strndup(*word, (size_t)(slash - *word));
    }
  }
}
