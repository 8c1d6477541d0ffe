/* The HTML report: head, navigation, the parts one after the other, end. */
#include <sha2.h>
#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "base/memory.h"
#include "reports/html/assets.h"
#include "reports/html/page.h"

/* --- what there is to show ------------------------------------------------------------------------------------ */

/* A file is shown when it has a function that is reported, or all are. */
static void find_shown(page *p) {
  p->shown = mem_calloc(p->v->file_count, sizeof *p->shown);
  for (size_t i = 0; i < p->v->file_count; i++) {
    p->shown[i] = p->everything;
  }
  for (size_t i = 0; i < p->v->function_count; i++) {
    p->shown[p->v->functions[i].file] |= p->reported[i];
  }
  for (size_t i = 0; i < p->v->file_count; i++) {
    p->shown_files += p->shown[i] ? 1 : 0;
  }
}

/* The folder that all of the shown files are in, with its slash. */
static void find_folder(page *p) {
  const char *first = NULL;
  for (size_t i = 0; i < p->v->file_count; i++) {
    const char *name = p->v->files[i].name;
    if (!p->shown[i]) {
      continue;
    }
    const char *slash = strrchr(name, '/');
    size_t length = slash == NULL ? 0 : (size_t)(slash - name) + 1;
    if (first == NULL) {
      first = name;
      p->folder = length;
    }
    while (p->folder > 0 && (p->folder > length || strncmp(first, name, p->folder) != 0)) {
      p->folder--;
      while (p->folder > 0 && first[p->folder - 1] != '/') {
        p->folder--;
      }
    }
  }
}

