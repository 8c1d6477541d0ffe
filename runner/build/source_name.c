/* A source is searched for by its content, in a listing of what lies below a folder, breadth first. */
#include "runner/build/source_name.h"

#include <dirent.h>
#include <sha2.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/buffer.h"
#include "base/clock.h"
#include "base/files.h"
#include "base/memory.h"

typedef struct found_file {
  char *path;
  off_t size;
} found_file;

typedef struct file_listing {
  char *folder;
  found_file *files; /* level by level, those of a folder in order of name */
  size_t count, capacity;
  double made, took; /* in seconds, as clock_now() has them */
  int cut;           /* there are more: it took too long */
} file_listing;

/* A listing that takes longer ends. A fresh one costs at most a small share of the time since the last. */
#define MOST_SECONDS 3.0
#define AGE_OF_COST 20.0

static struct {
  file_listing *items;
  size_t count, capacity;
} kept;

typedef struct folder_queue {
  char **items;
  size_t count, capacity;
} folder_queue;

static int is_shown(const struct dirent *entry) { return entry->d_name[0] != '.'; }

/* Is the entry a folder to look into, not a link to one? */
static bool is_folder(const struct dirent *entry, const char *path) {
  struct stat status;
  return entry->d_type == DT_DIR ||
         (entry->d_type == DT_UNKNOWN && lstat(path, &status) == 0 && S_ISDIR(status.st_mode));
}

static void add_entry(file_listing *l, folder_queue *folders, const struct dirent *entry, const char *folder) {
  char *path = project_path(folder, entry->d_name);
  struct stat status;
  if (is_folder(entry, path))
    *ARRAY_ADD(folders->items, folders->count, folders->capacity) = path;
  else if (stat(path, &status) == 0 && S_ISREG(status.st_mode))
    *ARRAY_ADD(l->files, l->count, l->capacity) = (found_file){path, status.st_size};
  else
    free(path);
}

static void read_folder(file_listing *l, folder_queue *folders, const char *folder) {
  struct dirent **entries = NULL;
  int count = scandir(folder, &entries, is_shown, alphasort);
  for (int i = 0; i < count; i++) {
    add_entry(l, folders, entries[i], folder);
    free(entries[i]);
  }
  free(entries);
}

static void empty(file_listing *l) {
  for (size_t i = 0; i < l->count; i++) free(l->files[i].path);
  free(l->files);
  *l = (file_listing){.folder = l->folder};
}

static void make(file_listing *l) {
  folder_queue folders = {0};
  double start = clock_now();
  empty(l);
  *ARRAY_ADD(folders.items, folders.count, folders.capacity) = mem_strdup(l->folder);
  for (size_t i = 0; i < folders.count; i++) {
    l->cut = l->cut || clock_now() - start > MOST_SECONDS;
    if (!l->cut) read_folder(l, &folders, folders.items[i]);
    free(folders.items[i]);
  }
  free(folders.items);
  l->made = clock_now();
  l->took = l->made - start;
}

/* What lies below a folder at any depth; hidden files and folders and links to folders are left out, links to files are
 * files. A listing is kept, and made anew when it is much older than the time that it takes. Lent. */
static const file_listing *files_below(const char *folder) {
  for (size_t i = 0; i < kept.count; i++) {
    file_listing *l = &kept.items[i];
    if (strcmp(l->folder, folder) == 0) {
      if (clock_now() - l->made > AGE_OF_COST * l->took) make(l);
      return l;
    }
  }
  file_listing *l = ARRAY_ADD(kept.items, kept.count, kept.capacity);
  l->folder = mem_strdup(folder);
  make(l);
  return l;
}

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
  if (f == NULL) return false;
  char *content = mem_calloc(w->length + 1, 1);
  bool same = fread(content, 1, w->length, f) == w->length && memcmp(content, w->text, w->length) == 0;
  free(content);
  (void)fclose(f);
  return same;
}

/* The nearest file below a real folder with this content, lent; NULL if there is none. */
static const char *search(const char *folder, const wanted *w) {
  const file_listing *l = w->length == 0 ? NULL : files_below(folder);
  for (size_t i = 0; l != NULL && i < l->count; i++)
    if ((size_t)l->files[i].size == w->length && !is_copy(l->files[i].path, w) && same_content(l->files[i].path, w))
      return l->files[i].path;
  return NULL;
}

/* Below the first of these folders that has such a file. Takes them over. */
static const char *search_all(char **folders, size_t count, const wanted *w) {
  const char *found = NULL;
  for (size_t i = 0; i < count; i++) {
    bool new = folders[i] != NULL;
    for (size_t k = 0; k < i && new; k++) new = folders[k] == NULL || strcmp(folders[i], folders[k]) != 0;
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
        same_content(paths[i], w))
      return realpath(paths[i], NULL);
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
  for (size_t i = 1; i < directory_count; i++) folders[count++] = realpath(directories[i], NULL);
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
    if (word != argv && stat(*word, &status) == 0 && S_ISREG(status.st_mode))
      *ARRAY_ADD(*directories, *count, *capacity) = mem_strdup(*word);
    const char *slash = strrchr(*word, '/');
    if (slash != NULL && slash != *word)
      *ARRAY_ADD(*directories, *count, *capacity) = mem_strndup(*word, (size_t)(slash - *word));
  }
}
