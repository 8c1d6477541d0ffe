/* Pieces that every part of the page uses: text that may hold anything, places, shares, tables, lines to paste. */
#include <ctype.h>
#include <string.h>

#include "base/buffer.h"
#include "base/subprocess.h"
#include "base/utf8.h"
#include "reports/common/mutation.h"
#include "reports/common/place.h"
#include "reports/common/suppress.h"
#include "reports/html/page.h"

/* Characters that change the direction of the text around them, or break lines: a range of UTF-8 of three bytes that
 * begins with e2, and those of two bytes. */
static bool is_deceptive(const char *s, size_t n) {
  const unsigned char *u = (const unsigned char *)s;
  if (n == 2) return (u[0] == 0xc2 && u[1] < 0xa0) || (u[0] == 0xd8 && u[1] == 0x9c); /* C1 controls; U+061C */
  return n == 3 && u[0] == 0xe2 &&
         ((u[1] == 0x80 && ((u[2] >= 0x8e && u[2] <= 0x8f) || (u[2] >= 0xa8 && u[2] <= 0xae))) ||
          (u[1] == 0x81 && u[2] >= 0xa6 && u[2] <= 0xa9)); /* U+200E, F; U+2028 … U+202E; U+2066 … U+2069 */
}

/* What stands for an ASCII character that is not itself; NULL: it is. */
static const char *escaped(unsigned char c, char picture[4]) {
  switch (c) {
    case '&': return "&amp;";
    case '<': return "&lt;";
    case '>': return "&gt;";
    case '"': return "&quot;";
    case '\'': return "&#39;";
    case '\t': return NULL;
    case '\n': return " ";
    default: break;
  }
  if (c >= 0x20 && c != 0x7f) return NULL;
  picture[0] = (char)0xe2; /* U+2400 + c, and U+2421 for DEL */
  picture[1] = (char)0x90;
  picture[2] = (char)(0x80 + (c == 0x7f ? 0x21 : c));
  picture[3] = '\0';
  return picture;
}

static void escape_html(buffer *to, const char *text, size_t length) {
  size_t plain = 0; /* where what can be written as it is began */
  for (size_t i = 0; i < length;) {
    char picture[4];
    size_t n = utf8_character(text + i, length - i);
    const char *instead = n == 1                                ? escaped((unsigned char)text[i], picture)
                          : n == 0 || is_deceptive(text + i, n) ? UTF8_REPLACEMENT
                                                                : NULL;
    if (instead != NULL) {
      buffer_append(to, text + plain, i - plain);
      buffer_puts(to, instead);
      plain = i + (n == 0 ? 1 : n);
    }
    i += n == 0 ? 1 : n;
  }
  buffer_append(to, text + plain, length - plain);
}

const char *page_text_of(report_out *to, const char *text, size_t length) {
  buffer *piece = report_piece(to);
  escape_html(piece, text, length);
  return buffer_text(piece);
}

const char *page_text(report_out *to, const char *text) { return page_text_of(to, text, strlen(text)); }

const char *page_file_name(const page *p, uint32_t file) {
  return p->v->files[file].name + (p->shown[file] ? p->folder : 0);
}

const char *page_place(const page *p, uint32_t file, uint32_t line) {
  buffer *piece = report_piece(p->out);
  if (file != MODEL_NONE) {
    const char *name = page_file_name(p, file);
    if (p->shown[file]) buffer_printf(piece, "<a href=\"#f%u-%u\">", file, line);
    escape_html(piece, name, strlen(name));
    buffer_printf(piece, ":%u%s", line, p->shown[file] ? "</a>" : "");
  }
  return buffer_text(piece);
}

const char *page_test_name(const page *p, uint32_t test_case) {
  scoped_buffer name = {0};
  mutation_test_name(&p->v->test_cases[test_case], &name);
  return page_text(p->out, buffer_text(&name));
}

/* The source line of a place as a figure; nothing when there is none. */
static void page_excerpt(const page *p, uint32_t file, uint32_t line) {
  enum { LONGEST = 400 };
  const model_file *f = &p->v->files[file];
  const char *at = f->text, *end = f->text + f->length;
  for (uint32_t i = 1; i < line && at != NULL && at < end; i++) {
    at = memchr(at, '\n', (size_t)(end - at));
    at = at == NULL ? NULL : at + 1;
  }
  if (line == 0 || at == NULL || at >= end) return;
  const char *newline = memchr(at, '\n', (size_t)(end - at));
  size_t length = (size_t)((newline == NULL ? end : newline) - at);
  report_put(p->out, "<pre class=x><b>%u</b> %s%s</pre>\n", line,
             page_text_of(p->out, at, length < LONGEST ? length : LONGEST), length < LONGEST ? "" : UTF8_ELLIPSIS);
}

