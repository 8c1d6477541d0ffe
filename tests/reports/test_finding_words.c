/* Sentences of findings, made of their records; each expectation is what a person would say of the record. */
/* cmocka.h wants these before it. */
/* clang-format off */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
/* clang-format on */
#include <string.h>

#include "base/buffer.h"
#include "reports/words/words.h"

#define KNOWN(n) \
  { true, n }

static void expect(const db_finding *f, char *const *files, const char *sentence, const char *sight) {
  buffer text = {0};
  finding_sentence(f, files, &text);
  assert_string_equal(buffer_text(&text), sentence);
  buffer_free(&text);
  finding_sight(f, &text);
  assert_string_equal(buffer_text(&text), sight);
  buffer_free(&text);
}

static void add_pair(void *context, finding_part_kind kind, const char *what, const char *value) {
  static const char *const kinds[] = {[PART_SHOWN] = "", [PART_SAID] = "(said) ", [PART_DOUBT] = "(doubt) "};
  buffer_printf(context, "%s%s=%s;", kinds[kind], what, value);
}

static void expect_parts(const db_finding *f, const char *pairs) {
  buffer text = {0};
  finding_parts(f, add_pair, &text);
  assert_string_equal(buffer_text(&text), pairs);
  buffer_free(&text);
}

/* --- races -------------------------------------------------------------------------------------------------------- */

static db_place at(const char *role, const char *access, uint32_t line, const char *local, const char *group) {
  return (db_place){.role = role, .access = access, .line = line, .column = 1, .local = local, .group = group};
}

static void test_race(void **state) {
  (void)state;
  char name[] = "a.cl";
  char *const files[] = {name};
  db_place places[] = {at("first", "write", 3, "0", "2"), at("second", "read", 5, "1", "2")};
  db_detail d = {.object = "x",
                 .space = "local",
                 .element = KNOWN(7),
                 .element_size = KNOWN(4),
                 .launch = KNOWN(0),
                 .count = KNOWN(60),
                 .barriers = KNOWN(1)};
  db_finding f = {.rule = "data-race", .detail = d, .places = places, .place_count = 2};
  expect(&f, NULL,
         "work-item 0 of work-group 2 writes x[7] (line 3), and work-item 1 of work-group 2 reads it (line 5); no "
         "barrier for local memory stands between them",
         " (launch 1, seen 60 times)");
  expect_parts(&f,
               "(said) launch=1;(said) element=x[7];(said) first=work-item 0 of work-group 2;(said) second=work-item 1 "
               "of work-group 2;barriers passed=1;(said) times=60;");
  places[1].group = "3";
  places[0].how = "update";
  f.detail.count.value = 1;
  expect(&f, files,
         "work-item 0 of work-group 2 reads and writes x[7] (a.cl:3), and work-item 1 of work-group 3 reads it "
         "(a.cl:5); nothing orders work-groups of one launch",
         " (launch 1, seen 1 time)");
}

/* Several work-items did it, a copy did it, or nobody knows where the first access is. */
static void test_others(void **state) {
  (void)state;
  db_place places[] = {at("first", "write", 3, "", "2"), at("second", "write", 3, "1", "2")};
  db_detail d = {.object = "x", .space = "global", .element = KNOWN(0), .element_size = KNOWN(4)};
  db_finding f = {.rule = "benign-race", .detail = d, .places = places, .place_count = 2};
  places[0].who = "several";
  expect(
      &f, NULL,
      "several work-items of work-group 2 write x[0] (line 3), and work-item 1 of work-group 2 writes the same value "
      "to it (line 3); no barrier for global memory stands between them",
      "");
  places[0].who = "groups";
  places[0].group = "";
  places[0].how = "update";
  f.rule = "data-race";
  expect(&f, NULL,
         "work-items of several work-groups read and write x[0] (line 3), and work-item 1 of work-group 2 writes it "
         "(line 3); nothing orders work-groups of one launch",
         "");
  places[0] = at("first", "read", 4, "", "2");
  places[0].who = "copy";
  expect(&f, NULL,
         "a copy by work-group 2 reads x[0] (line 4), and work-item 1 of work-group 2 writes it (line 3); no "
         "wait_group_events stands between them",
         "");
  f.detail.access = "write";
  f.detail.local = "5";
  f.detail.group = "2";
  f.places = &places[1];
  f.place_count = 1;
  expect(&f, NULL,
         "work-item 5 of work-group 2 wrote x[0], and work-item 1 of work-group 2 writes it (line 3); no barrier for "
         "global memory stands between them",
         "");
}

