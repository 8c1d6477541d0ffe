/* write_spaced SPACING FOLDER FILE.cl…: writes the files into the folder with other white space. Their lines of
 * comments, which say how constructs_host launches them, stand at the end. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "respace.h"
#include "tests/fixtures/constructs_comments.h"

static void put_comments(const char *text, FILE *f) {
  for (const char *line = text; *line != '\0'; line += strcspn(line, "\n"), line += *line == '\n')
    if (strncmp(line, "// ", 3) == 0) fprintf(f, "%.*s\n", (int)strcspn(line, "\r\n"), line);
}

static void write_file(const char *folder, const char *path, spacing how) {
  char name[4096];
  size_t length = 0;
  const char *slash = strrchr(path, '/');
  (void)snprintf(name, sizeof name, "%s/%s", folder, slash == NULL ? path : slash + 1);
  char *text = read_whole(path, &length), *spaced = respace(text, how);
  FILE *f = fopen(name, "wb");
  if (f == NULL) {
    perror(name);
    exit(2);
  }
  fputs(spaced, f);
  put_comments(text, f);
  fclose(f);
  free(spaced);
  free(text);
}

int main(int argc, char **argv) {
  int how = 0;
  while (argc > 2 && how < SPACING_COUNT && strcmp(argv[1], spacing_names[how]) != 0) how++;
  if (argc < 4 || how == SPACING_COUNT) {
    fputs("write_spaced: wants blanks, least or lines, a folder, and files\n", stderr);
    return 2;
  }
  for (int i = 3; i < argc; i++) write_file(argv[2], argv[i], (spacing)how);
  return 0;
}
