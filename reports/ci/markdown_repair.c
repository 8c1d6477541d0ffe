/* Repairs in Markdown: what became of each file, and its patch as a block. */
#include "reports/ci/markdown_repair.h"

#include <string.h>

#include "reports/common/markdown_text.h"
#include "reports/common/repairs.h"

#define PATCH_LINES 400

static void put_lines(const char *language, const char *text, FILE *out) {
  buffer block = {0};
  markdown_lines(&block, "", text, strlen(text), PATCH_LINES);
  markdown_block(out, language, &block);
  buffer_free(&block);
}

void markdown_repairs(const view *v, FILE *out) {
  for (size_t i = 0; i < v->repair_count; i++) {
    const db_repair *r = &v->repairs[i];
    (void)fputs(i == 0 ? "\n### Repairs\n\n" : "\n", out);
    markdown_code(out, r->name, false);
    (void)fprintf(out, ": %s\n\n", repair_words(r));
    put_lines("text", r->report, out);
    if (r->patch[0] != '\0') {
      (void)fputs("\n", out);
      put_lines("diff", r->patch, out);
    }
  }
}