static void test_memory(void **state) {
  (void)state;
  db_place places[] = {at("first", "atomic", 3, "0,1,0", "0,0,0"), at("second", "atomic", 5, "1,0,0", "0,0,0")};
  db_detail d = {.object = "im", .space = "image", .pixel = "3,4", .launch = KNOWN(2), .launches = KNOWN(10)};
  db_finding f = {.rule = "data-race", .proved = true, .detail = d, .places = places, .place_count = 2};
  expect(
      &f, NULL,
      "work-item (0, 1) of work-group (0, 0) updates pixel (3, 4) of im atomically (line 3), and work-item (1, 0) of "
      "work-group (0, 0) updates it atomically (line 5); no barrier for images stands between them",
      " (launch 3 of 10)");
  f.detail =
      (db_detail){.object = "flag", .space = "local", .element = KNOWN(0), .element_size = KNOWN(4), .size = KNOWN(4)};
  places[0].how = "group";
  places[1] = at("second", "atomic", 5, "1,0,0", "0,0,0");
  places[1].how = "load";
  expect(
      &f, NULL,
      "work-item (0, 1) of work-group (0, 0) updates flag atomically in the scope of its work-group (line 3), and "
      "work-item (1, 0) of work-group (0, 0) reads it atomically (line 5); no barrier for local memory stands between "
      "them",
      "");
}

/* --- others ------------------------------------------------------------------------------------------------------- */

static void test_divergence_seen(void **state) {
  (void)state;
  db_place places[] = {at("barrier", "", 4, NULL, NULL), at("decision", "", 3, NULL, NULL)};
  places[1].construct = "if";
  db_detail d = {
      .launch = KNOWN(0), .group = "3", .differing = KNOWN(11), .items = KNOWN(12), .call = "barrier", .cause = ""};
  db_finding f = {.rule = "barrier-divergence", .detail = d, .places = places, .place_count = 2};
  expect(&f, NULL,
         "the barrier at line 4 is not reached alike by all work-items: 1 of the 12 work-items of a work-group decide "
         "differently at the if at line 3",
         " (launch 0, work-group 3)");
  expect_parts(&f, "launch=0;work-group=3;");
  f.place_count = 1;
  expect(&f, NULL, "1 of the 12 work-items of a work-group execute the barrier at line 4 a different number of times",
         " (launch 0, work-group 3)");
  places[0].role = "async";
  f.rule = "async-divergence";
  f.detail.call = "async_work_group_copy";
  f.detail.cause = "arguments";
  expect(
      &f, NULL,
      "work-items of work-group 3 did not all reach async_work_group_copy at line 4 with the same arguments: 11 of 12 "
      "had others than the first one",
      " (launch 0)");
}

static void test_divergence_proved(void **state) {
  (void)state;
  const db_place place = at("barrier", "", 4, "0,0,0", "1,0,0");
  db_detail d = {.call = "barrier", .local = "7,0,0"};
  db_finding f = {.rule = "barrier-divergence", .proved = true, .detail = d, .places = &place, .place_count = 1};
  expect(&f, NULL, "work-item 0 of work-group 1 reaches the barrier, and work-item 7 of the same work-group does not",
         "");
  f.detail.call = "async_work_group_copy";
  f.detail.cause = "arguments";
  expect(&f, NULL,
         "work-item 0 of work-group 1 and work-item 7 of the same work-group call async_work_group_copy with different "
         "arguments",
         "");
}

