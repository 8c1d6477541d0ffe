/* write-report DATABASE MUTANTS PROGRAMS: writes a database as a large project leaves it behind, for
 * bench/report-formats: a run of coverage, one of mutate and one of amplify over PROGRAMS sources, read by the front
 * end, with TESTS test cases and MUTANTS mutants in all. Prints the number of lines of source.
 *
 * What the runs saw is drawn from the numbers of programs, sites and mutants alone: the same database every time, but
 * for its times and UUIDs. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/buffer.h"
#include "base/memory.h"
#include "bench/write-program.h"
#include "runner/campaign/internal.h"

enum { KERNELS = 6, TESTS = 10, RUNS = 20, LAUNCHES = 2, TARGETS = 10, GROUPS = 100 };

/* A program, and where a database has it. */
typedef struct program {
  mutate_result read;
  db_program stored;
} program;

typedef struct project {
  db *d;
  program *programs;
  size_t program_count, mutant_count;
} project;

/* A number below `limit` that looks random and is the same for the same numbers. */
static uint32_t draw(uint64_t a, uint64_t b, uint64_t c, uint32_t limit) {
  uint64_t z = a * UINT64_C(0x9E3779B97F4A7C15) + b * UINT64_C(0xD1B54A32D192ED03) + c + 1;
  z = (z ^ (z >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
  z = (z ^ (z >> 27)) * UINT64_C(0x94D049BB133111EB);
  return (uint32_t)((z ^ (z >> 31)) % limit);
}

/* --- sources ------------------------------------------------------------------------------------------------- */

/* A kernel with every kind of site, about forty lines; no two are the same. */
static void write_kernel(buffer *to, size_t number, int k) {
  buffer_printf(to, "/* Smooths a row, then sums up what is left of its tile: pass %d of solver %zu. */\n", k, number);
  buffer_printf(to, "__kernel void smooth_%zu_%d(__global float *out, __global const float *in, int n, int mode) {\n",
                number, k);
  buffer_puts(to,
              "  __local float tile[64];\n"
              "  int i = get_global_id(0);\n"
              "  int l = get_local_id(0);\n"
              "  float sum = 0.0f;\n"
              "  if (i > 0 && i < n - 1) {\n");
  buffer_printf(to, "    sum = weight_of(i, n) * in[i - 1] + in[i] * %d.5f - in[i + 1] / %d.0f;\n", k + 1, k + 2);
  buffer_puts(to,
              "  } else {\n"
              "    sum = in[clamp_index(i, n)]; // the ends keep what they have\n"
              "  }\n");
  buffer_printf(to, "  for (int step = 0; step < n %% %d; step++) {\n", k + 3);
  buffer_puts(to,
              "    sum += in[clamp_index(i + step, n)] * 0.25f;\n"
              "    if (sum > LIMIT)\n"
              "      break;\n"
              "  }\n"
              "  tile[l] = sum;\n"
              "  barrier(CLK_LOCAL_MEM_FENCE);\n"
              "  for (int s = 32; s > 0; s >>= 1) {\n"
              "    if (l < s) {\n"
              "      tile[l] += tile[l + s];\n"
              "    }\n"
              "    barrier(CLK_LOCAL_MEM_FENCE);\n"
              "  }\n"
              "  switch (mode & 3) {\n"
              "    case 0:\n"
              "      out[i] = sum;\n"
              "      break;\n"
              "    case 1:\n"
              "      out[i] = tile[0] / 64.0f;\n"
              "      break;\n"
              "    default:\n"
              "      out[i] = sum > tile[0] ? sum : tile[0];\n"
              "      break;\n"
              "  }\n"
              "  int rest = n;\n"
              "  while (rest > 1 && mode != 0) {\n"
              "    out[i] -= (float)(rest & 1) * sum;\n"
              "    rest = rest / 2;\n"
              "  }\n"
              "}\n\n");
}

static char *source_of(size_t number) {
  buffer text = {0};
  buffer_printf(&text, "/* Solver %zu: generated. */\n#define LIMIT %zu.0f\n\n", number, number + 100);
  buffer_puts(&text,
              "int clamp_index(int i, int n) {\n"
              "  if (i < 0)\n"
              "    return 0;\n"
              "  return i < n ? i : n - 1;\n"
              "}\n\n"
              "float weight_of(int i, int n) {\n");
  buffer_printf(&text, "  return (i & 1) != 0 ? (float)i / (float)n : %zu.5f - (float)i;\n}\n\n", number % 7);
  for (int k = 0; k < KERNELS; k++) write_kernel(&text, number, k);
  return buffer_take(&text);
}

static size_t read_program(program *p, size_t number) {
  char *text = source_of(number);
  char name[64];
  size_t lines = 0;
  (void)snprintf(name, sizeof name, "src/group%zu/solver%zu.cl", number / 10, number);
  read_source(name, text, &p->read);
  for (const char *c = text; *c != '\0'; c++) lines += *c == '\n' ? 1 : 0;
  free(text);
  return lines;
}

/* --- a run --------------------------------------------------------------------------------------------------- */

static int64_t begin_run(project *p, const char *command, int64_t tests[TESTS]) {
  error e;
  int64_t run = 0;
  must(db_begin_run(p->d, command, "1", &run, &e), &e);
  for (size_t i = 0; i < p->program_count; i++)
    must(db_add_program(p->d, run, &p->programs[i].read.model, &p->programs[i].stored, &e), &e);
  for (int t = 0; t < TESTS; t++) {
    char name[32];
    (void)snprintf(name, sizeof name, "size-%d", 16 << t);
    must(db_begin_test_case(p->d, run, "solvers", name, name, &tests[t], &e), &e);
  }
  return run;
}

static void end_run(project *p, int64_t run, const int64_t tests[TESTS]) {
  error e;
  for (int t = 0; t < TESTS; t++) must(db_end_test_case(p->d, tests[t], 0, false, &e), &e);
  must(db_end_run(p->d, run, "a device", 0, &e), &e);
}

static void forget_programs(project *p) {
  for (size_t i = 0; i < p->program_count; i++) db_program_free(&p->programs[i].stored);
}

/* --- coverage ------------------------------------------------------------------------------------------------ */

/* Four outcomes of five are seen by some test case. */
static bool sees(size_t number, size_t site, size_t outcome, int test) {
  return draw(number * 1000 + site, outcome, 0, 5) != 0 &&
         draw(number * 1000 + site, outcome, 1 + (uint64_t)test, 3) == 0;
}

static void add_evidence(project *p, size_t number, size_t kernel, int test, int64_t test_case) {
  error e;
  const model *m = &p->programs[number].read.model;
  const db_program *stored = &p->programs[number].stored;
  db_evidence *items = NULL;
  size_t count = 0;
  size_t capacity = 0;
  for (size_t s = 0; s < m->site_count; s++) {
    bool reached = false;
    for (size_t f = 0; f < m->kernels[kernel].function_count; f++)
      reached = reached || m->sites[s].function == m->kernels[kernel].functions[f];
    for (size_t o = 0; reached && o < m->sites[s].outcome_count; o++)
      if (m->sites[s].kind == SITE_FUNCTION || sees(number, s, o, test))
        *ARRAY_ADD(items, count, capacity) = (db_evidence){stored->sites[s], m->sites[s].outcomes[o].index};
  }
  must(db_add_evidence(p->d, test_case, stored->kernels[kernel], 3, items, count, &e), &e);
  free(items);
}

/* In one program of ten a barrier diverges. */
static void add_finding(project *p, size_t number, int64_t test_case) {
  error e;
  const model *m = &p->programs[number].read.model;
  for (size_t s = 0; s < m->site_count; s++) {
    if (m->sites[s].kind == SITE_BARRIER) {
      const db_finding f = {
          .of = {.test_case = test_case,
                 .kernel = p->programs[number].stored.kernels[0],
                 .site = p->programs[number].stored.sites[s]},
          .rule = "barrier-divergence",
          .message = "7 of 64 work-items of work-group 3 decided differently at a branch that guards it"};
      must(db_put_finding(p->d, &f, &e), &e);
      return;
    }
  }
}

static void write_coverage(project *p) {
  int64_t tests[TESTS];
  int64_t run = begin_run(p, "coverage", tests);
  for (int t = 0; t < TESTS; t++) {
    for (size_t i = 0; i < p->program_count; i++) {
      for (size_t k = 0; k < p->programs[i].read.model.kernel_count; k++)
        if (draw(i, k, 99, 20) != 0) /* some are never launched */
          add_evidence(p, i, k, t, tests[t]);
      if (t == 0 && i % 10 == 0) add_finding(p, i, tests[t]);
    }
  }
  end_run(p, run, tests);
  forget_programs(p);
}

/* --- mutants ------------------------------------------------------------------------------------------------- */

/* Of twenty mutants twelve are killed, three survive, the others are one of each status. */
static void decide(project *p, int64_t run, const int64_t tests[TESTS], size_t number, int64_t row, int64_t before) {
  static const mutant_status rest[] = {MUTANT_UNDECIDED, MUTANT_NO_COVERAGE, MUTANT_EQUIVALENT, MUTANT_DUPLICATE,
                                       MUTANT_INVALID};
  static const char *const reasons[] = {"output", "output", "output", "crash", "timeout"};
  error e;
  uint32_t lot = draw(number, 0, 7, 20);
  mutant_status status = lot < 12 ? MUTANT_KILLED : lot < 15 ? MUTANT_SURVIVED : rest[lot - 15];
  status = status == MUTANT_DUPLICATE && before == 0 ? MUTANT_SURVIVED : status;
  bool differs = status == MUTANT_KILLED || status == MUTANT_UNDECIDED;
  size_t why = draw(number, 1, 7, 5);
  must(db_set_mutant(p->d, run, row, status, differs ? reasons[why] : "", status == MUTANT_DUPLICATE ? before : 0, &e),
       &e);
  for (size_t t = 0; t < TESTS && (differs || status == MUTANT_SURVIVED); t++) {
    uint32_t share = status == MUTANT_KILLED ? RUNS : 7;
    uint32_t differed = differs && (t == number % TESTS || draw(number, t, 8, 3) == 0) ? share : 0;
    const mutant_verdict v = {RUNS,
                              why < 3 ? differed : 0,
                              why == 3 ? differed : 0,
                              why == 4 ? differed : 0,
                              RUNS,
                              0,
                              0,
                              0,
                              REVEALED_UNKNOWN,
                              0,
                              false};
    must(db_put_verdict(p->d, tests[t], row, &v, &e), &e);
  }
}

/* As many as this program's share, spread over its source. */
static void add_mutants(project *p, int64_t run, const int64_t tests[TESTS], size_t i) {
  error e;
  const mutate_result *r = &p->programs[i].read;
  size_t first = p->mutant_count * i / p->program_count;
  size_t wanted = p->mutant_count * (i + 1) / p->program_count - first;
  if (wanted > r->mutant_count) {
    (void)error_set(&e, EXIT_USAGE, "a source has %zu mutants, which is less than %zu: name more programs",
                    r->mutant_count, wanted);
    must(-1, &e);
  }
  db_mutant *items = mem_calloc(wanted, sizeof *items);
  int64_t *rows = mem_calloc(wanted, sizeof *rows);
  for (size_t m = 0; m < wanted; m++) items[m] = campaign_stored_mutant(&r->mutants[m * r->mutant_count / wanted]);
  must(db_add_mutants(p->d, &p->programs[i].stored, &r->model, items, wanted, rows, &e), &e);
  for (size_t m = 0; m < wanted; m++) decide(p, run, tests, first + m, rows[m], m == 0 ? 0 : rows[0]);
  free(items);
  free(rows);
}

static void write_mutation(project *p) {
  int64_t tests[TESTS];
  int64_t run = begin_run(p, "mutate", tests);
  for (size_t i = 0; i < p->program_count; i++) add_mutants(p, run, tests, i);
  end_run(p, run, tests);
  forget_programs(p);
}

/* --- schedules ----------------------------------------------------------------------------------------------- */

/* One launch of eight races, one of forty deadlocks. */
static void add_schedule(project *p, size_t i, size_t k, int64_t launch, uint32_t number, bool *explained) {
  error e;
  char outcomes[RUNS + 1] = {0};
  uint32_t lot = draw(i, k, 5, 40);
  char other = lot < 5 ? 'x' : lot == 5 ? 'D' : '.';
  bool bad = false;
  for (uint32_t r = 0; r < RUNS; r++) {
    outcomes[r] = draw(i * 1000 + k, number, r, 3) == 0 ? other : '.';
    bad = bad || outcomes[r] != '.';
  }
  const db_schedule s = {
      .order = number < TARGETS    ? "first"
               : number == TARGETS ? "reverse"
                                   : "random",
      .gate = "ticket",
      .target = number < TARGETS ? number * 10 + draw(i, k, number, 10) : 0,
      .seed = number > TARGETS ? draw(i, k, number, 1 << 24) : 0,
      .verdict = !bad           ? "consistent"
                 : other == 'x' ? "race"
                                : "deadlock",
      .outcomes = outcomes,
  };
  int64_t row = 0;
  must(db_put_schedule(p->d, launch, &s, &row, &e), &e);
  if (bad && !*explained) {
    *explained = true;
    const model *m = &p->programs[i].read.model;
    const db_explanation x = {.text = "out[64] was 3.5 instead of 2.25: written by group 17, read by group 3",
                              .argument = "out",
                              .first = 64,
                              .last = 127,
                              .differing = 64,
                              .reference = "2.25",
                              .seen = "3.5",
                              .file_name = m->files[0].name,
                              .line = m->functions[m->kernels[k].function].line + 13,
                              .unfinished = other == 'D' ? "group 3" : ""};
    must(db_put_explanation(p->d, row, &x, &e), &e);
  }
}

static void write_schedules(project *p) {
  int64_t tests[TESTS];
  error e;
  int64_t run = begin_run(p, "amplify", tests);
  for (size_t i = 0; i < p->program_count; i++) {
    for (size_t k = 0; k < p->programs[i].read.model.kernel_count; k++) {
      for (uint32_t l = 0; l < LAUNCHES; l++) {
        db_launch launch = {.number = l,
                            .groups = GROUPS,
                            .local = 64,
                            .together = 8,
                            .skipped = l > 0 ? "alike an earlier launch" : ""};
        int64_t row = 0;
        must(db_put_launch(p->d, tests[i % TESTS], p->programs[i].stored.kernels[k], &launch, &row, &e), &e);
        bool explained = false;
        for (uint32_t n = 0; l == 0 && n < TARGETS + 2; n++) add_schedule(p, i, k, row, n, &explained);
      }
    }
  }
  end_run(p, run, tests);
  forget_programs(p);
}

int main(int argc, char **argv) {
  error e;
  project p = {0};
  p.mutant_count = argc == 4 ? strtoul(argv[2], NULL, 10) : 0;
  p.program_count = argc == 4 ? strtoul(argv[3], NULL, 10) : 0;
  if (p.program_count == 0) {
    (void)fputs("usage: write-report DATABASE MUTANTS PROGRAMS\n", stderr);
    return 1;
  }
  size_t lines = 0;
  p.programs = mem_calloc(p.program_count, sizeof *p.programs);
  for (size_t i = 0; i < p.program_count; i++) lines += read_program(&p.programs[i], i);
  (void)unlink(argv[1]);
  must(db_open(&p.d, argv[1], DB_WRITE, &e), &e);
  write_coverage(&p);
  write_mutation(&p);
  write_schedules(&p);
  must(db_commit(p.d, &e), &e);
  db_close(p.d);
  (void)printf("%zu\n", lines);
  for (size_t i = 0; i < p.program_count; i++) mutate_free(&p.programs[i].read);
  free(p.programs);
  return 0;
}
