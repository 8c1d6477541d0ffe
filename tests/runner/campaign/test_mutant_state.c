/* The states of a mutant that is being run: stories of what may happen to one, and what may never be. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "runner/campaign/internal.h"

#define COUNT(array) (sizeof(array) / sizeof(array)[0])
#define END MUTANT_EVENTS
enum { LONGEST = 7 };

/* What has happened to a mutant since it was taken, and how far it is then. */
static const struct {
  mutant_event events[LONGEST];
  mutant_state state;
} stories[] = {
    {{END}, MUTANT_RUNS},
    {{MUTANT_IS_DECIDED, END}, MUTANT_IDLE},
    {{MUTANT_IS_DECIDED, MUTANT_NEXT_TEST, END}, MUTANT_IDLE},
    {{MUTANT_IS_TAKEN, END}, MUTANT_RUNS}, /* it is that already */
    {{MUTANT_NEXT_TEST, END}, MUTANT_RUNS},
    {{MUTANT_REPLAY_FAILED, END}, MUTANT_RERUNS},
    {{MUTANT_REPLAY_FAILED, MUTANT_WANTS_CHECK, END}, MUTANT_RERUNS}, /* checks are replays */
    {{MUTANT_REPLAY_FAILED, MUTANT_NEXT_TEST, END}, MUTANT_RUNS},     /* that was of one test case */
    {{MUTANT_REPLAY_FAILED, MUTANT_IS_ASKED, END}, MUTANT_REVEALS},
    {{MUTANT_IS_ASKED, END}, MUTANT_REVEALS},
    {{MUTANT_IS_ASKED, MUTANT_IS_ASKED, END}, MUTANT_REVEALS},
    {{MUTANT_IS_ASKED, MUTANT_REPLAY_FAILED, END}, MUTANT_REVEALS}, /* the program runs anyway */
    {{MUTANT_IS_ASKED, MUTANT_NEXT_TEST, END}, MUTANT_RUNS},
    /* one check */
    {{MUTANT_WANTS_CHECK, END}, MUTANT_CHECKS_RACES},
    {{MUTANT_WANTS_CHECK, MUTANT_NEW_RACE, END}, MUTANT_RACES},
    {{MUTANT_WANTS_CHECK, MUTANT_NEW_RACE, MUTANT_MAY_DIVERGE, END}, MUTANT_RACES}, /* that is enough */
    {{MUTANT_WANTS_CHECK, MUTANT_OLD_RACE, END}, MUTANT_CHECKED},
    {{MUTANT_WANTS_CHECK, MUTANT_NO_RACE, END}, MUTANT_ALIKE},
    {{MUTANT_WANTS_CHECK, MUTANT_UNCHECKED, END}, MUTANT_CHECKED},
    {{MUTANT_WANTS_CHECK, MUTANT_OLD_RACE, MUTANT_WANTS_CHECK, END}, MUTANT_CHECKED}, /* once is enough */
    {{MUTANT_WANTS_CHECK, MUTANT_NO_RACE, MUTANT_WANTS_CHECK, END}, MUTANT_ALIKE},
    {{MUTANT_WANTS_CHECK, MUTANT_NO_RACE, MUTANT_NEXT_TEST, MUTANT_WANTS_CHECK, END}, MUTANT_CHECKS_RACES},
    {{MUTANT_WANTS_CHECK, MUTANT_NO_RACE, MUTANT_REPLAY_FAILED, END}, MUTANT_RERUNS},
    {{MUTANT_WANTS_CHECK, MUTANT_UNCHECKED, MUTANT_REPLAY_FAILED, END}, MUTANT_RERUNS},
    {{MUTANT_WANTS_CHECK, MUTANT_OLD_RACE, MUTANT_IS_ASKED, END}, MUTANT_REVEALS},
    {{MUTANT_WANTS_CHECK, MUTANT_NO_RACE, MUTANT_IS_ASKED, END}, MUTANT_REVEALS},
    /* two checks: alike is what neither of them says anything of */
    {{MUTANT_WANTS_CHECK, MUTANT_OLD_RACE, MUTANT_MAY_DIVERGE, END}, MUTANT_CHECKS_DIVERGENCE},
    {{MUTANT_WANTS_CHECK, MUTANT_OLD_RACE, MUTANT_MAY_DIVERGE, MUTANT_NEW_RACE, END}, MUTANT_RACES},
    {{MUTANT_WANTS_CHECK, MUTANT_OLD_RACE, MUTANT_MAY_DIVERGE, MUTANT_OLD_RACE, END}, MUTANT_CHECKED},
    {{MUTANT_WANTS_CHECK, MUTANT_OLD_RACE, MUTANT_MAY_DIVERGE, MUTANT_NO_RACE, END}, MUTANT_CHECKED},
    {{MUTANT_WANTS_CHECK, MUTANT_OLD_RACE, MUTANT_MAY_DIVERGE, MUTANT_UNCHECKED, END}, MUTANT_CHECKED},
    {{MUTANT_WANTS_CHECK, MUTANT_NO_RACE, MUTANT_MAY_DIVERGE, END}, MUTANT_CHECKS_LAST_DOUBT},
    {{MUTANT_WANTS_CHECK, MUTANT_NO_RACE, MUTANT_MAY_DIVERGE, MUTANT_NEW_RACE, END}, MUTANT_RACES},
    {{MUTANT_WANTS_CHECK, MUTANT_NO_RACE, MUTANT_MAY_DIVERGE, MUTANT_OLD_RACE, END}, MUTANT_CHECKED},
    {{MUTANT_WANTS_CHECK, MUTANT_NO_RACE, MUTANT_MAY_DIVERGE, MUTANT_NO_RACE, END}, MUTANT_ALIKE},
    {{MUTANT_WANTS_CHECK, MUTANT_NO_RACE, MUTANT_MAY_DIVERGE, MUTANT_UNCHECKED, END}, MUTANT_CHECKED},
    /* the program has to say the same */
    {{MUTANT_IS_VERIFIED, END}, MUTANT_AGAIN},
    {{MUTANT_IS_VERIFIED, MUTANT_NEXT_TEST, END}, MUTANT_AGAIN}, /* in all test cases */
    {{MUTANT_IS_VERIFIED, MUTANT_IS_VERIFIED, END}, MUTANT_AGAIN},
    {{MUTANT_IS_VERIFIED, MUTANT_WANTS_CHECK, END}, MUTANT_AGAIN},
    {{MUTANT_IS_VERIFIED, MUTANT_IS_ASKED, END}, MUTANT_AGAIN_REVEALS},
    {{MUTANT_IS_VERIFIED, MUTANT_IS_ASKED, MUTANT_NEXT_TEST, END}, MUTANT_AGAIN},
    {{MUTANT_IS_VERIFIED, MUTANT_IS_ASKED, MUTANT_IS_DECIDED, END}, MUTANT_IDLE},
};

