/* The model of a program: names of its kinds of sites, and its release; and where its source is written, by binary
 * search in spans. */

#include <stdlib.h>
#include <string.h>

#include "base/home.h"
#include "base/memory.h"
#include "base/names.h"

/* ---- where a source is written ---- */

static uint32_t *line_starts(const char *text, size_t length, size_t *count) {
  uint32_t *starts = NULL;
  size_t capacity = 0;
  *count = 0;
  *ARRAY_ADD(starts, *count, capacity) = 0;
  for (size_t i = 0; i < length; i++)
    if (text[i] == '\n') *ARRAY_ADD(starts, *count, capacity) = (uint32_t)i + 1;
  return starts;
}

home_index home_index_of(const model_file *file) {
  home_index x = {.file = file};
  x.starts = mem_calloc(file->home_count + 1, sizeof *x.starts);
  x.counts = mem_calloc(file->home_count + 1, sizeof *x.counts);
  x.starts[0] = line_starts(file->text, file->length, &x.counts[0]);
  for (size_t i = 0; i < file->home_count; i++)
    x.starts[i + 1] = line_starts(file->homes[i].text, file->homes[i].length, &x.counts[i + 1]);
  return x;
}

void home_index_free(home_index *x) {
  for (size_t i = 0; x->starts != NULL && i <= x->file->home_count; i++) free(x->starts[i]);
  free(x->starts);
  free(x->counts);
  *x = (home_index){0};
}