static void test_bounds(void **state) {
  (void)state;
  const db_place place = at("first", "write", 4, "0,0,0", "1,0,0");
  const db_witness witness[] = {{.kind = "argument", .what = "n", .value = "64"},
                                {.kind = "content", .what = "p", .element = KNOWN(3), .value = "-1"},
                                {.kind = "doubt", .what = "", .value = "what p holds"}};
  db_detail d = {.object = "x",
                 .space = "global",
                 .size = KNOWN(256),
                 .element = KNOWN(64),
                 .element_size = KNOWN(4),
                 .local_size = "64,1,1",
                 .groups = "2,1,1"};
  db_finding f = {.rule = "out-of-bounds",
                  .proved = true,
                  .detail = d,
                  .places = &place,
                  .place_count = 1,
                  .witness = witness,
                  .witness_count = 3};
  expect(&f, NULL, "work-item 0 of work-group 1 writes x[64], which has 64 elements of 4 bytes", "");
  expect_parts(&f, "element=x[64];local size=64,1,1;groups=2,1,1;n=64;p[3]=-1;(doubt) depends on=what p holds;");
  f.detail.byte = (db_number)KNOWN(2);
  f.detail.size.value = 4;
  f.detail.element.value = 1;
  expect(&f, NULL, "work-item 0 of work-group 1 writes x[1] (byte 2 of it), which has 1 element of 4 bytes", "");
  f.detail.cause = "null";
  expect(&f, NULL, "work-item 0 of work-group 1 writes memory through a null pointer", "");
}

/* What a run has seen of memory: one access. */
static void test_one_access(void **state) {
  (void)state;
  const db_place place = {.role = "access", .access = "read", .how = "", .line = 4, .local = "3,1,0", .group = "2,0,0"};
  db_detail d = {.object = "x",
                 .space = "global",
                 .size = KNOWN(256),
                 .element = {true, (uint64_t)-1},
                 .element_size = KNOWN(4),
                 .launch = KNOWN(0),
                 .count = KNOWN(2)};
  db_finding f = {.rule = "out-of-bounds", .detail = d, .places = &place, .place_count = 1};
  expect(&f, NULL, "work-item (3, 1) of work-group (2, 0) reads x[-1], which has 64 elements of 4 bytes",
         " (launch 1, seen 2 times)");
  f.detail.element.value = 7;
  f.rule = "null-pointer";
  expect(&f, NULL, "work-item (3, 1) of work-group (2, 0) reads memory through x, which is null",
         " (launch 1, seen 2 times)");
  f.rule = "misaligned";
  f.detail.cause = "16";
  expect(&f, NULL, "work-item (3, 1) of work-group (2, 0) reads x[7] as what needs an address that is a multiple of 16",
         " (launch 1, seen 2 times)");
  f.rule = "write-only";
  expect(&f, NULL, "work-item (3, 1) of work-group (2, 0) reads x[7], which was made with CL_MEM_WRITE_ONLY",
         " (launch 1, seen 2 times)");
  f.rule = "read-only";
  expect(&f, NULL, "work-item (3, 1) of work-group (2, 0) reads x[7], which was made with CL_MEM_READ_ONLY",
         " (launch 1, seen 2 times)");
  f.rule = "mapped";
  expect(&f, NULL, "work-item (3, 1) of work-group (2, 0) reads x[7] while the host has it mapped",
         " (launch 1, seen 2 times)");
}