/* Lists of a document. */

static const char *begin_sentence(report_out *to, const char *text) {
  scoped_buffer sentence = buffer_with("%s", text);
  if (sentence.length > 0) sentence.data[0] = (char)toupper((unsigned char)sentence.data[0]);
  return page_text(to, buffer_text(&sentence));
}

/* Of an item with a title the place alone. */
static void put_node(const page *p, const doc_node *n, const char *tag) {
  const char *text = n->kind == DOC_ITEM && n->title != NULL ? "" : n->text;
  if (n->kind == DOC_PASTE) {
    report_put(p->out, "<p>%s: <code class=paste>%s</code>\n", begin_sentence(p->out, n->title),
               page_text(p->out, n->text));
  } else if (n->line > 0) {
    report_put(p->out, "<%s>%s%s%s\n", tag, page_place(p, n->file, n->line), text[0] == '\0' ? "" : ": ",
               page_text(p->out, text));
  } else {
    report_put(p->out, "<%s>%s\n", tag, n->kind == DOC_NOTE ? begin_sentence(p->out, text) : page_text(p->out, text));
  }
  if (n->excerpt && n->line > 0) page_excerpt(p, n->file, n->line);
}

void page_notes(const page *p, const document *d, size_t from) {
  bool steps = false;
  for (size_t i = from; i < d->count; i++) {
    const bool step = d->nodes[i].kind == DOC_STEP;
    report_put(p->out, "%s", step == steps ? "" : step ? "<ol>\n" : "</ol>\n");
    put_node(p, &d->nodes[i], step ? "li" : "p");
    steps = step;
  }
  report_put(p->out, "%s", steps ? "</ol>\n" : "");
}

void page_list(const page *p, const char *before, const document *d) {
  if (d->count > 0) {
    report_put(p->out, "%s\n<ul>\n", before);
    for (size_t i = 0; i < d->count; i++) put_node(p, &d->nodes[i], d->nodes[i].level > 0 ? "br" : "li");
    report_put(p->out, "</ul>\n");
  }
}

/* How good a share is: against --fail-under, or against what is usual. */

/* By the beginning of a metric's name, the first that fits. */
static const struct {
  const char *metric;
  double percent;
} usual[] = {
    {"mutation", 60}, /* as Stryker's viewer has it */
    {"revealed", 60},
    {"loop", 50}, /* a loop is seldom run 0 times and once, too */
    {"", 75},     /* as genhtml has it */
};

double page_least(const page *p, const char *metric) {
  for (size_t i = 0; i < p->options->threshold_count; i++)
    if (strcmp(p->options->thresholds[i].metric, metric) == 0) return p->options->thresholds[i].percent;
  size_t i = 0;
  while (strncmp(metric, usual[i].metric, strlen(usual[i].metric)) != 0) i++;
  return usual[i].percent;
}

const char *page_level(const page *p, const char *metric, const ratio *r) {
  if (r->total == 0) return "";
  const double least = page_least(p, metric);
  const double percent = 100.0 * (double)r->covered / (double)r->total;
  return percent < least ? "lo" : percent < (least + 100) / 2 ? "mid" : "hi";
}

/* Tables: names of columns in the cells, for cards; shares with a bar. */

static void open_table(report_out *out, const char *caption, const char *class) {
  report_put(out, "<div class=w role=group tabindex=0 aria-label=\"%s\"><table class=table><caption%s>%s</caption>\n",
             caption, class, caption);
}

void page_table(report_out *out, const char *caption) { open_table(out, caption, ""); }

void page_table_of_heading(report_out *out, const char *caption) { open_table(out, caption, " class=said"); }

const char *page_bar(report_out *to, const ratio *r) {
  buffer *piece = report_piece(to);
  buffer_printf(piece, "<meter aria-hidden=true max=%lu value=%lu></meter>", r->total, r->covered);
  return buffer_text(piece);
}

