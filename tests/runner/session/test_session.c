/* A session: what each message does, which programs are suspected when a process is gone, and what becomes of them. */
/* cmocka.h wants these before it. */
/* clang-format off */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
/* clang-format on */
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "runner/paths.h"
#include "runner/session/session.h"
#include "tests/fixtures/db_fixture.h"
#include "tests/fixtures/ok.h"
#include "wire/fields.h"
#include "wire/protocol.h"

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

static const char two_kernels[] =
    "__kernel void first(__global int *a, int n) {\n"
    "  if ((int)get_global_id(0) < n) a[get_global_id(0)] = 1;\n"
    "}\n"
    "__kernel void second(__global int *a) { a[0]++; }\n";

/* --- a process that talks to a session ------------------------------------------------------------------------------
 */

typedef struct process {
  session *s;
  session_client client;
  uint32_t status; /* of the last answer to a request: INSTRUMENTED_… */
  uint32_t program, kernels, words[2];
  uint32_t questions;
  unsigned reached; /* outcomes that were told as new */
} process;

static void put_text(buffer *b, const char *text) { wire_put_string(b, text, strlen(text)); }

static int tell(process *p, uint32_t type, const buffer *payload, buffer *answer, error *e) {
  return session_message(p->s, &p->client, type, payload->data, payload->length, answer, e);
}

static void hear(process *p, const buffer *answer) {
  wire_reader in = {.at = (const unsigned char *)answer->data, .left = answer->length};
  assert_int_equal(wire_u32(&in), MESSAGE_INSTRUMENTED);
  assert_int_equal(wire_u32(&in), answer->length - 8);
  p->status = wire_u32(&in);
  if (p->status == INSTRUMENTED_QUESTIONS) p->questions = wire_u32(&in);
  if (p->status != INSTRUMENTED_OK) return;
  p->program = wire_u32(&in);
  assert_int_equal(wire_u32(&in), 1);
  free(wire_string(&in, NULL));
  free(wire_string(&in, NULL));
  p->kernels = wire_u32(&in);
  for (uint32_t k = 0; k < p->kernels && k < COUNT(p->words); k++) {
    free(wire_string(&in, NULL));
    assert_int_equal(wire_u32(&in), KERNEL_COUNTED);
    (void)wire_u32(&in);
    p->words[k] = wire_u32(&in);
    (void)wire_u32(&in); /* planes */
    (void)wire_u32(&in); /* bytes of an item */
    (void)wire_u32(&in); /* bits */
  }
  assert_false(in.failed);
  assert_int_equal(in.left, 0);
}

/* Asks for one source; `fact`: an expression that the device's preprocessor takes for true, NULL for none. */
static int build(process *p, const char *source, const char *fact, error *e) {
  buffer request = {0};
  buffer answer = {0};
  put_text(&request, "device\nvendor\ndriver\nOpenCL C 1.2");
  put_text(&request, "/");
  wire_put_u32(&request, 1);
  put_text(&request, source);
  put_text(&request, "");
  wire_put_u32(&request, 0); /* headers */
  wire_put_u32(&request, 0); /* not linked */
  put_text(&request, "");
  wire_put_u32(&request, 0); /* others */
  wire_put_u32(&request, fact != NULL);
  if (fact != NULL) {
    wire_put_u32(&request, 0);
    put_text(&request, fact);
    wire_put_u32(&request, 1);
  }
  int result = tell(p, MESSAGE_INSTRUMENT, &request, &answer, e);
  if (result == 0) hear(p, &answer);
  buffer_free(&request);
  buffer_free(&answer);
  return result;
}

/* A message of two numbers and, if there is one, a text. */
static int say(process *p, uint32_t type, uint32_t program, uint32_t kernel, const char *text, error *e) {
  buffer payload = {0};
  wire_put_u32(&payload, program);
  wire_put_u32(&payload, kernel);
  if (text != NULL) {
    payload.length -= 4;
    put_text(&payload, text);
  }
  buffer answer = {0};
  int result = tell(p, type, &payload, &answer, e);
  assert_int_equal(answer.length, 0);
  buffer_free(&payload);
  return result;
}

