/* JSON piece by piece, and its values; text for XML and Markdown. */
#include "reports/common/json.h"

#include <string.h>

#include "base/utf8.h"

/* Six digits: 66.7, not 66.700000000000003. */
#define DUMP_FLAGS (JSON_PRESERVE_ORDER | JSON_REAL_PRECISION(6) | JSON_ENCODE_ANY)

static void dump(json_stream *s, json_t *value) { (void)json_dumpf(value, s->out, DUMP_FLAGS); }

/* A comma after what stands there, a new line, the key. */
static void begin_member(json_stream *s, const char *key) {
  (void)fprintf(s->out, "%s\n%*s", s->any[s->depth] ? "," : "", 2 * (s->depth + 1), "");
  s->any[s->depth] = true;
  if (key != NULL) {
    json_t *name = json_string(key);
    dump(s, name);
    (void)fputs(": ", s->out);
    json_decref(name);
  }
}

static void open_level(json_stream *s, char opening, char closing) {
  (void)fputc(opening, s->out);
  s->depth++;
  s->closing[s->depth] = closing;
  s->any[s->depth] = false;
}

void json_stream_begin(json_stream *s, FILE *out) {
  *s = (json_stream){.out = out, .depth = -1};
  open_level(s, '{', '}');
}

void json_stream_object(json_stream *s, const char *key) {
  begin_member(s, key);
  open_level(s, '{', '}');
}

void json_stream_array(json_stream *s, const char *key) {
  begin_member(s, key);
  open_level(s, '[', ']');
}

void json_stream_value(json_stream *s, const char *key, json_t *value) {
  begin_member(s, key);
  dump(s, value);
  json_decref(value);
}

void json_stream_item(json_stream *s, json_t *value) { json_stream_value(s, NULL, value); }

void json_stream_close(json_stream *s) {
  if (s->any[s->depth]) (void)fprintf(s->out, "\n%*s", 2 * s->depth, "");
  (void)fputc(s->closing[s->depth], s->out);
  s->depth--;
}

int json_stream_end(json_stream *s, error *e) {
  while (s->depth >= 0) json_stream_close(s);
  (void)fputc('\n', s->out);
  return report_written(s->out, e);
}

json_t *value_text(const char *text, size_t length) {
  scoped_buffer clean = {0};
  utf8_clean(&clean, text, length);
  return json_stringn(buffer_text(&clean), clean.length);
}

json_t *value_string(const char *text) { return value_text(text, strlen(text)); }

json_t *value_file(const view *v, uint32_t file) {
  return file == MODEL_NONE ? json_null() : value_string(v->files[file].name);
}

void value_set(json_t *object, const char *key, json_t *value) { (void)json_object_set_new(object, key, value); }

void value_add(json_t *array, json_t *value) { (void)json_array_append_new(array, value); }

json_t *value_line(uint32_t file, uint32_t line) { return file == MODEL_NONE ? json_null() : json_integer(line); }

json_t *value_object_of(const value_member *members, size_t count) {
  json_t *object = json_object();
  for (size_t i = 0; i < count; i++)
    if (members[i].value != NULL) value_set(object, members[i].key, members[i].value);
  return object;
}

json_t *value_ratio(const ratio *r) {
  return value_object({"covered", json_integer((json_int_t)r->covered)}, {"total", json_integer((json_int_t)r->total)});
}

/* Markdown and XML take text that may hold anything. */

#define MARKDOWN_LINE 300 /* columns of a line of code */

/* What has a meaning in Markdown or HTML. */
#define SPECIAL "\\`*_{}[]<>#|!~&@$"

const char *markdown_text(report_out *to, const char *text) {
  scoped_buffer line = {0};
  buffer *piece = report_piece(to);
  utf8_line(&line, text, strlen(text));
  for (const char *c = buffer_text(&line); *c != '\0'; c++)
    buffer_printf(piece, strchr(SPECIAL, *c) != NULL ? "&#%u;" : "%c", (unsigned)*c);
  return buffer_text(piece);
}

/* The longest run of backticks. */
static size_t longest_run(const char *text) {
  size_t longest = 0;
  for (const char *c = text; *c != '\0';) {
    size_t run = strspn(c, "`");
    longest = run > longest ? run : longest;
    c += run == 0 ? 1 : run;
  }
  return longest;
}