static page page_open(const view *v, const report_options *options, FILE *out) {
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
  find_shown(&p);
  find_folder(&p);
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

static char *style_of(const page *p) {
  buffer style = {0};
  buffer_puts(&style, html_style);
  page_filter_style(p, &style);
  return buffer_take(&style);
}

static void put_base64(FILE *out, const uint8_t *bytes, size_t length) {
  static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  for (size_t i = 0; i < length; i += 3) {
    size_t left = length - i;
    uint32_t three =
        (uint32_t)bytes[i] << 16 | (left > 1 ? (uint32_t)bytes[i + 1] << 8 : 0) | (left > 2 ? bytes[i + 2] : 0);
    char four[4] = {digits[three >> 18], digits[three >> 12 & 63], left > 1 ? digits[three >> 6 & 63] : '=',
                    left > 2 ? digits[three & 63] : '='};
    (void)fwrite(four, 1, sizeof four, out);
  }
}

static void put_source_hash(FILE *out, const char *text) {
  uint8_t digest[SHA256_DIGEST_LENGTH];
  SHA2_CTX context;
  SHA256Init(&context);
  SHA256Update(&context, (const uint8_t *)text, strlen(text));
  SHA256Final(digest, &context);
  (void)fputs("'sha256-", out);
  put_base64(out, digest, sizeof digest);
  (void)fputs("'", out);
}

/* Only the page's own style and scripts, by their digests, and nothing from anywhere. */
static void put_policy(FILE *out, const char *style) {
  (void)fputs("<meta http-equiv=Content-Security-Policy content=\"default-src 'none'; style-src ", out);
  put_source_hash(out, style);
  (void)fputs("; script-src ", out);
  put_source_hash(out, html_theme);
  (void)fputs(" ", out);
  put_source_hash(out, html_script);
  (void)fputs("; base-uri 'none'; form-action 'none'\">\n", out);
}

/* "reduction, 3a55148+, 2026-11-22" */
static void put_title(const page *p) {
  enum { DATE = 10, REVISION = 12 };
  buffer programs = {0};
  page_programs(p, &programs);
  page_text(p->out, programs.length > 0 ? buffer_text(&programs) : "No program");
  buffer_free(&programs);
  const char *revision = p->v->revision == NULL ? "" : p->v->revision;
  const size_t length = strlen(revision);
  if (length > 0) {
    (void)fputs(", ", p->out);
    page_text_of(p->out, revision, length < REVISION ? length : REVISION);
    (void)fputs(length > REVISION && revision[length - 1] == '+' ? "+" : "", p->out);
  }
  if (strlen(p->v->started) >= DATE) {
    (void)fputs(", ", p->out);
    page_text_of(p->out, p->v->started, DATE);
  }
}

static void put_head(const page *p) {
  char *style = style_of(p);
  (void)fputs("<!DOCTYPE html>\n<html lang=en>\n<head>\n<meta charset=utf-8>\n", p->out);
  put_policy(p->out, style);
  (void)fputs(
      "<meta name=viewport content=\"width=device-width, initial-scale=1\">\n"
      "<meta name=color-scheme content=\"light dark\">\n<meta name=referrer content=no-referrer>\n"
      "<meta name=generator content=cltestcheck>\n<title>",
      p->out);
  put_title(p);
  (void)fprintf(p->out, " - cltestcheck</title>\n<style>%s</style>\n<script>%s</script>\n</head>\n", style, html_theme);
  free(style);
}

static void put_fact(const page *p, const char *name, const char *value) {
  if (value[0] != '\0') {
    (void)fprintf(p->out, "<div><dt>%s<dd>", name);
    page_text(p->out, value);
    (void)fputs("</div>\n", p->out);
  }
}

static void put_folder(const page *p) {
  for (size_t i = 0; i < p->v->file_count && p->folder > 0; i++) {
    if (p->shown[i]) {
      (void)fputs("<div><dt>Sources below<dd>", p->out);
      page_text_of(p->out, p->v->files[i].name, p->folder);
      (void)fputs("</div>\n", p->out);
      return;
    }
  }
}

static void put_runs(const page *p) {
  buffer runs = {0};
  report_runs(p->v, NULL, &runs);
  if (p->v->run_count == 1) {
    buffer_printf(&runs, ", %s", p->v->command);
  }
  put_fact(p, "Of", buffer_text(&runs));
  buffer_free(&runs);
}

static void put_globs(const page *p, const char *name, const char *const *globs, size_t count) {
  for (size_t i = 0; i < count; i++) {
    put_fact(p, name, globs[i]);
  }
}

static void put_header(const page *p) {
  (void)fputs("<header>\n<h1>", p->out);
  put_title(p);
  (void)fputs("</h1>\n<dl>\n", p->out);
  put_runs(p);
  put_fact(p, "Started", p->v->started);
  put_fact(p, "Revision", p->v->revision == NULL ? "" : p->v->revision);
  put_fact(p, "Device", p->v->device);
  put_fact(p, "cltestcheck", p->v->version);
  put_folder(p);
  put_globs(p, "Only kernels", p->options->kernels.wanted, p->options->kernels.wanted_count);
  put_globs(p, "Without kernels", p->options->kernels.exclude, p->options->kernels.exclude_count);
  (void)fputs("</dl>\n</header>\n", p->out);
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
  (void)fputs("<nav id=bar aria-label=\"Parts of the report\">\n<ul>\n", p->out);
  for (size_t i = 0; i < PARTS; i++) {
    if (parts[i].has(p)) {
      (void)fprintf(p->out, "<li><a href=\"#%s\">%s</a>\n", parts[i].id, parts[i].title);
    }
  }
  (void)fputs("</ul>\n", p->out);
  page_tools(p);
  (void)fputs("</nav>\n", p->out);
}

static void put_part(const page *p, size_t i) {
  const char *before = parts[i].folded ? "<details class=part><summary>" : "";
  (void)fprintf(p->out, "<section id=%s aria-labelledby=h-%s>\n%s<h2 id=h-%s>%s</h2>%s\n", parts[i].id, parts[i].id,
                before, parts[i].id, parts[i].title, parts[i].folded ? "</summary>" : "");
  parts[i].put(p);
  (void)fputs(parts[i].folded ? "</details>\n</section>\n" : "</section>\n", p->out);
}

static void put_parts(const page *p) {
  (void)fputs("<main>\n", p->out);
  for (size_t i = 0; i < PARTS; i++) {
    if (parts[i].has(p)) {
      put_part(p, i);
    }
  }
  (void)fputs("</main>\n", p->out);
}

int html_write(const view *v, const report_options *options, FILE *out, error *e) {
  page p = page_open(v, options, out);
  put_head(&p);
  (void)fputs("<body", out);
  page_filter_classes(&p);
  (void)fputs(">\n<a class=skip href=\"#findings\">Skip to the findings</a>\n", out);
  put_header(&p);
  put_navigation(&p);
  put_parts(&p);
  (void)fprintf(out, "<script>%s</script>\n</body>\n</html>\n", html_script);
  page_close(&p);
  return report_written(out, e);
}