/* A launch that was refused, and nobody noticed. */
static void test_refused(void **state) {
  (void)state;
  const db_detail d = {.call = "clEnqueueNDRangeKernel", .cause = "CL_INVALID_WORK_GROUP_SIZE"};
  const db_witness witness[] = {{.what = "kernel", .value = "k"},
                                {.what = "launch", .value = "global size 50"},
                                {.what = "next call", .value = "clEnqueueReadBuffer"}};
  db_finding f = {.rule = "api-error", .detail = d, .witness = witness, .witness_count = 3};
  expect(&f, NULL,
         "the device refused to launch kernel k: CL_INVALID_WORK_GROUP_SIZE (global size 50); the program went on, and "
         "clEnqueueReadBuffer took memory that the kernel should have written",
         "");
  f.detail = (db_detail){.call = "clEnqueueWriteBuffer", .cause = "CL_INVALID_VALUE"};
  expect(&f, NULL,
         "the device refused clEnqueueWriteBuffer: CL_INVALID_VALUE (global size 50); the program went on, and "
         "clEnqueueReadBuffer took memory that the call should have written",
         "");
  f.detail.call = "clSetKernelArg";
  expect(&f, NULL,
         "the device refused clSetKernelArg: CL_INVALID_VALUE (global size 50); the program went on, and "
         "clEnqueueReadBuffer took the argument that the kernel had before",
         "");
  f.detail.call = "clCreateBuffer";
  expect(&f, NULL,
         "the device refused clCreateBuffer: CL_INVALID_VALUE (global size 50); the program went on, and "
         "clEnqueueReadBuffer was given an object that does not exist",
         "");
}

/* Memory that the host changes while a command takes it, and a kernel that two threads use. */
static void test_of_the_host(void **state) {
  (void)state;
  const db_witness witness[] = {{.what = "place", .value = "main.c:7"},
                                {.what = "next call", .value = "clSetKernelArg of kernel k"},
                                {.what = "next place", .value = "main.c:9"}};
  db_finding f = {.rule = "host-race",
                  .detail = {.call = "clEnqueueTask", .count = {true, 1}},
                  .witness = witness,
                  .witness_count = 3};
  expect(&f, NULL,
         "clEnqueueTask (main.c:7) and clSetKernelArg of kernel k (main.c:9) were under way at the same time in two "
         "threads: which arguments a launch takes is left open",
         "");
  f.detail.size = (db_number){true, 16};
  f.detail.count.value = 2;
  expect(
      &f, NULL,
      "clEnqueueTask (main.c:7) takes 16 bytes of the program's memory without blocking, and the host has changed or "
      "freed them before clSetKernelArg of kernel k (main.c:9), by which it first knows that the command is complete "
      "(2 times)",
      "");
}

/* Both are said in the sentence alone. */
static void test_overrun(void **state) {
  (void)state;
  const db_detail d = {.size = {true, 256}, .element = {true, 260}, .launch = {true, 1}, .count = {true, 1}};
  const db_witness witness[] = {
      {.what = "kernel", .value = "k"}, {.what = "argument", .value = "2"}, {.what = "last byte", .value = "267"}};
  db_finding f = {.rule = "buffer-overrun", .detail = d, .witness = witness, .witness_count = 3};
  expect(&f, NULL,
         "kernel k wrote past the end of its argument 2, a buffer of 256 bytes: bytes 260 to 267 have changed; "
         "`cltestcheck memory` says which access does that",
         " (launch 2, seen 1 time)");
  expect_parts(&f, "(said) launch=2;(said) kernel=k;(said) argument=2;(said) last byte=267;");
}

/* A copy for which nobody has waited, and memory of one that is used before. */
static void test_copies(void **state) {
  (void)state;
  const db_detail d = {.object = "tile",
                       .space = "local",
                       .size = {true, 64},
                       .element = {true, 3},
                       .element_size = {true, 4},
                       .launch = {true, 0},
                       .count = {true, 2}};
  const db_place place = at("access", "write", 8, "3,0,0", "1,0,0");
  const db_witness copy = {.what = "copy", .value = "7"};
  db_finding f = {.rule = "copy-not-awaited", .detail = d, .places = &place, .place_count = 1};
  expect(&f, NULL, "work-item 3 of work-group 1 writes tile[3], and the kernel ends without waiting for that",
         " (launch 1, seen 2 times)");
  f.witness = &copy;
  f.witness_count = 1;
  expect(&f, NULL,
         "work-item 3 of work-group 1 writes tile[3] while the async copy of line 7 is under way: nobody has waited "
         "for its "
         "event",
         " (launch 1, seen 2 times)");
}

