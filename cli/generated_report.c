/* Sentences about generated cases in 80 columns. */
#include "cli/generated_report.h"

#include <string.h>

#include "base/say.h"

enum { WIDTH = 79, MISSED_MOST = 20, SURVIVORS_MOST = 10 };

/* Words of a text, on lines that begin with so many spaces, two more from the second one on. */
__attribute__((format(printf, 2, 3))) static void say_wrapped(size_t indent, const char *format, ...) {
  scoped_buffer whole = {0};
  va_list arguments;
  va_start(arguments, format);
  buffer_vprintf(&whole, format, arguments);
  va_end(arguments);
  const char *text = buffer_text(&whole);
  scoped_buffer line = buffer_with("%*s", (int)indent, "");
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
}

static void say_contract(const search *s) {
  scoped_buffer text = {0};
  const premises *p = s->proof == NULL ? NULL : &s->proof->preconditions;
  for (size_t i = 0; p != NULL && i < p->count; i++)
    buffer_printf(&text, "%s%s", i == 0 ? "taken for granted: " : "; ", p->items[i].text);
  if (text.length > 0) say_wrapped(2, "%s", buffer_text(&text));
  if (s->proof != NULL && (s->proof->verdict == ANSWER_RACE || s->proof->verdict == ANSWER_DIVERGENCE ||
                           s->proof->verdict == ANSWER_OUT_OF_BOUNDS))
    say_wrapped(2, "cltestcheck verify says: %s", verify_verdict_name(s->proof->verdict));
}

static void say_missed(const search *s) {
  const size_t missed = s->outcomes.count - outcomes_taken(&s->outcomes) - outcomes_never(&s->outcomes);
  size_t shown = 0;
  if (missed > 0) say_wrapped(2, s->interrupted ? "not taken when it was interrupted:" : "not taken in the time:");
  for (size_t i = 0; i < s->outcomes.count && shown < MISSED_MOST; i++) {
    if (!s->outcomes.items[i].taken && s->outcomes.items[i].never == NULL) {
      scoped_buffer text = {0};
      outcome_words(&s->outcomes.items[i], &text);
      say_wrapped(4, "%s", buffer_text(&text));
      shown++;
    }
  }
  if (missed > shown) say(stdout, "    and %zu more\n", missed - shown);
}

static place_line line_of(const char *text, uint32_t line) {
  for (uint32_t i = 1; i < line && text != NULL; i++) {
    text = strchr(text, '\n');
    text = text == NULL ? NULL : text + 1;
  }
  return text == NULL ? (place_line){0} : (place_line){text, strcspn(text, "\n")};
}

/* What was proved. A run that shows otherwise is a fault of ours, unless it is a launch that the proof does not speak of. */
static void say_never(const search *s) {
  EACH(const outcome, o, s->outcomes.items, s->outcomes.count) {
    scoped_buffer text = {0};
    if (o->never != NULL && (!o->taken || o->never[0] == '\0')) {
      outcome_words(o, &text);
      say_wrapped(2, "proved unreachable%s: %s%s%s",
                  o->taken ? ", though an input takes it (please report this as a fault)" : "", buffer_text(&text),
                  o->never[0] == '\0' ? "" : ", ", o->never);
      if (!o->taken && o->own && suppress_outcome_rule(o->kind, o->number)[0] != '\0') {
        /* What to paste, so that the outcome leaves the totals. */
        scoped_buffer pasted = {0}, reason = {0};
        buffer_printf(&reason, "proved unreachable%s%s", o->never[0] == '\0' ? "" : ", ", o->never);
        suppress_text(suppress_outcome_rule(o->kind, o->number), s->kernel,
                      line_of(asked_text(s->source)->text, o->line), buffer_text(&reason), &pasted);
        say(stdout, "    suppressions: %s\n", buffer_text(&pasted));
      }
    }
  }
}

/* --- mutants ------------------------------------------------------------------------------------------------------ */

