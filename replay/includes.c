/* Included files are put somewhere else where they are not as they were. */
#include "replay/includes.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/scratch.h"
#include "capture/place_includes.h"
#include "frontend/preprocess.h"

static void move_options(capture *c, const char *root) {
  for (size_t i = 0; i < c->command_count; i++) {
    for (size_t s = 0; c->commands[i].kind == CAPTURE_PROGRAM && s < c->commands[i].u.program.source_count; s++) {
      capture_source *source = &c->commands[i].u.program.sources[s];
      char *moved = included_options(c, root, source->options);
      free(source->options);
      source->options = moved;
    }
  }
}

static int place_below(capture *c, const char *root, error *e) {
  char *directory = NULL;
  if (included_place(c, root, &directory, e) != 0) {
    return -1;
  }
  int result = 0;
  if (chdir(directory) == 0) {
    move_options(c, root);
  } else {
    result = error_set(e, EXIT_INTERNAL, "the working directory %s of the capture cannot be made: %s", directory,
                       strerror(errno));
  }
  free(directory);
  return result;
}

int includes_place(capture *c, char **made, error *e) {
  if (included_are_there(c)) {
    if (c->directory != NULL && chdir(c->directory) != 0) {
      errno = 0; /* nothing is looked for there */
    }
    return 0;
  }
  const char *root = getenv(ENV_INCLUDES);
  if (root == NULL || root[0] == '\0') {
    root = *made = scratch_temporary("cltestcheck-includes", e);
  }
  return root == NULL ? -1 : place_below(c, root, e);
}
