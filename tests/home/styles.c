/* The ways in which programs write kernels. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "tests/home/written.h"

void written_free(written *w) {
  buffer_free(&w->file);
  buffer_free(&w->built);
  free(w->kinds);
  free(w->places);
}

static void host(written *w, const char *s) { buffer_puts(&w->file, s); }

/* A character of the built source that is written at `place`. */
static void build(written *w, char c, unsigned char kind, uint32_t place) {
  w->kinds = mem_grow(w->kinds, &w->capacity, w->built.length + 1, 1);
  w->places = mem_grow(w->places, &w->place_capacity, w->built.length + 1, sizeof *w->places);
  w->kinds[w->built.length] = kind;
  w->places[w->built.length] = place;
  buffer_putc(&w->built, c);
}

static void generated(written *w, const char *s) {
  for (; *s != '\0'; s++) build(w, *s, WRITTEN_BLANK, NOWHERE);
}

/* Writes a character as `as`. */
static void write_as(written *w, const kernel_text *k, size_t i, const char *as) {
  build(w, k->text.data[i], k->kinds[i], (uint32_t)w->file.length);
  host(w, as);
}

static void write_plain(written *w, const kernel_text *k, size_t i) {
  const char one[] = {k->text.data[i], '\0'};
  write_as(w, k, i, one);
}

/* As an escape sequence where the quote or the language wants one. */
static void write_escaped(random_source *r, written *w, const kernel_text *k, size_t i, char quote) {
  char c = k->text.data[i];
  char text[8];
  if (c == '\n' || c == '\t') {
    write_as(w, k, i, c == '\n' ? "\\n" : "\\t");
  } else if (c == quote || c == '\\') {
    const char both[] = {'\\', c, '\0'};
    write_as(w, k, i, both);
  } else if (random_below(r, 60) == 0 && isxdigit((unsigned char)k->text.data[i + 1]) == 0) {
    (void)snprintf(text, sizeof text, random_below(r, 2) == 0 ? "\\%03o" : "\\x%02x", (unsigned)c);
    write_as(w, k, i, text);
  } else {
    write_plain(w, k, i);
  }
}

/* --- C ------------------------------------------------------------------------------------------------------------ */

static void head_of_c(written *w) {
  host(w,
       "/* \"not this\" */\n#include <stdio.h>\nstatic const char quote = '\"';\n"
       "static const char *usage = \"prints nothing\";\nint twice(int x, int y) { return x + y; }\n");
}

static void tail_of_c(written *w) { host(w, ";\nint main(void) { return puts(\"done\"); }\n"); }

static void c_lines(random_source *r, const kernel_text *k, written *w) {
  head_of_c(w);
  host(w, "const char *source =\n    \"");
  for (size_t i = 0; i < k->text.length; i++) {
    write_escaped(r, w, k, i, '"');
    if (k->text.data[i] == '\n' && i + 1 < k->text.length)
      host(w, random_below(r, 4) == 0 ? "\" /* a 'remark\" */\n  \"" : "\"\n    \"");
  }
  host(w, "\"");
  tail_of_c(w);
}

static void c_pieces(random_source *r, const kernel_text *k, written *w) {
  head_of_c(w);
  host(w, "const char *source = \"");
  for (size_t i = 0; i < k->text.length; i++) {
    write_escaped(r, w, k, i, '"');
    if (random_below(r, 12) == 0)
      host(w, random_below(r, 3) == 0 ? "\" \"" : random_below(r, 2) == 0 ? "\"\n// \"remark\"\n\"" : "\\\n");
  }
  host(w, "\"");
  tail_of_c(w);
}

static void c_list(random_source *r, const kernel_text *k, written *w) {
  head_of_c(w);
  host(w, "const char *lines[] = {\n  \"");
  for (size_t i = 0; i < k->text.length; i++) {
    write_escaped(r, w, k, i, '"');
    if (k->text.data[i] == '\n' && i + 1 < k->text.length) host(w, "\",\n  \"");
  }
  host(w, "\"}");
  tail_of_c(w);
}

static void cpp_raw(random_source *r, const kernel_text *k, written *w) {
  const char *delimiter = random_below(r, 2) == 0 ? "" : "CLC";
  head_of_c(w);
  host(w, "const char *source = R\"");
  host(w, delimiter);
  host(w, "(");
  for (size_t i = 0; i < k->text.length; i++) write_plain(w, k, i);
  host(w, ")");
  host(w, delimiter);
  host(w, "\"");
  tail_of_c(w);
}

/* What a preprocessor makes of it: comments go, blanks become one. A directive is between two \n. */
static void c_macro(random_source *r, const kernel_text *k, written *w) {
  (void)r;
  bool blank = false;
  size_t i = 0;
  if (k->text.data[0] == '/') i = strcspn(k->text.data, "\n");
  const char *define = strstr(k->text.data, "#define");
  size_t begin = define == NULL ? k->text.length : (size_t)(define - k->text.data);
  size_t end = define == NULL ? k->text.length : begin + strcspn(define, "\n");
  head_of_c(w);
  host(w, "#define STRING_OF(...) #__VA_ARGS__\nconst char *source = STRING_OF(\n");
  for (; i < k->text.length; i++) {
    const char one[] = {k->text.data[i], '\0'};
    if (i == begin || i == end) {
      host(w, "\\n");
      generated(w, "\n");
      blank = false;
    }
    if (k->kinds[i] == WRITTEN_CODE) {
      if (blank && w->built.length > 0) generated(w, " ");
      blank = false;
      build(w, one[0], WRITTEN_CODE, (uint32_t)w->file.length);
    } else {
      blank = blank || k->kinds[i] == WRITTEN_BLANK;
    }
    host(w, one);
  }
  host(w, ")");
  tail_of_c(w);
}