/* The first span of a home that ends after `offset`. */
static size_t span_behind(const model_home *h, uint32_t offset) {
  size_t low = 0, high = h->span_count;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    if (h->spans[middle].offset + h->spans[middle].length <= offset)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

static home_place place_at(const home_index *x, uint32_t home, uint32_t offset) {
  const uint32_t *starts = x->starts[home + 1];
  size_t low = 0;
  size_t high = x->counts[home + 1];
  while (high - low > 1) {
    size_t middle = low + (high - low) / 2;
    if (starts[middle] <= offset)
      low = middle;
    else
      high = middle;
  }
  return (home_place){home, offset, (uint32_t)low + 1, offset - starts[low] + 1};
}

/* The span of a home that holds `offset`, or NULL. */
static const model_span *span_at(const model_home *h, uint32_t offset) {
  size_t i = span_behind(h, offset);
  return i < h->span_count && h->spans[i].offset <= offset ? &h->spans[i] : NULL;
}

/* Line and column of a place, without an index. */
static void count_lines(const char *text, uint32_t offset, uint32_t *line, uint32_t *column) {
  const char *begin = text;
  *line = 1;
  for (const char *end; (end = memchr(begin, '\n', (size_t)(text + offset - begin))) != NULL; begin = end + 1)
    *line += 1;
  *column = (uint32_t)(text + offset - begin) + 1;
}

home_shown home_show(const model_file *file, uint32_t offset, uint32_t end_offset, uint32_t line, uint32_t column,
                     uint32_t end_line) {
  home_shown shown = {file->name, line, column, end_line};
  for (size_t i = 0; i < file->home_count; i++) {
    const model_home *h = &file->homes[i];
    const model_span *s = span_at(h, offset);
    if (s == NULL) continue;
    uint32_t ignored = 0;
    const model_span *last = end_offset > offset ? span_at(h, end_offset - 1) : s;
    shown.name = h->name;
    count_lines(h->text, s->home_offset + (s->length == s->home_length ? offset - s->offset : 0), &shown.line,
                &shown.column);
    count_lines(h->text, last == NULL ? 0 : last->home_offset, &shown.end_line, &ignored);
    shown.end_line = shown.end_line < shown.line ? shown.line : shown.end_line;
    break;
  }
  return shown;
}

bool home_find(const home_index *x, uint32_t offset, home_place *out) {
  for (uint32_t i = 0; i < x->file->home_count; i++) {
    const model_span *s = span_at(&x->file->homes[i], offset);
    if (s != NULL) {
      uint32_t inside = s->length == s->home_length ? offset - s->offset : 0;
      *out = place_at(x, i, s->home_offset + inside);
      return true;
    }
  }
  return false;
}

static bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n' || c == '\f' || c == '\v'; }

bool home_find_line(const home_index *x, uint32_t line, home_place *out) {
  if (line == 0 || line > x->counts[0]) return false;
  uint32_t begin = x->starts[0][line - 1];
  uint32_t end = line < x->counts[0] ? x->starts[0][line] : (uint32_t)x->file->length;
  for (uint32_t at = begin; at < end; at++)
    if (!is_blank(x->file->text[at]) && home_find(x, at, out)) return true;
  return false;
}

home_place home_find_end(const home_index *x, const home_place *begin, uint32_t end) {
  const model_span *s = end == 0 ? NULL : span_at(&x->file->homes[begin->home], end - 1);
  if (s == NULL) return *begin;
  uint32_t inside = s->length == s->home_length ? end - s->offset : s->home_length;
  home_place last = place_at(x, begin->home, s->home_offset + inside);
  return last.offset < begin->offset ? *begin : last;
}

uint32_t home_offset_of(const home_index *x, uint32_t line, uint32_t column) {
  if (line == 0 || line > x->counts[0]) return (uint32_t)x->file->length;
  return x->starts[0][line - 1] + (column == 0 ? 0 : column - 1);
}

/* ---- models ---- */

void model_homes_free(model_home *homes, size_t count) {
  for (size_t i = 0; i < count; i++) {
    free(homes[i].name);
    free(homes[i].root);
    free(homes[i].text);
    free(homes[i].spans);
  }
  free(homes);
}

static void model_files_free(model_file *files, size_t count) {
  for (size_t i = 0; i < count; i++) {
    model_homes_free(files[i].homes, files[i].home_count);
    free(files[i].name);
    free(files[i].root);
    free(files[i].text);
  }
  free(files);
}

static void model_functions_free(model_function *functions, size_t count) {
  for (size_t i = 0; i < count; i++) free(functions[i].name);
  free(functions);
}

static void model_sites_free(model_site *sites, size_t count) {
  for (size_t i = 0; i < count; i++) {
    for (size_t k = 0; k < sites[i].outcome_count; k++) free(sites[i].outcomes[k].label);
    free(sites[i].outcomes);
  }
  free(sites);
}

uint32_t model_name_digest(const char *name) {
  uint32_t digest = 2166136261U; /* FNV-1a */
  for (; *name != '\0'; name++) digest = (digest ^ (unsigned char)*name) * 16777619U;
  return digest;
}

void model_free(model *m) {
  model_files_free(m->files, m->file_count);
  model_functions_free(m->functions, m->function_count);
  model_sites_free(m->sites, m->site_count);
  for (size_t i = 0; i < m->line_count; i++) free(m->lines[i].terms);
  for (size_t i = 0; i < m->kernel_count; i++) {
    free(m->kernels[i].name);
    free(m->kernels[i].functions);
    free(m->kernels[i].sites);
  }
  free(m->lines);
  free(m->kernels);
  free(m->options);
  *m = (model){0};
}

/* Names of the kinds of sites. */

static const char *const names[SITE_KIND_COUNT] = {
    [SITE_FUNCTION] = "function",
    [SITE_IF] = "if",
    [SITE_CONDITIONAL] = "conditional",
    [SITE_SWITCH] = "switch",
    [SITE_FOR] = "for",
    [SITE_WHILE] = "while",
    [SITE_DO] = "do",
    [SITE_BARRIER] = "barrier",
    [SITE_REGION] = "region",
    [SITE_CONDITION] = "condition",
    [SITE_ASYNC] = "async",
    [SITE_DECISION] = "decision",
};

const char *site_kind_name(site_kind kind) { return (unsigned)kind < SITE_KIND_COUNT ? names[kind] : "unknown"; }

int site_kind_from_name(const char *name) { return name_number(names, SITE_KIND_COUNT, name); }
