/* Findings: a line each that opens: what was seen, where; of races both results and the access. What is suppressed
 * stands apart. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "base/subprocess.h"
#include "reports/common/races.h"
#include "reports/html/page.h"
#include "reports/words/explanation_words.h"
#include "reports/words/finding_words.h"
#include "reports/words/rules.h"

enum { MOST_ACCESSES = 4, UNFOLDED = 10 };

static void put_reason(const page *p, const char *reason) {
  if (reason != NULL) {
    (void)fputs("<p>Suppressed: ", p->out);
    page_text(p->out, reason);
    (void)fputs("\n", p->out);
  }
}

/* --- of the database ------------------------------------------------------------------------------------------- */

static void put_message(const page *p, const db_finding *f) {
  buffer message = {0};
  finding_message(p->v, f, &message);
  page_text(p->out, buffer_text(&message));
  buffer_free(&message);
}

static void put_finding(const page *p, const db_finding *f) {
  buffer title = {0};
  const db_finding *proof = verification_proof(p->v, f);
  verification_title(f, &title);
  (void)fprintf(p->out, "<li><details id=d%zu%s><summary><h3><span class=\"st%s\">", (size_t)(f - p->v->findings),
                p->findings == 1 ? " open" : "",
                f->suppressed != NULL               ? ""
                : f->possible || races_is_benign(f) ? " su"
                                                    : " ss");
  page_text(p->out, buffer_text(&title));
  buffer_free(&title);
  (void)fputs(f->kernel[0] == '\0' ? "</span>" : "</span> in kernel ", p->out);
  page_text(p->out, f->kernel);
  (void)fputs("</h3> ", p->out);
  put_message(p, f);
  (void)fputs(proof != NULL && proof->confirmed == CONFIRMED_YES ? " <span class=st>confirmed</span></summary>\n"
                                                                 : "</summary>\n",
              p->out);
  if (f->place_count == 0 && f->file != MODEL_NONE) {
    (void)fputs("<p>At ", p->out);
    page_place(p, f->file, f->line);
    (void)fputs("\n", p->out);
    page_excerpt(p, f->file, f->line);
  }
  page_counterexample(p, f);
  put_reason(p, f->suppressed);
  if (f->suppressed == NULL) {
    page_suppression(p, f);
  }
  (void)fputs("</details>\n", p->out);
}

/* --- of schedules ---------------------------------------------------------------------------------------------- */

static void put_described(const page *p, const db_schedule *s) {
  buffer words = {0};
  amplification_describe(s, &words);
  page_text(p->out, buffer_text(&words));
  buffer_free(&words);
}

static void put_share(const page *p, const db_schedule *s) {
  const ratio same = {schedule_count(s->outcomes, RUN_REFERENCE), strlen(s->outcomes)};
  page_cell(p->out, "Runs with the reference's result");
  (void)fprintf(p->out, "%lu of %lu (", same.covered, same.total);
  page_percent(p->out, &same);
  (void)fputs(")", p->out);
}

static void put_replay(const page *p, int64_t schedule) {
  buffer line = {0};
  buffer_printf(&line, "cltestcheck amplify --replay %" PRId64, schedule);
  if (p->options->database != NULL) {
    buffer_puts(&line, " --db ");
    shell_word(&line, p->options->database);
  }
  page_to_paste(p, buffer_text(&line));
  buffer_free(&line);
}

/* The schedule that shows it, and the one (or the program as it is) that gives the other result. */
static void put_sides(const page *p, const db_schedule *s) {
  const db_explanation *x = s->explanation;
  const db_launch *launch = NULL;
  const db_schedule *other = x->other == 0 ? NULL : view_find_schedule(p->v, x->other, &launch);
  page_table(p->out, "Both orders");
  (void)fputs("<thead><tr><th scope=col>Order", p->out);
  if (x->argument[0] != '\0') {
    (void)fputs("<th scope=col>", p->out);
    page_text(p->out, x->argument);
    (void)fprintf(p->out, "[%" PRIu64 "]", x->first);
  }
  (void)fputs("<th scope=col>Runs with the reference's result<th scope=col>Again\n<tbody>\n<tr><th scope=row>", p->out);
  put_described(p, s);
  if (x->argument[0] != '\0') {
    page_cell(p->out, "Value");
    page_text(p->out, x->seen);
  }
  put_share(p, s);
  page_cell(p->out, "Again");
  put_replay(p, s->id);
  (void)fputs("\n<tr><th scope=row>", p->out);
  if (other == NULL) {
    (void)fputs("the program as it is", p->out);
  } else {
    put_described(p, other);
  }
  if (x->argument[0] != '\0') {
    page_cell(p->out, "Value");
    page_text(p->out, x->reference);
  }
  if (other == NULL) {
    (void)fputs("<td data-c=\"Runs with the reference's result\">-<td data-c=Again>-", p->out);
  } else {
    put_share(p, other);
    page_cell(p->out, "Again");
    put_replay(p, other->id);
  }
  (void)fputs("\n" PAGE_TABLE_END, p->out);
}

