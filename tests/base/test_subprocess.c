/* Processes of ours whose output is read: how they end; the words of command lines; a driver that gives no answer. */
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* cmocka.h wants these before it. */
/* clang-format off */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
/* clang-format on */

#include "base/clock.h"
#include "base/subprocess.h"
#include "runner/devices.h"
#include "tests/fixtures/ok.h"

typedef struct outcome {
  buffer out;
  subprocess_end end;
  int status;
} outcome;

static outcome of(const subprocess *s) {
  outcome o = {0};
  error e;
  OK(subprocess_read(s, &o.out, &o.end, &o.status, &e));
  return o;
}

/* --- processes ---------------------------------------------------------------------------------------------------- */

enum { MANY = 300000 }; /* more than a pipe holds */

static void write_many(void *context, int out) {
  static char bytes[MANY];
  memset(bytes, *(const char *)context, sizeof bytes);
  (void)subprocess_write(out, bytes, sizeof bytes);
}

static void test_work(void **state) {
  (void)state;
  char letter = 'x';
  outcome o = of(&(subprocess){.work = write_many, .context = &letter});
  assert_int_equal(o.end, SUBPROCESS_ENDED);
  assert_int_equal(o.status, 0);
  assert_int_equal(o.out.length, MANY);
  assert_int_equal(strspn(buffer_text(&o.out), "x"), MANY);
  buffer_free(&o.out);
}

static void test_too_much(void **state) {
  (void)state;
  char letter = 'x';
  outcome exact = of(&(subprocess){.work = write_many, .context = &letter, .cap = MANY});
  assert_int_equal(exact.end, SUBPROCESS_ENDED);
  assert_int_equal(exact.out.length, MANY);
  buffer_free(&exact.out);
  outcome o = of(&(subprocess){.work = write_many, .context = &letter, .cap = MANY - 1});
  assert_int_equal(o.end, SUBPROCESS_TOO_MUCH);
  assert_true(o.out.length < MANY);
  buffer_free(&o.out);
}

static void say_and_wait(void *context, int out) {
  (void)context;
  (void)subprocess_write(out, "begun", 5);
  for (;;) (void)pause();
}

/* Not to be ended by a signal that can be refused. */
static void refuse_and_wait(void *context, int out) {
  (void)signal(SIGTERM, SIG_IGN);
  (void)signal(SIGINT, SIG_IGN);
  say_and_wait(context, out);
}

static void test_late(void **state) {
  (void)state;
  const double begin = clock_now();
  outcome o = of(&(subprocess){.work = refuse_and_wait, .deadline = begin + 0.5});
  assert_int_equal(o.end, SUBPROCESS_LATE);
  assert_string_equal(buffer_text(&o.out), "begun");
  assert_true(clock_now() - begin >= 0.5);
  assert_int_equal(waitpid(-1, NULL, WNOHANG), -1); /* no child is left */
  buffer_free(&o.out);
}

static void test_interrupted(void **state) {
  (void)state;
  static const int signals[] = {SIGINT, SIGTERM};
  for (size_t i = 0; i < sizeof signals / sizeof signals[0]; i++) {
    sigset_t blocked;
    sigset_t before;
    (void)sigemptyset(&blocked);
    (void)sigaddset(&blocked, signals[i]);
    (void)sigprocmask(SIG_BLOCK, &blocked, &before);
    (void)raise(signals[i]);
    outcome o = of(&(subprocess){.work = refuse_and_wait, .interruptible = true});
    assert_int_equal(o.end, SUBPROCESS_INTERRUPTED);
    buffer_free(&o.out);
    char letter = 'x';
    o = of(&(subprocess){.work = write_many, .context = &letter}); /* who does not ask is not interrupted */
    assert_int_equal(o.end, SUBPROCESS_ENDED);
    assert_int_equal(o.out.length, MANY);
    buffer_free(&o.out);
    assert_int_equal(sigtimedwait(&blocked, NULL, &(struct timespec){0}), signals[i]);
    (void)sigprocmask(SIG_SETMASK, &before, NULL);
  }
}

static void crash(void *context, int out) {
  (void)context;
  (void)subprocess_write(out, "half", 4);
  (void)kill(getpid(), SIGKILL);
}

static void test_crash(void **state) {
  (void)state;
  outcome o = of(&(subprocess){.work = crash});
  assert_int_equal(o.end, SUBPROCESS_ENDED);
  assert_true(WIFSIGNALED(o.status) && WTERMSIG(o.status) == SIGKILL);
  assert_string_equal(buffer_text(&o.out), "half");
  buffer_free(&o.out);
}

