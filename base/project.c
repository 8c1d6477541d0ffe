/* Roots of repositories, and names of files relative to them. */
#include "base/project.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/buffer.h"
#include "base/memory.h"
#include "base/names.h"

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