static void test_stories(void **state) {
  (void)state;
  for (size_t i = 0; i < COUNT(stories); i++) {
    mutant_state s = mutant_after(MUTANT_IDLE, MUTANT_IS_TAKEN);
    for (size_t n = 0; stories[i].events[n] != END; n++) s = mutant_after(s, stories[i].events[n]);
    assert_int_equal(s, stories[i].state);
  }
}

/* Whatever happens, in whatever order: nothing happens to no mutant; runs that must not be replays become such in
 * another test case only; what the program decides once more, it decides to the end; a check comes of a wish, or of
 * another check. */
static void test_always(void **state) {
  (void)state;
  for (int s = 0; s < MUTANT_STATES; s++) {
    const mutant_state now = (mutant_state)s;
    assert_false(mutant_checks(now) && !mutant_replays(now));
    assert_false(mutant_checks_divergence(now) && !mutant_checks(now));
    assert_false(mutant_replays(now) && (mutant_reveals(now) || mutant_is_again(now)));
    assert_int_equal(mutant_after(now, MUTANT_IS_DECIDED), MUTANT_IDLE);
    assert_false(mutant_reveals(mutant_after(now, MUTANT_NEXT_TEST)));
    assert_false(mutant_checks(mutant_after(now, MUTANT_NEXT_TEST)));
    for (int event = 0; event < MUTANT_EVENTS; event++) {
      const mutant_state next = mutant_after(now, (mutant_event)event);
      assert_true(now != MUTANT_IDLE || event == MUTANT_IS_TAKEN || next == MUTANT_IDLE);
      assert_true(!mutant_is_again(now) || event == MUTANT_IS_DECIDED || mutant_is_again(next));
      assert_true(mutant_replays(now) || !mutant_replays(next) || event == MUTANT_NEXT_TEST ||
                  event == MUTANT_IS_TAKEN);
      assert_true(!mutant_checks(next) || next == now || event == MUTANT_WANTS_CHECK || event == MUTANT_MAY_DIVERGE);
    }
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_stories), cmocka_unit_test(test_always)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