/* A call that has used the memory, or the end of the program. */
static void test_unawaited(void **state) {
  (void)state;
  const db_detail d = {.call = "clEnqueueReadBuffer", .count = {true, 2}};
  const db_witness used[] = {{.what = "place", .value = "main.c:7"}, {.what = "next call", .value = "clSetKernelArg"}};
  db_finding f = {.rule = "used-before-read", .detail = d, .witness = used, .witness_count = 2};
  expect(&f, NULL,
         "clSetKernelArg uses memory into which clEnqueueReadBuffer (main.c:7) reads without blocking, or that it "
         "maps, and "
         "the program has not waited for that (2 times)",
         "");
  f.witness_count = 0;
  expect(&f, NULL, "the program has ended without waiting for clEnqueueReadBuffer, which does not block (2 times)", "");
}

/* One object; several with what belongs to them; a kernel by its name. */
static void test_leak(void **state) {
  (void)state;
  const db_detail one = {.call = "clCreateImage", .size = {true, 1}, .count = {true, 1}},
                  many = {.call = "clCreateKernel", .count = {true, 3}},
                  whole = {.call = "clCreateContext", .count = {true, 2}};
  const db_witness image[] = {{.what = "kind", .value = "image"}, {.what = "place", .value = "main.c:7"}},
                   kernels[] = {{.what = "kind", .value = "kernel"}, {.what = "name", .value = "add"}},
                   contexts[] = {{.what = "kind", .value = "context"}, {.what = "with it", .value = "1 event"}};
  db_finding f = {.rule = "leak", .detail = one, .witness = image, .witness_count = 2};
  expect(&f, NULL, "the program has ended without releasing an image of 1 byte that clCreateImage made (main.c:7)", "");
  expect_parts(&f, "(said) kind=image;(said) place=main.c:7;");
  f.detail = many;
  f.witness = kernels;
  expect(&f, NULL, "the program has ended without releasing 3 kernels add that clCreateKernel made", "");
  f.detail = whole;
  f.witness = contexts;
  expect(&f, NULL, "the program has ended without releasing 2 contexts that clCreateContext made; with them: 1 event",
         "");
}

/* Of a variable, and of a buffer, of which it is known who has read what. */
static void test_unwritten(void **state) {
  (void)state;
  const db_detail d = {.object = "code", .space = "private"};
  const db_place place = at("access", "read", 8, "", "");
  const db_witness witness[] = {{.what = "kernel", .value = "k"}, {.what = "argument", .value = "2"}};
  db_finding f = {.rule = "uninitialized-read",
                  .detail = d,
                  .places = &place,
                  .place_count = 1,
                  .witness = witness,
                  .witness_count = 2};
  expect(&f, NULL,
         "what the host reads depends on the private variable code, which has no value yet when it is read; it is seen "
         "in argument 2 of kernel k",
         "");
  const db_detail of_buffer = {.object = "x",
                               .space = "global",
                               .element = {true, 7},
                               .element_size = {true, 4},
                               .launch = {true, 0},
                               .count = {true, 2}};
  const db_place seen = at("access", "read", 8, "3,0,0", "2,0,0");
  f = (db_finding){.rule = "uninitialized-read", .detail = of_buffer, .places = &seen, .place_count = 1};
  expect(&f, NULL,
         "work-item 3 of work-group 2 reads x[7], which nobody has written, and what the host reads depends on it",
         " (launch 1, seen 2 times)");
  f.detail = (db_detail){.object = "im", .space = "image", .launch = {true, 0}, .count = {true, 2}};
  expect(&f, NULL,
         "work-item 3 of work-group 2 reads im, an image of which nobody has written all, and what the host reads "
         "depends on that",
         " (launch 1, seen 2 times)");
  const db_detail of_host = {.object = ""};
  const db_witness ends[] = {witness[0], witness[1], {.what = "status", .value = "1 and not 0"}};
  f = (db_finding){.rule = "uninitialized-read", .detail = of_host, .witness = ends, .witness_count = 3};
  expect(
      &f, NULL,
      "the host reads bytes of argument 2 of kernel k that nobody has written, and ends with exit status 1 and not 0 "
      "where they are others",
      "");
}