static const char *open_words(mutant_status status) {
  return status == MUTANT_NO_COVERAGE ? " (no input reaches it)"
         : status == MUTANT_UNDECIDED ? " (not in every run)"
         : status == MUTANT_PENDING   ? " (not run in the time)"
                                      : "";
}

static void say_mutants(const search *s) {
  const mutants *m = &s->mutants;
  const size_t of = mutants_of(m, MUTANT_STATUSES), killed = mutants_of(m, MUTANT_KILLED),
               same = mutants_of(m, MUTANT_EQUIVALENT);
  size_t shown = 0;
  scoped_buffer text = {0};
  if (!m->known) {
    if (s->kept_count > 0) say_wrapped(2, "mutants: none were run%s%s", m->why[0] == '\0' ? "" : ": ", m->why);
    return;
  }
  if (m->count == 0) {
    say_wrapped(2, "mutants: there are none");
    return;
  }
  buffer_printf(&text, "mutants: %zu of %zu killed (%zu by what was kept for outcomes)", killed, of,
                m->killed_by_outcomes);
  if (m->killed_by_tests > 0) buffer_printf(&text, ", %zu by the tests that there are", m->killed_by_tests);
  if (same > 0) buffer_printf(&text, "; %zu more %s the same code", same, same == 1 ? "has" : "have");
  say_wrapped(2, "%s", buffer_text(&text));
  if (killed < of) say_wrapped(2, s->interrupted ? "not killed when it was interrupted:" : "not killed in the time:");
  EACH(const aimed_mutant, a, m->items, m->count) {
    const bool open = a->status == MUTANT_SURVIVED || a->status == MUTANT_NO_COVERAGE ||
                      a->status == MUTANT_UNDECIDED || a->status == MUTANT_PENDING;
    if (open && a->never == NULL && shown++ < SURVIVORS_MOST) say_wrapped(4, "%s%s", a->words, open_words(a->status));
  }
  if (shown > SURVIVORS_MOST) say(stdout, "    and %zu more\n", shown - SURVIVORS_MOST);
  EACH(const aimed_mutant, a, m->items, m->count) {
    if (a->never != NULL)
      say_wrapped(2, "proved equivalent: %s%s%s", a->words, a->never[0] == '\0' ? "" : ", ", a->never);
  }
}

static void say_input(const input *x) {
  scoped_buffer text = {0};
  input_write(&x, 1, x->launch.kernel, READS_NOTHING, &text);
  say(stdout, "%s", buffer_text(&text));
}

static void say_left(const search *s, const left_out *l) {
  say_wrapped(2, "%s: %s in line %u: %s (%u input%s)", search_is_finding(s, l) ? "finding" : "left out", l->rule,
              (unsigned)l->line, l->sentence, l->count, l->count == 1 ? "" : "s");
}

bool generated_report(const search *s, bool quiet) {
  bool found = false;
  if (!quiet && s->obstacle != NULL) {
    say_wrapped(0, "%s: no tests: %s", s->kernel, s->obstacle);
  } else if (!quiet) {
    const size_t never = outcomes_never(&s->outcomes);
    say(stdout, "%s: %zu of %zu outcomes taken by %zu case%s", s->kernel, outcomes_taken(&s->outcomes),
        s->outcomes.count, s->kept_count, s->kept_count == 1 ? "" : "s");
    if (never > 0) say(stdout, ", %zu proved unreachable", never);
    say(stdout, "; %u inputs in %.0f s\n", s->tried, s->seconds);
    say_contract(s);
  }
  for (size_t i = 0; i < s->left_count; i++) {
    const bool finding = search_is_finding(s, &s->left[i]);
    found = found || finding;
    if (finding || !quiet) say_left(s, &s->left[i]);
    if (finding) say_input(&s->left[i].smallest);
  }
  if (!quiet && s->failed > 0)
    say(stdout, "  left out: %u input%s that crash, or do not end\n", s->failed, s->failed == 1 ? "" : "s");
  if (!quiet) {
    say_never(s);
    say_missed(s);
    say_mutants(s);
  }
  return found;
}