/* All flags of a kernel are set, after so many launches. */
static int show(process *p, uint32_t kernel, uint64_t launches, error *e) {
  buffer payload = {0};
  buffer answer = {0};
  const uint32_t words = p->words[kernel < 2 ? kernel : 0];
  wire_put_u32(&payload, p->program);
  wire_put_u32(&payload, kernel);
  wire_put_u64(&payload, launches);
  wire_put_u64(&payload, 0);
  wire_put_u32(&payload, 0);
  wire_put_u32(&payload, words);
  for (uint32_t w = 0; w < words; w++) wire_put_u32(&payload, UINT32_MAX);
  int result = tell(p, MESSAGE_EVIDENCE, &payload, &answer, e);
  buffer_free(&payload);
  return result;
}

/* What happens, a letter each: i(nstrument), b(uilt), r(efused), l/L(aunching the first or second kernel), e/E(vidence
 * of it), g(oodbye), x: the process is gone. */
static int happens(process *p, char what, error *e) {
  switch (what) {
    case 'i': return build(p, two_kernels, NULL, e);
    case 'b': return say(p, MESSAGE_BUILT, p->program, 0, NULL, e);
    case 'r': return say(p, MESSAGE_REFUSED, p->program, 0, "k.cl:1:1: error: no such thing\n", e);
    case 'l':
    case 'L': return say(p, MESSAGE_LAUNCHING, p->program, what == 'L', NULL, e);
    case 'e':
    case 'E': return show(p, what == 'E', 1, e);
    case 'g': return say(p, MESSAGE_GOODBYE, 0, 0, NULL, e);
    default: session_client_gone(p->s, &p->client); return 0;
  }
}

static void count_reached(void *context, uint32_t program, uint32_t kernel, int64_t site, uint32_t outcome) {
  process *p = context;
  (void)site;
  (void)outcome;
  assert_int_equal(program, p->program);
  assert_int_equal(kernel, 0);
  p->reached++;
}

static void begin(process *p, db *d, session_reached reached) {
  error e;
  int64_t run = 0;
  int64_t test_case = 0;
  *p = (process){0};
  OK(db_begin_run(d, "coverage", "0.1", &run, &e));
  OK(db_begin_test_case(d, run, "", "t", "./t", &test_case, &e));
  p->s = session_new(d, run, &(session_options){.kernels = KERNEL_COUNTED, .reached = reached, .context = p});
  session_begin_test_case(p->s, test_case, (char *[]){"/nowhere/t", NULL});
}

static void end(process *p) {
  session_client_gone(p->s, &p->client);
  session_free(p->s);
}

static void follow(process *p, const char *story) {
  error e;
  for (; *story != '\0'; story++) OK(happens(p, *story, &e));
}

/* --- suspicion ------------------------------------------------------------------------------------------------------
 */

/* A process's story, and whom the session suspects at its end: nobody, a kernel, or (kernel "") the program. */
static const struct {
  const char *story, *kernel;
  unsigned programs, skipped;
} stories[] = {
    {"x", NULL, 0, 0},        {"igx", NULL, 0, 0},        {"ix", "", 0, 0}, /* while it was built */
    {"ibx", NULL, 1, 0},      /* between build and launch the device has nothing of ours in hand */
    {"irx", NULL, 0, 1},      /* it runs untouched */
    {"iblx", "first", 1, 0},  /* in its first launch */
    {"iblex", NULL, 1, 0},    /* after it */
    {"ibllx", "first", 1, 0}, /* told twice is in hand once: */
    {"ibllex", NULL, 1, 0},   {"iblLex", "second", 1, 0}, {"iblLEx", "first", 1, 0},
    {"iblLeEx", NULL, 1, 0},  {"iblgx", NULL, 1, 0}, /* a process may leave before its launches have ended */
    {"ibiblex", NULL, 1, 0},  {"ibix", "", 1, 0},    /* built once, and once more */
};