static void put_accesses(const page *p, const db_explanation *x) {
  uint32_t lines[MOST_ACCESSES];
  size_t count = amplification_accesses(x, lines, MOST_ACCESSES);
  if (count == 0) {
    lines[count++] = x->line;
  }
  (void)fprintf(p->out, "<p>The access%s: ", count == 1 ? "" : "es");
  for (size_t i = 0; i < count; i++) {
    (void)fputs(i == 0 ? "" : "<p>and ", p->out);
    page_place(p, x->file, lines[i]);
    (void)fputs("\n", p->out);
    page_excerpt(p, x->file, lines[i]);
  }
}

static void put_explanation(const page *p, const db_explanation *x, const db_finding *shown) {
  buffer unfinished = {0};
  explanation_unfinished(x, &unfinished);
  if (unfinished.length > 0) {
    (void)fputs("<p>Never ended: ", p->out);
    page_text(p->out, buffer_text(&unfinished));
    (void)fputs("\n", p->out);
  }
  buffer_free(&unfinished);
  if (shown != NULL) {
    page_counterexample(p, shown);
  } else if (x->file != MODEL_NONE && x->line > 0) {
    put_accesses(p, x);
  }
}

static void put_failing(const page *p, const issue *i) {
  const failing *f = &i->failing;
  const db_schedule *s = f->schedule;
  buffer name = {0};
  amplification_launch_name(p->v, f->launch, &name);
  (void)fprintf(p->out, "<li><details%s><summary><h3><span class=\"st v%u\">%s</span> in kernel ",
                p->findings == 1 ? " open" : "", (unsigned)amplification_verdict(s), rule_title(i->rule));
  page_text(p->out, p->v->kernels[f->launch->kernel].name);
  (void)fputs("</h3> ", p->out);
  buffer text = {0};
  explanation_text(p->v, f->launch, s, &text);
  page_text(p->out, s->explanation != NULL ? buffer_text(&text) : s->verdict);
  buffer_free(&text);
  (void)fputs("</summary>\n<p>First seen in ", p->out);
  page_text(p->out, buffer_text(&name));
  (void)fprintf(p->out, ", of <a href=\"#k%u\">these schedules</a>.\n", f->launch->kernel);
  if (s->explanation != NULL) {
    put_explanation(p, s->explanation, i->shown);
    put_sides(p, s);
  }
  if (f->schedules > 1) {
    (void)fprintf(p->out, "<p>The same under %zu more schedule%s, of %zu launch%s in all.\n", f->schedules - 1,
                  page_plural(f->schedules - 1), f->launches, f->launches == 1 ? "" : "es");
  }
  put_reason(p, s->suppressed);
  (void)fputs("</details>\n", p->out);
  buffer_free(&name);
}

/* --- lists ----------------------------------------------------------------------------------------------------- */

/* A long list is folded after its first items. */
static void begin_item(const page *p, size_t number) {
  if (number == UNFOLDED) {
    (void)fprintf(p->out, "</ol>\n<details><summary>More</summary>\n<ol class=found start=%d>\n", UNFOLDED + 1);
  }
}

/* Findings and failing schedules that are suppressed, or those that are not. Returns their number; `put`: writes them. */
static size_t list(const page *p, bool suppressed, bool put) {
  size_t count = 0;
  for (size_t i = 0; i < p->issues.count; i++) {
    const issue *x = &p->issues.list[i];
    if (x->mutant != NULL || (x->suppressed != NULL) != suppressed) {
      continue;
    }
    if (put) {
      begin_item(p, count);
    }
    if (put && x->finding != NULL) {
      put_finding(p, x->finding);
    } else if (put) {
      put_failing(p, x);
    }
    count++;
  }
  return count;
}

/* The same as a list of the page. */
static void put_list(const page *p, bool suppressed) {
  (void)fputs("<ol class=found>\n", p->out);
  const size_t count = list(p, suppressed, true);
  (void)fputs(count > UNFOLDED ? "</ol>\n</details>\n" : "</ol>\n", p->out);
}

size_t page_count_findings(const page *p) { return list(p, false, false); }

void page_findings(const page *p) {
  if (p->findings > 0) {
    put_list(p, false);
  } else {
    (void)fputs("<p>Nothing was found.\n", p->out);
  }
  const size_t suppressed = list(p, true, false);
  if (suppressed > 0) {
    (void)fprintf(p->out, "<details><summary>%zu suppressed by the configuration</summary>\n", suppressed);
    put_list(p, true);
    (void)fputs("</details>\n", p->out);
  }
  page_refused(p);
}
