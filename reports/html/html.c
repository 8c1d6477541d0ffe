/* The HTML report: head, navigation, the parts one after the other, end; names of programs, tiles, totals. */
#include <sha2.h>
#include <stdlib.h>
#include <string.h>

#include "reports/html/page.h"

extern const char html_style[];
extern const char html_script[];
extern const char html_theme[];

/* Names of programs: what a page is about. */

enum { NAMED = 2, LONGEST = 48 };

/* Programs that run others: the next word says more. */
static const char *const interpreters[] = {"python", "sh", "bash", "env", "perl", "ruby", "node", "mpirun", "srun"};

/* The next word of a command line as a shell would cut it, roughly: quotes are left out. */
static const char *next_word(const char *at, const char *end, buffer *word) {
  word->length = 0;
  char quote = '\0';
  while (at < end && *at == ' ') at++;
  for (; at < end && (quote != '\0' || *at != ' '); at++)
    if (*at == '\'' || *at == '"')
      quote = quote == '\0' ? *at : quote == *at ? '\0' : quote;
    else
      buffer_putc(word, *at);
  return at;
}

static void put_base(buffer *to, buffer *word) {
  const char *text = buffer_text(word), *slash = strrchr(text, '/');
  buffer_puts(to, slash == NULL || slash[1] == '\0' ? text : slash + 1);
}

static bool runs_others(const buffer *name) {
  for (size_t i = 0; i < sizeof interpreters / sizeof interpreters[0]; i++) {
    size_t length = strlen(interpreters[i]);
    const char *text = buffer_text(name);
    if (strncmp(text, interpreters[i], length) == 0 && text[length + strspn(text + length, ".0123456789")] == '\0')
      return true;
  }
  return false;
}

static bool word_is(const buffer *word, const char *text) {
  return word->length == strlen(text) && memcmp(word->data, text, word->length) == 0;
}

/* After the settings of env: where the program of "env -C build A=1 program" begins. */
static const char *behind_settings(const char *at, const char *end, buffer *word) {
  for (;;) {
    const char *next = next_word(at, end, word);
    if (word_is(word, "-C") || word_is(word, "-u"))
      next = next_word(next, end, word);
    else if (word->length == 0 || (word->data[0] != '-' && memchr(word->data, '=', word->length) == NULL))
      return at;
    at = next;
  }
}

/* Where the program of a line begins that cltestcheck wrote for a test of CTest: after "env -C build" and after a
 * shell that looks at the exit status, "sh -c '…' sh". */
static const char *program_in(const char *line, const char *end) {
  scoped_buffer word = {0};
  const char *at = next_word(line, end, &word);
  const char *program = word_is(&word, "env") ? behind_settings(at, end, &word) : line;
  at = next_word(program, end, &word);
  bool shell = word_is(&word, "sh");
  at = next_word(at, end, &word);
  shell = shell && word_is(&word, "-c");
  at = next_word(next_word(at, end, &word), end, &word);
  shell = shell && word_is(&word, "sh");
  (void)next_word(at, end, &word);
  program = shell && word.length > 0 ? at : program;
  return program < end ? program : line;
}

/* "conv" of "/src/build/conv --all", "python3 blur.py" of "python3 -u tests/blur.py x". */
static void name_of(const char *line, size_t length, buffer *to) {
  scoped_buffer word = {0};
  const char *end = line + length;
  const char *at = next_word(program_in(line, end), end, &word);
  put_base(to, &word);
  if (runs_others(to)) {
    while (at < end && ((at = next_word(at, end, &word)), word.length > 0 && buffer_text(&word)[0] == '-')) {
    }
    if (word.length > 0 && buffer_text(&word)[0] != '-') {
      buffer_putc(to, ' ');
      put_base(to, &word);
    }
  }
  if (to->length > LONGEST) to->length = LONGEST;
}

/* Names, each once, in the order in which they came. */
typedef struct names {
  char **list;
  size_t count, capacity;
} names;

static void add_name(names *n, buffer *name) {
  if (name_number((const char *const *)n->list, n->count, buffer_text(name)) < 0)
    *ARRAY_ADD(n->list, n->count, n->capacity) = buffer_take(name);
  buffer_free(name);
}

