/* How reports name files: relative to the root of the project, so that a name does not depend on the folder in which a
 * command is run. */
#ifndef CLTC_BASE_PROJECT_H
#define CLTC_BASE_PROJECT_H

/* --root: names start at this folder from now on, whatever repository a file lies in. NULL: there is none. */
void project_set_root(const char *folder);
/* That folder, absolute; NULL: none was set. Lent. */
const char *project_chosen_root(void);

/* The root of the git repository that a folder lies in, absolute; of a submodule that of the repository around it.
 * NULL: it lies in none. free() it. */
char *project_repository(const char *folder);

/* The name of the file at `path`: relative to the root that was set; without one to the root of the repository that
 * the file lies in; outside of repositories to the current directory. Absolute where the file does not lie below that.
 * A link has the name of its target, unless only the link itself lies there. `*root` is the folder that the name is
 * relative to, "" for an absolute name. free() both. */
char *project_name(const char *path, char **root);

/* `name` below `root`, an absolute one as it is. free() it. */
char *project_path(const char *root, const char *name);
/* The part of an absolute path below an absolute folder; NULL: it lies elsewhere. Lent, a part of `path`. */
const char *project_below(const char *path, const char *folder);

#endif
