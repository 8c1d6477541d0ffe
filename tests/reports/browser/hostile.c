/* hostile DATABASE SOURCE: writes a database whose sources, names and messages try to be more than text, and its one
 * source as it is, for browser.mjs to compare with what the page shows. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "base/memory.h"
#include "db/db.h"
#include "tests/fixtures/add_finding.h"

#define ATTACK "\"'><script>window.hacked = 1</script><img src=x onerror=\"window.hacked = 2\">"
enum { MEGABYTE = 1 << 20 };

static void must(int result, const error *e) {
  if (result != 0) {
    (void)fprintf(stderr, "hostile: %s\n", e->text);
    exit(1);
  }
}

/* A kernel between lines that end elements, begin them, are no UTF-8, turn the direction of text, or are long. */
static void write_source(buffer *to) {
  buffer_puts(to, "</script></style></pre></code></table></details><script>window.hacked = 3</script>\n");
  buffer_puts(to, "<!-- --> ]]> <![CDATA[ &lt; &amp; &#60; &#x3c; \\\" ' ` ${x} {{x}} <% %>\n");
  buffer_puts(to, "// " ATTACK "\n");
  buffer_puts(to, "/* a comment of\n   </textarea></title><svg onload=window.hacked=4>\n   three lines */\n");
  buffer_puts(to, "#include \"/dev/zero\"\n#define X(a) #a ## \"</script>\" \\\n  <b>still the macro</b>\n");
  for (int c = 1; c < 0x20; c++) buffer_putc(to, (char)(c == '\n' ? ' ' : c));
  buffer_append(to, "\x7f and \0 a NUL\n", 15);
  buffer_puts(to, "ends with CR LF\r\nCR \r in a line\r\n");
  buffer_puts(to, "bytes \xff\xfe \xc0\xaf \xe2\x28\xa1 \xed\xa0\x80 \xf5\x80\x80\x80 \xe2\x80 cut\n");
  buffer_puts(to,
              "direction \xe2\x80\xae"
              "desrever \xe2\x81\xa6isolate\xe2\x81\xa9 \xe2\x80\x8f \xd8\x9c line \xe2\x80\xa8 sep \xc2\x85 C1\n");
  buffer_puts(to, "text \xc3\xa4 \xe2\x82\xac \xf0\x9f\x98\x80 \xe6\xbc\xa2\xe5\xad\x97\n");
  buffer_puts(to, "__kernel void attack(__global int *a) {\n  if (a[0] < 1 && a[1] > 2) {\n    a[0] = '<';\n  }\n}\n");
  for (int i = 0; i < MEGABYTE / 16; i++) buffer_puts(to, "long <i>&line/*\xff ");
  buffer_puts(to, "\n\tno newline at the end <script>window.hacked = 5</script>");
}

static uint32_t offset_of(const model *m, const char *needle) {
  return (uint32_t)((const char *)memmem(m->files[0].text, m->files[0].length, needle, strlen(needle)) -
                    m->files[0].text);
}

static uint32_t line_of(const model *m, uint32_t offset) {
  uint32_t line = 1;
  for (uint32_t i = 0; i < offset; i++) line += m->files[0].text[i] == '\n' ? 1 : 0;
  return line;
}

static model_site *add_site(model *m, site_kind kind, const char *needle, size_t outcomes) {
  model_site *s = ARRAY_ADD(m->sites, m->site_count, m->site_capacity);
  uint32_t offset = offset_of(m, needle);
  uint32_t line = line_of(m, offset);
  *s = (model_site){.kind = kind, .offset = offset, .line = line, .column = 3, .end_line = line, .end_column = 5};
  s->outcomes = mem_calloc(outcomes, sizeof *s->outcomes);
  s->outcome_count = outcomes;
  for (uint32_t i = 0; i < outcomes; i++)
    s->outcomes[i] = (model_outcome){.index = i, .label = mem_strdup(ATTACK), .line = line};
  return s;
}