static void add_line(names *n, const char *line, size_t length) {
  scoped_buffer name = {0};
  if (length > 2 && strncmp(line, "$ ", 2) == 0)
    name_of(line + 2, length - 2, &name);
  else
    buffer_append(&name, line, length < LONGEST ? length : LONGEST);
  add_name(n, &name);
}

/* What ran, for people: "reduction", "python3 blur.py", "a, b and 6 more". */
static void page_programs(const page *p, buffer *to) {
  names n = {0};
  EACH(const view_test_case, t, p->v->test_cases, p->v->test_case_count) {
    scoped_buffer line =
        buffer_with("%s%s", t->suite[0] == '\0' ? "$ " : "", t->suite[0] == '\0' ? t->command_line : t->suite);
    add_line(&n, buffer_text(&line), line.length);
  }
  if (n.count == 0) /* nothing ran: the sources that were verified or repaired */
  {
    for (size_t i = 0; i < p->v->proof_count; i++) {
      const uint32_t file = p->v->proofs[i].file;
      scoped_buffer name = {0};
      if (file != MODEL_NONE) {
        buffer_puts(&name, p->v->files[file].name);
        add_name(&n, &name);
      }
    }
    for (size_t i = 0; i < p->v->repair_count; i++) {
      scoped_buffer name = buffer_with("%s", p->v->repairs[i].name);
      add_name(&n, &name);
    }
  }
  for (size_t i = 0; i < n.count; i++) {
    if (i < NAMED) buffer_printf(to, "%s%s", i == 0 ? "" : ", ", n.list[i]);
    free(n.list[i]);
  }
  if (n.count > NAMED) buffer_printf(to, " and %zu more", n.count - NAMED);
  free(n.list);
}

/* What matters, at a glance: tiles, and thresholds that are missed. */

static void put_tile(const page *p, const char *place, const char *metric, const ratio *r, const char *what) {
  report_put(p->out, "<li class=\"r %s\"><a href=\"#%s\"><b>%s</b> %s", page_level(p, metric, r), place,
             report_percent(p->out, r), what);
  if (r->total > 0) report_put(p->out, " <small>%lu/%lu</small>%s", r->covered, r->total, page_bar(p->out, r));
  report_put(p->out, "</a>\n");
}

static void put_tiles(const page *p) {
  static const struct {
    const char *metric, *what;
  } tiles[] = {{"line", "lines"}, {"branch", "branch outcomes"}, {"loop", "loop cases"}, {"barrier", "barriers"}};
  report_put(p->out, "<ul class=tiles>\n");
  for (size_t i = 0; p->covered && i < sizeof tiles / sizeof tiles[0]; i++) {
    ratio r;
    (void)coverage_get(&p->total, tiles[i].metric, &r);
    put_tile(p, "coverage", tiles[i].metric, &r, tiles[i].what);
  }
  if (p->mutated) {
    const ratio score = mutation_score(&p->issues.mutants.all);
    const ratio revealed = mutation_revealed(&p->issues.mutants.all);
    put_tile(p, "mutation", "mutation", &score, "mutation score");
    if (revealed.total > 0) put_tile(p, "mutation", "revealed", &revealed, "revealed");
  }
  if (p->amplified) {
    const amplification_counts *c = &p->issues.schedules.all;
    unsigned long bad = c->of[VERDICT_RACE] + c->of[VERDICT_DEADLOCK] + c->of[VERDICT_CRASH];
    report_put(p->out, "<li%s><a href=\"#verdicts\"><b>%lu</b> of %lu schedules fail</a>\n",
               bad > 0 ? " class=bad" : "", bad, c->schedules);
  }
  if (p->verified) put_tile(p, "proofs", "verified", &p->total.verified, "kernels verified");
  if (p->v->repair_count > 0) {
    /* "1 of 2 files is repaired", with those in which nothing was wrong. */
    size_t good = 0;
    for (size_t i = 0; i < p->v->repair_count; i++) {
      const char *outcome = p->v->repairs[i].outcome;
      good += strcmp(outcome, "fine") == 0 || strcmp(outcome, "repaired") == 0 ? 1 : 0;
    }
    report_put(p->out, "<li%s><a href=\"#repairs\"><b>%zu</b> of %zu file%s repaired or fine</a>\n",
               good < p->v->repair_count ? " class=bad" : "", good, p->v->repair_count,
               p->v->repair_count == 1 ? "" : "s");
  }
  if (p->findings > 0 || p->v->repair_count == 0) {
    report_put(p->out, "<li%s><a href=\"#%s\"><b>%lu</b> %s%s</a>\n", (p->findings > 0) ? " class=bad" : "", "findings",
               p->findings, "finding", report_plural(p->findings));
  }
  report_put(p->out, "</ul>\n");
}