static void test_suspicion(void **state) {
  db *d = ((fixture *)*state)->d;
  for (size_t i = 0; i < COUNT(stories); i++) {
    process p;
    begin(&p, d, NULL);
    follow(&p, stories[i].story);
    char *suspect = session_suspect(p.s);
    const session_summary summary = session_summarise(p.s);
    print_message("%s\n", stories[i].story);
    assert_int_equal(suspect != NULL, stories[i].kernel != NULL);
    if (suspect != NULL && *stories[i].kernel != '\0')
      assert_non_null(strstr(suspect, stories[i].kernel));
    else if (suspect != NULL)
      assert_null(strstr(suspect, "kernel "));
    assert_int_equal(summary.programs, stories[i].programs);
    assert_int_equal(summary.skipped, stories[i].skipped);
    free(suspect);
    end(&p);
  }
}

/* Messages that fit nothing are refused with a sentence, and change nothing. */
static void test_nonsense(void **state) {
  static const char *const wrong[] = {"b", "r", "l", "e", "irb", "ire", "irl"}; /* the last letter */
  db *d = ((fixture *)*state)->d;
  for (size_t i = 0; i < COUNT(wrong); i++) {
    const size_t last = strlen(wrong[i]) - 1;
    process p;
    error e = {0};
    begin(&p, d, NULL);
    for (size_t at = 0; at < last; at++) OK(happens(&p, wrong[i][at], &e));
    if (strchr(wrong[i], 'r') != NULL && last > 0)
      p.program++; /* what was refused may still be spoken of by other processes; this one is not there */
    print_message("%s\n", wrong[i]);
    assert_int_equal(happens(&p, wrong[i][last], &e), -1);
    assert_true(strlen(e.text) > 0);
    assert_int_equal(session_summarise(p.s).launches, 0);
    end(&p);
  }
}

/* Of a kernel the others go on; of the build of a program none. */
static void test_suspects_run_untouched_until_judged(void **state) {
  for (int which = 0; which < 4; which++) {
    const int guilty = which / 2, whole = which % 2, gone = guilty && whole;
    db *d = ((fixture *)*state)->d;
    error e;
    process p;
    begin(&p, d, NULL);
    follow(&p, whole ? "ibix" : "iblx");
    session_hold_back(p.s);
    follow(&p, "i");
    assert_int_equal(p.status, INSTRUMENTED_NOT);
    follow(&p, "gx");
    OK(session_judge(p.s, guilty, &e));
    assert_null(session_suspect(p.s));
    follow(&p, "i");
    assert_int_equal(p.status, gone ? INSTRUMENTED_NOT : INSTRUMENTED_OK);
    assert_int_equal(session_summarise(p.s).skipped, guilty + gone); /* the kernel is known from the round before */
    assert_int_equal(session_summarise(p.s).programs, gone ? 0 : 1);
    end(&p);
    begin(&p, d, NULL); /* a later run */
    follow(&p, "i");
    assert_int_equal(p.status, gone ? INSTRUMENTED_NOT : INSTRUMENTED_OK);
    assert_int_equal(session_summarise(p.s).skipped, guilty);
    end(&p);
  }
}

/* --- evidence and questions -----------------------------------------------------------------------------------------
 */

