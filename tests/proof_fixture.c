/* The run of `verify` that tests share. Places are those of the texts in report_fixture.c. */
#include "tests/proof_fixture.h"

/* cmocka.h wants these before it. */
/* clang-format off */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
/* clang-format on */

#include "tests/ok.h"

#define COUNT(list) (sizeof(list) / sizeof(list)[0])

/* --- conv2d: file 0 is src/conv.cl, file 1 src/common.h ---------------------------------------------------------- */

static void add_conv(db *d, int64_t run, const db_program *p) {
  static const db_proof_part parts[] = {
      {PROOF_PRECONDITION, "n == get_global_size(0)", MODEL_NONE, 0, 0},
      {PROOF_PRECONDITION, "n > 2", MODEL_NONE, 0, 0},
      {PROOF_ASSUMPTION, "no overflow of signed arithmetic", MODEL_NONE, 0, 0},
      {PROOF_INVARIANT, "k >= 0", 0, 8, 3},
      {PROOF_BARRIER, "redundant", 0, 27, 5},
      {PROOF_BARRIER, "undecided", 0, 26, 5},
      {PROOF_COVER, FIXTURE_COVER, MODEL_NONE, 0, 0},
  };
  const db_proof proof = {.run = run,
                          .program = p->id,
                          .kernel = p->kernels[0],
                          .name = "conv2d",
                          .file = 0,
                          .line = 3,
                          .verdict = "verified",
                          .reason = "",
                          .parts = parts,
                          .part_count = COUNT(parts),
                          .launches = 2,
                          .proved = 2,
                          .seconds = 0.25,
                          .queries = 7,
                          .memory = 12345678,
                          .key = FIXTURE_KEY,
                          .answer = FIXTURE_ANSWER};
  error e;
  int64_t row;
  OK(db_add_proof(d, &proof, &row, &e));
}

static void add_rows(db *d, int64_t run, const db_program *p) {
  static const db_place places[] = {
      {.role = "barrier", .access = "", .file = 0, .line = 27, .column = 5},
      {.role = "decision",
       .access = "",
       .file = 0,
       .line = 25,
       .column = 10,
       .local = "0,1,0",
       .group = "2,0,0",
       .condition = "n > 1 is true"},
      {.role = "decision",
       .access = "",
       .file = 0,
       .line = 25,
       .column = 10,
       .local = "1,0,0",
       .group = "2,0,0",
       .condition = "n > 1 is false"},
  };
  static const db_witness witness[] = {{"local size", "2,2,1"}, {"argument n", "2"}};
  const db_proof proof = {.run = run,
                          .program = p->id,
                          .kernel = p->kernels[1],
                          .name = "reduce_rows",
                          .file = 0,
                          .line = 19,
                          .verdict = "divergence",
                          .reason = "",
                          .key = "key of reduce_rows"};
  error e;
  db_finding f = {.run = run,
                  .program = p->id,
                  .kernel = p->kernels[1],
                  .rule = "barrier-divergence",
                  .message = "work-items of work-group 2 disagree about the loop around this barrier",
                  .places = places,
                  .place_count = COUNT(places),
                  .witness = witness,
                  .witness_count = COUNT(witness),
                  .confirmed = CONFIRMED_YES};
  OK(db_add_proof(d, &proof, &f.proof, &e));
  OK(db_put_finding(d, &f, &e));
}

/* --- scan: file 0 is src/scan.cl, file 1 src/common.h ------------------------------------------------------------ */

static void add_scan(db *d, int64_t run, const db_program *p) {
  static const db_call calls[] = {{0, 3, 11}};
  static const db_place race[] = {
      {.role = "first", .access = "write", .file = 0, .line = 5, .column = 3, .local = "3,0,0", .group = "0,0,0"},
      {.role = "second",
       .access = "read",
       .file = 1,
       .line = 4,
       .column = 10,
       .local = "4,0,0",
       .group = "0,0,0",
       .condition = "i < n",
       .inlined = calls,
       .inlined_count = 1},
  };
  static const db_step path[] = {
      {1, 0, 3, 3, "clamp_index gives 12"},
      {2, 1, 2, 7, "condition of the if is false"},
      {2, 1, 4, 12, "condition of the ?: is true"},
  };
  static const db_witness witness[] = {{"array", "a"}, {"element", "12"}, {"depends on", "contents of index"}};
  static const db_place outside[] = {
      {.role = "first", .access = "write", .file = 0, .line = 5, .column = 3, .local = "64,0,0", .group = "0,0,0"}};
  const db_proof proof = {.run = run,
                          .program = p->id,
                          .kernel = p->kernels[0],
                          .name = "scan",
                          .file = 0,
                          .line = 2,
                          .verdict = "out-of-bounds",
                          .reason = "the race depends on contents of index"};
  error e;
  db_finding f = {.run = run,
                  .program = p->id,
                  .kernel = p->kernels[0],
                  .rule = "data-race",
                  .message = "work-items 3 and 4 of work-group 0 meet at a[12]",
                  .places = race,
                  .place_count = COUNT(race),
                  .witness = witness,
                  .witness_count = COUNT(witness),
                  .possible = true,
                  .path = path,
                  .path_count = COUNT(path)};
  OK(db_add_proof(d, &proof, &f.proof, &e));
  OK(db_put_finding(d, &f, &e));
  const db_finding g = {.run = run,
                        .program = p->id,
                        .kernel = p->kernels[0],
                        .rule = "out-of-bounds",
                        .message = "work-item 64 writes behind the end of a",
                        .places = outside,
                        .place_count = 1,
                        .proof = f.proof,
                        .confirmed = CONFIRMED_NOT_LAUNCHABLE,
                        .confirmation = "a work-group of 65 is larger than the device's"};
  OK(db_put_finding(d, &g, &e));
}

int64_t fixture_proofs(db *d) {
  model conv, scan;
  db_program p, q;
  error e;
  int64_t run;
  fixture_conv(&conv);
  fixture_scan(&scan);
  OK(db_begin_run(d, "verify", "0.1", &run, &e));
  OK(db_add_program(d, run, &conv, &p, &e));
  OK(db_add_program(d, run, &scan, &q, &e));
  add_scan(d, run, &q);
  add_conv(d, run, &p);
  add_rows(d, run, &p);
  OK(db_end_run(d, run, "", 3, &e));
  db_program_free(&p);
  db_program_free(&q);
  model_free(&conv);
  model_free(&scan);
  return run;
}