/* --- parts, in the order of the page --- */
static void page_overview(const page *p) {
  /* As the exit status has it: a threshold is asked of runs that measure its metric. */
  EACH(const report_threshold, t, p->options->thresholds, p->options->threshold_count) {
    if (!report_measures(p->v, t->metric) || !threshold_below(t, &p->total)) continue;
    scoped_buffer words = {0};
    threshold_say(t, &p->total, &words);
    report_put(p->out, "<p class=missed>Not reached: %s.\n", page_text(p->out, buffer_text(&words)));
  }
  put_tiles(p);
}

/* --- mutants --------------------------------------------------------------------------------------------------- */

static void put_operators(const page *p) {
  page_table(p->out, "Mutants by operator");
  report_put(p->out, "<thead><tr><th scope=col>Operator<th scope=col>Score");
  for (size_t i = 0; i < MUTANT_STATUSES; i++)
    if (p->issues.mutants.all.of[page_status_order[i]] > 0)
      report_put(p->out, "<th scope=col>%s", page_statuses[page_status_order[i]].word);
  report_put(p->out, "\n<tbody>\n");
  EACH(const mutation_group, g, p->issues.mutants.operators, p->issues.mutants.operator_count) {
    const ratio score = mutation_score(&g->counts);
    report_put(p->out, "<tr><th scope=row>%s", page_text(p->out, g->name));
    page_ratio_cell(p, "Score", "mutation", &score);
    for (size_t i = 0; i < MUTANT_STATUSES; i++) {
      if (p->issues.mutants.all.of[page_status_order[i]] > 0) {
        report_put(p->out, "<td data-c=\"%s\">%lu", page_statuses[page_status_order[i]].word,
                   g->counts.of[page_status_order[i]]);
      }
    }
    report_put(p->out, "\n");
  }
  report_put(p->out, PAGE_TABLE_END);
}

static void put_mutation(const page *p) {
  const ratio score = mutation_score(&p->issues.mutants.all);
  size_t verdicts = 0, reused = 0;
  mutation_verdicts(p->v, &p->issues.mutants, &verdicts, &reused);
  report_put(p->out, "<h3 id=mutation>Mutation testing</h3>\n<p>Mutation score: <b>%s</b>, %lu of %lu mutant%s killed.",
             report_percent(p->out, &score), score.covered, score.total, report_plural(score.total));
  interval i;
  if (mutation_interval(p->v, &p->issues.mutants.all, &i)) {
    report_put(p->out, " These were drawn at random; the score of all is %.1f to %.1f %% (95 %% interval).",
               100 * i.low, 100 * i.high);
  }
  /* What the program's own checks are worth. */
  const ratio revealed = mutation_revealed(&p->issues.mutants.all);
  if (revealed.total > 0) {
    report_put(p->out,
               " Revealed: <b>%s</b>, %lu make%s the program fail; of the other %lu that are killed only data tell: "
               "there, an assertion is missing.",
               report_percent(p->out, &revealed), revealed.covered, revealed.covered == 1 ? "s" : "",
               p->issues.mutants.all.of[MUTANT_KILLED] - revealed.covered);
  }
  if (reused > 0) report_put(p->out, " %zu of %zu verdicts are earlier runs'.", reused, verdicts);
  report_put(p->out, "\n");
  scoped_document unstable = {.v = p->v};
  document_unstable(&unstable);
  page_list(p, "<p>Outputs that differ from run to run of the program as it is, and are no evidence:", &unstable);
  page_table(p->out, "Mutants by status");
  report_put(p->out, "<thead><tr><th scope=col>Status<th scope=col>Mutants<th scope=col>Meaning\n<tbody>\n");
  for (size_t k = 0; k < MUTANT_STATUSES; k++) {
    mutant_status s = page_status_order[k];
    if (p->issues.mutants.all.of[s] > 0 || s == MUTANT_KILLED || s == MUTANT_SURVIVED) {
      report_put(p->out,
                 "<tr><th scope=row><span class=\"st s%c\">%s</span><td data-c=Mutants>%lu<td data-c=Meaning>%s%s\n",
                 page_statuses[s].letter, page_statuses[s].word, p->issues.mutants.all.of[s], page_statuses[s].meaning,
                 mutation_counts_status(s) ? "" : " (not in the score)");
    }
  }
  report_put(p->out, PAGE_TABLE_END);
  put_operators(p);
}

