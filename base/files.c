/* Files: whether one is open here, reading one whole, writing one whole or not at all; temporary folders: made, locked
 * and removed. */
#include "base/files.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/names.h"

bool is_open_here(const char *path) {
  struct stat wanted;
  bool found = false;
  DIR *descriptors = stat(path, &wanted) == 0 ? opendir("/proc/self/fd") : NULL;
  for (struct dirent *entry = NULL; descriptors != NULL && !found && (entry = readdir(descriptors)) != NULL;) {
    struct stat status;
    char *end = NULL;
    long number = strtol(entry->d_name, &end, 10);
    found = end != entry->d_name && fstat((int)number, &status) == 0 && status.st_dev == wanted.st_dev &&
            status.st_ino == wanted.st_ino;
  }
  if (descriptors != NULL) (void)closedir(descriptors);
  return found;
}

int pipe_refuse(const char *path, error *e) {
  static const char handed_over[] = "/dev/fd/";
  struct stat status;
  const bool there = stat(path, &status) == 0 && strncmp(path, handed_over, sizeof handed_over - 1) != 0;
  const bool device = there && (S_ISCHR(status.st_mode) || S_ISBLK(status.st_mode));
  return device || (there && (S_ISFIFO(status.st_mode) || S_ISSOCK(status.st_mode)))
             ? error_set(e, EXIT_USAGE, "\"%s\" is a %s, and a file is wanted", path, device ? "device" : "pipe")
             : 0;
}

int file_read(const char *path, const char *what, size_t most, buffer *out, error *e) {
  if (pipe_refuse(path, e) != 0) return -1;
  char chunk[1 << 16];
  size_t n = 0;
  FILE *f = fopen(path, "rbe");
  while (f != NULL && out->length <= most && (n = fread(chunk, 1, sizeof chunk, f)) > 0) buffer_append(out, chunk, n);
  const int reason = errno;
  const bool read = f != NULL && ferror(f) == 0;
  if (f != NULL) (void)fclose(f);
  if (!read) return error_set(e, EXIT_USAGE, "%s \"%s\" cannot be read: %s", what, path, strerror(reason));
  return out->length > most ? error_set(e, EXIT_USAGE, "%s \"%s\" is larger than %zu MiB", what, path, most >> 20) : 0;
}

static bool write_all(int fd, const char *bytes, size_t size) {
  while (size > 0) {
    const ssize_t n = write(fd, bytes, size);
    if (n < 0 && errno != EINTR) return false;
    bytes += n > 0 ? n : 0;
    size -= n > 0 ? (size_t)n : 0;
  }
  return fsync(fd) == 0;
}

int file_replace(const char *path, const void *bytes, size_t size) {
  struct stat before;
  scoped char *target = realpath(path, NULL);
  const bool there = target != NULL && stat(target, &before) == 0;
  const char *to = there ? target : path;
  scoped_buffer temporary = buffer_with("%s.XXXXXX", to);
  const int fd = there && access(to, W_OK) != 0 ? -1 : mkostemp(temporary.data, O_CLOEXEC);
  bool done = fd >= 0 && write_all(fd, bytes, size) && (!there || fchmod(fd, before.st_mode & 07777) == 0);
  int reason = done ? 0 : errno;
  if (fd >= 0 && close(fd) != 0 && done) {
    done = false;
    reason = errno;
  }
  if (done && rename(temporary.data, to) != 0) {
    done = false;
    reason = errno;
  }
  if (fd >= 0 && !done) (void)unlink(temporary.data);
  return reason;
}

/* ---- temporary folders ---- */

enum { RANDOM_LETTERS = 6, TRIES = 100 };

#define MARKER "made-by-cltestcheck" /* a file in each folder: others may have such names, too */

/* Those that are open, with the descriptors that hold their locks. */
typedef struct scratch {
  char *path;
  int lock;
} scratch;

static scratch *folders;
static size_t folder_count, folder_capacity;

