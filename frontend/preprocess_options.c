/* Build options: cuts the string of clBuildProgram into words and sorts out -D, -U, -I and -Werror. */
#include "frontend/preprocess_internal.h"

static bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f' || c == '\v'; }

/* One word: as written in `raw`, without quotes and backslashes in `word`. NULL at the end, else what follows.
 * A backslash takes the next character as it is, but not within single quotes. */
static const char *next_word(const char *s, buffer *raw, buffer *word) {
  while (is_blank(*s)) {
    s++;
  }
  if (*s == '\0') {
    return NULL;
  }
  const char *start = s;
  char quote = '\0';
  word->length = 0;
  buffer_puts(word, "");
  for (; *s != '\0' && (quote != '\0' || !is_blank(*s)); s++) {
    if (*s == '\\' && quote != '\'' && s[1] != '\0') {
      buffer_putc(word, *++s);
    } else if (*s == quote) {
      quote = '\0';
    } else if (quote == '\0' && (*s == '"' || *s == '\'')) {
      quote = *s;
    } else {
      buffer_putc(word, *s);
    }
  }
  raw->length = 0;
  buffer_append(raw, start, (size_t)(s - start));
  return s;
}

/* The line that a -D stands for. As with clang, a value ends at a line break. */
static void define(buffer *command_line, const char *definition) {
  size_t length = strcspn(definition, "\r\n");
  const char *equals = memchr(definition, '=', length);
  size_t name_length = equals == NULL ? length : (size_t)(equals - definition);
  buffer_puts(command_line, "#define ");
  buffer_append(command_line, definition, name_length);
  buffer_putc(command_line, ' ');
  if (equals == NULL) {
    buffer_putc(command_line, '1');
  } else {
    buffer_append(command_line, equals + 1, length - name_length - 1);
  }
  /* A backslash at the end would take the next line in. */
  buffer_puts(command_line, strchr(definition, '\\') != NULL ? "\n\n" : "\n");
}

static void add_directory(preprocessor *pp, const char *directory) {
  *ARRAY_ADD(pp->include_directories, pp->directory_count, pp->directory_capacity) = mem_strdup(directory);
}

static void obey(preprocessor *pp, char letter, const char *value, buffer *command_line) {
  if (letter == 'D') {
    define(command_line, value);
  } else if (letter == 'U') {
    buffer_printf(command_line, "#undef %.*s\n", (int)strcspn(value, "\r\n\\"), value);
  } else {
    add_directory(pp, value);
  }
}

static bool is_werror(const char *word) { return strcmp(word, "-Werror") == 0 || strncmp(word, "-Werror=", 8) == 0; }

void pp_read_options(preprocessor *pp, const char *options, buffer *command_line, buffer *others) {
  buffer raw = {0}, word = {0};
  const char *rest = next_word(options, &raw, &word);
  while (rest != NULL) {
    const char *text = buffer_text(&word);
    char letter = text[0] == '-' && (text[1] == 'D' || text[1] == 'U' || text[1] == 'I') ? text[1] : '\0';
    buffer value_raw = {0}, value = {0};
    const char *after = letter != '\0' && text[2] == '\0' ? next_word(rest, &value_raw, &value) : NULL;
    if (after != NULL) {
      obey(pp, letter, buffer_text(&value), command_line);
      rest = after;
    } else if (letter != '\0' && text[2] != '\0') {
      obey(pp, letter, text + 2, command_line);
    } else if (!is_werror(text)) {
      buffer_puts(others, others->length > 0 ? " " : "");
      buffer_append(others, raw.data, raw.length);
    }
    buffer_free(&value_raw);
    buffer_free(&value);
    rest = next_word(rest, &raw, &word);
  }
  buffer_free(&raw);
  buffer_free(&word);
}

/* The word as written, with `root` before the path that it is or ends with. */
static void put_below(buffer *out, const buffer *raw, const char *root) {
  const char *slash = strchr(raw->data, '/');
  buffer_append(out, raw->data, (size_t)(slash - raw->data));
  buffer_printf(out, "%s%s", root, slash);
}

char *pp_options_below(const char *options, const char *root, void (*tell)(void *context, const char *directory),
                       void *context) {
  buffer out = {0}, raw = {0}, word = {0};
  bool path = false; /* the word before was -I alone */
  for (const char *rest = options; (rest = next_word(rest, &raw, &word)) != NULL;) {
    const char *text = buffer_text(&word);
    const char *directory = path ? text : strncmp(text, "-I", 2) == 0 && text[2] != '\0' ? text + 2 : NULL;
    const bool absolute = directory != NULL && directory[0] == '/';
    buffer_puts(&out, out.length > 0 ? " " : "");
    if (absolute) {
      put_below(&out, &raw, root);
    } else {
      buffer_append(&out, raw.data, raw.length);
    }
    if (directory != NULL) {
      buffer told = {0};
      buffer_printf(&told, "%s%s", absolute ? root : "", directory);
      tell(context, buffer_text(&told));
      buffer_free(&told);
    }
    path = directory == NULL && strcmp(text, "-I") == 0;
  }
  buffer_free(&raw);
  buffer_free(&word);
  return out.data == NULL ? mem_strdup("") : buffer_take(&out);
}