static void put_verdicts(const page *p) {
  const amplification_counts *c = &p->issues.schedules.all;
  report_put(p->out, "<h3 id=verdicts>Schedule amplification</h3>\n<p>%lu schedule%s of %lu launch%s, %lu run%s.\n",
             c->schedules, report_plural(c->schedules), p->issues.schedules.launches,
             p->issues.schedules.launches == 1 ? "" : "es", c->runs, report_plural(c->runs));
  page_table(p->out, "Schedules by verdict");
  report_put(p->out, "<thead><tr><th scope=col>Verdict<th scope=col>Schedules\n<tbody>\n");
  for (size_t i = 1; i <= VERDICTS; i++) {
    schedule_verdict verdict = (schedule_verdict)(i % VERDICTS); /* pending last */
    if (c->of[verdict] > 0 || verdict == VERDICT_CONSISTENT || verdict == VERDICT_RACE) {
      report_put(p->out, "<tr><th scope=row><span class=\"st v%u\">%s</span><td data-c=Schedules>%lu\n",
                 (unsigned)verdict, schedule_verdict_name(verdict), c->of[verdict]);
    }
  }
  if (c->meant > 0)
    report_put(p->out, "<tr><th scope=row>meant: the kernel says so<td data-c=Schedules>%lu\n", c->meant);
  if (c->suppressed > 0)
    report_put(p->out, "<tr><th scope=row>suppressed by the configuration<td data-c=Schedules>%lu\n", c->suppressed);
  report_put(p->out, PAGE_TABLE_END);
}

static void page_totals(const page *p) {
  if (p->covered) {
    /* Totals: coverage by metric, mutants by status and operator, schedules by verdict, suppressions. */
    report_put(p->out, "<h3 id=coverage>Coverage</h3>\n");
    page_table(p->out, "Coverage by metric");
    report_put(p->out, "<thead><tr><th scope=col>Metric<th scope=col>Covered<th scope=col>What is counted\n<tbody>\n");
    for (const coverage_metric *m = coverage_metrics; m->name != NULL; m++) {
      if (metric_of_mutants(m->name) || metric_of_proofs(m->name)) continue;
      ratio r;
      (void)coverage_get(&p->total, m->name, &r);
      report_put(p->out, "<tr><th scope=row>%s", m->name);
      page_ratio_cell(p, "Covered", m->name, &r);
      report_put(p->out, "<td data-c=\"What is counted\">%s\n", m->summary);
    }
    report_put(p->out, PAGE_TABLE_END);
  }
  if (p->mutated) put_mutation(p);
  if (p->amplified) put_verdicts(p);
  scoped_document suppressed = {.v = p->v};
  document_suppressions(&suppressed, true);
  page_list(p, "<h3 id=suppressions>Suppressions</h3>", &suppressed);
}

static page page_open(const view *v, const report_options *options, report_out *out) {
  page p = {.v = v, .options = options, .out = out};
  p.reported = report_functions(v, options);
  p.everything = report_everything(options);
  p.mutated = mutation_is(v);
  p.amplified = amplification_is(v);
  p.verified = verification_is(v);
  p.covered = report_covered(v);
  coverage_total(v, options, &p.total);
  p.files = mem_calloc(v->file_count, sizeof *p.files);
  coverage_by_file(v, options, p.files);
  p.issues = issues_of(v, options);
  /* A file is shown when it has a function that is reported, or all are. */
  p.shown = mem_calloc(p.v->file_count, sizeof *p.shown);
  for (size_t i = 0; i < p.v->file_count; i++) p.shown[i] = p.everything;
  for (size_t i = 0; i < p.v->function_count; i++) p.shown[p.v->functions[i].file] |= p.reported[i];
  for (size_t i = 0; i < p.v->file_count; i++) p.shown_files += p.shown[i] ? 1 : 0;
  /* The folder that all of the shown files are in, with its slash. */
  const char *first = NULL;
  for (size_t i = 0; i < p.v->file_count; i++) {
    const char *name = p.v->files[i].name;
    if (!p.shown[i]) continue;
    const char *slash = strrchr(name, '/');
    size_t length = slash == NULL ? 0 : (size_t)(slash - name) + 1;
    if (first == NULL) {
      first = name;
      p.folder = length;
    }
    while (p.folder > 0 && (p.folder > length || strncmp(first, name, p.folder) != 0)) {
      p.folder--;
      while (p.folder > 0 && first[p.folder - 1] != '/') p.folder--;
    }
  }
  page_order_files(&p);
  p.findings = page_count_findings(&p);
  return p;
}