static void add_fence(buffer *to, size_t length) {
  for (size_t i = 0; i < length; i++) buffer_putc(to, '`');
}

const char *markdown_code(report_out *to, const char *text, bool in_table) {
  scoped_buffer line = {0};
  buffer *piece = report_piece(to);
  utf8_line(&line, text, strlen(text));
  const char *s = buffer_text(&line);
  const size_t fence = longest_run(s) + 1;
  const char *space = fence > 1 || s[0] == ' ' ? " " : "";
  if (line.length > 0) {
    add_fence(piece, fence);
    buffer_puts(piece, space);
    for (; *s != '\0'; s++) buffer_printf(piece, "%s%c", in_table && *s == '|' ? "\\" : "", *s);
    buffer_puts(piece, space);
    add_fence(piece, fence);
  }
  return buffer_text(piece);
}

static void put_line(buffer *b, const char *prefix, const char *text, size_t length) {
  scoped_buffer clean = {0};
  length -= length > 0 && text[length - 1] == '\r' ? 1 : 0;
  for (size_t i = 0; i < length; i++) { /* tabs stay */
    if (text[i] == '\t') {
      buffer_putc(&clean, '\t');
      continue;
    }
    size_t n = utf8_character(text + i, length - i);
    n = n == 0 ? 1 : n;
    utf8_line(&clean, text + i, n);
    i += n - 1;
  }
  scoped_buffer shown = {0};
  utf8_shorten(&shown, buffer_text(&clean), MARKDOWN_LINE);
  buffer_printf(b, "%s%s\n", prefix, buffer_text(&shown));
}

void markdown_lines(buffer *b, const char *prefix, const char *text, size_t length, size_t most) {
  const char *end = text + length;
  for (size_t n = 0; text < end || n == 0; n++) {
    const char *stop = text == end ? end : memchr(text, '\n', (size_t)(end - text));
    stop = stop == NULL ? end : stop;
    if (n == most) {
      buffer_printf(b, "%s" UTF8_ELLIPSIS "\n", prefix);
      return;
    }
    put_line(b, prefix, text, (size_t)(stop - text));
    text = stop == end ? end : stop + 1;
  }
}

const char *markdown_block(report_out *to, const char *language, const buffer *lines) {
  buffer *piece = report_piece(to);
  size_t fence = longest_run(buffer_text(lines)) + 1;
  fence = fence < 3 ? 3 : fence;
  add_fence(piece, fence);
  buffer_printf(piece, "%s\n%s", language, buffer_text(lines));
  add_fence(piece, fence);
  buffer_puts(piece, "\n");
  return buffer_text(piece);
}

static const struct {
  char character;
  const char *entity;
} entities[] = {{'&', "&amp;"},  {'<', "&lt;"},   {'>', "&gt;"}, {'"', "&quot;"},
                {'\n', "&#10;"}, {'\r', "&#13;"}, {'\t', "&#9;"}};

static const char *entity_of(char c) {
  for (size_t i = 0; i < sizeof entities / sizeof entities[0]; i++)
    if (entities[i].character == c) return entities[i].entity;
  return NULL;
}

/* XML 1.0 has no other C0 controls, no U+FFFE and no U+FFFF. */
static bool is_character(const char *s, size_t n) {
  return !(n == 0 || (n == 1 && (unsigned char)s[0] < 0x20) ||
           (n == 3 && (memcmp(s, "\xef\xbf\xbe", 3) == 0 || memcmp(s, "\xef\xbf\xbf", 3) == 0)));
}

const char *xml_text(report_out *to, const char *text) {
  buffer *piece = report_piece(to);
  size_t length = strlen(text);
  for (size_t i = 0; i < length;) {
    size_t n = utf8_character(text + i, length - i);
    const char *entity = entity_of(text[i]);
    if (entity != NULL)
      buffer_puts(piece, entity);
    else if (is_character(text + i, n))
      buffer_append(piece, text + i, n);
    else
      buffer_puts(piece, UTF8_REPLACEMENT);
    i += n == 0 ? 1 : n;
  }
  return buffer_text(piece);
}