/* --- Python --------------------------------------------------------------------------------------------------------
 */

static void head_of_python(written *w) {
  host(w,
       "# It's \"not\" this\nimport sys\n\n\ndef usage():\n    \"\"\"Prints 'nothing'.\"\"\"\n    print('x = y')\n\n");
}

static void python_triple(random_source *r, const kernel_text *k, written *w) {
  bool raw = random_below(r, 2) == 0;
  head_of_python(w);
  host(w, raw ? "SOURCE = r'''" : "SOURCE = \"\"\"");
  for (size_t i = 0; i < k->text.length; i++)
    if (!raw && k->text.data[i] == '\\')
      write_as(w, k, i, "\\\\");
    else
      write_plain(w, k, i);
  host(w, raw ? "'''\n" : "\"\"\"\n");
}

static void python_lines(random_source *r, const kernel_text *k, written *w) {
  head_of_python(w);
  host(w, "SOURCE = ('");
  for (size_t i = 0; i < k->text.length; i++) {
    write_escaped(r, w, k, i, '\'');
    if (k->text.data[i] == '\n' && i + 1 < k->text.length)
      host(w, random_below(r, 4) == 0 ? "'  # it's a remark\n          '" : "'\n          '");
  }
  host(w, "')\n");
}

static void python_list(random_source *r, const kernel_text *k, written *w) {
  head_of_python(w);
  host(w, "SOURCE = '\\n'.join([\n    '");
  for (size_t i = 0; i < k->text.length; i++) {
    if (k->text.data[i] == '\n') {
      host(w, i + 1 < k->text.length ? "',\n    '" : "");
      build(w, '\n', WRITTEN_BLANK, NOWHERE);
    } else {
      write_escaped(r, w, k, i, '\'');
    }
  }
  host(w, "'])\n");
}

/* A number becomes a value that is put in: it is not checked where it is written, all around it is. */
static size_t write_value(written *w, const kernel_text *k, size_t i, const char *hole) {
  for (; isdigit((unsigned char)k->text.data[i]) != 0; i++) build(w, k->text.data[i], WRITTEN_BLANK, NOWHERE);
  host(w, hole);
  return i - 1;
}

static bool is_value(random_source *r, const kernel_text *k, size_t i) {
  return i > 0 && k->kinds[i] == WRITTEN_CODE && isdigit((unsigned char)k->text.data[i]) != 0 &&
         strchr(" (+/%", k->text.data[i - 1]) != NULL && k->text.data[i + 1] == ';' && random_below(r, 2) == 0;
}

static void python_percents(random_source *r, const kernel_text *k, written *w) {
  head_of_python(w);
  host(w, "SOURCE = '''");
  for (size_t i = 0; i < k->text.length; i++)
    if (is_value(r, k, i))
      i = write_value(w, k, i, "%(number)d");
    else if (k->text.data[i] == '%' || k->text.data[i] == '\\')
      write_as(w, k, i, k->text.data[i] == '%' ? "%%" : "\\\\");
    else
      write_plain(w, k, i);
  host(w, "''' % {'number': 7}\n");
}

static void python_braces(random_source *r, const kernel_text *k, written *w) {
  bool f = random_below(r, 2) == 0;
  head_of_python(w);
  host(w, f ? "number = 7\nSOURCE = f'''" : "SOURCE = '''");
  for (size_t i = 0; i < k->text.length; i++) {
    char c = k->text.data[i];
    if (is_value(r, k, i))
      i = write_value(w, k, i, "{number}");
    else if (c == '{' || c == '}' || c == '\\')
      write_as(w, k, i, c == '{' ? "{{" : c == '}' ? "}}" : "\\\\");
    else
      write_plain(w, k, i);
  }
  host(w, f ? "'''\n" : "'''.format(number=7)\n");
}

/* --- others --------------------------------------------------------------------------------------------------------
 */

static void backticks(random_source *r, const kernel_text *k, written *w) {
  (void)r;
  host(w, "// It's a `test`\npackage main\n\nconst usage = \"`\"\n\nconst source = `");
  for (size_t i = 0; i < k->text.length; i++) write_plain(w, k, i);
  host(w, "`\n");
}

static void rust_raw(random_source *r, const kernel_text *k, written *w) {
  (void)r;
  host(w, "fn first<'a>(x: &'a str) -> &'a str { x }\nconst QUOTE: char = '\"';\nconst SOURCE: &str = r#\"");
  for (size_t i = 0; i < k->text.length; i++) write_plain(w, k, i);
  host(w, "\"#;\n");
}

/* A kernel file to which the program adds definitions. */
static void file_behind_definitions(random_source *r, const kernel_text *k, written *w) {
  generated(w, random_below(r, 2) == 0 ? "#define REAL float\n#define N 16\n" : "typedef float real; ");
  host(w, "// Licence\n");
  for (size_t i = 0; i < k->text.length; i++) write_plain(w, k, i);
}

const written_style written_styles[] = {
    {"C, a literal a line", "c", c_lines, true},
    {"C, literals in pieces", "c", c_pieces, true},
    {"C, a list of lines", "c", c_list, false},
    {"C++ raw string", "cpp", cpp_raw, true},
    {"C macro", "c", c_macro, true},
    {"Python, triple quotes", "py", python_triple, true},
    {"Python, a literal a line", "py", python_lines, true},
    {"Python, a list of lines", "py", python_list, false},
    {"Python, %", "py", python_percents, false},
    {"Python, format", "py", python_braces, false},
    {"Go", "go", backticks, true},
    {"Rust", "rs", rust_raw, true},
    {"a file after definitions", "cl", file_behind_definitions, false},
    {NULL, NULL, NULL, false},
};