static void test_evidence_is_new_once_a_test_case(void **state) {
  db *d = ((fixture *)*state)->d;
  error e;
  process p;
  begin(&p, d, count_reached);
  follow(&p, "ib");
  OK(show(&p, 0, 3, &e));
  const unsigned first = p.reached;
  assert_true(first >= 2); /* both outcomes of the `if` */
  OK(show(&p, 0, 2, &e));
  assert_int_equal(p.reached, first);
  assert_int_equal(session_summarise(p.s).launches, 5);
  int64_t other = 0;
  OK(db_begin_test_case(d, 1, "", "u", "./u", &other, &e));
  session_begin_test_case(p.s, other, (char *[]){"/nowhere/u", NULL});
  p.client.repeats = true;
  OK(show(&p, 0, 7, &e));
  assert_int_equal(p.reached, 2 * first);
  assert_int_equal(session_summarise(p.s).launches, 5); /* repeated launches are not counted */
  end(&p);
}

/* Only the device's compiler knows what it predefines: it is asked, and the answer is remembered. */
static void test_questions(void **state) {
  static const char source[] =
      "#ifdef cl_vendor_thing\n"
      "__kernel void first(__global int *a) { a[0] = 1; }\n"
      "#endif\n"
      "__kernel void second(__global int *a) { a[0] = 2; }\n";
  db *d = ((fixture *)*state)->d;
  error e;
  process p;
  begin(&p, d, NULL);
  OK(build(&p, source, NULL, &e));
  assert_int_equal(p.status, INSTRUMENTED_QUESTIONS);
  assert_int_equal(p.questions, 1);
  OK(build(&p, source, "defined(cl_vendor_thing)", &e));
  assert_int_equal(p.status, INSTRUMENTED_OK);
  assert_int_equal(p.kernels, 2);
  end(&p);
  begin(&p, d, NULL);
  OK(build(&p, source, NULL, &e));
  assert_int_equal(p.status, INSTRUMENTED_OK);
  assert_int_equal(p.kernels, 2);
  end(&p);
}

/* A source that is no program costs its coverage and no more. */
static void test_what_cannot_be_read_runs_untouched(void **state) {
  error e;
  process p;
  begin(&p, ((fixture *)*state)->d, NULL);
  OK(build(&p, "__kernel void first(__global int *a) { a[0] = ; }\n", NULL, &e));
  assert_int_equal(p.status, INSTRUMENTED_NOT);
  assert_int_equal(session_summarise(p.s).skipped, 1);
  assert_true(strlen(session_summarise(p.s).last_skip) > 0);
  follow(&p, "ib");
  assert_int_equal(p.status, INSTRUMENTED_OK); /* the next one is not concerned */
  end(&p);
}

/* When time is over nothing is read any more, and that is no program's fault. */
static void test_nothing_is_skipped_for_want_of_time(void **state) {
  process p;
  begin(&p, ((fixture *)*state)->d, NULL);
  session_end_at(p.s, clock_now() - 1);
  follow(&p, "i");
  assert_int_equal(p.status, INSTRUMENTED_NOT);
  assert_int_equal(session_summarise(p.s).skipped, 0);
  session_end_at(p.s, 0);
  follow(&p, "i");
  assert_int_equal(p.status, INSTRUMENTED_OK);
  end(&p);
}

/* The same session serves processes that get another form: untouched, or gated. */
static void test_an_untouched_process_gets_nothing(void **state) {
  process p;
  begin(&p, ((fixture *)*state)->d, NULL);
  p.client.form = FORM_UNTOUCHED;
  follow(&p, "i");
  assert_int_equal(p.status, INSTRUMENTED_NOT);
  follow(&p, "x");
  assert_null(session_suspect(p.s));
  follow(&p, "i");
  assert_int_equal(p.status, INSTRUMENTED_OK);
  end(&p);
}

int main(void) {
  builds_leave_out(); /* what is kept takes no time */
  const struct CMUnitTest tests[] = {TEST(test_suspicion),
                                     TEST(test_nonsense),
                                     TEST(test_suspects_run_untouched_until_judged),
                                     TEST(test_evidence_is_new_once_a_test_case),
                                     TEST(test_questions),
                                     TEST(test_what_cannot_be_read_runs_untouched),
                                     TEST(test_nothing_is_skipped_for_want_of_time),
                                     TEST(test_an_untouched_process_gets_nothing)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
