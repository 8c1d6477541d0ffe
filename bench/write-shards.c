/* write-shards [-a] FOLDER MUTANTS SHARDS [FIRST LAST]: writes FOLDER/shard-K.db, the databases that a campaign of
 * MUTANTS mutants leaves behind when it is cut into SHARDS, as `mutate --shard K/SHARDS`; FIRST to LAST of them, all by
 * default.
 *
 * The programs are one kernel file of PER_PROGRAM mutants, read by the front end once, under as many names and hashes
 * as are needed; each shard has all of them, three test cases, every SHARDS-th mutant, and a verdict of each for each
 * test case. -a: each shard lists the mutants of the others, too. Prints the number of verdicts in all shards written.
 */
#include <fcntl.h>
#include <inttypes.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/buffer.h"
#include "base/memory.h"
#include "bench/write-program.h"
#include "runner/campaign/internal.h"

enum { PER_PROGRAM = 1000, TESTS = 3, KERNELS = 10, LINES = 6, RUNS = 20 };

typedef struct cut_campaign {
  const char *folder;
  size_t mutants, shards;
  bool list_all;
  mutate_result program; /* each program, but for names and hashes */
  db_mutant *items;      /* its mutants */
  db_program *stored;    /* ids, the same in each shard */
  size_t program_count;
  int64_t run, tests[TESTS];
  size_t verdicts;
} cut_campaign;

/* --- programs ----------------------------------------------------------------------------------------------- */

/* Kernels of straight lines with six operators each, of which each gives three mutants. */
static char *kernel_file(void) {
  buffer text = {0};
  for (int k = 0; k < KERNELS; k++) {
    buffer_printf(&text, "__kernel void k%d(__global float *a, __global const float *b, int n) {\n", k);
    buffer_puts(&text, "  int i = get_global_id(0);\n  if (i < n) {\n");
    for (int l = 0; l < LINES; l++)
      buffer_printf(&text, "    a[i] = a[i] * %d.5f + b[i] - a[i] / b[i] + b[i] * %d.25f;\n", l + 1, k + 1);
    buffer_puts(&text, "  }\n}\n");
  }
  return buffer_take(&text);
}

static void read_program(cut_campaign *c) {
  error e;
  char *text = kernel_file();
  read_source("kernels.cl", text, &c->program);
  free(text);
  const mutate_result *r = &c->program;
  if (r->question_count > 0 || r->mutant_count < PER_PROGRAM) {
    (void)error_set(&e, EXIT_INTERNAL, "the kernel file has %zu mutants instead of %d", r->mutant_count, PER_PROGRAM);
    must(-1, &e);
  }
  c->items = mem_calloc(r->mutant_count, sizeof *c->items);
  for (size_t i = 0; i < r->mutant_count; i++) c->items[i] = campaign_stored_mutant(&r->mutants[i]);
}

/* Makes the model that of the program of this number. */
static void rename_program(cut_campaign *c, size_t number) {
  for (size_t f = 0; f < c->program.model.file_count; f++) {
    model_file *file = &c->program.model.files[f];
    char name[64];
    (void)snprintf(name, sizeof name, "kernels/%zu.%zu.cl", number, f);
    free(file->name);
    file->name = mem_strdup(name);
    (void)snprintf(file->sha256, sizeof file->sha256, "%032zx%032zx", number + 1, f);
  }
}

/* --- mutants and verdicts ------------------------------------------------------------------------------------ */

/* An id that looks as if it were made from contents; no two of a program are the same. */
static uint32_t id_of(size_t program, size_t index) {
  return (uint32_t)index * UINT32_C(2654435761) + (uint32_t)program * UINT32_C(40503) + 1;
}

static size_t mutants_in(const cut_campaign *c, size_t program) {
  size_t left = c->mutants - program * PER_PROGRAM;
  return left < PER_PROGRAM ? left : PER_PROGRAM;
}

/* The mutants [first, …) of a program, every step-th: their number, with row ids. */
static size_t store_mutants(cut_campaign *c, db *d, size_t program, size_t first, size_t step, int64_t *rows) {
  error e;
  db_mutant some[PER_PROGRAM];
  size_t count = 0;
  for (size_t i = first; i < mutants_in(c, program); i += step) {
    some[count] = c->items[i];
    some[count++].id = id_of(program, i);
  }
  must(db_add_mutants(d, &c->stored[program], &c->program.model, some, count, rows, &e), &e);
  return count;
}

