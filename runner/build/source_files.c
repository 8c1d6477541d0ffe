/* Listing what lies below a folder, breadth first. */
#include "runner/build/source_files.h"

#include <dirent.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/clock.h"
#include "base/memory.h"
#include "base/project.h"

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
  if (is_folder(entry, path)) {
    *ARRAY_ADD(folders->items, folders->count, folders->capacity) = path;
  } else if (stat(path, &status) == 0 && S_ISREG(status.st_mode)) {
    *ARRAY_ADD(l->files, l->count, l->capacity) = (found_file){path, status.st_size};
  } else {
    free(path);
  }
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
  for (size_t i = 0; i < l->count; i++) {
    free(l->files[i].path);
  }
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
    if (!l->cut) {
      read_folder(l, &folders, folders.items[i]);
    }
    free(folders.items[i]);
  }
  free(folders.items);
  l->made = clock_now();
  l->took = l->made - start;
}

const file_listing *files_below(const char *folder) {
  for (size_t i = 0; i < kept.count; i++) {
    file_listing *l = &kept.items[i];
    if (strcmp(l->folder, folder) == 0) {
      if (clock_now() - l->made > AGE_OF_COST * l->took) {
        make(l);
      }
      return l;
    }
  }
  file_listing *l = ARRAY_ADD(kept.items, kept.count, kept.capacity);
  l->folder = mem_strdup(folder);
  make(l);
  return l;
}