static void page_close(page *p) {
  issues_free(&p->issues);
  free(p->reported);
  free(p->files);
  free(p->shown);
  free(p->order);
}

/* --- head ------------------------------------------------------------------------------------------------------ */

/* "'sha256-…'", as a policy names a text. */
static const char *source_hash(report_out *to, const char *text) {
  static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  uint8_t digest[SHA256_DIGEST_LENGTH];
  SHA2_CTX context;
  SHA256Init(&context);
  SHA256Update(&context, (const uint8_t *)text, strlen(text));
  SHA256Final(digest, &context);
  buffer *hash = report_piece(to);
  buffer_puts(hash, "'sha256-");
  for (size_t i = 0; i < sizeof digest; i += 3) {
    const size_t left = sizeof digest - i;
    const uint32_t three =
        (uint32_t)digest[i] << 16 | (left > 1 ? (uint32_t)digest[i + 1] << 8 : 0) | (left > 2 ? digest[i + 2] : 0);
    buffer_printf(hash, "%c%c%c%c", digits[three >> 18], digits[three >> 12 & 63],
                  left > 1 ? digits[three >> 6 & 63] : '=', left > 2 ? digits[three & 63] : '=');
  }
  buffer_puts(hash, "'");
  return buffer_text(hash);
}

/* Only the page's own style and scripts, by their digests, and nothing from anywhere. */
static void put_policy(report_out *out, const char *style) {
  report_put(out,
             "<meta http-equiv=Content-Security-Policy content=\"default-src 'none'; style-src %s; script-src %s %s; "
             "base-uri 'none'; form-action 'none'\">\n",
             source_hash(out, style), source_hash(out, html_theme), source_hash(out, html_script));
}

/* "reduction, 3a55148+, 2026-11-22" */
static void put_title(const page *p) {
  enum { DATE = 10, REVISION = 12 };
  scoped_buffer programs = {0};
  page_programs(p, &programs);
  report_put(p->out, "%s", page_text(p->out, programs.length > 0 ? buffer_text(&programs) : "No program"));
  const char *revision = p->v->revision == NULL ? "" : p->v->revision;
  const size_t length = strlen(revision);
  if (length > 0) {
    report_put(p->out, ", %s%s", page_text_of(p->out, revision, length < REVISION ? length : REVISION),
               length > REVISION && revision[length - 1] == '+' ? "+" : "");
  }
  if (strlen(p->v->started) >= DATE) report_put(p->out, ", %s", page_text_of(p->out, p->v->started, DATE));
}

static void put_head(const page *p) {
  scoped_buffer style = buffer_with("%s", html_style);
  page_filter_style(p, &style);
  report_put(p->out, "<!DOCTYPE html>\n<html lang=en>\n<head>\n<meta charset=utf-8>\n");
  put_policy(p->out, buffer_text(&style));
  report_put(
      p->out,
      "<meta name=viewport content=\"width=device-width, initial-scale=1\">\n<meta name=color-scheme content=\"light "
      "dark\">\n<meta name=referrer content=no-referrer>\n<meta name=generator content=cltestcheck>\n<title>");
  put_title(p);
  report_put(p->out, " - cltestcheck</title>\n<style>%s</style>\n<script>%s</script>\n</head>\n", buffer_text(&style),
             html_theme);
}

static void put_fact(const page *p, const char *name, const char *value) {
  if (value[0] != '\0') report_put(p->out, "<div><dt>%s<dd>%s</div>\n", name, page_text(p->out, value));
}

static void put_folder(const page *p) {
  for (size_t i = 0; i < p->v->file_count && p->folder > 0; i++) {
    if (p->shown[i]) {
      report_put(p->out, "<div><dt>Sources below<dd>%s</div>\n", page_text_of(p->out, p->v->files[i].name, p->folder));
      return;
    }
  }
}