static void make_model(model *m, const buffer *source) {
  *m = (model){.options = mem_strdup(ATTACK)};
  model_file *f = ARRAY_ADD(m->files, m->file_count, m->file_capacity);
  *f = (model_file){.name = mem_strdup("dir\n\x1b[31m\xff/" ATTACK ".cl"), .length = source->length};
  f->text = mem_strndup("", 0);
  f->text = mem_realloc(f->text, source->length + 1);
  memcpy(f->text, source->data, source->length + 1);
  (void)snprintf(f->sha256, sizeof f->sha256, "%064d", 7);
  (void)add_site(m, SITE_FUNCTION, "attack(", 1);
  (void)add_site(m, SITE_IF, "if (a[0]", 2);
  *ARRAY_ADD(m->functions, m->function_count, m->function_capacity) = (model_function){
      .name = mem_strdup(ATTACK), .line = m->sites[0].line, .end_line = m->sites[0].line + 4, .kernel = true};
  model_kernel *k = ARRAY_ADD(m->kernels, m->kernel_count, m->kernel_capacity);
  *k = (model_kernel){.name = mem_strdup(ATTACK), .function_count = 1};
  k->functions = mem_calloc(1, sizeof *k->functions);
  for (uint32_t i = 0; i < 2; i++) {
    model_line *l = ARRAY_ADD(m->lines, m->line_count, m->line_capacity);
    *l = (model_line){.line = m->sites[1].line + i, .term_count = 1};
    l->terms = mem_calloc(1, sizeof *l->terms);
    l->terms[0] = (model_term){1, i};
  }
}

static void add_mutant(db *d, int64_t run, int64_t test_case, const db_program *p, const model *m) {
  error e;
  int64_t row = 0;
  uint32_t offset = offset_of(m, "&& a[1]");
  uint32_t kernel = 0;
  const db_mutant item = {.id = 5,
                          .operator_name = ATTACK,
                          .line = m->sites[1].line,
                          .column = 15,
                          .offset = offset,
                          .end_line = m->sites[1].line,
                          .end_column = 17,
                          .end_offset = offset + 2,
                          .original = "&& </summary>" ATTACK,
                          .replacement = "|| \x01\xff" ATTACK,
                          .kernels = &kernel,
                          .kernel_count = 1};
  must(db_add_mutants(d, p, m, &item, 1, &row, &e), &e);
  must(db_set_mutant(d, run, row, MUTANT_KILLED, "output", 0, &e), &e);
  must(db_put_verdict(d, test_case, row, &(mutant_verdict){.runs = 20, .output = 20}, &e), &e);
}

static void add_schedule(db *d, int64_t test_case, const db_program *p, const model *m) {
  error e;
  int64_t launch = 0;
  int64_t schedule = 0;
  must(db_put_launch(d, test_case, p->kernels[0], &(db_launch){.groups = 8, .skipped = ""}, &launch, &e), &e);
  must(db_put_schedule(d, launch,
                       &(db_schedule){.order = ATTACK, .gate = ATTACK, .verdict = "race", .outcomes = ".x<script>"},
                       &schedule, &e),
       &e);
  const db_explanation x = {.text = ATTACK,
                            .argument = ATTACK,
                            .first = 1,
                            .differing = 1,
                            .last = 1,
                            .reference = ATTACK,
                            .seen = ATTACK,
                            .file_name = m->files[0].name,
                            .line = m->sites[1].line,
                            .unfinished = ATTACK};
  must(db_put_explanation(d, schedule, &x, &e), &e);
}

static void write_database(const char *path, const model *m) {
  error e;
  db *d = NULL;
  db_program p;
  int64_t run = 0;
  int64_t test_case = 0;
  must(db_open(&d, path, DB_WRITE, &e), &e);
  must(db_begin_run(d, ATTACK, ATTACK, &run, &e), &e);
  must(db_add_program(d, run, m, &p, &e), &e);
  must(db_begin_test_case(d, run, ATTACK, ATTACK "\xff\n\t", ATTACK "\x1b]0;", &test_case, &e), &e);
  must(db_add_evidence(d, test_case, p.kernels[0], 1, &(db_evidence){p.sites[1], 0}, 1, &e), &e);
  must(add_finding(d, test_case, p.kernels[0], p.sites[1], ATTACK, ATTACK, &e), &e);
  must(db_add_skipped(d, run, ATTACK, ATTACK, &e), &e);
  must(db_add_unstable(d, test_case, ATTACK, 0.5, &e), &e);
  add_mutant(d, run, test_case, &p, m);
  add_schedule(d, test_case, &p, m);
  must(db_end_test_case(d, test_case, 0, false, &e), &e);
  must(db_end_run(d, run, ATTACK, 0, &e), &e);
  must(db_commit(d, &e), &e);
  db_program_free(&p);
  db_close(d);
}

int main(int argc, char **argv) {
  if (argc != 3) {
    (void)fputs("usage: hostile DATABASE SOURCE\n", stderr);
    return 1;
  }
  buffer source = {0};
  model m;
  write_source(&source);
  FILE *f = fopen(argv[2], "wb");
  if (f == NULL || fwrite(source.data, 1, source.length, f) != source.length || fclose(f) != 0) {
    perror("hostile: the source cannot be written");
    return 1;
  }
  make_model(&m, &source);
  write_database(argv[1], &m);
  model_free(&m);
  buffer_free(&source);
  return 0;
}