/* --- two kernels -------------------------------------------------------------------------------------------------- */

static void say_same(const comparison *c) {
  const outcomes *a = &c->reference->outcomes, *b = &c->kernel->outcomes;
  const size_t taken = outcomes_taken(a) + outcomes_taken(b), of = a->count + b->count;
  const size_t killed = mutants_of(&c->reference->mutants, MUTANT_KILLED),
               seeded = mutants_of(&c->reference->mutants, MUTANT_STATUSES);
  scoped_buffer text = buffer_with("no difference in %zu inputs that take ", c->there->compared + c->here->compared);
  if (!a->known || !b->known)
    buffer_puts(&text, "outcomes which there was no time to look at");
  else if (taken == of)
    buffer_printf(&text, "all %zu outcomes of both", of);
  else
    buffer_printf(&text, "%zu of the %zu outcomes of both", taken, of);
  if (seeded > 0) {
    buffer_printf(&text, " and kill %.0f %% of the reference's mutants (%zu of %zu)",
                  100.0 * (double)killed / (double)seeded, killed, seeded);
  } else if (c->reference->mutants.known) {
    buffer_puts(&text, "; the reference has no mutants");
  }
  say_wrapped(2, "%s", buffer_text(&text));
}

static void say_difference(const char *kernel, const against *a) {
  scoped_buffer text = {0};
  say_wrapped(2, "difference: %s", a->difference);
  input_write((const input *const[]){&a->smallest}, 1, kernel, READS_NOTHING, &text);
  say(stdout, "%s", buffer_text(&text));
}

bool generated_comparison(const comparison *c, bool quiet) {
  const against *found = c->there->difference != NULL ? c->there : c->here;
  const size_t unclear = c->there->unclear + c->here->unclear;
  const bool differ = found->difference != NULL;
  if (!quiet || differ) say(stdout, "%s against %s:\n", c->kernel->kernel, c->reference->kernel);
  if (differ) {
    say_difference(c->kernel->kernel, found);
    return true;
  }
  if (quiet) return false;
  if (c->there->compared + c->here->compared == 0) {
    const char *why = c->reference->obstacle != NULL   ? c->reference->obstacle
                      : c->there->other.why[0] != '\0' ? c->there->other.why
                                                       : "no input was found on which both run";
    say_wrapped(2, "not compared: %s", why);
    return false;
  }
  say_same(c);
  say_contract(c->reference);
  say_missed(c->reference);
  say_missed(c->kernel);
  if (unclear > 0) {
    say(stdout, "  left out: %zu input%s on which the reference is wrong, or has several results\n", unclear,
        unclear == 1 ? "" : "s");
  }
  return false;
}

static void say_metric(const char *metric, unsigned long before, unsigned long covered, unsigned long of) {
  char first[32], after[32];
  (void)snprintf(first, sizeof first, "%lu of %lu", before, of);
  (void)snprintf(after, sizeof after, "%lu of %lu", covered, of);
  say(stdout, "%-12s %10s %12s %7.1f %%\n", metric, first, after, 100.0 * (double)covered / (double)of);
}

void generated_table(const view *before, const view *v, const report_options *options, size_t killed_before,
                     size_t killed, size_t of) {
  static const char *const metrics[] = {"line", "branch", "condition", "mcdc", "loop", "barrier"};
  coverage first, c;
  if (before != NULL) coverage_total(before, options, &first);
  coverage_total(v, options, &c);
  say(stdout, "%-12s %10s %12s\n", "Metric", "before", "after");
  for (size_t i = 0; i < sizeof metrics / sizeof *metrics; i++) {
    ratio r, had = {0};
    if (before != NULL && coverage_get(&first, metrics[i], &had) != 0) had.covered = 0;
    if (coverage_get(&c, metrics[i], &r) == 0 && r.total > 0) say_metric(metrics[i], had.covered, r.covered, r.total);
  }
  if (of > 0) say_metric("mutation", killed_before, killed, of);
}