static void put_globs(const page *p, const char *name, const char *const *globs, size_t count) {
  for (size_t i = 0; i < count; i++) put_fact(p, name, globs[i]);
}

static void put_header(const page *p) {
  report_put(p->out, "<header>\n<h1>");
  put_title(p);
  report_put(p->out, "</h1>\n<dl>\n");
  scoped_buffer runs = {0};
  report_runs(p->v, NULL, &runs);
  if (p->v->run_count == 1) buffer_printf(&runs, ", %s", p->v->command);
  put_fact(p, "Of", buffer_text(&runs));
  put_fact(p, "Started", p->v->started);
  put_fact(p, "Revision", p->v->revision == NULL ? "" : p->v->revision);
  put_fact(p, "Device", p->v->device);
  put_fact(p, "cltestcheck", p->v->version);
  put_folder(p);
  put_globs(p, "Only kernels", p->options->kernels.wanted.items, p->options->kernels.wanted.count);
  put_globs(p, "Without kernels", p->options->kernels.exclude.items, p->options->kernels.exclude.count);
  report_put(p->out, "</dl>\n</header>\n");
}

/* --- parts ----------------------------------------------------------------------------------------------------- */

static bool has_sources(const page *p) { return p->shown_files > 0; }
static bool has_proofs(const page *p) { return p->v->proof_count > 0; }
static bool has_repairs(const page *p) { return p->v->repair_count > 0; }
/* A run that only repairs has its own list. */
static bool has_findings(const page *p) { return p->findings > 0 || p->v->repair_count == 0 || p->v->proof_count > 0; }
static bool has_schedules(const page *p) { return p->amplified; }
static bool always(const page *p) {
  (void)p;
  return true;
}

static const struct {
  const char *id, *title;
  bool folded;
  bool (*has)(const page *p);
  void (*put)(const page *p);
} parts[] = {
    {"overview", "Overview", false, always, page_overview},
    {"findings", "Findings", false, has_findings, page_findings},
    {"proofs", "Proofs", false, has_proofs, page_proofs},
    {"repairs", "Repairs", false, has_repairs, page_repairs},
    {"kernels", "Kernels", false, always, page_kernels},
    {"sources", "Sources", false, has_sources, page_sources},
    {"totals", "Totals", true, always, page_totals},
    {"schedules", "Schedules", true, has_schedules, page_schedules},
    {"tests", "Test cases", true, always, page_tests},
};
#define PARTS (sizeof parts / sizeof parts[0])

static void put_navigation(const page *p) {
  report_put(p->out, "<nav id=bar aria-label=\"Parts of the report\">\n<ul>\n");
  for (size_t i = 0; i < PARTS; i++)
    if (parts[i].has(p)) report_put(p->out, "<li><a href=\"#%s\">%s</a>\n", parts[i].id, parts[i].title);
  report_put(p->out, "</ul>\n");
  page_tools(p);
  report_put(p->out, "</nav>\n");
}

static void put_parts(const page *p) {
  report_put(p->out, "<main>\n");
  for (size_t i = 0; i < PARTS; i++)
    if (parts[i].has(p)) {
      const char *before = parts[i].folded ? "<details class=part><summary>" : "";
      report_put(p->out, "<section id=%s aria-labelledby=h-%s>\n%s<h2 id=h-%s>%s</h2>%s\n", parts[i].id, parts[i].id,
                 before, parts[i].id, parts[i].title, parts[i].folded ? "</summary>" : "");
      parts[i].put(p);
      report_put(p->out, "%s", parts[i].folded ? "</details>\n</section>\n" : "</section>\n");
    }
  report_put(p->out, "</main>\n");
}

int html_write(const view *v, const report_options *options, FILE *file, error *e) {
  report_out to = {.file = file}, *out = &to;
  page p = page_open(v, options, out);
  put_head(&p);
  report_put(out, "<body");
  page_filter_classes(&p);
  report_put(out, ">\n<a class=skip href=\"#findings\">Skip to the findings</a>\n");
  put_header(&p);
  put_navigation(&p);
  put_parts(&p);
  report_put(out, "<script>%s</script>\n</body>\n</html>\n", html_script);
  page_close(&p);
  return report_close(out, e);
}