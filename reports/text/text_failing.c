/* Races, deadlocks, crashes and other results in the text report: what depends on the order, where, and how to see it again. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"
#include "reports/text/text_amplification.h"
#include "reports/words/explanation_words.h"

#define INDENT 4
#define NAME 48 /* columns of a name in a sentence */

/* --- one ------------------------------------------------------------------------------------------------------- */

static void detail(text *t, const char *s) {
  text_pad(t, INDENT);
  text_fitted(t, INDENT, INDENT + 2, s);
}

static void put_name(buffer *to, const char *s) {
  buffer clean = {0};
  text_name(&clean, s);
  utf8_shorten(to, buffer_text(&clean), NAME);
  buffer_free(&clean);
}

/* "spmv (src/spmv.cl:3)" */
static void put_kernel(const text *t, uint32_t kernel, buffer *to) {
  const view_kernel *k = &t->v->kernels[kernel];
  const model_function *f = &t->v->functions[k->function];
  put_name(to, k->name);
  buffer_puts(to, " (");
  text_place(t, f->file, f->line, to);
  buffer_puts(to, ")");
}

/* What the explanation compares with: "reverse order", "the program as it is". */
static void put_other(const view *v, const db_explanation *x, buffer *to) {
  const db_launch *launch = NULL;
  const db_schedule *s = x->other == 0 ? NULL : view_find_schedule(v, x->other, &launch);
  if (x->other == 0) {
    buffer_puts(to, "the program as it is");
  } else if (s == NULL) {
    buffer_printf(to, "schedule %" PRId64, x->other);
  } else {
    amplification_describe(s, to);
  }
}

/* Both accesses where they were seen; else the line that differs. */
static void write_access(text *t, const db_explanation *x, const db_finding *shown) {
  if (shown != NULL) {
    text_write_shown(t, shown, INDENT);
  } else if (x != NULL && x->file != MODEL_NONE && x->line > 0) {
    buffer line = {0};
    text_place(t, x->file, x->line, &line);
    detail(t, buffer_text(&line));
    text_excerpt(t, &t->v->files[x->file], x->line, '|', 0, 0);
    buffer_free(&line);
  }
}

/* "group 17 first (schedule 12) against reverse order (schedule 13): 9 of 20 runs gave the reference's result (45.0 %)"
 */
static void write_pair(text *t, const db_schedule *s) {
  const db_explanation *x = s->explanation;
  buffer line = {0};
  amplification_describe(s, &line);
  buffer_printf(&line, " (schedule %" PRId64 ")", s->id);
  if (x != NULL && (amplification_verdict(s) == VERDICT_RACE || amplification_verdict(s) == VERDICT_ORDER ||
                    amplification_verdict(s) == VERDICT_DIFFERS)) {
    buffer_puts(&line, " against ");
    put_other(t->v, x, &line);
    const db_launch *launch = NULL;
    if (x->other != 0 && view_find_schedule(t->v, x->other, &launch) != NULL) {
      buffer_printf(&line, " (schedule %" PRId64 ")", x->other);
    }
  }
  const ratio same = {schedule_count(s->outcomes, RUN_REFERENCE), strlen(s->outcomes)};
  unsigned share = same.total == 0 ? 0 : ratio_thousandths(&same);
  buffer_printf(&line, ": %lu of %lu run%s gave the reference's result (%u.%u %%)", same.covered, same.total,
                text_plural(same.total), share / 10, share % 10);
  size_t otherwise = schedule_count(s->outcomes, RUN_OCCUPANCY);
  if (otherwise > 0) {
    buffer_printf(&line, ", %zu %s not in this order", otherwise, otherwise == 1 ? "was" : "were");
  }
  detail(t, buffer_text(&line));
  buffer_free(&line);
}

static void write_alike(text *t, const failing *f) {
  size_t more = f->schedules - 1;
  if (more > 0) {
    buffer line = {0};
    buffer_printf(&line, "the same under %zu more schedule%s", more, text_plural(more));
    if (f->launches > 1) {
      buffer_printf(&line, ", of %zu launches in all", f->launches);
    }
    detail(t, buffer_text(&line));
    buffer_free(&line);
  }
}