/* Links in it are removed, not followed. */
static void empty(int folder) {
  DIR *d = fdopendir(dup(folder));
  for (struct dirent *entry = d == NULL ? NULL : readdir(d); entry != NULL; entry = readdir(d)) {
    if (unlinkat(folder, entry->d_name, 0) == 0 || strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0)
      continue;
    int inner = openat(folder, entry->d_name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (inner >= 0) {
      empty(inner);
      (void)close(inner);
      (void)unlinkat(folder, entry->d_name, AT_REMOVEDIR);
    }
  }
  if (d != NULL) (void)closedir(d);
}

/* The locked folder; -1 when it is somebody else's, in use, or not what its path names any more. */
static int lock_folder(const char *path) {
  struct stat opened;
  struct stat named;
  int fd = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  if (fd < 0) return -1;
  if (fstat(fd, &opened) == 0 && opened.st_uid == geteuid() && flock(fd, LOCK_EX | LOCK_NB) == 0 &&
      lstat(path, &named) == 0 && named.st_ino == opened.st_ino && named.st_dev == opened.st_dev)
    return fd;
  (void)close(fd);
  return -1;
}

static bool is_marked(int folder) { return faccessat(folder, MARKER, F_OK, AT_SYMLINK_NOFOLLOW) == 0; }

static bool mark(int folder) {
  int fd = openat(folder, MARKER, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  return fd >= 0 && close(fd) == 0;
}

/* A folder without a mark stays, also an empty one: it may be anybody's. */
static void remove_abandoned(const char *path) {
  int fd = lock_folder(path);
  if (fd >= 0) {
    if (is_marked(fd)) {
      empty(fd);
      (void)rmdir(path);
    }
    (void)close(fd);
  }
}

/* Removes what nobody holds any more. */
static void sweep(const char *base, const char *name) {
  size_t length = strlen(name);
  DIR *d = opendir(base);
  for (struct dirent *entry = d == NULL ? NULL : readdir(d); entry != NULL; entry = readdir(d)) {
    if (strncmp(entry->d_name, name, length) == 0 && entry->d_name[length] == '.' &&
        strlen(entry->d_name) == length + 1 + RANDOM_LETTERS) {
      scoped_buffer path = buffer_with("%s/%s", base, entry->d_name);
      remove_abandoned(buffer_text(&path));
    }
  }
  if (d != NULL) (void)closedir(d);
}

/* Once for each name: this process's own folders are locked by itself. */
static void sweep_once(const char *base, const char *name) {
  static const char *swept[4];
  for (size_t i = 0; i < sizeof swept / sizeof swept[0]; i++) {
    if (swept[i] == NULL) {
      swept[i] = name;
      sweep(base, name);
      return;
    }
    if (strcmp(swept[i], name) == 0) return;
  }
}

char *scratch_open(const char *base, const char *name, error *e) {
  sweep_once(base, name);
  for (int i = 0; i < TRIES; i++) { /* another process may sweep between making and locking */
    char *path = mem_printf("%s/%s.XXXXXX", base, name);
    if (mkdtemp(path) == NULL) {
      (void)error_set(e, EXIT_INTERNAL, "no folder could be made in %s: %s", base, strerror(errno));
      free(path);
      return NULL;
    }
    int lock = lock_folder(path);
    if (lock >= 0 && !mark(lock)) {
      (void)error_set(e, EXIT_INTERNAL, "no file could be made in %s: %s", path, strerror(errno));
      (void)rmdir(path);
      (void)close(lock);
      free(path);
      return NULL;
    }
    if (lock >= 0) {
      *ARRAY_ADD(folders, folder_count, folder_capacity) = (scratch){path, lock};
      return path;
    }
    (void)rmdir(path);
    free(path);
  }
  (void)error_set(e, EXIT_INTERNAL, "no folder in %s could be locked; name another place with TMPDIR", base);
  return NULL;
}

char *scratch_temporary(const char *name, error *e) {
  const char *base = getenv("TMPDIR");
  return scratch_open(base == NULL || base[0] == '\0' ? "/tmp" : base, name, e);
}

void scratch_close(char *path) {
  for (size_t i = 0; path != NULL && i < folder_count; i++) {
    if (folders[i].path == path) {
      empty(folders[i].lock);
      (void)rmdir(path);
      (void)close(folders[i].lock);
      folders[i] = folders[--folder_count];
      free(path);
      break;
    }
  }
  if (folder_count == 0) {
    free(folders);
    folders = NULL;
    folder_capacity = 0;
  }
}

/* ---- projects: the folder that names of files start at ---- */

static char *chosen_root;

void project_set_root(const char *folder) {
  free(chosen_root);
  chosen_root = folder == NULL ? NULL : realpath(folder, NULL);
}

const char *project_chosen_root(void) { return chosen_root; }

const char *project_below(const char *path, const char *folder) {
  size_t length = strlen(folder);
  length -= length > 0 && folder[length - 1] == '/' ? 1 : 0; /* the folder "/" */
  return strncmp(path, folder, length) == 0 && path[length] == '/' && path[length + 1] != '\0' ? path + length + 1
                                                                                               : NULL;
}

char *project_path(const char *root, const char *name) {
  buffer path = {0};
  bool alone = name[0] == '/' || root[0] == '\0';
  buffer_printf(&path, "%s%s%s", alone ? "" : root, alone || strcmp(root, "/") == 0 ? "" : "/", name);
  return buffer_take(&path);
}

typedef enum git_entry { GIT_NONE, GIT_REPOSITORY, GIT_SUBMODULE } git_entry;

/* What the folder's .git says: a submodule's is a file that leads to the modules of the repository around it. */
static git_entry look_for_git(const char *folder) {
  scoped char *path = project_path(folder, ".git");
  struct stat status;
  git_entry found = GIT_NONE;
  if (stat(path, &status) == 0) {
    char line[4096] = "";
    FILE *f = S_ISREG(status.st_mode) ? fopen(path, "re") : NULL;
    found = f != NULL && fgets(line, sizeof line, f) != NULL && strstr(line, "/modules/") != NULL ? GIT_SUBMODULE
                                                                                                  : GIT_REPOSITORY;
    if (f != NULL) (void)fclose(f);
  }
  return found;
}

char *project_repository(const char *folder) {
  char *at = realpath(folder, NULL);
  char *submodule = NULL;
  git_entry found = GIT_NONE;
  while (at != NULL && at[0] != '\0') {
    found = look_for_git(at);
    if (found == GIT_REPOSITORY) {
      free(submodule);
      return at;
    }
    if (found == GIT_SUBMODULE && submodule == NULL) submodule = mem_strdup(at);
    *strrchr(at, '/') = '\0';
  }
  free(at);
  return submodule;
}

/* `path` without links in its folder; as it is where the folder is not there. `*folder` is NULL then. */
static char *real_folder(const char *path, char **folder) {
  const char *slash = strrchr(path, '/');
  scoped char *written =
      slash == NULL ? mem_strdup(".") : mem_strndup(path, slash == path ? 1 : (size_t)(slash - path));
  *folder = realpath(written, NULL);
  return *folder == NULL ? mem_strdup(path) : project_path(*folder, path_end(path));
}

/* The root that names of files in a folder start at; NULL: none. */
static char *root_of(const char *folder) {
  char *root = chosen_root != NULL ? mem_strdup(chosen_root) : project_repository(folder);
  return root == NULL ? realpath(".", NULL) : root;
}

/* The name of a file below its root, NULL if it does not lie there. */
static char *name_below(const char *path, char **root) {
  scoped char *folder = NULL;
  scoped char *real = real_folder(path, &folder);
  *root = folder == NULL ? NULL : root_of(folder);
  const char *below = *root == NULL ? NULL : project_below(real, *root);
  char *name = below == NULL ? NULL : mem_strdup(below);
  if (name == NULL) {
    free(*root);
    *root = NULL;
  }
  return name;
}

char *project_name(const char *path, char **root) {
  scoped char *target = realpath(path, NULL);
  char *name = target == NULL ? NULL : name_below(target, root);
  name = name == NULL ? name_below(path, root) : name;
  if (name == NULL) {
    *root = mem_strdup("");
    scoped char *folder = NULL;
    name = target == NULL ? real_folder(path, &folder) : mem_strdup(target);
  }
  return name;
}