/* As docs/verify.md describes it: a launch that writes and a call that reads in another queue. */
static void test_commands(void **state) {
  (void)state;
  const db_detail d = {.space = "global", .size = KNOWN(4096), .count = KNOWN(3)};
  db_command commands[] = {{.function = "clEnqueueNDRangeKernel",
                            .kernel = "fill",
                            .number = 2,
                            .queue = 1,
                            .in_order = true,
                            .memory = 5,
                            .access = "write",
                            .parameter = "out",
                            .sure = false},
                           {.function = "clEnqueueReadBuffer",
                            .kernel = "",
                            .number = 1,
                            .queue = 2,
                            .in_order = true,
                            .memory = 5,
                            .access = "read",
                            .parameter = "",
                            .sure = true}};
  db_finding f = {.rule = "host-race", .detail = d, .commands = commands, .command_count = 2};
  expect(
      &f, NULL,
      "launch 2 of kernel fill and call 1 of clEnqueueReadBuffer may run at the same time: the first writes (as out) "
      "what the second reads, memory object 5 (a buffer of 4096 bytes); they are in queues 1 and 2, and no event, "
      "barrier or wait of the host puts them in order",
      "");
  expect_parts(&f,
               "first command=launch 2 of kernel fill (clEnqueueNDRangeKernel, in queue 1, which is in order);"
               "second command=call 1 of clEnqueueReadBuffer (clEnqueueReadBuffer, in queue 2, which is in order);"
               "memory=memory object 5 (a buffer of 4096 bytes);pairs of commands=3;");
  f.possible = true;
  commands[0].queue = 2; /* which is in order: what is left is memory that is mapped */
  commands[1] = (db_command){.function = "clEnqueueMapImage",
                             .kernel = "",
                             .number = 4,
                             .queue = 2,
                             .in_order = true,
                             .memory = 5,
                             .access = "write",
                             .parameter = "",
                             .mapped = true};
  const db_detail part = {.space = "image", .size = KNOWN(64), .element = KNOWN(16), .element_size = KNOWN(8)};
  f.detail = part;
  expect(&f, NULL,
         "launch 2 of kernel fill and call 4 of clEnqueueMapImage may run at the same time: the first may write (as "
         "out) what the second has mapped for writing, memory object 5 (an image of 64 bytes), bytes 16 to 23; the "
         "mapping has not ended by then; whether they meet in the same bytes is not known",
         "");
  commands[0].in_order = commands[1].in_order = false;
  commands[0].thread = 2;
  f.possible = false;
  expect(&f, NULL,
         "launch 2 of kernel fill and call 4 of clEnqueueMapImage may run at the same time: the first writes (as out) "
         "what the second has mapped for writing, memory object 5 (an image of 64 bytes), bytes 16 to 23; queue 2 is "
         "out of order, and no event, barrier or wait of the host puts them in order",
         "");
}

/* What has a sentence of its own is told in that; so is a rule that has none here. */
static void test_message(void **state) {
  (void)state;
  char rule[] = "data-race", message[] = "both write";
  db_finding f = {.rule = rule, .message = message};
  const db_finding other = {.rule = "host-race", .detail = f.detail};
  buffer text = {0};
  finding_message(NULL, &f, &text);
  assert_string_equal(buffer_text(&text), "both write");
  buffer_free(&text);
  expect(&other, NULL, "", "");
  assert_string_equal(rule_title("data-race"), "data race");
  assert_string_equal(rule_title("deadlock"), "deadlock");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_race),
      cmocka_unit_test(test_others),
      cmocka_unit_test(test_of_the_host),
      cmocka_unit_test(test_memory),
      cmocka_unit_test(test_divergence_seen),
      cmocka_unit_test(test_divergence_proved),
      cmocka_unit_test(test_bounds),
      cmocka_unit_test(test_one_access),
      cmocka_unit_test(test_refused),
      cmocka_unit_test(test_overrun),
      cmocka_unit_test(test_leak),
      cmocka_unit_test(test_unawaited),
      cmocka_unit_test(test_copies),
      cmocka_unit_test(test_unwritten),
      cmocka_unit_test(test_commands),
      cmocka_unit_test(test_message),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
