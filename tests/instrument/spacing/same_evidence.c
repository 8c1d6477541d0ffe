/* same_evidence ONE.db OTHER.db all|sites: whether two databases say the same of the same sites, whatever their lines
 * and columns: files are matched by name, sites by their order. `sites` leaves regions out, which follow lines. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "db/db.h"

static bool regions;

static const char *base_name(const char *name) {
  const char *slash = strrchr(name, '/');
  return slash == NULL ? name : slash + 1;
}

/* "if: true+ false-; for: …" of a file's sites. */
static char *evidence_of(const view *v, uint32_t file) {
  buffer out = {0};
  for (size_t i = 0; i < v->site_count; i++) {
    const model_site *s = &v->sites[i];
    if (s->file != file || (s->kind == SITE_REGION && !regions)) continue;
    buffer_puts(&out, site_kind_name(s->kind));
    for (size_t o = 0; o < s->outcome_count; o++)
      buffer_printf(&out, " %u%s", (unsigned)s->outcomes[o].index, s->outcomes[o].tests > 0 ? "+" : "-");
    buffer_putc(&out, '\n');
  }
  return out.length == 0 ? strdup("") : buffer_take(&out);
}

static void load(const char *path, db **d, view *v) {
  error e;
  if (db_open(d, path, DB_READ, &e) != 0 || db_load(*d, NULL, 0, v, &e) != 0) {
    fprintf(stderr, "%s: %s\n", path, e.text);
    exit(2);
  }
}

static int compare(const view *one, const view *other, size_t *files) {
  int failed = 0;
  for (uint32_t i = 0; i < one->file_count; i++) {
    const char *name = base_name(one->files[i].name);
    char *wanted = evidence_of(one, i);
    uint32_t k = 0;
    while (k < other->file_count && strcmp(base_name(other->files[k].name), name) != 0) k++;
    char *found = k == other->file_count ? strdup("no such file\n") : evidence_of(other, k);
    if (strcmp(wanted, found) != 0) {
      printf("FAILED: %s has\n%sinstead of\n%s", name, found, wanted);
      failed++;
    }
    *files += wanted[0] != '\0' ? 1 : 0;
    free(found);
    free(wanted);
  }
  return failed;
}

int main(int argc, char **argv) {
  db *first = NULL, *second = NULL;
  view one, other;
  if (argc != 4) return 2;
  regions = strcmp(argv[3], "all") == 0;
  load(argv[1], &first, &one);
  load(argv[2], &second, &other);
  size_t files = 0;
  const int failed = compare(&one, &other, &files) + (one.skipped_count != other.skipped_count ? 1 : 0);
  for (size_t i = 0; i < other.skipped_count; i++)
    printf("%s: %s\n", other.skipped[i].program, other.skipped[i].reason);
  printf("%zu files, %d of them differ\n", files, failed);
  view_free(&one);
  view_free(&other);
  db_close(first);
  db_close(second);
  return failed == 0 && files > 0 ? 0 : 1;
}
