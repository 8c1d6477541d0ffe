/* Sentences in 80 columns. */
#include "cli/generated_report.h"

#include <stdio.h>
#include <string.h>

#include "base/buffer.h"
#include "base/say.h"

enum { WIDTH = 79, MISSED_MOST = 20 };

/* Words of a text, on lines that begin with so many spaces, two more from the second one on. */
static void say_wrapped(size_t indent, const char *text) {
  buffer line = {0};
  buffer_printf(&line, "%*s", (int)indent, "");
  bool empty = true;
  while (*text != '\0') {
    const size_t length = strcspn(text, " ");
    if (!empty && line.length + 1 + length > WIDTH) {
      say(stdout, "%s\n", buffer_text(&line));
      line.length = 0;
      buffer_printf(&line, "%*s", (int)indent + 2, "");
      empty = true;
    }
    buffer_printf(&line, "%s%.*s", empty ? "" : " ", (int)length, text);
    empty = false;
    text += length + strspn(text + length, " ");
  }
  say(stdout, "%s\n", buffer_text(&line));
  buffer_free(&line);
}

static void say_contract(const search *s) {
  buffer text = {0};
  const premises *p = s->proof == NULL ? NULL : &s->proof->preconditions;
  for (size_t i = 0; p != NULL && i < p->count; i++) {
    buffer_printf(&text, "%s%s", i == 0 ? "taken for granted: " : "; ", p->items[i].text);
  }
  if (text.length > 0) {
    say_wrapped(2, buffer_text(&text));
  }
  buffer_free(&text);
  if (s->proof != NULL && (s->proof->verdict == ANSWER_RACE || s->proof->verdict == ANSWER_DIVERGENCE ||
                           s->proof->verdict == ANSWER_OUT_OF_BOUNDS)) {
    buffer_printf(&text, "cltestcheck verify says: %s", verify_verdict_name(s->proof->verdict));
    say_wrapped(2, buffer_text(&text));
    buffer_free(&text);
  }
}

static void say_missed(const search *s) {
  const size_t missed = s->outcomes.count - outcomes_taken(&s->outcomes);
  size_t shown = 0;
  if (missed > 0) {
    say_wrapped(2, s->interrupted ? "not taken when it was interrupted:" : "not taken in the time:");
  }
  for (size_t i = 0; i < s->outcomes.count && shown < MISSED_MOST; i++) {
    if (!s->outcomes.items[i].taken) {
      buffer text = {0};
      outcome_words(&s->outcomes.items[i], &text);
      say_wrapped(4, buffer_text(&text));
      buffer_free(&text);
      shown++;
    }
  }
  if (missed > shown) {
    say(stdout, "    and %zu more\n", missed - shown);
  }
}

static void say_input(const input *x) {
  buffer text = {0};
  input_write(&x, 1, x->launch.kernel, false, &text);
  say(stdout, "%s", buffer_text(&text));
  buffer_free(&text);
}

static void say_left(const search *s, const left_out *l) {
  buffer text = {0};
  const bool finding = search_is_finding(s, l);
  buffer_printf(&text, "%s: %s in line %u: %s (%u input%s)", finding ? "finding" : "left out", l->rule,
                (unsigned)l->line, l->sentence, l->count, l->count == 1 ? "" : "s");
  say_wrapped(2, buffer_text(&text));
  buffer_free(&text);
}

bool generated_report(const search *s, bool quiet) {
  bool found = false;
  if (!quiet && s->obstacle != NULL) {
    buffer text = {0};
    buffer_printf(&text, "%s: no tests: %s", s->kernel, s->obstacle);
    say_wrapped(0, buffer_text(&text));
    buffer_free(&text);
  } else if (!quiet) {
    say(stdout, "%s: %zu of %zu outcomes taken by %zu case%s; %u inputs in %.0f s\n", s->kernel,
        outcomes_taken(&s->outcomes), s->outcomes.count, s->kept_count, s->kept_count == 1 ? "" : "s", s->tried,
        s->seconds);
    say_contract(s);
  }
  for (size_t i = 0; i < s->left_count; i++) {
    const bool finding = search_is_finding(s, &s->left[i]);
    found = found || finding;
    if (finding || !quiet) {
      say_left(s, &s->left[i]);
    }
    if (finding) {
      say_input(&s->left[i].smallest);
    }
  }
  if (!quiet && s->failed > 0) {
    say(stdout, "  left out: %u input%s that crash, or do not end\n", s->failed, s->failed == 1 ? "" : "s");
  }
  if (!quiet) {
    say_missed(s);
  }
  return found;
}

void generated_table(const view *v, const report_options *options) {
  static const char *const metrics[] = {"line", "branch", "condition", "mcdc", "loop", "barrier"};
  coverage c;
  coverage_total(v, options, &c);
  say(stdout, "%-12s %10s %12s\n", "Metric", "before", "after");
  for (size_t i = 0; i < sizeof metrics / sizeof *metrics; i++) {
    ratio r;
    if (coverage_get(&c, metrics[i], &r) == 0 && r.total > 0) {
      char before[32], after[32];
      (void)snprintf(before, sizeof before, "0 of %lu", r.total);
      (void)snprintf(after, sizeof after, "%lu of %lu", r.covered, r.total);
      say(stdout, "%-12s %10s %12s %7.1f %%\n", metrics[i], before, after, 100.0 * (double)r.covered / (double)r.total);
    }
  }
}