static void test_program(void **state) {
  (void)state;
  static const char *const talks[] = {"sh", "-c", "cat; echo out; echo err >&2; exit 3", NULL};
  static const char *const killed[] = {"sh", "-c", "kill -9 $$", NULL};
  static const char *const absent[] = {"./there-is-no-such-program", NULL};
  buffer out = {0};
  assert_int_equal(subprocess_ask(talks, &out), 3);
  assert_string_equal(buffer_text(&out), "out\n");
  assert_int_equal(subprocess_ask(killed, &out), -1);
  assert_int_equal(subprocess_ask(absent, &out), SUBPROCESS_NO_PROGRAM);
  assert_string_equal(buffer_text(&out), "out\n");
  buffer_free(&out);
}

/* --- words of command lines --------------------------------------------------------------------------------------- */

static const char *const words[] = {
    "plain", "",        "it's",  "\"quoted\"", "$HOME `id`", "a b  c",    "\\",       "'",      "''",
    "\n",    "*?[a-z]", "x;y&z", "~",          "#",          "--a=b,c:d", "\xc3\xa9", "end\\'", "$(exit 1)",
};
enum { WORDS = sizeof words / sizeof words[0] };

static void put_line(buffer *line) {
  for (size_t i = 0; i < WORDS; i++) {
    buffer_puts(line, i == 0 ? "" : " ");
    shell_word(line, words[i]);
  }
}

static void test_split(void **state) {
  (void)state;
  buffer line = {0};
  put_line(&line);
  char **split = shell_split(buffer_text(&line));
  assert_non_null(split);
  for (size_t i = 0; i < WORDS; i++) assert_string_equal(split[i], words[i]);
  assert_null(split[WORDS]);
  shell_free(split);
  buffer_free(&line);
}

/* A shell takes the line as we do. */
static void test_shell(void **state) {
  (void)state;
  buffer script = {0};
  buffer out = {0};
  buffer_puts(&script, "printf '%s|' ");
  put_line(&script);
  const char *const argv[] = {"sh", "-c", buffer_text(&script), NULL};
  assert_int_equal(subprocess_ask(argv, &out), 0);
  buffer expected = {0};
  for (size_t i = 0; i < WORDS; i++) buffer_printf(&expected, "%s|", words[i]);
  assert_string_equal(buffer_text(&out), buffer_text(&expected));
  buffer_free(&expected);
  buffer_free(&script);
  buffer_free(&out);
}

static void test_no_line(void **state) {
  (void)state;
  static const char *const lines[] = {"",       " ",   "'open", "\"open", "a;b", "$a",
                                      "\"$a\"", "a\\", "*",     "a|b",    "`a`", "(a)"};
  for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) assert_null(shell_split(lines[i]));
}

/* What people write. */
static void test_typed(void **state) {
  (void)state;
  static const struct {
    const char *line;
    const char *words; /* with bars after each */
  } lines[] = {{" -DA  -I. ", "-DA|-I.|"},
               {"-DNAME=\"a b\" x", "-DNAME=a b|x|"},
               {"-DS=\\\"x\\\" a\\ b", "-DS=\"x\"|a b|"},
               {"\"a\\\"b\\c\"", "a\"b\\c|"},
               {"\t'' \"\"\n", "||"}};
  for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
    char **split = shell_split(lines[i].line);
    assert_non_null(split);
    buffer seen = {0};
    for (size_t k = 0; split[k] != NULL; k++) buffer_printf(&seen, "%s|", split[k]);
    assert_string_equal(buffer_text(&seen), lines[i].words);
    buffer_free(&seen);
    shell_free(split);
  }
}

/* --- devices ------------------------------------------------------------------------------------------------------ */

static void test_silent_driver(void **state) {
  (void)state;
  device *all = NULL;
  size_t count = 0;
  error e;
  (void)setenv("OCL_ICD_VENDORS", SILENT_DRIVER, 1);
  const double begin = clock_now();
  assert_int_equal(devices_list_within(0.5, &all, &count, &e), -1);
  (void)unsetenv("OCL_ICD_VENDORS");
  assert_true(clock_now() - begin >= 0.5);
  assert_int_equal(e.code, EXIT_USAGE);
  assert_non_null(strstr(e.text, "gave no answer"));
  assert_int_equal(count, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_work),        cmocka_unit_test(test_too_much),      cmocka_unit_test(test_late),
      cmocka_unit_test(test_interrupted), cmocka_unit_test(test_crash),         cmocka_unit_test(test_program),
      cmocka_unit_test(test_split),       cmocka_unit_test(test_shell),         cmocka_unit_test(test_no_line),
      cmocka_unit_test(test_typed),       cmocka_unit_test(test_silent_driver),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