void page_ratio_cell(const page *p, const char *column, const char *metric, const ratio *r) {
  if (r->total == 0) {
    report_put(p->out, "<td class=r data-c=\"%s\">n/a", column);
    return;
  }
  report_put(p->out, "<td class=\"r %s\" data-c=\"%s\">%s<b>%s</b> <small>%lu/%lu</small>", page_level(p, metric, r),
             column, page_bar(p->out, r), report_percent(p->out, r), r->covered, r->total);
}

/* Of a mutant that survives: the command that runs it again, and the line that says that it may. */

/* --- the command ----------------------------------------------------------------------------------------------- */

/* The first test case that ran it and has a command. */
static const view_test_case *test_of(const page *p, const db_mutant *m) {
  for (size_t i = 0; i < m->verdict_count; i++) {
    const view_test_case *t = &p->v->test_cases[m->verdicts[i].test_case];
    if (m->verdicts[i].runs > 0 && t->command_line[0] != '\0') return t;
  }
  return NULL;
}

static void put_command(const page *p, const db_mutant *m) {
  const view_test_case *t = test_of(p, m);
  if (t == NULL) return;
  scoped_buffer line = {0}, oracle = {0}, device = {0};
  mutation_setting(p->v, " oracle ", " device ", &oracle);
  mutation_setting(p->v, " device ", " since ", &device);
  buffer_printf(&line, "cltestcheck mutate --mutant %u --operators ", m->id);
  shell_word(&line, m->operator_name);
  buffer_puts(&line, " --no-cache --db again.db");
  if (oracle.length > 0 && strcmp(buffer_text(&oracle), "exit") != 0) {
    buffer_puts(&line, " --oracle ");
    shell_word(&line, buffer_text(&oracle));
  }
  if (device.length > 0) {
    buffer_puts(&line, " --device ");
    shell_word(&line, buffer_text(&device));
  }
  buffer_printf(&line, " -- %s", t->command_line);
  report_put(p->out, "<p>Again: <code class=paste>%s</code>", page_text(p->out, buffer_text(&line)));
}

/* --- the suppression ------------------------------------------------------------------------------------------- */

static bool continues(const place_line *line) { return line->length > 0 && line->text[line->length - 1] == '\\'; }

static void put_suppression(const page *p, const db_mutant *m) {
  const model_file *f = &p->v->files[m->file];
  if (m->offset > f->length || m->function >= p->v->function_count) return;
  const place_line line = suppress_trimmed(place_line_at(f, m->offset));
  scoped_buffer rule = {0}, text = {0};
  buffer_printf(&rule, "mutant/%s", m->operator_name);
  suppress_text(buffer_text(&rule), p->v->functions[m->function].name, line, UTF8_ELLIPSIS, &text);
  report_put(p->out,
             "<p>It may survive? Below <code>suppressions:</code> in <code>cltestcheck.yaml</code>: <code "
             "class=paste>%s</code>",
             page_text(p->out, buffer_text(&text)));
  if (!continues(&line)) { /* a comment would swallow what joins the lines */
    report_put(p->out,
               " or, for all mutants of the line, at its end: <code class=paste>// cltestcheck: no-mutate</code>");
  }
}

void page_again(const page *p, const db_mutant *m) {
  if (m->status == MUTANT_SURVIVED || m->status == MUTANT_UNDECIDED) put_command(p, m);
  put_suppression(p, m);
}

/* What needs the script: search, steps through what is missed, keys, theme. Hidden until it runs. */

void page_tools(const page *p) {
  report_put(
      p->out,
      "<div id=tools hidden>\n<div id=find role=search><input id=search type=search aria-label=\"Search kernels, files "
      "and lines\" aria-controls=found placeholder=\"Search ( / )\" autocomplete=off spellcheck=false><output id=hits "
      "class=said></output><ul id=found aria-label=\"Found\" hidden></ul></div>\n<span role=group aria-label=\"Lines "
      "that miss something\"><button type=button id=previous title=\"Previous line that misses something "
      "(k)\">\xe2\x86\x91 <span class=wide>Previous</span></button> <button type=button id=next title=\"Next line that "
      "misses something (j)\">\xe2\x86\x93 <span class=wide>Next</span> missed</button></span>\n<label><input "
      "type=checkbox id=keys checked> keys j k /</label>\n<label>Theme <select id=theme><option value=auto>auto<option "
      "value=light>light<option value=dark>dark</select></label>\n</div>\n");
}
