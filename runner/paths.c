/* Files of cltestcheck's own, and the program that replays: its words, its end, its record. */
#include "runner/paths.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/memory.h"
#include "base/subprocess.h"

int replay_is_missing(error *e) {
  return error_set(e, EXIT_INTERNAL, "cltestcheck-replay is not where cltestcheck looks for it; install it again");
}

int replaying_run(const replaying *r, buffer *said, replaying_end *end, error *e) {
  enum { WORDS_MOST = 16 };
  char *argv[WORDS_MOST + 5] = {(char *)r->program, (char *)r->capture};
  size_t count = 2;
  subprocess_end how = SUBPROCESS_ENDED;
  int status = 0;
  *end = (replaying_end){0};
  if (r->program == NULL) return replay_is_missing(e);
  for (size_t i = 0; r->more != NULL && r->more[i] != NULL && i < WORDS_MOST; i++) argv[count++] = (char *)r->more[i];
  if (r->device != NULL) {
    argv[count++] = "--device";
    argv[count++] = (char *)r->device;
  }
  const subprocess s = {.argv = argv,
                        .deadline = r->timeout > 0 ? clock_now() + r->timeout : 0,
                        .quiet = r->quiet,
                        .joined = r->joined,
                        .interruptible = true};
  if (subprocess_read(&s, said, &how, &status, e) != 0) return -1;
  if (how == SUBPROCESS_INTERRUPTED) return error_set(e, 130, "interrupted");
  end->late = how == SUBPROCESS_LATE;
  end->too_much = how == SUBPROCESS_TOO_MUCH;
  end->signal = how == SUBPROCESS_ENDED && WIFSIGNALED(status) ? WTERMSIG(status) : 0;
  end->status = how == SUBPROCESS_ENDED && WIFEXITED(status) ? WEXITSTATUS(status) : EXIT_INTERNAL;
  return 0;
}

int replaying_compare(const replaying *r, const char *folder, replay_record *record, bool *known, replaying_end *end,
                      error *e) {
  scoped_buffer path = {0}, said = {0};
  buffer_printf(&path, "%s/record", folder);
  const char *const words[] = {"--record", buffer_text(&path), NULL};
  replaying own = *r;
  own.more = words;
  own.quiet = true;
  const int result = replaying_run(&own, &said, end, e);
  FILE *in = fopen(buffer_text(&path), "rbe");
  *known = in != NULL && fread(record, sizeof *record, 1, in) == 1;
  if (in != NULL) (void)fclose(in);
  (void)unlink(buffer_text(&path));
  return result;
}

/* Relative to the folder of the program: build tree, installed tree, packed folder. */
static const char *const places[] = {"", "../" CLTC_LIBRARY_DIR "/cltestcheck", "../lib/cltestcheck",
                                     "../share/cltestcheck"};

char *own_path(const char *name) {
  char self[PATH_MAX];
  ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);
  if (length <= 0) return NULL;
  self[length] = '\0';
  *strrchr(self, '/') = '\0';
  for (size_t i = 0; i < sizeof places / sizeof places[0]; i++) {
    scoped_buffer candidate = buffer_with("%s/%s%s%s", self, places[i], places[i][0] == '\0' ? "" : "/", name);
    char real[PATH_MAX];
    bool there = realpath(buffer_text(&candidate), real) != NULL;
    if (there) return mem_strdup(real);
  }
  return NULL;
}

/* The folder of built programs: where it is, and how large. Other processes may use it at the same time: a file that goes
 * while it is read stays readable, and one that is written comes by its name when it is whole. */

typedef struct kept_file {
  char *name;
  uint64_t size;
  struct timespec used;
} kept_file;

typedef struct kept_files {
  kept_file *list;
  size_t count, capacity;
  uint64_t size;
} kept_files;

static bool left_out, looked;
static char *folder;

void builds_leave_out(void) { left_out = true; }

static kept_files list_files(int in) {
  kept_files all = {0};
  DIR *d = fdopendir(dup(in));
  for (const struct dirent *entry = NULL; d != NULL && (entry = readdir(d)) != NULL;) {
    struct stat s;
    if (fstatat(in, entry->d_name, &s, AT_SYMLINK_NOFOLLOW) == 0 && S_ISREG(s.st_mode)) {
      kept_file *f = ARRAY_ADD(all.list, all.count, all.capacity);
      *f = (kept_file){mem_strdup(entry->d_name), (uint64_t)s.st_size + 512, s.st_mtim};
      all.size += f->size;
    }
  }
  if (d != NULL) (void)closedir(d);
  return all;
}

static void free_files(kept_files *all) {
  for (size_t i = 0; i < all->count; i++) free(all->list[i].name);
  free(all->list);
}

static int compare_use(const void *a, const void *b) {
  const struct timespec x = ((const kept_file *)a)->used, y = ((const kept_file *)b)->used;
  return x.tv_sec != y.tv_sec ? (x.tv_sec < y.tv_sec ? -1 : 1) : (x.tv_nsec > y.tv_nsec) - (x.tv_nsec < y.tv_nsec);
}

/* Beyond its bounds: down to three quarters of them. */
static void prune(int in) {
  kept_files all = list_files(in);
  if (all.size > BUILDS_MOST) {
    qsort(all.list, all.count, sizeof *all.list, compare_use);
    for (size_t i = 0; i < all.count && all.size > BUILDS_MOST / 4 * 3; i++)
      all.size -= unlinkat(in, all.list[i].name, 0) == 0 ? all.list[i].size : 0;
  }
  free_files(&all);
}

/* The folder and those above it, where they are not there. */
static int open_folder(const char *path) {
  scoped char *part = mem_strdup(path);
  for (char *at = part + 1; (at = strchr(at, '/')) != NULL; at++) {
    *at = '\0';
    (void)mkdir(part, 0700);
    *at = '/';
  }
  (void)mkdir(part, 0700);
  return open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
}

const char *builds_folder(void) {
  if (!looked && !left_out) {
    const char *cache = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
    const bool own = cache != NULL && cache[0] == '/';
    scoped_buffer path = {0};
    looked = true;
    if (own || (home != NULL && home[0] == '/'))
      buffer_printf(&path, "%s%s/cltestcheck/builds", own ? cache : home, own ? "" : "/.cache");
    const int in = path.length > 0 ? open_folder(buffer_text(&path)) : -1;
    if (in >= 0 && faccessat(in, ".", W_OK, 0) == 0) {
      prune(in);
      folder = buffer_take(&path);
    }
    if (in >= 0) (void)close(in);
  }
  return left_out ? NULL : folder;
}

uint64_t builds_size(void) {
  const char *path = builds_folder();
  const int in = path == NULL ? -1 : open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (in < 0) return 0;
  kept_files all = list_files(in);
  const uint64_t size = all.size;
  free_files(&all);
  (void)close(in);
  return size;
}