static void write_failing(text *t, const issue *i) {
  const failing *f = &i->failing;
  const db_schedule *s = f->schedule;
  const db_explanation *x = s->explanation;
  const char *word = failing_word(amplification_verdict(s));
  buffer line = {0};
  buffer_puts(&line, " in kernel ");
  put_kernel(t, f->launch->kernel, &line);
  buffer_puts(&line, ", ");
  amplification_launch_name(t->v, f->launch, &line);
  buffer why = {0};
  explanation_text(t->v, f->launch, s, &why);
  buffer_printf(&line, "%s%s", why.length > 0 ? ": " : "", buffer_text(&why));
  buffer_free(&why);
  buffer_puts(&t->out, "  ");
  text_styled(t, amplification_fails(amplification_verdict(s)) ? STYLE_RED : STYLE_YELLOW, word);
  buffer_putc(&t->out, ' ');
  text_fitted(t, 3 + strlen(word), INDENT, buffer_text(&line));
  buffer_free(&line);
  write_access(t, x, i->shown);
  write_pair(t, s);
  write_alike(t, f);
  text_again(t, INDENT, "amplify", s->id);
}

/* --- those that are meant -------------------------------------------------------------------------------------- */

/* "reduce (red.cl:3): 12 schedules, 7 race, 5 consistent", and what was found of the first that was explained. */
static void write_meant_of(text *t, const amplification *a, uint32_t kernel) {
  size_t of[VERDICTS] = {0};
  size_t all = 0;
  buffer why = {0};
  for (size_t i = 0; i < t->v->launch_count; i++) {
    const db_launch *l = &t->v->launches[i];
    for (size_t k = 0; a->selected[i] && l->kernel == kernel && k < l->schedule_count; k++) {
      if (l->schedules[k].meant) {
        of[amplification_verdict(&l->schedules[k])]++;
        all++;
        if (why.length == 0) {
          explanation_text(t->v, l, &l->schedules[k], &why);
        }
      }
    }
  }
  buffer line = {0};
  put_kernel(t, kernel, &line);
  buffer_printf(&line, ": %zu schedule%s", all, text_plural(all));
  for (size_t v = VERDICTS; v-- > 0;) {
    if (of[v] > 0) {
      buffer_printf(&line, ", %zu %s", of[v], schedule_verdict_name((schedule_verdict)v));
    }
  }
  buffer_puts(&t->out, "  ");
  text_fitted(t, 2, INDENT, buffer_text(&line));
  if (why.length > 0) {
    detail(t, buffer_text(&why));
  }
  buffer_free(&why);
  buffer_free(&line);
}

static void write_meant(text *t, const amplification *a) {
  bool any = false;
  for (size_t i = 0; i < a->kernel_count; i++) {
    if (a->kernels[i].counts.meant == 0) {
      continue;
    }
    if (!any) {
      text_section(t, "Meant: the kernel says that its result may depend on the order");
      any = true;
    }
    write_meant_of(t, a, a->kernels[i].kernel);
  }
}

static bool is_failing(const issue *i) { return i->failing.schedule != NULL && i->suppressed == NULL; }

void text_write_failing(text *t, const amplification *a) {
  size_t count = 0;
  for (size_t i = 0; i < t->issues.count; i++) {
    count += is_failing(&t->issues.list[i]) ? 1 : 0;
  }
  if (count > 0) {
    text_section(t, "What depends on the order");
  }
  const size_t most = text_shown(t, count, TEXT_SHOWN);
  size_t shown = 0;
  for (size_t i = 0; i < t->issues.count && shown < most; i++) {
    if (is_failing(&t->issues.list[i])) {
      write_failing(t, &t->issues.list[i]);
      shown++;
    }
  }
  text_rest(t, count - shown);
  write_meant(t, a);
}
