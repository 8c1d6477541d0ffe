/* The states of a test case: stories of what may happen to one, and what may never be. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "runner/experiment/captures.h"

#define COUNT(array) (sizeof(array) / sizeof(array)[0])
#define END CASE_EVENTS
enum { LONGEST = 6 };

/* What has happened since the beginning, and what is known then: w(anted), c(aptured), r(eplayed), v(aries), b(locks),
 * u(nwritten). */
static const struct {
  case_event events[LONGEST];
  const char *known;
} stories[] = {
    {{END}, ""},
    {{EVENT_STEADY, END}, "w"},
    {{EVENT_VARIES, END}, "wv"},
    {{EVENT_CAPTURED, END}, "c"}, /* nobody wanted to replay it */
    {{EVENT_STEADY, EVENT_LOST, END}, ""},
    {{EVENT_STEADY, EVENT_NOTHING, END}, ""},
    {{EVENT_STEADY, EVENT_CAPTURED, END}, "cr"},
    {{EVENT_STEADY, EVENT_CAPTURED, EVENT_LOST, END}, "c"},
    {{EVENT_STEADY, EVENT_CAPTURED, EVENT_SAME, END}, "cr"},
    {{EVENT_STEADY, EVENT_CAPTURED, EVENT_SAME, EVENT_LOST, END}, "c"},
    {{EVENT_STEADY, EVENT_CAPTURED, EVENT_LOST, EVENT_REGAINED, END}, "cr"},
    {{EVENT_STEADY, EVENT_CAPTURED, EVENT_LOST, EVENT_SAME, END}, "c"}, /* an answer that comes too late */
    {{EVENT_STEADY, EVENT_CAPTURED, EVENT_UNCLEAR, END}, "crb"},
    {{EVENT_STEADY, EVENT_CAPTURED, EVENT_UNCLEAR, EVENT_SAME, END}, "crb"},
    {{EVENT_STEADY, EVENT_CAPTURED, EVENT_UNCLEAR, EVENT_UNWRITTEN, END}, "crbu"},
    {{EVENT_STEADY, EVENT_CAPTURED, EVENT_UNCLEAR, EVENT_UNWRITTEN, EVENT_LOST, END}, "c"},
    {{EVENT_VARIES, EVENT_CAPTURED, END}, "crvb"},
    {{EVENT_VARIES, EVENT_CAPTURED, EVENT_SAME, END}, "crvb"},
    {{EVENT_VARIES, EVENT_CAPTURED, EVENT_UNWRITTEN, END}, "crvbu"},
    {{EVENT_VARIES, EVENT_CAPTURED, EVENT_UNWRITTEN, EVENT_LOST, END}, "c"},
    {{EVENT_VARIES, EVENT_LOST, END}, ""},
    {{EVENT_LOST, END}, ""},
};

static void assert_known(case_state s, const char *known) {
  const struct {
    char letter;
    bool holds;
  } all[] = {{'w', case_is_wanted(s)}, {'c', case_is_captured(s)}, {'r', case_is_replayed(s)},
             {'v', case_varies(s)},    {'b', case_by_blocks(s)},   {'u', case_reads_unwritten(s)}};
  char letters[COUNT(all) + 1] = "";
  size_t count = 0;
  for (size_t i = 0; i < COUNT(all); i++)
    if (all[i].holds) letters[count++] = all[i].letter;
  assert_string_equal(letters, known);
}

static void test_stories(void **state) {
  (void)state;
  for (size_t i = 0; i < COUNT(stories); i++) {
    case_state s = CASE_PROGRAM;
    for (size_t n = 0; stories[i].events[n] != END; n++) s = case_after(s, stories[i].events[n]);
    assert_known(s, stories[i].known);
  }
}

/* Whatever happens, in whatever order: what is replayed is captured; what is lost is not replayed; what does nothing on
 * the device stays so. */
static void test_always(void **state) {
  (void)state;
  for (int s = 0; s < CASE_STATES; s++) {
    for (int event = 0; event < CASE_EVENTS; event++) {
      const case_state next = case_after((case_state)s, (case_event)event);
      assert_true(!case_is_replayed(next) || case_is_captured(next));
      assert_true(!case_reads_unwritten(next) || case_by_blocks(next));
      assert_true(!case_is_captured((case_state)s) || case_is_captured(next));
      assert_true(s != CASE_IDLE || next == CASE_IDLE);
    }
    const case_state lost = case_after((case_state)s, EVENT_LOST);
    assert_false(case_is_replayed(lost) || case_is_wanted(lost));
    assert_int_equal(case_is_captured(lost), case_is_captured((case_state)s));
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_stories), cmocka_unit_test(test_always)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