/* 64 digits that look random and are the same for the same numbers, as a digest is. */
static void digest_of(uint64_t a, uint64_t b, char out[65]) {
  for (int i = 0; i < 4; i++) {
    uint64_t z = a * UINT64_C(0x9E3779B97F4A7C15) + b * 8 + (uint64_t)i;
    z = (z ^ (z >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94D049BB133111EB);
    (void)snprintf(out + 16 * i, 17, "%016" PRIx64, z ^ (z >> 31));
  }
}

/* One mutant in twenty is a duplicate of the one before, three survive, the others are killed by one test case or all.
 */
static void decide(cut_campaign *c, db *d, size_t number, int64_t row, int64_t *before) {
  error e;
  bool duplicate = number % 20 == 19 && *before != 0;
  bool survived = number % 20 >= 16;
  mutant_status status = duplicate ? MUTANT_DUPLICATE : survived ? MUTANT_SURVIVED : MUTANT_KILLED;
  const char *reason = status == MUTANT_KILLED ? "output" : "";
  char key[65];
  db_code code = {.built = true};
  digest_of(number, TESTS, key);
  digest_of(number, TESTS + 1, code.digest);
  must(db_put_code(d, key, &code, &e), &e);
  must(db_set_mutant(d, c->run, row, status, reason, duplicate ? *before : 0, &e), &e);
  for (size_t t = 0; t < TESTS && !duplicate; t++) {
    uint32_t differed = survived || number % TESTS > t ? 0 : RUNS;
    must(db_put_verdict(d, c->tests[t], row, &(mutant_verdict){.runs = RUNS, .output = differed, .replayed = RUNS}, &e),
         &e);
    digest_of(number, t, key);
    must(db_keep_verdict(d, c->tests[t], row, key, false, &e), &e);
    c->verdicts++;
  }
  *before = duplicate ? *before : row;
}

static void fill_shard(cut_campaign *c, db *d, size_t shard) {
  error e;
  int64_t rows[PER_PROGRAM];
  for (size_t p = 0; p < c->program_count; p++) {
    int64_t before = 0;
    size_t start = p * PER_PROGRAM;
    size_t first = (shard + c->shards - start % c->shards) % c->shards;
    size_t count = store_mutants(c, d, p, first, c->shards, rows);
    for (size_t i = 0; i < count; i++) decide(c, d, start + first + i * c->shards, rows[i], &before);
  }
  for (size_t t = 0; t < TESTS; t++) must(db_end_test_case(d, c->tests[t], 0, false, &e), &e);
  must(db_end_run(d, c->run, "a device", 0, &e), &e);
}

/* --- files --------------------------------------------------------------------------------------------------- */

static char *path_of(const cut_campaign *c, const char *name, size_t number) {
  buffer path = {0};
  buffer_printf(&path, "%s/%s%zu.db", c->folder, name, number);
  return buffer_take(&path);
}

/* What all shards have in common: programs and test cases. */
static char *write_common(cut_campaign *c) {
  error e;
  db *d = NULL;
  int64_t rows[PER_PROGRAM];
  char *path = path_of(c, "common-", c->mutants);
  (void)unlink(path);
  c->program_count = (c->mutants + PER_PROGRAM - 1) / PER_PROGRAM;
  c->stored = mem_calloc(c->program_count, sizeof *c->stored);
  must(db_open(&d, path, DB_WRITE, &e), &e);
  must(db_begin_run(d, "mutate", "1", &c->run, &e), &e);
  must(db_set_settings(d, c->run, "generated", &e), &e);
  for (size_t p = 0; p < c->program_count; p++) {
    rename_program(c, p);
    must(db_add_program(d, c->run, &c->program.model, &c->stored[p], &e), &e);
    if (c->list_all) (void)store_mutants(c, d, p, 0, 1, rows);
  }
  static const char *const names[TESTS] = {"small", "large", "odd"};
  for (size_t t = 0; t < TESTS; t++)
    must(db_begin_test_case(d, c->run, "generated", names[t], names[t], &c->tests[t], &e), &e);
  db_close(d);
  return path;
}

static void copy_file(const char *from, const char *to) {
  static char bytes[1 << 20];
  int in = open(from, O_RDONLY | O_CLOEXEC);
  int out = open(to, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
  ssize_t count = 0;
  bool fine = in >= 0 && out >= 0;
  while (fine && (count = read(in, bytes, sizeof bytes)) > 0) fine = write(out, bytes, (size_t)count) == count;
  if (!fine || count != 0 || close(in) != 0 || close(out) != 0) {
    perror("write-shards: a database cannot be copied");
    exit(1);
  }
}

/* The run of a copy is another one. */
static void set_identity(const char *path, size_t shard) {
  sqlite3 *handle = NULL;
  char statement[128];
  (void)snprintf(statement, sizeof statement, "UPDATE run SET uuid = 'shard-%zu'", shard);
  if (sqlite3_open(path, &handle) != SQLITE_OK || sqlite3_exec(handle, statement, NULL, NULL, NULL) != SQLITE_OK) {
    (void)fprintf(stderr, "write-shards: %s: %s\n", path, sqlite3_errmsg(handle));
    exit(1);
  }
  (void)sqlite3_close(handle);
}

static void write_shard(cut_campaign *c, const char *common, size_t shard) {
  error e;
  db *d = NULL;
  char *path = path_of(c, "shard-", shard + 1);
  copy_file(common, path);
  set_identity(path, shard + 1);
  must(db_open(&d, path, DB_WRITE, &e), &e);
  fill_shard(c, d, shard);
  must(db_commit(d, &e), &e);
  db_close(d);
  free(path);
}

int main(int argc, char **argv) {
  cut_campaign c = {0};
  c.list_all = argc > 1 && strcmp(argv[1], "-a") == 0;
  argv += c.list_all ? 1 : 0;
  argc -= c.list_all ? 1 : 0;
  if (argc == 4 || argc == 6) {
    c.folder = argv[1];
    c.mutants = strtoul(argv[2], NULL, 10);
    c.shards = strtoul(argv[3], NULL, 10);
  }
  size_t first = argc == 6 ? strtoul(argv[4], NULL, 10) : 1;
  size_t last = argc == 6 ? strtoul(argv[5], NULL, 10) : c.shards;
  if (c.mutants == 0 || c.shards == 0 || first == 0 || last > c.shards) {
    (void)fputs("usage: write-shards [-a] FOLDER MUTANTS SHARDS [FIRST LAST]\n", stderr);
    return 1;
  }
  read_program(&c);
  char *common = write_common(&c);
  for (size_t shard = first - 1; shard < last; shard++) write_shard(&c, common, shard);
  (void)unlink(common);
  (void)printf("%zu\n", c.verdicts);
  for (size_t p = 0; p < c.program_count; p++) db_program_free(&c.stored[p]);
  free(c.stored);
  free(c.items);
  free(common);
  mutate_free(&c.program);
  return 0;
}
